import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StudyState } from '#src/contract/study.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { apply, blankState, type Fact, fold, standing } from '#src/domain/study/study.ts'
import { anyAnswers, anyFacts, answer, place, shuffledFacts } from '#tests/support/facts.ts'

const folded = (facts: readonly Fact[]) => fold('q1', facts, place)
const at = (n: number) => ({ questionNo: 'q1', opId: `op${n}`, at: n })
const marks = (list: readonly boolean[]): Fact[] => list.map((right, n) => answer({ ...at(n), right }))

describe('one answer after another', () => {
  test('the first answer makes the state', () => {
    expect(apply(null, answer({ right: false, at: 7 }), place)).toEqual({
      questionNo: 'q1',
      ...place,
      times: 1,
      wrong: 1,
      streak: 0,
      lastAt: 7,
      lastRight: false,
      lastResponse: { kind: 'choice', ids: ['A'] },
      spentMs: 1000,
      memory: { stability: 0.212, difficulty: 6.4133 },
      book: { rights: 0, since: 7, from: 'library', out: false },
    } satisfies StudyState)
  })

  test('a wrong answer ends the streak, a right one begins it again', () => {
    const all = [true, true, false, true, true, true]
    expect(all.map((_, i) => folded(marks(all.slice(0, i + 1))).streak)).toEqual([1, 2, 0, 1, 2, 3])
  })

  test('between two answers are the midnights of Beijing, however many hours they are apart', () => {
    const HOUR = 3_600_000
    const midnight = Date.UTC(2026, 10, 20, 16)
    const memoryAfter = (...times: number[]) =>
      folded(times.map((time, i) => answer({ ...at(i), at: time, right: i > 0 }))).memory
    const over = memoryAfter(midnight - HOUR, midnight + HOUR)
    expect(over).toEqual(memoryAfter(midnight - 20 * HOUR, midnight + 20 * HOUR))
    expect(over).not.toEqual(memoryAfter(midnight + HOUR, midnight + 23 * HOUR))
  })

  test('the last fact says where the question is now, such as nowhere when it has been retired', () => {
    const state = apply(null, answer(), place)
    expect(apply(state, answer({ at: 2_000 }), { ...place, chapterNo: null, libraryNo: null })).toMatchObject({
      chapterNo: null,
      libraryNo: null,
      times: 2,
    })
  })

  test('the answers before the last are there, the newest first, without the texts of essays', () => {
    const essay = { kind: 'essay' as const, text: '我的论述', ticked: [1] }
    const facts = [
      answer({ ...at(1), response: essay, right: false }),
      answer(at(2)),
      answer({ ...at(3), response: essay }),
    ]
    expect(folded(facts).earlier).toEqual([
      { at: 2, right: true, response: { kind: 'choice', ids: ['A'] } },
      { at: 1, right: false, response: { ...essay, text: '' } },
    ])
    expect(folded(facts).lastResponse).toEqual(essay)
    expect(folded(marks([true, true, true, true, true, true, true])).earlier).toHaveLength(4)
  })

  test('a question missed again in a list of the student’s own keeps its origin; missed elsewhere it has the new one', () => {
    const miss = (n: number, from: Extract<Fact, { kind: 'answer' }>['from']) =>
      answer({ ...at(n), right: false, from })
    const origin = (...facts: Fact[]) => folded(facts).book?.from
    for (const from of ['error', 'collect', 'note'] as const) {
      expect(origin(miss(1, 'set'), miss(2, from))).toBe('set')
      expect(origin(miss(1, from))).toBe(from)
    }
    expect(origin(miss(1, 'set'), miss(2, 'library'))).toBe('library')
  })

  test('the state before is left as it was', () => {
    const state = Object.freeze(apply(null, answer(), place))
    apply(state, answer({ at: 2_000, right: false }), place)
    expect(state).toMatchObject({ times: 1, wrong: 0 })
  })
})

describe('everything that was done with a question', () => {
  test('nothing is a blank state', () => expect(folded([])).toEqual(blankState('q1', place)))

  test('any order of arrival gives one state', () => {
    fc.assert(
      fc.property(shuffledFacts, ({ facts, order }) => {
        expect(folded(order)).toEqual(folded(facts))
      }),
    )
  })

  test('answers that come in order can be applied one by one to the state of the older part', () => {
    fc.assert(
      fc.property(anyAnswers, fc.nat(15), (answers, cut) => {
        const sorted = [...answers].sort(byTime)
        const state = sorted
          .slice(cut)
          .reduce<StudyState>((s, each) => apply(s, each, place), folded(sorted.slice(0, cut)))
        expect(state).toEqual(folded(answers))
      }),
    )
  })

  test('times are right and wrong answers together, and time spent is the sum', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const answers = facts.filter((fact) => fact.kind === 'answer')
        expect(folded(facts)).toMatchObject({
          times: answers.length,
          wrong: answers.filter(({ right }) => !right).length,
          spentMs: answers.reduce((sum, { spentMs }) => sum + spentMs, 0),
        })
      }),
    )
  })

  test('an answer that is taken back counts as never given, whenever the word of it comes', () => {
    fc.assert(
      fc.property(anyFacts, fc.nat(14), fc.nat(400_000_000), (facts, which, later) => {
        const target = facts.filter((fact) => fact.kind === 'answer')[which]
        if (!target) return
        const retract: Fact = { kind: 'retract', questionNo: 'q1', opId: 'undo', at: later, target: target.opId }
        expect(folded([retract, ...facts])).toEqual(folded(facts.filter((fact) => fact !== target)))
      }),
    )
  })
})

/** 未掌握 → 巩固中 → 已消灭 →(错)→ 未掌握, as facts make it; what counts as mastered is the student's rule (domain/errorBook). */
describe('the error book', () => {
  const book = (facts: readonly Fact[]) => folded(facts).book
  const byHand = (n: number, into: boolean): Fact => ({ kind: 'book', ...at(n), in: into })

  test.each<[string, Fact[], StudyState['book']]>([
    ['right answers never come in', marks([true, true]), undefined],
    ['a miss comes in', marks([true, false]), { rights: 0, since: 1, from: 'library', out: false }],
    [
      'right answers since then are counted',
      marks([false, true, true]),
      { rights: 2, since: 0, from: 'library', out: false },
    ],
    ['a new miss begins anew', marks([false, true, true, false]), { rights: 0, since: 3, from: 'library', out: false }],
    [
      'taken out by hand',
      [...marks([false, true]), byHand(2, false)],
      { rights: 1, since: 0, from: 'library', out: true },
    ],
    [
      'answered right after it was taken out, it stays out',
      [...marks([false]), byHand(2, false), answer(at(3))],
      { rights: 1, since: 0, from: 'library', out: true },
    ],
    [
      'missed after it was taken out, it is back',
      [...marks([false]), byHand(2, false), answer({ ...at(3), right: false, from: 'set' })],
      { rights: 0, since: 3, from: 'set', out: false },
    ],
    ['put in by hand', [byHand(1, true), answer(at(2))], { rights: 1, since: 1, from: 'hand', out: false }],
    ['what never was in cannot be taken out', [byHand(1, false)], undefined],
  ])('%s', (_, facts, expected) => expect(book(facts)).toEqual(expected))

  test('the word on why it was wrong is the last one, and can be taken back', () => {
    const cause = (n: number, word: 'guess' | 'time' | ''): Fact => ({ kind: 'cause', ...at(n), cause: word })
    expect(folded([...marks([false]), cause(2, 'time'), cause(1, 'guess')]).cause).toBe('time')
    expect(folded([cause(1, 'guess'), cause(2, '')])).not.toHaveProperty('cause')
  })
})

describe('two devices that know nothing of each other', () => {
  const note = (n: number, text: string, over: string[] = []): Fact => ({ kind: 'note', ...at(n), text, over })
  const texts = (facts: Fact[]) => folded(facts).notes?.map(({ text }) => text)

  test('both notes are kept, and the one that was written with both in sight replaces them', () => {
    expect(texts([note(2, '手机上写的'), note(1, '电脑上写的')])).toEqual(['电脑上写的', '手机上写的'])
    expect(texts([note(1, '甲'), note(2, '乙'), note(3, '甲乙', ['op1', 'op2'])])).toEqual(['甲乙'])
  })

  test('an edit survives another device’s deletion', () => {
    expect(texts([note(1, '甲'), note(2, '', ['op1']), note(3, '甲改', ['op1'])])).toEqual(['甲改'])
    expect(texts([note(1, '甲'), note(2, '', ['op1'])])).toBeUndefined()
  })

  test('collecting survives another device’s removal', () => {
    const collect = (n: number, folder: string | null, over: string[] = []): Fact => ({
      kind: 'collect',
      ...at(n),
      folder,
      over,
    })
    expect(folded([collect(1, ''), collect(2, null, ['op1']), collect(3, 'f1')]).collected).toMatchObject([
      { folder: 'f1' },
    ])
    expect(folded([collect(1, ''), collect(2, null, ['op1'])])).not.toHaveProperty('collected')
  })

  test('no text that was not seen and replaced is ever lost', () => {
    fc.assert(
      fc.property(shuffledFacts, ({ order }) => {
        const notes = order.filter((fact) => fact.kind === 'note')
        const replaced = new Set(notes.flatMap((fact) => fact.over))
        const left = notes.filter((fact) => fact.text !== '' && !replaced.has(fact.opId)).sort(byTime)
        expect(texts(order) ?? []).toEqual(left.map(({ text }) => text))
      }),
    )
  })
})

describe('moments', () => {
  test('are in the order of their times, and of their numbers where these are equal', () => {
    const [a, b] = [
      { opId: 'a', at: 1 },
      { opId: 'b', at: 1 },
    ]
    expect([byTime(a, b), byTime(b, a), byTime(a, { ...a })]).toEqual([-1, 1, 0])
    expect(byTime({ opId: 'z', at: 1 }, { opId: 'a', at: 2 })).toBeLessThan(0)
  })
})

describe('what is undone', () => {
  test('an answer that was taken back counts as never given, and the taking back counts as nothing itself', () => {
    const back: Fact = { kind: 'retract', ...at(3), target: 'op2' }
    const [first, second] = [answer({ ...at(1), right: true }), answer({ ...at(2), right: false })]
    expect(standing([first, second, back])).toEqual([first])
    expect(folded([first, second, back])).toEqual(folded([first]))
  })
  test('a place in the error book is exactly as it was', () => {
    const wrong = answer({ ...at(1), right: false })
    const before = { rights: 1, since: 7, from: 'set', out: true } as const
    const book = (as: typeof before | null): Fact => ({ kind: 'book', ...at(2), in: true, as })
    expect(folded([wrong, book(before)]).book).toEqual(before)
    expect(folded([wrong, book(null)])).not.toHaveProperty('book')
    expect(folded([{ kind: 'book', ...at(1), in: false }])).not.toHaveProperty('book')
  })
})

describe('collections and notes of several devices', () => {
  const collect = (n: number, folder: string | null, over: string[] = []): Fact => ({
    kind: 'collect',
    ...at(n),
    folder,
    over,
  })
  const note = (n: number, text: string, over: string[] = []): Fact => ({ kind: 'note', ...at(n), text, over })
  test('stand beside each other, the oldest first, and give way to who has seen them', () => {
    const two = [note(2, '乙'), note(1, '甲')]
    expect(folded(two).notes?.map(({ text }) => text)).toEqual(['甲', '乙'])
    expect(folded([...two, note(3, '丙', ['op1'])]).notes?.map(({ text }) => text)).toEqual(['乙', '丙'])
    expect(folded([...two, note(3, '', ['op1', 'op2'])])).not.toHaveProperty('notes')
    expect(folded([collect(1, 'f'), collect(2, 'g', ['op1'])]).collected).toEqual([{ opId: 'op2', at: 2, folder: 'g' }])
  })
  test('a clock that was set back brings nothing back that was replaced', () => {
    expect(folded([collect(1, null, ['op2']), collect(2, 'f')])).not.toHaveProperty('collected')
    expect(folded([note(1, '新', ['op2']), note(2, '旧')]).notes).toEqual([{ opId: 'op1', at: 1, text: '新' }])
  })
  test('folded one by one they are what they are together', () => {
    const state = apply(apply(null, note(1, '甲'), place), note(1, '甲'), place)
    expect(state.notes).toHaveLength(1)
    expect(apply(state, note(2, '乙'), { ...place, points: ['p9'] })).toMatchObject({ points: ['p9'] })
  })
})
