import { describe, expect, test } from 'vitest'
import { plainText } from '#src/domain/text/plainText.ts'
import { item, level, list, num, optionsOf, p, r, readWord } from '#tests/support/wordFile.ts'

const t = (text: string, properties = '') =>
  `<m:r>${properties && `<m:rPr>${properties}</m:rPr>`}<m:t>${text}</m:t></m:r>`
const e = (inner: string, name = 'e') => `<m:${name}>${inner}</m:${name}>`
const math = (inner: string) => `<m:oMath>${inner}</m:oMath>`
const upright = '<m:sty m:val="p"/>'
const asked = (formula: string) => [p(r('1. 求') + math(formula) + r('的值')), p('A. 甲'), p('B. 乙'), p('答案：A')]

test.each([
  [
    'a fraction',
    `<m:f>${e(t('1'), 'num')}${e(t('2'), 'den')}</m:f>`,
    '1/2',
    '<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>',
  ],
  [
    'one in a line',
    `<m:f><m:fPr><m:type m:val="lin"/></m:fPr>${e(t('a'), 'num')}${e(t('b'), 'den')}</m:f>`,
    'a/b',
    '<mo>/</mo>',
  ],
  [
    'a binomial',
    `<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>${e(t('n'), 'num')}${e(t('k'), 'den')}</m:f>`,
    'n；k',
    'linethickness="0"',
  ],
  ['a power', `<m:sSup>${e(t('𝑥'))}${e(t('2'), 'sup')}</m:sSup>`, 'x²', '<mi>x</mi>'],
  ['an index', `<m:sSub>${e(t('a'))}${e(t('n+1'), 'sub')}</m:sSub>`, 'aₙ₊₁', '<msub>'],
  [
    'both',
    `<m:sSubSup>${e(t('SO', upright))}${e(t('4'), 'sub')}${e(t('2-'), 'sup')}</m:sSubSup>`,
    'SO₄²⁻',
    '<msubsup><mrow><mi>SO</mi>',
  ],
  [
    'those of an isotope',
    `<m:sPre>${e(t('6'), 'sub')}${e(t('14'), 'sup')}${e(t('C', upright))}</m:sPre>`,
    '₆¹⁴C',
    '<mprescripts></mprescripts>',
  ],
  ['a root', `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(t('2'))}</m:rad>`, '√2', '<msqrt>'],
  ['a cubic one', `<m:rad>${e(t('3'), 'deg')}${e(t('x'))}</m:rad>`, '³√x', '<mroot>'],
  [
    'a sum',
    `<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/></m:naryPr>${e(t('i=1'), 'sub')}${e(t('n'), 'sup')}${e(t('i'))}</m:nary>`,
    '∑ᵢ₌₁ⁿ i',
    '<munderover>',
  ],
  [
    'an integral without limits',
    `<m:nary><m:naryPr><m:subHide m:val="1"/><m:supHide m:val="1"/></m:naryPr><m:sub/><m:sup/>${e(t('x'))}</m:nary>`,
    '∫x',
    '<mo movablelimits="false">∫</mo>',
  ],
  [
    'brackets',
    `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=")"/><m:sepChr m:val=","/></m:dPr>${e(t('0'))}${e(t('1'))}</m:d>`,
    '[0,1)',
    'form="prefix"',
  ],
  [
    'cases',
    `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(`<m:eqArr>${e(t('x&amp;=1'))}${e(t('y&amp;=2'))}</m:eqArr>`)}</m:d>`,
    '{x=1；y=2}',
    '<mtable columnalign="left">',
  ],
  ['a function', `<m:func>${e(t('sin', upright), 'fName')}${e(t('x'))}</m:func>`, 'sin x', '<mi>sin</mi>'],
  [
    'a limit',
    `<m:func>${e(`<m:limLow>${e(t('lim', upright))}${e(t('x→0'), 'lim')}</m:limLow>`, 'fName')}${e(t('x'))}</m:func>`,
    null,
    '<munder><mrow><mi>lim</mi></mrow>',
  ],
  [
    'what is written above',
    `<m:limUpp>${e(t('→'))}${e(t('点燃'), 'lim')}</m:limUpp>`,
    '→(点燃)',
    '<mtext>点燃</mtext>',
  ],
  ['a vector', `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e(t('a'))}</m:acc>`, 'a⃗', '<mo stretchy="false">→</mo>'],
  ['a line above', `<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${e(t('AB'))}</m:bar>`, '(AB)\u0304', '‾'],
  [
    'a brace below',
    `<m:groupChr><m:groupChrPr><m:chr m:val="⏟"/></m:groupChrPr>${e(t('n'))}</m:groupChr>`,
    null,
    '<munder><mrow><mi>n</mi></mrow><mo stretchy="true">⏟</mo></munder>',
  ],
  ['a gap', `<m:borderBox><m:e/></m:borderBox>`, '□', '<mo>□</mo>'],
  [
    'a matrix',
    `<m:m><m:mPr><m:mcs><m:mc><m:mcPr><m:count m:val="2"/><m:mcJc m:val="left"/></m:mcPr></m:mc></m:mcs></m:mPr><m:mr>${e(t('1'))}${e(t('2'))}</m:mr></m:m>`,
    '1，2',
    'columnalign="left left"',
  ],
  ['an operator of several signs', `<m:box>${e(t('≜'))}</m:box>`, '≜', '<mo>≜</mo>'],
  ['what holds a place', `<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr>${e(t('x'))}</m:phant>`, '', '<mphantom>'],
  [
    'letters of other alphabets',
    t('R', '<m:scr m:val="double-struck"/>') + t('v', '<m:sty m:val="b"/>'),
    'Rv',
    '<mi>ℝ</mi><mi>𝐯</mi>',
  ],
  [
    'a matrix that says more columns than it has',
    `<m:m><m:mPr><m:mcs><m:mc><m:mcPr><m:count m:val="9000000000"/><m:mcJc m:val="left"/></m:mcPr></m:mc></m:mcs></m:mPr>${e(e(t('a')) + e(t('b')), 'mr')}</m:m>`,
    null,
    '<mtable columnalign="left left">',
  ],
  ['upright ones', t('d', upright) + t('𝑥'), 'dx', '<mi mathvariant="normal">d</mi><mi>x</mi>'],
  ['words', t('若 x', '<m:nor/>'), null, '<mtext>若\u00a0x</mtext>'],
  ['signs of HTML', t('x&lt;1'), 'x<1', '<mo>&lt;</mo>'],
])('%s', async (_, formula, line, mathml) => {
  const { questions } = await readWord(asked(formula))
  const stem = questions[0]?.stem ?? ''
  expect(stem).toContain(mathml)
  expect([null, `求${line}的值`]).toContain(line === null ? null : plainText(stem).replaceAll('ℝ', 'R'))
})

describe('what has no MathML', () => {
  test.each([
    ['an element that nobody knows', '<m:odd/>', 'odd'],
    [
      'a stroke through a formula',
      `<m:borderBox><m:borderBoxPr><m:strikeH/></m:borderBoxPr>${e(t('x'))}</m:borderBox>`,
      '删除线',
    ],
    ['hidden letters', `<m:r><w:rPr><w:vanish/></w:rPr><m:t>x</m:t></m:r>`, 'vanish'],
    ['a sign of a font alone', t('\uf061'), '字体里的符号'],
  ])('%s keeps its question out, and no other', async (_, formula, named) => {
    const { questions, findings } = await readWord([
      ...asked(formula + t('x')),
      p('2. 好题（B）'),
      p('A. 甲'),
      p('B. 乙'),
    ])
    expect(questions).toMatchObject([{ stem: '好题（ ）' }])
    expect(findings).toContainEqual(expect.stringMatching(new RegExp(`^fault 第1段.*公式里有读不出的内容（${named}）`)))
  })

  test('an object of an old program', async () => {
    const object =
      '<w:r><w:object><v:shape style="width:20pt;height:10pt"><v:imagedata r:id="i"/></v:shape><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>'
    const { questions, findings } = await readWord([p(r('1. 求') + object), p('A. 甲'), p('B. 乙'), p('答案：A')])
    expect(questions).toEqual([])
    expect(findings).toContainEqual(expect.stringMatching(/^fault .*旧式公式（MathType/))
  })
})

test('formulae are options, stand alone in a line, and are read as the text of a gap', async () => {
  const power = `<m:sSup>${e(t('x'))}${e(t('2'), 'sup')}</m:sSup>`
  const { questions } = await readWord(
    [
      p(r('1. 下式')),
      p(`<m:oMathPara>${math(power + t('=A. 1'))}</m:oMathPara>`),
      item(math(power), 1),
      item(math(t('x')), 1),
      p('答案：B'),
      p('二、填空题'),
      p('2. 填空：____'),
      p(r('答案：') + math(power)),
    ],
    { numbering: list(1, level(0, 'upperLetter', '%1.')) + num(1, 1) },
  )
  expect(questions[0]?.stem).toContain('<p><math display="block"><msup>')
  expect(optionsOf(questions[0])[0]).toMatch(/^<math><msup>/)
  expect(optionsOf(questions[0])).toHaveLength(2)
  expect(JSON.stringify(questions[1])).toContain('x²')
})
