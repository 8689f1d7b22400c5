import { describe, expect, test } from 'vitest'
import { formulaText } from '#src/domain/text/formulaText.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { richText } from '#server/content/formats/richText.ts'

/** As the importer stores it, and as lists and search show it. */
const lineOf = (latex: string): string => plainText(richText(`$${latex}$`).html)

describe('a formula is written as a line', () => {
  test.each([
    // Raised and lowered.
    ['2m/s^2', '2m/s²'],
    ['x^{-1}+a^{n+1}', 'x⁻¹+aⁿ⁺¹'],
    ['2^x', '2^(x)'],
    ['e^{-x^2}', 'e^(−x²)'],
    ['a_n, a_{n+1}, a_1^2', 'aₙ,aₙ₊₁,a₁²'],
    ['v_{\\text{水}}', 'v_(水)'],
    ['\\left(x+1\\right)^2', '(x+1)²'],
    ['\\left(\\frac{1}{2}\\right)^n', '(1/2)ⁿ'],
    ['{\\sqrt{3}}^2', '(√3)²'],
    ['{a^2}^3', '(a²)³'],
    ["f'(x)", 'f′(x)'],
    ['60^\\circ', '60°'],
    ['\\mathrm{SO}_4^{2-}', 'SO₄²⁻'],
    ['{}_{92}^{235}\\mathrm{U}', '₉₂²³⁵U'],
    ['25^{\\circ\\mathrm{C}}', '25°C'],
    ['x_{1}^{2}', 'x₁²'],
    ['{a_1}^2', 'a₁²'],
    ['{x^2}_1', 'x²₁'],
    ['{a_1}_2', '(a₁)₂'],
    ['{\\frac{1}{2}}^2', '(1/2)²'],
    ['x^{(a)(b)}', 'x^((a)(b))'],
    ['x^{(a+b)}', 'x^(a+b)'],
    ['2^{\\frac{1}{2}}', '2^(1/2)'],
    // Fractions.
    ['\\frac{1}{2}', '1/2'],
    ['\\frac{a+b}{2c}', '(a+b)/(2c)'],
    ['\\frac{1}{2}mv^2', '(1/2)mv²'],
    ['2\\frac{1}{2}', '2 1/2'],
    ['\\frac{\\frac{a}{b}}{c}', '(a/b)/c'],
    ['\\frac{\\sin x}{x}', '(sin x)/x'],
    ['\\frac{(x+1)}{|x|}', '(x+1)/|x|'],
    ['\\frac{\\sqrt{2}}{2}', '√2/2'],
    ['\\frac{3}{4}\\div\\frac{1}{2}', '3/4÷(1/2)'],
    ['\\frac{路程}{时间}', '路程/时间'],
    ['\\frac{a(b+c)}{d}', 'a(b+c)/d'],
    ['\\frac{(a+b)(c+d)}{2}', '(a+b)(c+d)/2'],
    ['\\frac{1}{(a+b)(c+d)}', '1/((a+b)(c+d))'],
    ['\\frac{1}{(a+b)}', '1/(a+b)'],
    ['\\frac{2\\times 3}{4}', '2×3/4'],
    ['\\frac{3\\sqrt{2}}{2}', '3√2/2'],
    ['\\frac{\\sqrt{2}a}{3}', '√2a/3'],
    ['\\frac{\\binom{n}{k}}{2}', '(n；k)/2'],
    ['\\frac{\\text{甲 = 乙}}{2}', '(甲=乙)/2'],
    ['\\frac{\\text{power}}{2}', 'power/2'],
    ['\\frac{-1}{2}', '(−1)/2'],
    ['\\frac{x!}{n!}', 'x!/(n!)'],
    ['\\frac{1}{|x|}', '1/|x|'],
    ['\\frac{|a||b|}{2}', '(|a||b|)/2'],
    ['\\frac{a}{b}\\frac{c}{d}', '(a/b)(c/d)'],
    ['12\\frac{10}{11}', '12 10/11'],
    ['2\\frac{a}{b}', '2(a/b)'],
    ['x/\\frac{1}{2}', 'x/(1/2)'],
    // Roots.
    ['\\sqrt{2}', '√2'],
    ['\\sqrt{x+1}', '√(x+1)'],
    ['\\sqrt{12}', '√12'],
    ['\\sqrt{3.14}', '√3.14'],
    ['\\sqrt{a_{12}}', '√a₁₂'],
    ['\\sqrt{(a)(b)}', '√((a)(b))'],
    ['\\sqrt{(a+b)}', '√(a+b)'],
    ['\\sqrt{x^2}', '√(x²)'],
    ['\\sqrt[3]{x}', '³√x'],
    ['2\\sqrt[3]{x}', '2 ³√x'],
    ['\\sqrt{\\sqrt{2}}', '√(√2)'],
    // Under and over.
    ['\\sum_{i=1}^{n}a_i', '∑ᵢ₌₁ⁿ aᵢ'],
    ['\\lim_{x\\to 0}\\frac{\\sin x}{x}', 'lim_(x→0) (sin x)/x'],
    ['\\int_0^1 f(x)dx', '∫₀¹ f(x)dx'],
    ['\\vec{a}\\cdot\\vec{b}', 'a\u20D7·b\u20D7'],
    ['\\overrightarrow{AB}', '(AB)\u20D7'],
    ['\\bar{x}, \\hat{y}, \\dot{3}', 'x\u0304,y\u0302,3\u0307'],
    ['\\overline{abc}', '(abc)\u0304'],
    ['\\underbrace{2+2}_{2}', '(2+2)⏟₂'],
    ['A\\xrightarrow{点燃}B', 'A→(点燃)B'],
    ['\\stackrel{\\triangle}{=}', '=(△)'],
    ['A\\xrightarrow[下]{上}B', 'A→(上；下)B'],
    ['\\underline{\\qquad}', '____'],
    ['\\underline{x}', 'x'],
    ['\\boxed{5}', '5'],
    ['\\prod_{k}k', '∏ₖ k'],
    ['\\sum x', '∑x'],
    // Rows.
    ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '(1，2；3，4)'],
    ['\\begin{cases}x+1,&x>0\\\\0,&x\\le 0\\end{cases}', '{x+1,x>0；0,x≤0}'],
    ['\\begin{aligned}y&=x\\\\&=1\\end{aligned}', 'y=x；=1'],
    ['\\binom{n}{k}', '(n；k)'],
    // Functions, signs, words.
    ['\\sin 2x', 'sin 2x'],
    ['\\sin^2 x+\\log_2 8', 'sin²x+log₂8'],
    ['a\\cos\\frac{\\pi}{6}', 'a cos(π/6)'],
    ['\\ln(1+x)', 'ln(1+x)'],
    ['\\sin\\cos x', 'sin cos x'],
    ['x\\log_2\\frac{1}{y}', 'x log₂(1/y)'],
    ['\\max a+\\max(a,b)', 'max a+max(a,b)'],
    ['7\\bmod 3', '7 mod 3'],
    ['x\\geqslant 1, y\\le 2, z\\ne 0', 'x≥1,y≤2,z≠0'],
    ['A\\cap B\\subseteq\\mathbf{R}', 'A∩B⊆R'],
    ['\\{x\\mid x>1\\}', '{x|x>1}'],
    ['a\\quad b\\,c', 'a bc'],
    ['0.4\\ \\text{mol}', '0.4 mol'],
    ['\\text{ 配制 } 2 \\text{ 份}', '配制2份'],
    ['\\textcircled{2}', '②'],
    ['\\textcircled{12}\\textcircled{20}\\textcircled{A}', '⑫⑳(A)'],
  ])('%s as %s', (latex, line) => expect(lineOf(latex)).toBe(line))
})

test('what cannot be seen is left out of the line', () => {
  expect(formulaText('<math><mi>f</mi><mo>\u2061</mo><mphantom><mi>y</mi></mphantom><mi>x</mi></math>')).toBe('fx')
})

test('marks before and behind a letter stand where they are seen', () => {
  const before = '<mprescripts></mprescripts><mn>92</mn><mn>235</mn>'
  expect(formulaText(`<math><mmultiscripts><mi>U</mi><mn>1</mn><mrow></mrow>${before}</mmultiscripts></math>`)).toBe(
    '₉₂²³⁵U₁',
  )
})

test('a formula whose end is lost is read as far as it goes', () => {
  expect(formulaText('<math><mfrac><mn>1</mn><msqrt><mi>x')).toBe('1/√x')
  expect(formulaText('</mi></math>x<math>')).toBe('')
})
