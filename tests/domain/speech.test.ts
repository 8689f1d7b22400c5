import { describe, expect, test } from 'vitest'
import { richText } from '#server/content/formats/richText.ts'
import { breaths, spokenText } from '#src/domain/text/speech.ts'

/** Stores it like the importer, and returns what a voice is given, without the spaces between letters. */
const said = (latex: string): string => spokenText(richText(`$${latex}$`).html).replaceAll(' ', '')

describe('a formula is read as in a Chinese lesson', () => {
  test.each([
    ['x^2+1=0', 'x的平方加1等于0'],
    ['x^3', 'x的立方'],
    ['x^{-1}', 'x的负1次方'],
    ['3\\times10^8', '3乘10的8次方'],
    ['-\\infty', '负无穷大'],
    ['\\frac12', '2分之1'],
    ['\\frac{a+b}{2c}', '2c分之，a加b'],
    ['\\sqrt2', '根号2'],
    ['\\sqrt{x+1}', '根号下x加1'],
    ['\\sqrt[3]{x}', '3次根号x'],
    ['a_{n+1}', 'a下标n加1'],
    ['a_1', 'a1'],
    ['C_9^3', 'C9取3'],
    ['\\log_2 8', 'log以2为底，8'],
    ['|x-1|', 'x减1的绝对值'],
    ['\\left|\\vec a\\right|', '向量a的长'],
    ['|PF_1|+|PF_2|=8', 'PF1的长加PF2的长等于8'],
    ['\\overline{x}', 'x拔'],
    ['\\sum_{i=1}^n a_i', '从i等于1到n求和，ai'],
    ['\\int_0^1 x', '从0到1积分，x'],
    ['\\lim_{x\\to 0} x', '当x趋于0时的极限，x'],
    ['2\\ \\mathrm{min}', '2min'],
    ['60^\\circ', '60度'],
    ['\\mathrm{SO}_4^{2-}', 'SO42负'],
    ['\\mathrm{Na^+}', 'Na正'],
    ['{}_{92}^{235}\\mathrm{U}', '92235U'],
    ["f'(x)", 'f撇x'],
    ['4\\ \\mathrm{m/s}', '4m每s'],
    ['(-1,3)', '左括号负1,3右括号'],
    ['A\\cap B\\subseteq C', 'A交B包含于C'],
    ['\\triangle ABC', '三角形ABC'],
    ['\\pi r^2', '派r的平方'],
  ])('%s is %s', (latex, words) => expect(said(latex)).toBe(words))
})

describe('the text of a question is read', () => {
  test.each([
    ['<p>下列说法正确的是（　）</p>', '下列说法正确的是'],
    ['<p>16 g 氧气的物质的量为____ mol</p>', '16 g 氧气的物质的量为空格 mol'],
    ['<p>水是____(7)____的</p>', '水是，第7空，的'],
    ['<p>如图<img src="/media/a.png" alt="电路图">，则</p>', '如图，图，电路图，则'],
    ['<p>如图<img src="/media/a.png" alt="">，则</p>', '如图，这里有图，请看屏幕，则'],
    ['<p>一</p><p>二</p>', '一。二。'],
    ['<p>104×2＝208，约 25℃</p>', '104乘2等于208，约 25摄氏度'],
    ['<p>1927～1937 年</p>', '1927到1937 年'],
    ['<p>v<sup>2</sup> 与 H<sub>2</sub>O</p>', 'v的平方 与 H2O'],
  ])('%s is %j', (html, words) => expect(spokenText(html).replace(/。$/, '')).toBe(words.replace(/。$/, '')))

  test('a phrase of another language has a voice of its own; the letters of a formula have none', () => {
    expect(breaths('说明 before you enter the area 是时间')).toEqual([
      { text: '说明', lang: 'zh' },
      { text: 'before you enter the area', lang: 'en' },
      { text: '是时间', lang: 'zh' },
    ])
    expect(breaths('焦点 F 1 F 2 与 P')).toEqual([{ text: '焦点 F 1 F 2 与 P', lang: 'zh' }])
  })

  test('a long text is cut at sentences, else at commas, and nothing of it is lost', () => {
    const text = `${'甲'.repeat(50)}。${'乙'.repeat(60)}，${'丙'.repeat(50)}${'丁'.repeat(100)}`
    const pieces = breaths(text).map((piece) => piece.text)
    expect(pieces.map(({ length }) => length)).toEqual([51, 61, 90, 60])
    expect(pieces.join('')).toBe(text)
  })

  test('the point of a decimal is no end of a sentence', () =>
    expect(breaths(`${'甲'.repeat(60)}得0.25${'乙'.repeat(60)}`)[0]?.text).toHaveLength(90))
})
