import type { ReactNode } from 'react'
import type { Tally } from '#src/domain/paper/paper.ts'

/** What the kind of a paper adds to the report of a sitting. */
export interface Reported {
  /** Where one leaves to. */
  leave: string
  /** What its sections are called. */
  section?: string
  /** What the marks mean. @param sections in the paper's order; null where the paper has changed since. */
  advise?: (
    whole: Pick<Tally, 'score' | 'full'>,
    sections: readonly (Pick<Tally, 'score' | 'full'> & { title: string })[] | null,
  ) => ReactNode
}
