import { expect, test } from 'vitest'
import type { EssayQuestion, Length } from '#src/contract/question.ts'
import { lengthOf, standingText, unitOf, wantedText } from '#src/domain/question/composition.ts'
import { listedType, namedType } from '#src/domain/question/listedType.ts'
import { fits, mark, practiceMark } from '#src/domain/question/marking.ts'
import { rulesOf } from '#src/domain/question/types.ts'
import { placeOf } from '#src/domain/study/study.ts'
import { composite, essay } from '#tests/support/questions.ts'

const composition = (own: NonNullable<EssayQuestion['composition']> = {}): EssayQuestion => ({
  ...essay(),
  composition: own,
})
const ticked = (...indexes: number[]) => ({ kind: 'essay' as const, text: '底气', ticked: indexes })

test.each([
  ['', 0],
  ['底气', 2],
  ['人们说：“这是底气。”', 11],
  ['好……不好——都好', 9],
  ['第 1 次，2026年', 6],
  ['他说 OK，Very good。', 7],
  ['  一行\n\n二行  ', 4],
])('%j has %i 字, signs among them', (text, n) => {
  expect(lengthOf(text, 'characters')).toBe(n)
})

test.each([
  ['', 0],
  ["I don't know.", 3],
  ['A well-known book, isn’t it?', 5],
  ['It opens at 7:00 a.m. and costs 1,000 yuan.', 9],
  ['The end.Next one', 4],
  ['Wang Qiang（战士）came.', 4],
])('%j has %i words', (text, n) => {
  expect(lengthOf(text, 'words')).toBe(n)
})

test('what is written is counted as its prompt says, else by its language', () => {
  expect(unitOf(composition({ length: { unit: 'words', least: 80 } }), '底气')).toBe('words')
  expect([unitOf(composition(), '底气 OK'), unitOf(composition(), 'Dear Peter'), unitOf(composition(), '')]).toEqual([
    'characters',
    'words',
    'characters',
  ])
})

const LEAST: Length = { unit: 'characters', least: 800 }
const RANGE: Length = { unit: 'words', least: 80, most: 110 }
const ABOUT: Length = { unit: 'words', about: 100 }
test.each([
  [LEAST, '不少于 800 字', 312, '还差 488 字'],
  [LEAST, '不少于 800 字', 800, '已达到要求'],
  [RANGE, '80～110 词', 110, '已达到要求'],
  [RANGE, '80～110 词', 111, '超出 1 词'],
  [ABOUT, '100 词左右', 89, '还差 1 词'],
  [ABOUT, '100 词左右', 90, '已达到要求'],
  [ABOUT, '100 词左右', 112, '超出 2 词'],
  [{ unit: 'characters', most: 200 } as const, '不超过 200 字', 10, ''],
])('%j is wanted as %s; %i written are told as %j', (length, wanted, n, standing) => {
  expect(wantedText(length)).toBe(wanted)
  expect(standingText(length, n)).toBe(standing)
})

test('to students it is a type of its own; its answer, its mark and its key stay those of an essay', () => {
  const question = composition({ length: LEAST })
  expect([listedType(question), listedType(essay()), namedType(composite())]).toEqual([
    'composition',
    'essay',
    'composite',
  ])
  expect(placeOf(question, { chapterNo: 'c', libraryNo: 'l' }).type).toBe('composition')
  expect(listedType(rulesOf(question).markable(question))).toBe('composition')
  expect(rulesOf(question).keyId(question)).toBe(rulesOf(question).keyId(essay()))
  expect(fits(question, ticked(0))).toBe(true)
  expect(practiceMark(question, ticked(1))).toEqual({ score: 250, full: 500, right: false })
})

test('of grades one is reached: it earns its own share of the best one', () => {
  const question: EssayQuestion = {
    ...composition({ graded: true }),
    scoring: [5400, 4500, 3600].map((score) => ({ html: '等', score })),
  }
  expect(practiceMark(question, ticked(1))).toEqual({ score: 4500, full: 5400, right: false })
  expect(practiceMark(question, ticked(0))).toEqual({ score: 5400, full: 5400, right: true })
  expect(mark(question, ticked(2), 6000)).toEqual({ score: 4000, right: false })
  const { scoring, no, type } = question
  expect(rulesOf(question).keyId(question)).not.toBe(rulesOf(question).keyId({ ...essay(no), type, scoring }))
})
