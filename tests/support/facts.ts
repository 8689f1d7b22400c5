import fc from 'fast-check'
import type { Answer, Fact, Place } from '#src/domain/study/study.ts'

export const place: Place = { chapterNo: 'c1', libraryNo: 'L', type: 'single', points: ['p1', 'p2'] }
const MINUTE = 60_000
const DAY = 86_400_000

export const answer = (over: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  opId: 'a',
  questionNo: 'q1',
  response: { kind: 'choice', ids: ['A'] },
  spentMs: 1000,
  from: 'library',
  version: 1,
  at: 1_000,
  right: true,
  ...over,
})

const moment = { at: fc.nat(4).map((n) => n * (n % 2 ? DAY : MINUTE)) }
/** Earlier facts that this one knows of. */
const over = fc.array(fc.nat(14), { maxLength: 3 })
const oneFact = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...moment,
      kind: fc.constant('answer' as const),
      right: fc.boolean(),
      spentMs: fc.nat(60_000),
    }),
  },
  fc.record({ ...moment, kind: fc.constant('book' as const), in: fc.boolean() }),
  fc.record({
    ...moment,
    kind: fc.constant('cause' as const),
    cause: fc.constantFrom('guess' as const, 'time' as const, '' as const),
  }),
  fc.record({ ...moment, kind: fc.constant('collect' as const), folder: fc.constantFrom('', 'f1', null), over }),
  fc.record({ ...moment, kind: fc.constant('note' as const), text: fc.constantFrom('甲', '乙', ''), over }),
)
const idOf = (i: number) => `op${String(i).padStart(2, '0')}`

/** What may be done with one question, at times that often collide, as when a device sends a whole offline day. */
export const anyFacts: fc.Arbitrary<Fact[]> = fc.array(oneFact, { minLength: 1, maxLength: 15 }).map((list) =>
  list.map((each, i): Fact => {
    const moved = { ...each, questionNo: 'q1', opId: idOf(i) }
    if (moved.kind === 'answer') return answer(moved)
    if (moved.kind !== 'collect' && moved.kind !== 'note') return moved
    return { ...moved, over: moved.over.filter((n) => n < i).map(idOf) }
  }),
)
export const anyAnswers = anyFacts.map((facts) => facts.filter((fact) => fact.kind === 'answer'))
/** The same facts in two orders. */
export const shuffledFacts = anyFacts.chain((facts) =>
  fc.record({
    facts: fc.constant(facts),
    order: fc.shuffledSubarray(facts, { minLength: facts.length, maxLength: facts.length }),
  }),
)
