import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf } from '#src/domain/time/day.ts'
import {
  countBy,
  countIn,
  countPhases,
  isIn,
  isOpen,
  isStubborn,
  leftOf,
  movesOf,
  type Phase,
  phaseIn,
  PHASES,
} from '#src/domain/study/errorBook.ts'
import { dueByDay } from '#src/domain/study/stats.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { type Fact, fold } from '#src/domain/study/study.ts'
import { contributions, groupsOf } from '#src/domain/study/sums.ts'
import { answer, anyFacts, place } from '#tests/support/facts.ts'

const NOON = Date.UTC(2026, 10, 21, 4)

/** What happens to a question: ✓ and ✗ are answers, 出 and 入 are by hand. */
function life(signs: string) {
  const facts = signs.split('').map((sign, i): Fact => {
    const moment = { opId: `op${String(i).padStart(2, '0')}`, at: NOON + i * 60_000 }
    return sign === '✓' || sign === '✗'
      ? answer({ ...moment, right: sign === '✓' })
      : { kind: 'book', questionNo: 'q1', ...moment, in: sign === '入' }
  })
  return fold('q1', facts, place)
}

test('顽固题: wrong four times and still in the book', () => {
  expect(isStubborn(life('✗✗✗'), 2)).toBe(false)
  expect(isStubborn(life('✗✗✗✗'), 2)).toBe(true)
  expect(isStubborn(life('✗✗✗✗✓'), 2)).toBe(true)
  expect(isStubborn(life('✗✗✗✗✓✓'), 2)).toBe(false)
  expect(isStubborn(life('✗✗✗✗✓✓✗'), 2)).toBe(true)
  expect(isStubborn(life('✗✗✗✗出'), 2)).toBe(false)
})

describe('未掌握 → 巩固中 → 已消灭 → (错) → 未掌握', () => {
  test.each<[string, number, Phase | null, number | null]>([
    // what happened, the rule, where it stands, right answers still missing
    ['', 2, null, null],
    ['✓✓', 2, null, null],
    ['✗', 2, 'open', 2],
    ['✗✓', 2, 'firm', 1],
    ['✗✓✓', 2, 'done', null],
    ['✗✓✓✓✓✓✓', 2, 'done', null],
    ['✗✓✓✗', 2, 'open', 2],
    ['✗✓✗✓', 2, 'firm', 1],
    ['✗✓', 1, 'done', null],
    ['✗✓✓', 3, 'firm', 1],
    ['✗✓✓✓✓', 5, 'firm', 1],
    ['✗✓✓✓✓✓', 5, 'done', null],
    ['✗', 0, 'open', null],
    ['✗✓✓✓✓✓✓', 0, 'firm', null],
    ['✗出', 0, 'done', null],
    ['✗出', 2, 'done', null],
    ['✗出✓', 2, 'done', null],
    ['✗出✗', 2, 'open', 2],
    ['✗✓出入', 2, 'firm', 1],
    ['✗✓✓入', 2, 'open', 2],
    ['入', 2, 'open', 2],
    ['入✓✓', 2, 'done', null],
  ])('%s under %i: %s', (signs, rule, phase, left) => {
    const state = life(signs)
    expect(phaseIn(state, rule)).toBe(phase)
    expect(leftOf(state, rule)).toBe(left)
    expect(isOpen(state, rule)).toBe(phase === 'open' || phase === 'firm')
  })

  test('taken out and brought back at once, it is what it was', () => {
    expect(life('✗✓出入').book).toEqual(life('✗✓').book)
  })
})

/** Some questions, in chapters of their own, with what each adds to the sums. */
const anyBook = fc.array(anyFacts, { maxLength: 8 }).map((lives) =>
  lives.map((facts, i) => {
    const at = { ...place, chapterNo: i % 3 === 0 ? null : `c${i % 3}` }
    const state = fold('q1', facts, at)
    return { state, row: { chapterNo: at.chapterNo ?? '', libraryNo: at.libraryNo ?? '', sums: contributions(state) } }
  }),
)
const anyRule = fc.integer({ min: 0, max: 5 })

describe('sums say the same as the questions', () => {
  test('of each phase, each grouping, and what a rule would move', () => {
    fc.assert(
      fc.property(anyBook, anyRule, anyRule, (book, rule, next) => {
        const rows = book.map(({ row }) => row)
        const states = book.map(({ state }) => state)
        for (const phase of PHASES) {
          expect(countPhases(rows, rule)[phase]).toBe(states.filter((each) => isIn(each, { phase }, rule)).length)
          for (const [is, count] of countBy(rows, { phase, by: 'chapter' }, rule))
            expect(states.filter((each) => isIn(each, { phase, by: 'chapter', is }, rule))).toHaveLength(count)
        }
        for (const by of new Set(states.flatMap(groupsOf).map(([group]) => group)))
          for (const [is, count] of countBy(rows, { by }, rule))
            expect(states.filter((each) => isIn(each, { by, is }, rule))).toHaveLength(count)
        const open = (under: number) => states.filter((each) => each.book && isOpen(each, under)).length
        const { out, back } = movesOf(rows, rule, next)
        expect(open(rule) - out + back).toBe(open(next))
      }),
    )
  })
  test('and so they do of what is due on which day', () => {
    fc.assert(
      fc.property(anyBook, (book) => {
        const days = book.flatMap(({ state }) => dueDay(state) ?? [])
        const due = dueByDay(book.map(({ row }) => row))
        expect([...due].reduce((sum, [, count]) => sum + count, 0)).toBe(days.length)
        for (const [day, count] of due) expect(days.filter((each) => each === day)).toHaveLength(count)
      }),
    )
  })
})

describe('a day of reviews', () => {
  test('never has a question that was answered on it, also when it was put back by hand', () => {
    const state = life('✗✓✓入')
    expect(dueDay(state)).toBe(dayOf(NOON) + 1)
  })
})

describe('parts of the error book', () => {
  const open = (no: string, over: Partial<typeof place> = {}) =>
    fold(no, [answer({ questionNo: no, at: NOON, right: false })], { ...place, ...over })
  test('are by chapter and library where the question stands, and by group what it is counted under', () => {
    const state = open('q1', { points: ['p1'] })
    const inside = (by: Parameters<typeof isIn>[1]['by'], is?: string) => isIn(state, { by, is }, 2)
    expect([inside('chapter', 'c1'), inside('chapter', 'c2'), inside('library', 'L'), inside('library', 'M')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([inside('point', 'p1'), inside('point', 'single'), inside('type', 'single')]).toEqual([true, false, true])
    expect([inside('chapter'), inside(undefined, 'c1')]).toEqual([true, true])
    expect(isIn(open('q2', { chapterNo: null, libraryNo: null }), { by: 'chapter', is: '' }, 2)).toBe(true)
  })
  test('are counted without what is mastered, and whole rows by their place', () => {
    const sums = {
      'book:0': 3,
      'book:1': 2,
      'book:2': 4,
      'book:out': 5,
      'book:0:type:single': 3,
      'book:2:type:single': 4,
    }
    const rows = [
      { chapterNo: 'c1', libraryNo: 'L', sums },
      { chapterNo: 'c2', libraryNo: 'L', sums: { 'book:0': 1, done: 9 } },
    ]
    expect(Object.fromEntries(countBy(rows, { by: 'chapter' }, 2))).toEqual({ c1: 5, c2: 1 })
    expect(Object.fromEntries(countBy(rows, { by: 'library' }, 2))).toEqual({ L: 6 })
    expect(Object.fromEntries(countBy(rows, { by: 'type' }, 2))).toEqual({ single: 3 })
    expect([countIn(rows, {}, 2), countIn(rows, { by: 'type', is: 'single' }, 2)]).toEqual([6, 3])
    expect(countIn(rows, { phase: 'done', by: 'type', is: 'single' }, 2)).toBe(4)
    expect(countIn(rows, { by: 'chapter', is: 'c9' }, 2)).toBe(0)
  })
})
