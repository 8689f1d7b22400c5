import { describe, expect, test } from 'vitest'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { Paper, PaperEntry } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { emptyResponse, isAnswered } from '#src/domain/question/marking.ts'
import type { PartialRule } from '#src/domain/question/rules.ts'
import {
  countParts,
  earnedBy,
  fullMarks,
  markPaper,
  marksText,
  resultOfMarks,
  scoredParts,
  trialOf,
  withEssays,
} from '#src/domain/paper/paper.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { blank, composite, essay, indefinite, judge, multiple, single } from '#tests/support/questions.ts'

const entry = (question: PaperEntry['question'], ...scores: number[]): PaperEntry => ({
  question,
  scores,
  rev: 'r',
  chapterNo: 'L_c1',
  libraryNo: 'L',
})
const choice = (...ids: string[]): Response => ({ kind: 'choice', ids })
const paper = (partial: PartialRule = 'none'): Pick<Paper, 'partial' | 'sections'> => ({
  partial,
  sections: [
    { title: '一', note: '', entries: [entry(single('S1'), 50), entry(multiple('M1'), 150)] },
    { title: '二', note: '', entries: [entry(composite('C', [single('C1'), essay('C2')]), 200, 333)] },
  ],
})

describe('a paper', () => {
  test('is marked by section and by type; what was not answered is 0, and an essay as the student ticked it', () => {
    const given = new Map<string, Response>([
      ['S1', choice('B')],
      ['M1', choice('A')],
      ['C2', { kind: 'essay', text: '略', ticked: [1] }],
    ])
    const result = markPaper(paper('half'), given)
    expect(result).toMatchObject({ score: 50 + 75 + 166, full: 733, right: 1, answered: 3, total: 4 })
    expect(result.bySection.map(({ title, score, full }) => [title, score, full])).toEqual([
      ['一', 125, 200],
      ['二', 166, 533],
    ])
    expect(result.byType.map(({ type, score, total }) => [type, score, total])).toEqual([
      ['single', 50, 2],
      ['multiple', 75, 1],
      ['essay', 166, 1],
    ])
  })
  test.each<[PartialRule, number]>([
    ['none', 0],
    ['half', 75],
    ['per-option', 75],
  ])('gives a half right multiple choice by its own rule: %s', (rule, score) => {
    expect(markPaper(paper(rule), new Map([['M1', choice('A')]])).score).toBe(score)
  })
  test('of 0.5-mark questions is exact: 101 of them are 50.5', () => {
    const entries = Array.from({ length: 101 }, (_, i) => entry(single(`S${i}`), 50))
    const all = new Map(entries.map(({ question }) => [question.no, choice('B')]))
    const { score, full } = markPaper({ partial: 'none', sections: [{ title: '一', entries }] }, all)
    expect([marksText(score), marksText(full)]).toEqual(['50.5', '50.5'])
  })
  test('of which only the marks are known counts as right what earned all of its marks', () => {
    const result = resultOfMarks(paper('half'), [50, 75, null, 333])
    expect(result).toMatchObject({ score: 458, full: 733, right: 2, answered: 3, total: 4 })
    expect(result.bySection.map(({ right, answered }) => [right, answered])).toEqual([
      [1, 2],
      [1, 1],
    ])
  })
  test('whose scores do not fit a question is a fault of ours', () => {
    expect(() => scoredParts(entry(composite(), 100))).toThrow('C1 has 2 parts, not 1')
  })
})

/** A generator of our own, so that a failure's seed brings it back. */
function dice(seed: number) {
  let state = seed
  return (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}
function randomPaper(roll: (n: number) => number): Pick<Paper, 'partial' | 'sections'> {
  const makers = [single, multiple, indefinite, judge, blank, essay]
  let made = 0
  const plain = (): PlainQuestion => (makers[roll(makers.length)] ?? single)(`N${made++}`)
  const question = () => (roll(4) === 0 ? composite(`C${made++}`, Array.from({ length: 1 + roll(4) }, plain)) : plain())
  const scored = (each: PaperEntry['question']) => entry(each, ...partsOf(each).map(() => roll(30) * 50 + roll(2)))
  const sections = Array.from({ length: 1 + roll(4) }, (_, s) => ({
    title: `第${s}`,
    note: '',
    entries: Array.from({ length: 1 + roll(6) }, () => scored(question())),
  }))
  return { partial: (['none', 'half', 'per-option'] as const)[roll(3)] ?? 'none', sections }
}
function anything(part: PlainQuestion, roll: (n: number) => number): Response {
  if (part.type === 'essay') return { kind: 'essay', text: '', ticked: [0, 1, 9].filter(() => roll(2)) }
  if (part.type === 'blank')
    return { kind: 'blank', texts: part.blanks.map((accepted) => (roll(2) ? (accepted[0] ?? '') : '别的')) }
  return { kind: 'choice', ids: part.options.map(({ id }) => id).filter(() => roll(2)) }
}

describe.each(Array.from({ length: 200 }, (_, seed) => seed))('any paper, seed %i', (seed) => {
  const roll = dice(seed)
  const any = randomPaper(roll)
  const parts = any.sections.flatMap(({ entries }) => entries.flatMap(({ question }) => partsOf(question)))
  const given = new Map(parts.filter(() => roll(5) > 0).map((part) => [part.no, anything(part, roll)]))

  test('its parts add up to the whole, never over full, in whole hundredths', () => {
    const result = markPaper(any, given)
    for (const field of ['score', 'full', 'right', 'answered', 'total'] as const) {
      for (const split of [result.bySection, result.byType])
        expect(split.reduce((sum, tally) => sum + tally[field], 0)).toBe(result[field])
      expect(Number.isSafeInteger(result[field])).toBe(true)
    }
    for (const tally of [result, ...result.bySection, ...result.byType]) {
      expect(tally.score).toBeGreaterThanOrEqual(0)
      expect(tally.score).toBeLessThanOrEqual(tally.full)
    }
    expect(result.full).toBe(fullMarks(any.sections))
    expect(result.total).toBe(countParts(any.sections))
  })
  test('what is kept of it has the same sums, and its marks give the tables again', () => {
    const answered = new Map([...given].filter(([, response]) => isAnswered(response)))
    const { score, full, right, total, marks } = earnedBy(any, answered)
    const result = markPaper(any, answered)
    expect({ score, full, right, total }).toEqual({
      score: result.score,
      full: result.full,
      right: result.right,
      total: result.total,
    })
    expect(resultOfMarks(any, marks).bySection.map((each) => each.score)).toEqual(result.bySection.map((s) => s.score))
  })
  test('marking its essays afterwards gives what marking them before does, and nothing else can change', () => {
    const answered = new Map([...given].filter(([, response]) => isAnswered(response)))
    const essays = new Set(parts.filter(({ type }) => type === 'essay').map(({ no }) => no))
    const rest = new Map([...answered].filter(([no]) => !essays.has(no)))
    const handed = earnedBy(any, rest)
    expect(withEssays(any, handed, answered)).toEqual(earnedBy(any, answered))
    expect(withEssays(any, withEssays(any, handed, answered), answered)).toEqual(earnedBy(any, answered))
  })
  test('nothing given is nothing earned, and an empty answer is none', () => {
    const empty = new Map(parts.map((part) => [part.no, emptyResponse(part)]))
    for (const none of [new Map<string, Response>(), empty])
      expect(markPaper(any, none)).toMatchObject({ score: 0, right: 0, answered: 0 })
  })
  test('a trial is the beginning, materials whole', () => {
    const allowed = roll(12)
    const tried = trialOf(any.sections, allowed).flatMap(({ entries }) => entries)
    const all = any.sections.flatMap(({ entries }) => entries)
    expect(tried).toEqual(all.slice(0, tried.length))
    const before = countParts([{ entries: tried.slice(0, -1) }])
    expect(before).toBeLessThanOrEqual(Math.max(0, allowed - 1))
    const whole = countParts([{ entries: all }])
    expect(countParts([{ entries: tried }])).toBeGreaterThanOrEqual(Math.min(allowed, whole))
  })
})
