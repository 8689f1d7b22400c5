import { describe, expect, test } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { createIndex, type Own, type Query } from '#src/search/engine.ts'
import { fold, snippet, termsOf } from '#src/domain/text/searchText.ts'
import { hitOf } from '#src/search/show.ts'
import { docOf, textOf } from '#src/search/text.ts'
import { blank, composite, essay, judge, multiple, single } from '#tests/support/questions.ts'

const NOBODY: Own = { notes: new Map(), wrong: new Set(), subjects: new Map([['L_c1', 'politics']]) }
const asked = (no: string, stem: string, more: Partial<ReturnType<typeof single>> = {}): Question => ({
  ...single(no),
  stem: `<p>${stem}</p>`,
  ...more,
})
function indexOf(questions: readonly Question[], own: Partial<Own> = {}) {
  const index = createIndex()
  index.put(
    'L_c1:0',
    questions.map((question) => docOf(question, { chapterNo: 'L_c1', at: 0 })),
  )
  index.setOwn({ ...NOBODY, ...own })
  const search = (text: string, more: Partial<Query> = {}) => index.search({ text, scope: 'all', ...more })
  /** The hits as a list shows them. */
  const shown = (text: string) =>
    search(text).hits.map((match) => {
      const question = questions.find(({ no }) => no === match.no)
      return hitOf(match, termsOf(text), question ? textOf(question) : null)
    })
  return {
    index,
    search,
    shown,
    nos: (text: string, more?: Partial<Query>) => search(text, more).hits.map(({ no }) => no),
  }
}

describe('what is compared', () => {
  test.each([
    ['Ｆ＝ｍａ', 'f=ma'],
    ['牛顿（1643—1727）', '牛顿16431727'],
    ['v = 3.14 m/s', 'v=3.14m/s'],
    ['E=mc²', 'e=mc2'],
    ['5 − 2', '5-2'],
    ['“实事求是”，', '实事求是'],
    ['⼒学', '力学'],
    ['f\u2061(x)', 'fx'],
    ['x^2', 'x2'],
    ['a\u20D7·b\u20D7', 'ab'],
    ['x ≥ 2×3÷4', 'x>=2*3/4'],
  ])('%s as %s', (text, folded) => expect(fold(text)).toBe(folded))

  test('words stand between spaces, each once', () => {
    expect(termsOf('  南昌  起义 南昌 。')).toEqual(['南昌', '起义'])
  })

  test('of what is pasted the first 50 characters count, also where one sign stands for many', () => {
    expect(termsOf('字'.repeat(2001))).toEqual(['字'.repeat(50)])
    expect(termsOf('ﷺ'.repeat(300)).join('')).toHaveLength(50)
    expect(termsOf(`${'字'.repeat(49)} 甲乙 丙`)).toEqual(['字'.repeat(49), '甲'])
    expect(termsOf(`${'字'.repeat(49)}😀😀`)).toEqual([`${'字'.repeat(49)}😀`])
    expect(termsOf(`${'，'.repeat(600)}甲`)).toEqual([])
  })
})

test('what is pasted from a question finds it, and what cannot be searched for finds nothing', () => {
  const stem = '下列关于动能定理的说法中正确的一项是，'.repeat(9)
  const { nos } = indexOf([asked('a', stem), asked('b', '别的题')])
  expect(nos(stem)).toEqual(['a'])
  expect(nos('ﷺ'.repeat(300))).toEqual([])
  expect(nos('x'.repeat(100_000))).toEqual([])
})

describe('a word is found', () => {
  test.each([
    ['one character', '力', ['c', 'a']],
    ['a Chinese word', '动能定理', ['a']],
    ['a formula, however it is written', 'Ｆ = ma', ['b']],
    ['a formula with signs of regular expressions', 'x²+1', ['c']],
    ['a decimal', '3.14', ['c']],
    ['an English word, whatever its case', 'PEOPLE', ['d']],
    ['words of different places', '定理 合外力', ['a']],
    ['not when one of the words is missing', '定理 起义', []],
    ['not when its characters stand apart', '动定', []],
    ['the reason of an option', '忽略了摩擦', ['e']],
    ['nothing for nothing', ' ，。 ', []],
  ])('%s', (_, text, nos) => {
    const { nos: found } = indexOf([
      asked('a', '动能定理说的是什么', { analysis: '<p>合外力所做的功</p>' }),
      asked('b', '<math><mi>F</mi><mo>=</mo><mi>m</mi><mi>a</mi></math>中的量'),
      asked('c', '<msup><mi>x</mi><mn>2</mn></msup>+1 与 3.14', { analysis: '力' }),
      asked('d', 'the People of it'),
      asked('e', '木箱', { options: [{ id: 'A', html: '匀速', why: '<p>忽略了摩擦</p>' }] }),
    ])
    expect(found(text)).toEqual(nos)
  })

  test.each<[string, Question]>([
    ['an option', asked('q', '题', { options: [{ id: 'A', html: '遵义会议' }] })],
    ['an analysis', asked('q', '题', { analysis: '<p>遵义<b>会议</b></p>' })],
    ['a blank', { ...blank('q', [['遵义会议']]) }],
    ['a reference', { ...essay('q'), reference: '<p>遵义会议</p>' }],
    ['a sub-question', composite('q', [{ ...judge('q_1'), stem: '遵义会议' }])],
    ['an option of several', { ...multiple('q'), options: [{ id: 'A', html: '遵义会议' }] }],
  ])('in %s', (_, question) => {
    const hits = indexOf([question]).shown('遵义会议')
    expect(hits.map(({ no }) => no)).toEqual(['q'])
    const pieces = [...(hits[0]?.stem ?? []), ...(hits[0]?.rest ?? [])]
    expect(pieces.filter(({ hit }) => hit).map(({ text }) => text.replaceAll(' ', ''))).toEqual(['遵义会议'])
  })
})

describe('a formula is found as students type it, and shown as they read it', () => {
  const { shown } = indexOf([
    asked(
      'q',
      '加速度为2<math><mfrac><mi>m</mi><msup><mi>s</mi><mn>2</mn></msup></mfrac></math>，且<math><msup><mi>x</mi><mn>2</mn></msup><mo>−</mo><msqrt><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow></msqrt><mo>⩾</mo><msub><mi>a</mi><mi>n</mi></msub></math>',
    ),
  ])
  test.each(['m/s²', 'm/s2', 'm/s^2', 'x2', 'x²-√(x+1)', '√x+1', '>=an', '≥aₙ', '≥ a_n'])('%s', (text) => {
    const hits = shown(text)
    expect(hits[0]?.stem.map((piece) => piece.text).join('')).toBe('加速度为2m/s²，且x²−√(x+1)≥aₙ')
    expect(hits[0]?.stem.some(({ hit }) => hit)).toBe(true)
  })
})

test('a hit whose block has left the device is shown as it is compared', () => {
  const { search } = indexOf([asked('a', '《长征》（一）', { analysis: '会师，胜利' })])
  const hits = search('胜利').hits.map((match) => hitOf(match, ['胜利'], null))
  expect(hits[0]?.stem).toEqual([{ text: '长征一', hit: false }])
  expect(hits[0]?.rest?.filter(({ hit }) => hit)).toEqual([{ text: '胜利', hit: true }])
})

describe('the order', () => {
  test('stems before options and analysis, early before late, else that of the books', () => {
    const { nos } = indexOf([
      asked('analysis', '甲', { analysis: '长征' }),
      asked('late', '红军的长征'),
      asked('early', '长征的意义'),
      asked('early too', '长征的路线'),
    ])
    expect(nos('长征')).toEqual(['early', 'early too', 'late', 'analysis'])
  })
  test('of thousands the best fifty are shown, and all are counted', () => {
    const { search } = indexOf(Array.from({ length: 3000 }, (_, i) => asked(`q${i}`, `第${i}题 长征`)))
    expect(search('长征')).toMatchObject({ total: 3000, alike: false })
    expect(search('长征').hits).toHaveLength(50)
  })
})

describe('one wrong character', () => {
  const { search } = indexOf([asked('a', '动能定理'), asked('b', '功', { analysis: '动能定理' })])
  test.each(['动能定里', '动定能理'])('%s finds what is meant, says so, and looks in stems', (text) => {
    expect(search(text)).toMatchObject({ total: 1, alike: true, hits: [{ no: 'a' }] })
  })
  test.each(['动里', '动能公里', 'F=mb'])('%s is not guessed at', (text) => {
    expect(search(text)).toEqual({ total: 0, alike: false, hits: [] })
  })
  test('is not thought of when the word is there', () => {
    expect(search('动能定理')).toMatchObject({ total: 2, alike: false })
  })
})

describe('what is one’s own', () => {
  const questions = [asked('a', '长征一'), asked('b', '长征二'), composite('c', [{ ...judge('c_1'), stem: '长征三' }])]
  const { nos, shown } = indexOf(questions, {
    notes: new Map([['b', '要背的年份']]),
    wrong: new Set(['a', 'c_1']),
  })
  test('errors are those answered wrongly, a material by its sub-questions', () => {
    expect(nos('长征', { scope: 'errors' })).toEqual(['a', 'c'])
  })
  test('notes are those with one, found by it and by their question', () => {
    expect(nos('长征', { scope: 'notes' })).toEqual(['b'])
    expect(nos('年份', { scope: 'notes' })).toEqual(['b'])
  })
  test('everywhere a note counts as well, and is shown', () => {
    expect(shown('年份')[0]?.note?.filter(({ hit }) => hit)).toEqual([{ text: '年份', hit: true }])
  })
  test('another subject and another direction are left out', () => {
    expect(nos('长征', { subject: 'physics' })).toEqual([])
    expect(nos('长征', { subject: 'politics' })).toHaveLength(3)
    expect(indexOf(questions, { subjects: new Map() }).index.size()).toBe(0)
  })
})

test('a block put again takes the place of the old one, and one that is dropped is gone', () => {
  const { index, nos } = indexOf([asked('a', '旧题')])
  index.put('L_c1:0', [docOf(asked('a', '新题'), { chapterNo: 'L_c1', at: 0 })])
  expect([nos('旧题'), nos('新题')]).toEqual([[], ['a']])
  index.drop('L_c1:0')
  expect(nos('新题')).toEqual([])
})

describe('a snippet', () => {
  const marked = (text: string, ...terms: string[]) =>
    snippet(text, terms)
      .map(({ text, hit }) => (hit ? `[${text}]` : text))
      .join('')
  test('marks every word, across spaces and punctuation', () => {
    expect(marked('公式 F = ma，即牛顿（第二）定律', 'f=ma', '牛顿第二')).toBe('公式 [F = ma]，即[牛顿（第二]）定律')
  })
  test('marks characters of two units whole', () => {
    expect(marked('字𠮷字', '𠮷')).toBe('字[𠮷]字')
  })
  test('is the stretch around the first word', () => {
    const text = `${'前'.repeat(200)}长征${'后'.repeat(200)}`
    expect(marked(text, '长征')).toMatch(/^…前{18}\[长征\]后+…$/)
  })
  test('is text as it is: what looks like HTML stays text', () => {
    expect(marked('a <b> & c', 'a')).toBe('[a] <b> & c')
  })
})
