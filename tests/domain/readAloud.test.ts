import { describe, expect, test } from 'vitest'
import type { PlainQuestion } from '#src/contract/question.ts'
import { readAloud } from '#src/domain/question/readAloud.ts'
import { blank, composite, essay, judge, multiple, order, single } from '#tests/support/questions.ts'

const said = (part: PlainQuestion, withAnalysis = false) =>
  readAloud({ part, material: null, place: 3, analysis: part.analysis }, withAnalysis)
    .map((step) => (step === 'think' ? '…' : step.text))
    .join(' ')

describe('a question is read as to a comrade: what is asked, time to think, the answer', () => {
  test.each<[string, PlainQuestion, string]>([
    [
      '单选',
      single('S', 'B'),
      '第3题，单选题。 S 的题干。 A，选项A。 B，选项B。 C，选项C。 D，选项D。 … 正确答案，B。选项B。',
    ],
    [
      '多选',
      multiple('M', ['A', 'C']),
      '第3题，多选题。 M 的题干。 A，选项A。 B，选项B。 C，选项C。 D，选项D。 … 正确答案，A、C。选项A。选项C。',
    ],
    ['判断', judge('J', 'B'), '第3题，判断题。 J 的题干。 … 正确答案，错。'],
    ['填空', blank('B'), '第3题，填空题。 B 的题干。 … 第1空，1927。第2空，南昌。'],
    ['一空', blank('B', [['1927', '一九二七']]), '第3题，填空题。 B 的题干。 … 答案，1927。'],
    ['简答', essay('E'), '第3题，简答题。 E 的题干。 … 参考答案。参考要点。'],
    ['排序', order('O'), '第3题，排序题。 O 的题干。 A，瞄准。 B，击发。 C，卧倒。 … 正确顺序，C、A、B。'],
  ])('%s', (_, part, words) => expect(said(part)).toBe(words))

  test('the analysis follows where it is wanted', () =>
    expect(said(judge('J', 'A'), true)).toBe('第3题，判断题。 J 的题干。 … 正确答案，对。 解析。J 的解析。'))

  test('a material is read before the question that it comes with', () => {
    const material = composite('C')
    const steps = readAloud({ part: judge('C_2'), material, place: 1, analysis: '' }, true)
    expect(steps[1]).toEqual({ text: '材料。C 的题干。', lang: 'zh', isMaterial: true })
  })

  test('letters are those on the screen, whatever the options are called in the bank', () => {
    const part = single('S', 'B')
    expect(said({ ...part, options: part.options.toReversed() })).toContain('A，选项D。 B，选项C。')
    expect(said({ ...part, options: part.options.toReversed() })).toMatch(/正确答案，C。选项B。$/)
  })
})
