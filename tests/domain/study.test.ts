import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StudyState } from '#src/contract/study.ts'
import { type Answer, applyAnswer, byTime, foldAnswers } from '#src/domain/study.ts'

const place = { chapterNo: 'c1', libraryNo: 'L' }
const answer = (over: Partial<Answer> = {}): Answer => ({
  opId: 'a',
  questionNo: 'q1',
  response: { kind: 'choice', ids: ['A'] },
  spentMs: 1000,
  at: 1_000,
  right: true,
  ...over,
})
/** Distinct op ids, but times that often collide, as when a device sends a whole offline day. */
const anyAnswers = fc
  .array(
    fc.record({ at: fc.nat(5), right: fc.boolean(), spentMs: fc.nat(60_000), letter: fc.constantFrom('A', 'B') }),
    {
      minLength: 1,
      maxLength: 15,
    },
  )
  .map((list) =>
    list.map(({ at, right, spentMs, letter }, i) =>
      answer({
        opId: `op${String(i).padStart(2, '0')}`,
        at,
        right,
        spentMs,
        response: { kind: 'choice', ids: [letter] },
      }),
    ),
  )
const shuffled = anyAnswers.chain((answers) =>
  fc.record({
    answers: fc.constant(answers),
    order: fc.shuffledSubarray(answers, { minLength: answers.length, maxLength: answers.length }),
  }),
)

describe('one answer after another', () => {
  test('the first answer makes the state', () => {
    expect(applyAnswer(null, answer({ right: false, at: 7 }), place)).toEqual({
      questionNo: 'q1',
      ...place,
      times: 1,
      wrong: 1,
      streak: 0,
      lastAt: 7,
      lastRight: false,
      lastResponse: { kind: 'choice', ids: ['A'] },
      spentMs: 1000,
    } satisfies StudyState)
  })

  test('a wrong answer ends the streak, a right one begins it again', () => {
    const marks = [true, true, false, true, true, true]
    const streaks = marks.map(
      (_, i) =>
        foldAnswers(
          marks.slice(0, i + 1).map((right, at) => answer({ opId: `op${at}`, at, right })),
          place,
        )?.streak,
    )
    expect(streaks).toEqual([1, 2, 0, 1, 2, 3])
  })

  test('the last answer says where the question is now, such as nowhere when it has been retired', () => {
    const state = applyAnswer(null, answer(), place)
    expect(applyAnswer(state, answer({ at: 2_000 }), { chapterNo: null, libraryNo: null })).toMatchObject({
      chapterNo: null,
      libraryNo: null,
      times: 2,
    })
  })

  test('the state before is left as it was', () => {
    const state = Object.freeze(applyAnswer(null, answer(), place))
    applyAnswer(state, answer({ at: 2_000, right: false }), place)
    expect(state).toMatchObject({ times: 1, wrong: 0 })
  })
})

describe('all answers of a question', () => {
  test('no answer is no state', () => expect(foldAnswers([], place)).toBeNull())

  test('any order of arrival gives one state', () => {
    fc.assert(
      fc.property(shuffled, ({ answers, order }) => {
        expect(foldAnswers(order, place)).toEqual(foldAnswers(answers, place))
      }),
    )
  })

  test('answers that come in order can be applied one by one', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        let state: StudyState | null = null
        for (const each of [...answers].sort(byTime)) state = applyAnswer(state, each, place)
        expect(state).toEqual(foldAnswers(answers, place))
      }),
    )
  })

  test('a newest part can be applied to the state of the older part', () => {
    fc.assert(
      fc.property(anyAnswers, fc.nat(15), (answers, cut) => {
        const sorted = [...answers].sort(byTime)
        const state = sorted
          .slice(cut)
          .reduce((s, each) => applyAnswer(s, each, place), foldAnswers(sorted.slice(0, cut), place))
        expect(state).toEqual(foldAnswers(answers, place))
      }),
    )
  })

  test('times are right and wrong answers together, and time spent is the sum', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        const state = foldAnswers(answers, place)
        expect(state).toMatchObject({
          times: answers.length,
          wrong: answers.filter(({ right }) => !right).length,
          spentMs: answers.reduce((sum, { spentMs }) => sum + spentMs, 0),
        })
      }),
    )
  })

  test('the streak is the run of right answers at the end, and the last answer is the newest', () => {
    fc.assert(
      fc.property(shuffled, ({ order }) => {
        const sorted = [...order].sort(byTime)
        const lastWrong = sorted.findLastIndex(({ right }) => !right)
        const newest = sorted.at(-1)
        expect(foldAnswers(order, place)).toMatchObject({
          streak: sorted.length - 1 - lastWrong,
          lastAt: newest?.at,
          lastRight: newest?.right,
          lastResponse: newest?.response,
        })
      }),
    )
  })

  test('folding does not disturb the list it was given', () => {
    const answers = Object.freeze([answer({ opId: 'b', at: 2 }), answer({ opId: 'a', at: 1 })])
    foldAnswers(answers, place)
    expect(answers.map(({ opId }) => opId)).toEqual(['b', 'a'])
  })
})

describe('order of facts', () => {
  test('by time, then by op id; an answer equals only itself', () => {
    expect(byTime({ at: 1, opId: 'b' }, { at: 2, opId: 'a' })).toBeLessThan(0)
    expect(byTime({ at: 1, opId: 'b' }, { at: 1, opId: 'a' })).toBeGreaterThan(0)
    expect(byTime({ at: 1, opId: 'a' }, { at: 1, opId: 'a' })).toBe(0)
  })

  test('it is one order for everybody: turned round it is the opposite, and it is transitive', () => {
    const fact = fc.record({ at: fc.nat(3), opId: fc.constantFrom('a', 'b', 'c', 'é', 'Z') })
    fc.assert(
      fc.property(fact, fact, fact, (a, b, c) => {
        expect(Math.sign(byTime(a, b)) + Math.sign(byTime(b, a))).toBe(0)
        expect(byTime(a, b) <= 0 && byTime(b, c) <= 0 && byTime(a, c) > 0).toBe(false)
      }),
    )
  })
})
