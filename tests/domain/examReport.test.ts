import { expect, test } from 'vitest'
import type { ExamKey } from '#src/contract/exam.ts'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { PaperEntry } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { bandOf, byType, lostIn, satQuestions, sumsOf, topicsOf } from '#src/domain/paper/examReport.ts'
import { composite, essay, multiple, single } from '#tests/support/questions.ts'

const about = <Q extends PlainQuestion>(question: Q, ...points: string[]): Q => ({
  ...question,
  points: points.map((name) => ({ no: `p_${name}`, name })),
})
const entry = (question: PaperEntry['question'], chapterNo: string, ...scores: number[]): PaperEntry => ({
  question,
  scores,
  rev: 'r',
  chapterNo,
  libraryNo: 'L',
})
const material = composite('C', [about(single('C1'), '积分'), about(single('C2'))])
const chosen = (questionNo: string, id: string, spentMs = 0) => {
  const response: Response = { kind: 'choice', ids: [id] }
  return { questionNo, response, spentMs }
}
const written = (questionNo: string) => ({
  questionNo,
  response: { kind: 'essay', text: '论点', ticked: [] } satisfies Response,
  spentMs: 9_000,
})
const key: Pick<ExamKey, 'sections' | 'given' | 'earned'> = {
  sections: [
    {
      title: '一',
      note: '',
      entries: [
        entry(about(single('S1'), '导数'), 'c1', 100),
        entry(about(single('S2'), '导数', '极限'), 'c2', 300),
        entry(about(multiple('M1'), '极限'), 'c1', 100),
      ],
    },
    {
      title: '二',
      note: '',
      entries: [
        entry({ ...material, points: [{ no: 'p_m', name: '材料' }] }, 'c3', 50, 50),
        entry(about(essay('E1'), '作文'), 'c4', 500),
        entry(about(single('S3')), 'c5', 100),
      ],
    },
  ],
  given: [chosen('S1', 'B', 4_000), chosen('S2', 'A', 60_000), chosen('M1', 'A'), chosen('C1', 'B'), written('E1')],
  earned: { score: 200, full: 1200, right: 2, total: 7, marks: [100, 0, 50, 50, null, null, null] },
}

test('every question of a sitting says how it went: by its marks, as left blank, or as the student’s to mark', () => {
  const questions = satQuestions(key, new Map())
  expect(questions.map(({ n, part, outcome, score }) => [n, part.no, outcome, score])).toEqual([
    [1, 'S1', 'right', 100],
    [2, 'S2', 'wrong', 0],
    [3, 'M1', 'partial', 50],
    [4, 'C1', 'right', 50],
    [5, 'C2', 'blank', 0],
    [6, 'E1', 'self', null],
    [7, 'S3', 'blank', 0],
  ])
  expect(questions.map(({ spentMs }) => spentMs)).toEqual([4_000, 60_000, 0, 0, 0, 9_000, 0])
})

test('the time on a question is what this device knows, where that is more than what was handed in', () => {
  const looked = new Map([
    ['S1', 3_000],
    ['M1', 5_000],
    ['C2', 8_000],
  ])
  expect(satQuestions(key, new Map(), looked).map(({ spentMs }) => spentMs)).toEqual([
    4_000, 60_000, 5_000, 0, 8_000, 9_000, 0,
  ])
})

test('an essay has the student’s own marks; one with nothing in it is blank', () => {
  const essayOf = (given: ExamKey['given'], own: [string, number][]) =>
    satQuestions({ ...key, given }, new Map(own)).find(({ part }) => part.no === 'E1')
  expect(essayOf(key.given, [['E1', 250]])).toMatchObject({ outcome: 'partial', score: 250 })
  expect(essayOf(key.given, [['E1', 500]])).toMatchObject({ outcome: 'right', score: 500 })
  expect(essayOf([], [])).toMatchObject({ outcome: 'blank', score: 0 })
})

test('points come by marks lost, a question with two counts in both, one without has its material’s or its chapter', () => {
  const topics = topicsOf(satQuestions(key, new Map()))
  expect(topics.map((topic) => [topic.name, lostIn(topic), topic.right, topic.total, topic.chapterNo])).toEqual([
    ['极限', 350, 0, 2, 'c2'],
    ['导数', 300, 1, 2, 'c2'],
    [null, 100, 0, 1, 'c5'],
    ['材料', 50, 0, 1, 'c3'],
    ['积分', 0, 1, 1, 'c3'],
  ])
  // An essay counts once it is marked.
  expect(topicsOf(satQuestions(key, new Map([['E1', 100]])))[0]).toMatchObject({ name: '作文', score: 100, full: 500 })
})

test('a topic is at home in the chapter in which it lost most, however much could be earned in another', () => {
  const topics = topicsOf(
    satQuestions(
      {
        sections: [
          {
            title: '一',
            note: '',
            entries: [entry(about(single('S1'), '导数'), 'c1', 500), entry(about(single('S2'), '导数'), 'c2', 200)],
          },
        ],
        given: [chosen('S1', 'B'), chosen('S2', 'A')],
        earned: { score: 500, full: 700, right: 1, total: 2, marks: [500, 0] },
      },
      new Map(),
    ),
  )
  expect(topics.map(({ name, chapterNo }) => [name, chapterNo])).toEqual([['导数', 'c2']])
})

test('full marks belong to the last band, and nothing of nothing to the first', () => {
  expect([bandOf(0, 4000), bandOf(199, 4000), bandOf(200, 4000), bandOf(4000, 4000), bandOf(0, 0)]).toEqual([
    0, 0, 1, 19, 0,
  ])
})

test('sums are what machines marked; of nothing but essays what the student gave, as their own word', () => {
  const questions = satQuestions(key, new Map([['E1', 250]]))
  expect([0, 1].map((at) => sumsOf(questions.filter(({ section }) => section === at)))).toEqual([
    { right: 1, total: 3, score: 150, full: 500, self: false },
    { right: 1, total: 4, score: 50, full: 700, self: false },
  ])
  expect(byType(questions).map(([type, list]) => [type, sumsOf(list)])).toEqual([
    ['single', { right: 2, total: 5, score: 150, full: 600, self: false }],
    ['multiple', { right: 0, total: 1, score: 50, full: 100, self: false }],
    ['essay', { right: 0, total: 1, score: 250, full: 500, self: true }],
  ])
})
