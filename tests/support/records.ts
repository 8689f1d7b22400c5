import fc from 'fast-check'
import type { StudyState } from '#src/contract/study.ts'
import type { Practice } from '#src/domain/study/stats.ts'
import type { Fact, Place } from '#src/domain/study/study.ts'
import { anyFacts } from './facts.ts'

/** All that was done with one question. */
export interface Answered {
  facts: Fact[]
  place: Place
}
const anyPlace = fc
  .record({ library: fc.nat(1), chapter: fc.nat(2), points: fc.uniqueArray(fc.constantFrom('p1', 'p2', 'p3')) })
  .map(({ library, chapter, points }): Place => ({
    libraryNo: `L${library}`,
    chapterNo: `L${library}c${chapter}`,
    type: 'single',
    points,
  }))

/** What a student did in a few libraries, in the order in which they did it. */
export const anyRecord: fc.Arbitrary<Answered[]> = fc.array(
  fc.record({ facts: anyFacts.map((facts) => facts.toSorted((a, b) => a.at - b.at)), place: anyPlace }),
  { maxLength: 8 },
)

/** What the figures are, from every state there is. */
export function plainly(states: readonly StudyState[]): Practice {
  const sum = (of: (state: StudyState) => number) => states.reduce((all, state) => all + of(state), 0)
  return {
    done: sum(({ times }) => (times > 0 ? 1 : 0)),
    mastered: sum(({ lastRight }) => (lastRight ? 1 : 0)),
    answered: sum(({ times }) => times),
    right: sum(({ times, wrong }) => times - wrong),
    spentMs: sum(({ spentMs }) => spentMs),
  }
}
