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

  test.each([
    ['第 1–5 题', '第 1到5 题'],
    ['休息3-5天', '休息3到5天'],
    ['1937-45', '1937到45'],
    ['1927—1937 年', '1927到1937 年'],
    ['2024-2025学年', '2024到2025学年'],
    ['3%-5%', '3%到5%'],
    ['1月-3月', '1月到3月'],
    ['9:30-11:15', '9:30到11:15'],
    ['10 km-20 km', '10 km到20 km'],
    ['2024-10-01 起', '2024年10月1日 起'],
    ['1927-8-1', '1927年8月1日'],
    ['截至2024-10', '截至2024年10月'],
    ['请拨 0851-1234567', '请拨 零八五一，一二三四五六七'],
    ['400-820-8820', '四零零，八二零，八八二零'],
    ['3-2=1', '3减2等于1'],
    ['x－3＝1', 'x减3等于1'],
    ['5 - 3 + 1', '5减3 加 1'],
    ['x²-2x+1=0', 'x的平方减2x加1等于0'],
    ['a−b', 'a减b'],
    ['1/2-1/3', '1/2减1/3'],
    ['10-3', '10减3'],
    ['x=-5', 'x等于负5'],
    ['（-5，3）', '（负5，3）'],
    ['结果为-5', '结果为负5'],
    ['−5', '负5'],
    ['降到 −1 价', '降到 负1 价'],
    ['报名人数－参考人数', '报名人数减参考人数'],
    ['反应＝①－②', '反应等于①减②'],
    ['20－8－6＝6', '20减8减6等于6'],
    ['10000000表示-128', '10000000表示负128'],
    ['UTF-8文件', 'UTF 8文件'],
    ['后缀 -ous 与前缀 im-。', '后缀 ous 与前缀 im。'],
    ['x-3', 'x减3'],
    ['气温-5℃', '气温零下5摄氏度'],
    ['−3～−1', '负3到负1'],
    ['-(1/e)', '负(1/e)'],
    ['约 −5 ℃', '约 零下5 摄氏度'],
    ['-10℃～-5℃', '零下10摄氏度到零下5摄氏度'],
    ['图3-5', '图3杠5'],
    ['GB 7258-2017', 'GB 7258杠2017'],
    ['95-1 式', '95杠1 式'],
    ['QBZ-95-1', 'QBZ 95杠1'],
    ['编号 12-34-56', '编号 12杠34杠56'],
    ['歼-20 与东风-41', '歼 20 与东风 41'],
    ['F-22', 'F 22'],
    ['马克思-列宁主义', '马克思 列宁主义'],
    ['v-t 图像', 'v t 图像'],
    ['X-射线', 'X 射线'],
    ['1-丁烯', '1 丁烯'],
    ['a well-known state-of-the-art plan', 'a well known state of the art plan'],
  ])('a stroke is what it means: %s is %s', (text, words) => expect(spokenText(text)).toBe(words))

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
