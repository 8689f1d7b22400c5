import { spokenHyphens } from './spokenHyphens.ts'

/** Signs that a voice leaves out or spells, by the words for them in a Chinese lesson. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['+', '加'],
  ['-', '减'],
  ['−', '减'],
  ['±', '正负'],
  ['∓', '负正'],
  ['×', '乘'],
  ['·', '点乘'],
  ['⋅', '点乘'],
  ['*', '星'],
  ['÷', '除以'],
  ['/', '每'],
  ['=', '等于'],
  ['＝', '等于'],
  ['＋', '加'],
  ['－', '减'],
  ['≠', '不等于'],
  ['≈', '约等于'],
  ['≡', '恒等于'],
  ['<', '小于'],
  ['>', '大于'],
  ['≤', '小于等于'],
  ['⩽', '小于等于'],
  ['≥', '大于等于'],
  ['⩾', '大于等于'],
  ['≪', '远小于'],
  ['≫', '远大于'],
  ['∝', '正比于'],
  ['∈', '属于'],
  ['∉', '不属于'],
  ['⊂', '真包含于'],
  ['⊆', '包含于'],
  ['⊊', '真包含于'],
  ['⊃', '真包含'],
  ['⊇', '包含'],
  ['∪', '并'],
  ['∩', '交'],
  ['∅', '空集'],
  ['∁', '补集'],
  ['∀', '任意'],
  ['∃', '存在'],
  ['¬', '非'],
  ['∧', '且'],
  ['∨', '或'],
  ['⇒', '推出'],
  ['⇔', '等价于'],
  ['→', '趋于'],
  ['⟶', '生成'],
  ['⇌', '可逆生成'],
  ['↑', '，气体'],
  ['↓', '，沉淀'],
  ['⊥', '垂直于'],
  ['∥', '平行于'],
  ['‖', '平行于'],
  ['∠', '角'],
  ['△', '三角形'],
  ['⊙', '圆'],
  ['∽', '相似于'],
  ['≌', '全等于'],
  ['≅', '全等于'],
  ['∵', '因为'],
  ['∴', '所以'],
  ['∞', '无穷大'],
  ['∑', '求和'],
  ['∏', '连乘'],
  ['∫', '积分'],
  ['∂', '偏'],
  ['√', '根号'],
  ['°', '度'],
  ['∘', '度'],
  ['′', '撇'],
  ['″', '两撇'],
  ['%', '百分号'],
  ['‰', '千分号'],
  ['!', '的阶乘'],
  ['∶', '比'],
  ['|', '竖线'],
  ['∣', '竖线'],
  ['(', '左括号'],
  [')', '右括号'],
  ['[', '左中括号'],
  [']', '右中括号'],
  ['{', '左大括号'],
  ['}', '右大括号'],
  ['sin', '正弦'],
  ['cos', '余弦'],
  ['tan', '正切'],
  ['ln', '自然对数'],
  ['lg', '常用对数'],
  ['α', '阿尔法'],
  ['β', '贝塔'],
  ['γ', '伽马'],
  ['δ', '德尔塔'],
  ['ε', '艾普西龙'],
  ['ϵ', '艾普西龙'],
  ['ζ', '泽塔'],
  ['η', '伊塔'],
  ['θ', '西塔'],
  ['λ', '兰姆达'],
  ['μ', '缪'],
  ['ν', '纽'],
  ['ξ', '克西'],
  ['π', '派'],
  ['ρ', '柔'],
  ['σ', '西格玛'],
  ['τ', '套'],
  ['φ', '斐'],
  ['ϕ', '斐'],
  ['χ', '希'],
  ['ψ', '普西'],
  ['ω', '欧米伽'],
  ['Δ', '德尔塔'],
  ['Σ', '西格玛'],
  ['Φ', '斐'],
  ['Ω', '欧米伽'],
  ['ℝ', '实数集'],
  ['ℕ', '自然数集'],
  ['ℤ', '整数集'],
  ['ℚ', '有理数集'],
  ['ℂ', '复数集'],
  ['⋯', '点点点'],
  ['…', '点点点'],
])

/** The words for a token of a formula; one that is read as it is written stays. */
export const spokenChars = (token: string): string => WORDS.get(token.trim()) ?? token

const RAISED = new Map(Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ', (char, at) => [char, '0123456789加减n'[at] ?? '']))
const LOWERED = new Map(Array.from('₀₁₂₃₄₅₆₇₈₉', (char, at) => [char, String(at)]))
const charsOf = (text: string, signs: ReadonlyMap<string, string>): string =>
  Array.from(text, (char) => signs.get(char) ?? char).join('')

const POWERS: ReadonlyMap<string, string> = new Map([
  ['2', '的平方'],
  ['3', '的立方'],
])
/** Words for what stands raised: a power, or the charge of an ion. @param raised in words, `加` and `减` for its signs */
export function raisedWords(raised: string): string {
  if (/^\d*[加减]$/.test(raised)) return raised.replace('加', '正').replace('减', '负')
  return POWERS.get(raised) ?? `的${raised.replace(/^减/, '负')}次方`
}

/** Signs that are read within a sentence as in a formula; strokes have rules of their own. */
const IN_TEXT = /[＋＝±×÷=≠≈≤≥<>∈∉⊂⊆∪∩∅⇒⇔⊥∥∠△⊙∵∴∞√αβγδεθλμπρστφωΔΩ]/g

/** Signs within a sentence, in words. */
export const spokenSigns = (text: string): string =>
  spokenHyphens(text)
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+/g, (signs) => raisedWords(charsOf(signs, RAISED)))
    .replace(/[₀-₉]+/g, (signs) => charsOf(signs, LOWERED))
    .replace(/℃/g, '摄氏度')
    .replace(IN_TEXT, (sign) => WORDS.get(sign) ?? sign)
