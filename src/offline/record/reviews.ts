import { dayOf } from '#src/domain/time/day.ts'
import { readDraft } from '../drafts/kind.ts'
import { reviewsDealt } from '../drafts/practice.ts'
import type { Engine } from '../engine.ts'

export async function dealtOn(record: Pick<Engine, 'loadDraft'>, today: number): Promise<string[]> {
  const saved = await readDraft(record, reviewsDealt, reviewsDealt.key())
  return saved?.day === today ? saved.nos : []
}

export const keepDealt = (record: Pick<Engine, 'saveDraft'>, day: number, nos: readonly string[]): Promise<void> =>
  record.saveDraft({ key: reviewsDealt.key(), value: { day, nos: [...nos] } })

/** How many of today's reviews are done. */
export async function reviewsDone(record: Pick<Engine, 'loadDraft' | 'states'>, today: number): Promise<number> {
  const states = await record.states(await dealtOn(record, today))
  return [...states.values()].filter(({ lastAt }) => dayOf(lastAt) === today).length
}
