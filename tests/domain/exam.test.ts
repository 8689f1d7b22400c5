import * as v from 'valibot'
import { expect, test } from 'vitest'
import { AskedQuestion, type Question } from '#src/contract/question.ts'
import {
  allowedMs,
  areResultsOut,
  asked,
  bySchedule,
  examState,
  flagsOf,
  isInTime,
  isShownInTime,
  mayApply,
  nextChange,
  receiptCode,
  receiptText,
  resultsAt,
  sealText,
  whyUnranked,
} from '#src/domain/paper/exam.ts'

const window = { from: 1_000, to: 2_000 }

test('an exam is to come until its window begins, and over when it ends', () => {
  expect([0, 999, 1_000, 1_999, 2_000].map((now) => examState({ window }, now))).toEqual([
    'coming',
    'coming',
    'running',
    'running',
    'over',
  ])
  expect(examState({ window: null }, 5)).toBe('running')
})

test('one can apply once, until the window ends', () => {
  expect(mayApply({ window, applied: false }, 0)).toBe(true)
  expect(mayApply({ window, applied: false }, 1_999)).toBe(true)
  expect(mayApply({ window, applied: false }, 2_000)).toBe(false)
  expect(mayApply({ window: null, applied: false }, 9_999)).toBe(true)
  expect(mayApply({ window: null, applied: true }, 9_999)).toBe(false)
})

test('it changes at the ends of its window and when results come out, and then no more', () => {
  const exam = { window, rankClosesAt: 3_000 }
  expect(nextChange(exam, 0)).toBe(1_000)
  expect(nextChange(exam, 1_000)).toBe(2_000)
  expect(nextChange(exam, 2_000)).toBe(3_000)
  expect(nextChange(exam, 3_000)).toBeNull()
  expect(nextChange({ window: null, rankClosesAt: 3_000 }, 0)).toBeNull()
})

test('results come out when the exam and its ranking have ended, without a window at once', () => {
  expect(resultsAt({ window, rankClosesAt: 3_000 })).toBe(3_000)
  expect(resultsAt({ window, rankClosesAt: 2_000 })).toBe(2_000)
  // As an app before this kept it.
  expect(resultsAt({ window, rankClosesAt: null })).toBe(2_000)
  expect(resultsAt({ window: null, rankClosesAt: 3_000 })).toBeNull()
  expect([2_999, 3_000].map((now) => areResultsOut({ window, rankClosesAt: 3_000 }, now))).toEqual([false, true])
  expect(areResultsOut({ window: null, rankClosesAt: 3_000 }, 0)).toBe(true)
})

test('a choice counts for a place that arrived by the end, or was done before it among what the device did', () => {
  const shown = (at: number, arrivedAt: number) => isShownInTime({ at, arrivedAt }, 100_000)
  expect(shown(90_000, 160_000)).toBe(true)
  expect(shown(160_000, 900_000)).toBe(true)
  expect(shown(160_001, 160_001)).toBe(false)
  expect(shown(160_001, 900_000)).toBe(false)
})

test('what matters most comes first', () => {
  const now = 1_500
  const exams = [
    { window: { from: 100, to: 200 } },
    { window: { from: 300, to: 900 } },
    { window: { from: 9_000, to: 9_900 } },
    { window: { from: 3_000, to: 9_950 } },
    { window: null },
    { window },
  ]
  expect([...exams].sort(bySchedule(now)).map((each) => each.window?.from ?? null)).toEqual([
    1_000,
    null,
    3_000,
    9_000,
    300,
    100,
  ])
})

const common = { stem: '题', analysis: '因为', points: [{ no: 'p1', name: '点' }], difficulty: 2, source: '', year: 0 }
const options = ['A', 'B'].map((id) => ({ id, html: id, why: '理由' }))
const single: Question = { ...common, no: 'q1', type: 'single', options, key: ['B'] }
const blank: Question = { ...common, no: 'q2', type: 'blank', blanks: [['甲'], ['乙', '丙']], unordered: true }
const essay: Question = {
  ...common,
  no: 'q3',
  type: 'essay',
  reference: '参考',
  scoring: [{ html: '要点', score: 100 }],
}

test('a question that is asked tells nothing of its answer, and what does is no asked question', () => {
  const whole: Question = { ...common, no: 'm', type: 'composite', parts: [single, blank, essay] }
  for (const question of [single, blank, essay, whole]) {
    expect(v.safeParse(AskedQuestion, asked(question)).success).toBe(true)
    expect(v.safeParse(AskedQuestion, question).success).toBe(false)
    expect(JSON.stringify(asked(question))).not.toMatch(/因为|理由|why|点|"B"\]|甲|乙|参考|要点/)
  }
  expect(asked(blank)).toMatchObject({ blanks: [[], []] })
  const reasoned = { ...asked(single), options }
  expect(v.safeParse(AskedQuestion, reasoned).success, 'a reason tells which is right').toBe(false)
})

const MINUTE = 60_000
const course = { startedAt: 0, handedAt: 50 * MINUTE, arrivedAt: 50 * MINUTE, elapsedMs: 50 * MINUTE }

test('a sitting may take its minutes, and never longer than the window', () => {
  expect(allowedMs({ minutes: 60, window: null }, 5)).toBe(60 * MINUTE)
  expect(allowedMs({ minutes: 60, window: { from: 0, to: 90 * MINUTE } }, 10 * MINUTE)).toBe(60 * MINUTE)
  expect(allowedMs({ minutes: 60, window: { from: 0, to: 90 * MINUTE } }, 40 * MINUTE)).toBe(50 * MINUTE)
  expect(allowedMs({ minutes: 60, window: { from: 0, to: 90 * MINUTE } }, 100 * MINUTE)).toBe(0)
  expect([60 * MINUTE, 60 * MINUTE + 2_000, 60 * MINUTE + 2_001].map((at) => isInTime(at, 60 * MINUTE))).toEqual([
    true,
    true,
    false,
  ])
})

test('what is odd about a sitting is told by how far its clocks and its arrival are apart', () => {
  const allowed = 60 * MINUTE
  expect(flagsOf(course, allowed)).toEqual([])
  expect(flagsOf({ ...course, arrivedAt: 51 * MINUTE }, allowed)).toEqual([])
  expect(flagsOf({ ...course, arrivedAt: 51 * MINUTE + 1 }, allowed)).toEqual(['late'])
  expect(flagsOf({ ...course, elapsedMs: 49 * MINUTE }, allowed)).toEqual([])
  expect(flagsOf({ ...course, elapsedMs: 49 * MINUTE - 1 }, allowed)).toEqual(['clock'])
  expect(flagsOf({ ...course, elapsedMs: 61 * MINUTE + 1 }, allowed)).toEqual(['clock', 'over'])
  const longer = { startedAt: 0, handedAt: 62 * MINUTE, arrivedAt: 62 * MINUTE, elapsedMs: 62 * MINUTE }
  expect(flagsOf(longer, allowed)).toEqual(['over'])
})

test('only how far moments are apart is odd, whenever a sitting was begun; to the very end of the grace', () => {
  const allowed = 60 * MINUTE
  const day = 1_440 * MINUTE
  const later = { startedAt: day, handedAt: day + 50 * MINUTE, arrivedAt: day + 50 * MINUTE, elapsedMs: 50 * MINUTE }
  expect(flagsOf(later, allowed)).toEqual([])
  const last = { ...later, elapsedMs: 61 * MINUTE, handedAt: day + 61 * MINUTE, arrivedAt: day + 61 * MINUTE }
  expect(flagsOf(last, allowed)).toEqual([])
  expect(flagsOf({ ...last, elapsedMs: 61 * MINUTE + 1 }, allowed)).toEqual(['over'])
})

test('a sitting that used all of its time counts as sealed at its end, however late the phone was on again', () => {
  const allowed = 60 * MINUTE
  const off = { startedAt: 0, handedAt: 120 * MINUTE, arrivedAt: 120 * MINUTE, elapsedMs: allowed }
  expect(flagsOf(off, allowed)).toEqual(['late'])
  expect(flagsOf({ ...off, arrivedAt: 300 * MINUTE }, allowed)).toEqual(['late'])
  const soon = { ...off, handedAt: 60 * MINUTE + 500, arrivedAt: 61 * MINUTE }
  expect(flagsOf(soon, allowed)).toEqual([])
  expect(flagsOf({ ...soon, arrivedAt: 61 * MINUTE + 1 }, allowed)).toEqual(['late'])
  // One that says it took less must have been sealed then, and none that took longer was.
  expect(flagsOf({ ...off, elapsedMs: 50 * MINUTE }, allowed)).toEqual(['clock', 'over'])
  expect(flagsOf({ ...off, elapsedMs: 70 * MINUTE }, allowed)).toEqual(['clock', 'over'])
  expect(flagsOf({ ...off, handedAt: 30 * MINUTE, arrivedAt: 30 * MINUTE }, allowed)).toEqual(['clock'])
})

const ranked: Parameters<typeof whyUnranked>[0] = {
  mode: 'exam',
  flags: [],
  first: true,
  genuine: true,
  startedAt: 200_000,
  openedAt: 200_000,
  window: { from: 100_000, to: 400_000 },
  arrivedAt: 500,
  rankClosesAt: 500,
}
test.each<[string, Partial<typeof ranked>, ReturnType<typeof whyUnranked>]>([
  ['the first one of an exam, at the last moment', {}, null],
  ['one that never closes', { arrivedAt: 9_999, rankClosesAt: null }, null],
  ['one that arrives too late', { arrivedAt: 501 }, 'closed'],
  ['one that was sealed late, but counted before', { flags: ['late'] }, null],
  ['one whose paper was opened at the last moment', { openedAt: 399_999, startedAt: 400_000 }, null],
  ['one whose paper was opened when the exam was over', { openedAt: 400_000 }, 'after'],
  ['one whose paper was never opened', { openedAt: null }, 'after'],
  ['one of an exam without a window, whatever was noted', { openedAt: null, window: null }, null],
  ['one that pretends to have begun long before it had the paper', { startedAt: 139_999 }, 'clock'],
  ['one that began a little before it had the paper, by its clock', { startedAt: 140_000 }, null],
  ['a practice', { mode: 'practice' }, 'practice'],
  ['a second one', { first: false }, 'again'],
  ['one by a clock that was set', { flags: ['clock'] }, 'clock'],
  ['one that took too long', { flags: ['over'] }, 'over'],
  ['one whose choices are not those of its receipt', { genuine: false }, 'edited'],
  ['a second one that is all of it', { first: false, flags: ['clock', 'over'], genuine: false }, 'again'],
])('whether a sitting is ranked: %s', (_, over, why) => expect(whyUnranked({ ...ranked, ...over })).toBe(why))

test('a receipt’s hash is of the sitting and every choice in order', () => {
  const given = [
    { questionNo: 'q1', response: { kind: 'choice' as const, ids: ['A'] } },
    { questionNo: 'q2', response: { kind: 'blank' as const, texts: ['甲'] } },
    { questionNo: 'q3', response: { text: '文', ticked: [0], kind: 'essay' as const } },
  ]
  const text = sealText('id', given)
  expect(text).toBe('["id",[["q1",["A"]],["q2",["甲"]],["q3","文",[0]]]]')
  expect(sealText('id', [...given].reverse())).not.toBe(text)
  expect(receiptCode('227ee1d3ff')).toBe('227E-E1D3')
})

test('a receipt says all of it to a camera, in the time of Beijing', () => {
  const told = { id: 'a-1', hash: 'f00d', handedAt: Date.UTC(2026, 10, 21, 16, 30, 5), answered: 19 }
  expect(receiptText('砺剑军考', told)).toBe(
    '砺剑军考 交卷回执\n编号 a-1\n校验 f00d\n交卷 2026-11-22 00:30:05（北京时间）\n作答 19 题',
  )
})
