import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  BlankQuestion,
  ChoiceQuestion,
  EssayQuestion,
  OrderQuestion,
  PlainQuestion,
} from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'
import { foldText, rightBlanks } from '#src/domain/question/blank.ts'
import { emptyResponse, fits, isAnswered, isRight, mark, practiceMark } from '#src/domain/question/marking.ts'
import { answerText, askedPlain, keyText, rulesOf } from '#src/domain/question/types.ts'
import type { PartialRule } from '#src/domain/question/rules.ts'

const common = { no: 'q1', stem: '题', analysis: '', points: [], difficulty: 3, source: '', year: 0 }
const LETTERS = 'ABCDEFGH'.split('')

function choice(type: ChoiceQuestion['type'], key: string[], count = 4): ChoiceQuestion {
  const options = LETTERS.slice(0, count).map((id) => ({ id, html: `选项${id}` }))
  return { ...common, type, options, key }
}
const blank = (blanks: string[][], unordered = false): BlankQuestion => ({
  ...common,
  type: 'blank',
  blanks,
  unordered,
})
const essay = (...scores: number[]): EssayQuestion => ({
  ...common,
  type: 'essay',
  reference: '参考',
  scoring: scores.map((score) => ({ html: '要点', score })),
})
const ordering = (...key: string[]): OrderQuestion => ({
  ...common,
  type: 'order',
  options: [...key].sort().map((id) => ({ id, html: `第${id}步` })),
  key,
})
const ordered = (...ids: string[]): Response => ({ kind: 'order', ids })
const chosen = (...ids: string[]): Response => ({ kind: 'choice', ids })
const filled = (...texts: string[]): Response => ({ kind: 'blank', texts })
const ticked = (...indexes: number[]): Response => ({ kind: 'essay', text: '', ticked: indexes })

const anyFull = fc.nat(30_000)
const anyRule = fc.constantFrom<PartialRule>('none', 'half', 'per-option')
const anyWord = fc.stringMatching(/^[a-z0-9\u4e00-\u4e20]{1,6}$/)
const anyChoice: fc.Arbitrary<ChoiceQuestion> = fc
  .record({
    type: fc.constantFrom<ChoiceQuestion['type']>('single', 'multiple', 'indefinite', 'judge'),
    count: fc.integer({ min: 2, max: 8 }),
    picks: fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 8 }),
  })
  .map(({ type, count, picks }) => {
    const size = type === 'judge' ? 2 : count
    const key = [...new Set(picks.map((pick) => LETTERS[pick % size] ?? 'A'))]
    return choice(type, type === 'single' || type === 'judge' ? key.slice(0, 1) : key, size)
  })
const anyBlank = fc
  .record({
    blanks: fc.array(fc.array(anyWord, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
    unordered: fc.boolean(),
  })
  .map(({ blanks, unordered }) => blank(blanks, unordered))
const anyEssay = fc.array(fc.nat(5000), { maxLength: 8 }).map((scores) => essay(...scores))
const anyOrder = fc.shuffledSubarray(LETTERS, { minLength: 2 }).map((key) => ordering(...key))
const anyQuestion: fc.Arbitrary<PlainQuestion> = fc.oneof(anyChoice, anyBlank, anyEssay, anyOrder)
const anyResponse: fc.Arbitrary<Response> = fc.oneof(
  fc.array(fc.constantFrom(...LETTERS, 'Z'), { maxLength: 10 }).map((ids) => chosen(...ids)),
  fc.array(fc.oneof(anyWord, fc.string()), { maxLength: 7 }).map((texts) => filled(...texts)),
  fc.array(fc.nat(10), { maxLength: 10 }).map((indexes) => ticked(...indexes)),
  fc.array(fc.constantFrom(...LETTERS, 'Z'), { maxLength: 10 }).map((ids) => ordered(...ids)),
)
/** A response that a teacher would call right. */
function rightResponse(question: PlainQuestion): Response {
  if (question.type === 'blank') return filled(...question.blanks.map(([first]) => first ?? ''))
  if (question.type === 'essay')
    return ticked(...(question.scoring.length > 0 ? question.scoring.map((_, i) => i) : [0]))
  return question.type === 'order' ? ordered(...question.key) : chosen(...question.key)
}

describe('choices', () => {
  test.each([
    ['all right', ['A', 'C', 'D'], 'none', 200, true],
    ['one missed, no partial marks', ['A', 'C'], 'none', 0, false],
    ['one missed, half', ['A', 'C'], 'half', 100, false],
    ['one missed, two of three, rounded down', ['A', 'C'], 'per-option', 133, false],
    ['two missed, one of three, rounded down', ['D'], 'per-option', 66, false],
    ['one wrong cancels all, half', ['A', 'C', 'B'], 'half', 0, false],
    ['one wrong besides all right cancels all', ['A', 'B', 'C', 'D'], 'per-option', 0, false],
    ['nothing chosen earns nothing, half', [], 'half', 0, false],
    ['nothing chosen earns nothing, per option', [], 'per-option', 0, false],
    ['an option twice counts once', ['A', 'A', 'C', 'D'], 'none', 200, true],
    ['an option twice is no second option', ['A', 'A', 'A'], 'per-option', 66, false],
    ['an option the question does not have is wrong', ['A', 'C', 'Z'], 'half', 0, false],
  ] satisfies [string, string[], PartialRule, number, boolean][])('%s', (_, ids, rule, score, right) => {
    expect(mark(choice('multiple', ['A', 'C', 'D']), chosen(...ids), 200, rule)).toEqual({ score, right })
  })

  test('half of an odd number of hundredths is rounded down', () => {
    expect(mark(choice('multiple', ['A', 'B']), chosen('A'), 151, 'half').score).toBe(75)
  })

  test('the order of options, of the key and of the chosen does not matter', () => {
    fc.assert(
      fc.property(anyChoice, anyResponse, anyFull, anyRule, (question, response, full, rule) => {
        const turned = { ...question, options: question.options.toReversed(), key: question.key.toReversed() }
        const said: Response = response.kind === 'choice' ? chosen(...response.ids.toReversed()) : response
        expect(mark(turned, said, full, rule)).toEqual(mark(question, response, full, rule))
      }),
    )
  })

  test('any wrong option gives nothing under every rule', () => {
    fc.assert(
      fc.property(anyChoice, fc.subarray(LETTERS), anyFull, anyRule, (question, ids, full, rule) => {
        fc.pre(ids.some((id) => !question.key.includes(id)))
        expect(mark(question, chosen(...ids), full, rule)).toEqual({ score: 0, right: false })
      }),
    )
  })

  test('a part of the right options earns what the rule says, and more options never earn less', () => {
    fc.assert(
      fc.property(anyChoice, fc.nat(8), anyFull, (question, taken, full) => {
        const size = question.key.length
        fc.pre(taken > 0 && taken < size)
        const part = chosen(...question.key.slice(0, taken))
        expect(mark(question, part, full, 'none').score).toBe(0)
        expect(mark(question, part, full, 'half').score).toBe(Math.floor(full / 2))
        const share = mark(question, part, full, 'per-option').score
        expect(share).toBe(Math.floor((full * taken) / size))
        expect(
          mark(question, chosen(...question.key.slice(0, taken - 1)), full, 'per-option').score,
        ).toBeLessThanOrEqual(share)
      }),
    )
  })

  test('a question without a right answer is a fault of ours', () => {
    expect(() => mark(choice('single', []), chosen('A'), 100)).toThrow(RangeError)
  })
})

describe('orders', () => {
  const question = ordering('C', 'A', 'B')
  test.each([
    ['the right order', ['C', 'A', 'B'], 200],
    ['two that changed places', ['C', 'B', 'A'], 0],
    ['the right order with one left out', ['C', 'A'], 0],
    ['nothing moved yet', [], 0],
  ])('%s earns all or nothing under every rule', (_, ids, score) => {
    for (const rule of ['none', 'half', 'per-option'] as const)
      expect(mark(question, ordered(...ids), 200, rule)).toEqual({ score, right: score > 0 })
  })
  test('only an order of all options, or none yet, can have been given', () => {
    expect(fits(question, ordered())).toBe(true)
    expect(fits(question, ordered('A', 'B', 'C'))).toBe(true)
    for (const ids of [
      ['A', 'B'],
      ['A', 'B', 'B'],
      ['A', 'B', 'Z'],
      ['A', 'B', 'C', 'A'],
    ])
      expect(fits(question, ordered(...ids))).toBe(false)
    expect(fits(question, chosen('C'))).toBe(false)
  })
  test('a corrected order is another key', () => {
    expect(rulesOf(question).keyId(question)).not.toBe(rulesOf(question).keyId(ordering('C', 'B', 'A')))
  })
  test('is told by the letters that the options are shown under, and asked without its key', () => {
    expect(keyText(question)).toBe('C→A→B')
    expect(answerText(question, ordered('B', 'C', 'A'))).toBe('B→C→A')
    expect(answerText(choice('single', ['A']), ordered('B', 'A'))).toBe('')
    expect(askedPlain(question)).toMatchObject({ options: question.options, key: [] })
  })
  test('a question without a key is a fault of ours', () => {
    expect(() => mark({ ...question, key: [] }, ordered('A', 'B', 'C'), 100)).toThrow(RangeError)
  })
})

describe('blanks', () => {
  test.each([
    ['half-width for full-width', 'ＡＢＣ１２３', 'abc123'],
    ['a space inside', '遵义 会议', '遵义会议'],
    ['an ideographic space', '遵义会议', '遵义\u3000会议'],
    ['another case', 'NaCl', 'nacl'],
    ['Chinese punctuation', '农村包围城市，武装夺取政权', '农村包围城市武装夺取政权。'],
    ['quotes', '“三个代表”', '三个代表'],
    ['a full-width point', '3.14', '３．１４'],
    ['a long dash as minus', '−1', '-1'],
    ['a full-width minus', '－1', '-1'],
    ['a raised digit written with a caret', 'x²', 'x^2'],
    ['a ratio sign', '1∶2', '1：2'],
  ])('%s does not matter: %s and %s', (_, accepted, given) => {
    expect(isRight(blank([[accepted]]), filled(given))).toBe(true)
    expect(isRight(blank([[given]]), filled(accepted))).toBe(true)
  })

  test.each([
    ['3.14', '314'],
    ['-1', '1'],
    ['(1,2)', '(12)'],
    ['(1,2)', '[1,2]'],
    ['[1,2]', '{1,2}'],
    ['1,2', '12'],
    ['x²', 'x2'],
    ['x²', '2x'],
    ['±2', '2'],
    ['2×3', '23'],
    ['6÷2', '62'],
    ['x≥1', 'x1'],
    ['x≥1', 'x≤1'],
    ['|x|', 'x'],
    ['1:2', '12'],
    ['50%', '50'],
    ['√2', '2'],
    ['a/b', 'ab'],
    ['2^10', '210'],
    ['1941', '1914'],
  ])('%s is not %s', (accepted, given) => {
    expect(isRight(blank([[accepted]]), filled(given))).toBe(false)
    expect(isRight(blank([[given]]), filled(accepted))).toBe(false)
  })

  test('any accepted spelling is right, and marks are shared among the blanks', () => {
    const question = blank([['1927年8月1日', '1927.8.1'], ['南昌'], ['周恩来', '贺龙']])
    expect(mark(question, filled('1927.8.1', '南昌', '贺龙'), 300)).toEqual({ score: 300, right: true })
    expect(mark(question, filled('1927年8月1日', '南昌', '朱德'), 100)).toEqual({ score: 66, right: false })
    expect(mark(question, filled('南昌', '1927.8.1', '贺龙'), 300)).toEqual({ score: 100, right: false })
    expect(mark(question, filled('1927.8.1'), 300)).toEqual({ score: 100, right: false })
  })

  test('tells which blanks are right, in any order as many as can be', () => {
    const two = [['北京'], ['上海', '沪']]
    expect(rightBlanks(blank(two), ['北京', '广州'])).toEqual([true, false])
    expect(rightBlanks(blank(two), ['上海', '北京'])).toEqual([false, false])
    expect(rightBlanks(blank(two, true), ['上海', '广州'])).toEqual([true, false])
    expect(rightBlanks(blank(two, true), ['沪', '上海'])).toEqual([true, false])
    expect(rightBlanks(blank(two, true), ['沪', '北京'])).toEqual([true, true])
  })

  test('unordered blanks take the texts in any order, each once', () => {
    const question = blank([['立德'], ['立功'], ['立言']], true)
    expect(isRight(question, filled('立言', '立德', '立功'))).toBe(true)
    expect(mark(question, filled('立德', '立德', '立德'), 300)).toEqual({ score: 100, right: false })
  })

  test('an unordered text that fits several blanks is given where all fit', () => {
    // Greedy from the left would give 甲 to the first blank and leave 乙 none.
    expect(isRight(blank([['甲', '乙'], ['甲'], ['乙', '丙']], true), filled('甲', '乙', '丙'))).toBe(true)
    expect(isRight(blank([['甲', '乙'], ['甲']], true), filled('甲', '乙'))).toBe(true)
  })

  test('the order of unordered texts never changes a mark, and is never worth less than the same texts in order', () => {
    const texts = fc.array(fc.constantFrom('甲', '乙', '丙', '丁', ''), { minLength: 4, maxLength: 4 })
    const lists = fc.array(fc.subarray(['甲', '乙', '丙', '丁'], { minLength: 1 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(lists, texts, (blanks, given) => {
        const loose = mark(blank(blanks, true), filled(...given), 400)
        expect(mark(blank(blanks, true), filled(...given.toReversed()), 400)).toEqual(loose)
        expect(loose.score).toBeGreaterThanOrEqual(mark(blank(blanks), filled(...given), 400).score)
      }),
    )
  })

  test('a text that folds to nothing is never right, even where the accepted one folds to nothing too', () => {
    expect(isRight(blank([['。']]), filled('，'))).toBe(false)
    expect(isRight(blank([['。']]), filled(''))).toBe(false)
  })

  test('folding twice is folding once, and width, case and spaces never survive it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = foldText(text)
        expect(once).not.toMatch(/\s/)
        expect(foldText(` ${text}\u3000`)).toBe(once)
      }),
    )
    fc.assert(fc.property(anyWord, (word) => foldText(foldText(word)) === foldText(word)))
  })

  test('a question without blanks is a fault of ours', () => {
    expect(() => mark(blank([]), filled('甲'), 100)).toThrow(RangeError)
  })
})

describe('essays', () => {
  test('ticks add up to their share of the full score', () => {
    const question = essay(200, 300, 500)
    expect(mark(question, ticked(0, 2), 1000)).toEqual({ score: 700, right: false })
    expect(mark(question, ticked(0, 2), 1500)).toEqual({ score: 1050, right: false })
    expect(mark(question, ticked(0, 1, 2), 1500)).toEqual({ score: 1500, right: true })
    expect(mark(question, ticked(1, 1, 7), 1000)).toEqual({ score: 300, right: false })
  })

  test('an essay without points is marked as a whole', () => {
    expect(mark(essay(), ticked(0), 600)).toEqual({ score: 600, right: true })
    expect(mark(essay(), ticked(1), 600)).toEqual({ score: 0, right: false })
    expect(mark(essay(), { kind: 'essay', text: '长篇大论', ticked: [] }, 600)).toEqual({ score: 0, right: false })
  })

  test('points worth nothing still must all be ticked, and give no division by zero', () => {
    expect(mark(essay(0, 0), ticked(0), 600)).toEqual({ score: 0, right: false })
    expect(mark(essay(0, 0), ticked(0, 1), 600)).toEqual({ score: 600, right: true })
  })

  test('marked at the sum of its points, an essay earns exactly the points ticked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 }),
        fc.nat(255),
        (scores, mask) => {
          const indexes = scores.map((_, i) => i).filter((i) => mask & (1 << i))
          const total = scores.reduce((sum, score) => sum + score, 0)
          const expected = indexes.reduce((sum, i) => sum + (scores[i] ?? 0), 0)
          expect(mark(essay(...scores), ticked(...indexes), total).score).toBe(expected)
        },
      ),
    )
  })
})

describe('in practice', () => {
  const marks: [string, PlainQuestion, Response, number, number, boolean][] = [
    ['an essay out of its points', essay(200, 300, 500), ticked(0, 2), 700, 1000, false],
    ['an essay without points as a whole', essay(), ticked(0), 100, 100, true],
    ['blanks by their share', blank([['a'], ['b']]), filled('a', 'x'), 50, 100, false],
    ['a partly chosen answer by its share', choice('multiple', ['A', 'B', 'C']), chosen('A', 'C'), 66, 100, false],
    ['a wrong option with nothing', choice('multiple', ['A', 'B']), chosen('A', 'D'), 0, 100, false],
  ]
  test.each(marks)('marks %s', (_, question, response, score, full, right) =>
    expect(practiceMark(question, response)).toEqual({ score, full, right }),
  )
  test('right is what the record says is right', () => {
    fc.assert(
      fc.property(
        anyQuestion.chain((question) => fc.tuple(fc.constant(question), anyResponse)),
        ([question, response]) => {
          expect(practiceMark(question, response).right).toBe(isRight(question, response))
        },
      ),
    )
  })
})

describe('every type', () => {
  test('the right answer earns the full score and is right', () => {
    fc.assert(
      fc.property(anyQuestion, anyFull, anyRule, (question, full, rule) => {
        expect(mark(question, rightResponse(question), full, rule)).toEqual({ score: full, right: true })
      }),
    )
  })

  test('a score is a whole number of hundredths from 0 to full, and full only when right', () => {
    fc.assert(
      fc.property(anyQuestion, anyResponse, anyFull, anyRule, (question, response, full, rule) => {
        const { score, right } = mark(question, response, full, rule)
        expect(Number.isSafeInteger(score)).toBe(true)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(full)
        expect(right && score < full).toBe(false)
        expect(isRight(question, response)).toBe(right)
        expect(mark(question, response, full, 'none').right).toBe(right)
      }),
    )
  })

  test('a choice or a blank with a full score is right', () => {
    fc.assert(
      fc.property(fc.oneof(anyChoice, anyBlank), anyResponse, anyRule, (question, response, rule) => {
        const { score, right } = mark(question, response, 1000, rule)
        expect(score === 1000).toBe(right)
      }),
    )
  })

  test('an empty response is unanswered, earns nothing and is never right', () => {
    fc.assert(
      fc.property(anyQuestion, anyFull, anyRule, (question, full, rule) => {
        const empty = emptyResponse(question)
        expect(isAnswered(empty)).toBe(false)
        expect(mark(question, empty, full, rule)).toEqual({ score: 0, right: false })
      }),
    )
  })

  test('a response of another kind than the question is not right, and never throws', () => {
    expect(mark(choice('single', ['A']), filled('A'), 100)).toEqual({ score: 0, right: false })
    expect(mark(choice('single', ['A']), ticked(0), 100)).toEqual({ score: 0, right: false })
    expect(mark(blank([['A']]), chosen('A'), 100)).toEqual({ score: 0, right: false })
    expect(mark(essay(100), chosen('A'), 100)).toEqual({ score: 0, right: false })
  })

  test('a full score that is not whole hundredths is a fault of ours', () => {
    for (const full of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => mark(choice('single', ['A']), chosen('A'), full)).toThrow(RangeError)
  })
})

test.each([
  ['a chosen option', chosen('A'), true],
  ['no option', chosen(), false],
  ['one of two blanks', filled('', '甲'), true],
  ['spaces only', filled(' ', '\u3000'), false],
  ['an essay text', { kind: 'essay', text: '答', ticked: [] }, true],
  ['an essay of spaces', { kind: 'essay', text: ' \n', ticked: [] }, false],
  ['a tick without text', ticked(0), true],
] satisfies [string, Response, boolean][])('%s: answered is %s', (_, response, answered) => {
  expect(isAnswered(response)).toBe(answered)
})

test.each([
  [
    { type: 'blank', blanks: [['1'], ['2']] },
    { kind: 'blank', texts: ['', ''] },
  ],
  [{ type: 'essay' }, { kind: 'essay', text: '', ticked: [] }],
  [{ type: 'single' }, { kind: 'choice', ids: [] }],
  [{ type: 'multiple' }, { kind: 'choice', ids: [] }],
  [{ type: 'judge' }, { kind: 'choice', ids: [] }],
])('before anything is given, %j has the response %j', (over, empty) =>
  expect(emptyResponse({ ...choice('single', ['A']), ...over } as PlainQuestion)).toEqual(empty),
)
