import { type MathNode, parseMathml } from './mathml.ts'
import { raisedWords, spokenChars } from './spokenChars.ts'

/**
 * A formula as it is read aloud in a Chinese lesson: `x的平方加1等于0`, `2c分之a加b`, `根号下x加1，`. A comma ends what would else
 * run on, such as what stands under a root.
 * @param mathml one `<math>` element as the importer stores it.
 */
export const formulaSpeech = (mathml: string): string =>
  row(parseMathml(mathml))
    .replace(SIGNED, (_, before: string, sign: string) => before + (sign === '减' ? '负' : '正'))
    .replace(BRACKETED_ONE, ' $1 ')
    .replace(/，+/g, '，')
    .replace(/，$/, '')
/** A sign that nothing stands before belongs to what follows. */
const SIGNED = /(^|[,，；]|左(?:中|大)?括号|[于到])\s*([加减])/g
/** f(x) is read as f x. */
const BRACKETED_ONE = /左括号\s*([A-Za-z]|\d+)\s*右括号/g

type Given = MathNode | undefined
const NOTHING = ['mphantom', 'annotation', 'annotation-xml', 'none', 'mprescripts', 'mspace']
const TOKENS = ['mi', 'mn', 'mo', 'ms', 'mtext']

function spoken(node: Given): string {
  if (!node || NOTHING.includes(node.tag)) return ''
  if (TOKENS.includes(node.tag) && node.children.length === 0) return token(node)
  return (READERS.get(node.tag) ?? row)(node)
}

const READERS: ReadonlyMap<string, (node: MathNode) => string> = new Map<string, (node: MathNode) => string>([
  ['mfrac', fraction],
  ['msqrt', (node) => root('', row(node))],
  ['mroot', ({ children: [inside, index] }) => root(`${spoken(index)}次`, spoken(inside))],
  ['msub', ({ children: [base, low] }) => scripted(base, low, undefined)],
  ['msup', ({ children: [base, high] }) => scripted(base, undefined, high)],
  ['msubsup', ({ children: [base, low, high] }) => scripted(base, low, high)],
  ['munder', ({ children: [base, under] }) => stacked(base, under, undefined)],
  ['mover', ({ children: [base, over] }) => stacked(base, undefined, over)],
  ['munderover', ({ children: [base, under, over] }) => stacked(base, under, over)],
  ['menclose', (node) => (node.attributes.includes('"top"') ? `${row(node)}拔` : row(node))],
  ['mmultiscripts', ({ children }) => children.map(spoken).join(' ')],
  ['mtable', ({ children: rows }) => rows.map((line) => `${line.children.map(spoken).join(' ')}；`).join('')],
])

/** Bars in pairs stand around an absolute value, or a length. */
function row({ children }: MathNode): string {
  const bars = children.flatMap((node, at) => (isBar(node) ? [at] : []))
  if (bars.length % 2 === 1) return children.map(spoken).join('')
  let text = ''
  for (const [at, node] of children.entries()) {
    const bar = bars.indexOf(at)
    if (bar === -1) text += spoken(node)
    else if (bar % 2 === 1) text += lengthWord(children.slice(bars[bar - 1], at))
  }
  return text
}
/** The one of a set's condition has space around it. */
const isBar = ({ text, attributes }: MathNode): boolean => /^[|∣‖∥]$/.test(text) && !attributes.includes('lspace')
/** @param from its own first bar is the first of these */
function lengthWord(from: readonly MathNode[]): string {
  const inside = from.slice(1).map(spoken).join('')
  return /向量|^\s*[A-Z](?:\s*\d)?\s+[A-Z](?:\s*\d)?\s*$/.test(inside) ? '的长' : '的绝对值'
}

function token({ text, tag }: MathNode): string {
  const plain = text
    .replace(/[\p{Cf}\uFE0E\uFE0F]/gu, '')
    .replace(/[\u{1D400}-\u{1D7FF}]/gu, (c) => c.normalize('NFKC'))
  // Letters side by side are read one by one.
  return tag === 'mi' && /^[A-Za-z]$/.test(plain) ? ` ${plain} ` : spokenChars(plain)
}

const isOne = (text: string): boolean => /^(?:\s*[\p{L}\d.]+\s*)?$/u.test(text)

function fraction({ children: [over, under], attributes }: MathNode): string {
  const [above, below] = [spoken(over), spoken(under)]
  if (attributes.includes('linethickness="0')) return `${above} ${below}`
  return isOne(above) ? `${below}分之${above}` : `${below}分之，${above}，`
}

const root = (index: string, inside: string): string =>
  isOne(inside) ? `${index}根号${inside}` : `${index}根号下${inside}，`

function raised(high: Given): string {
  const text = spoken(high).trim()
  if (text === '') return ''
  if (/^(?:度|撇|两撇|星|百分号)/.test(text)) return text
  return raisedWords(text)
}

function scripted(base: Given, low: Given, high: Given): string {
  const [name, sub] = [spoken(base), spoken(low).trim()]
  if (name.trim() === '') return `${sub} ${spoken(high).trim()} `
  // Combinations and arrangements.
  if (/^\s*[CAP]\s*$/.test(name) && isOne(sub) && low && high) return `${name}${sub}取${spoken(high).trim()} `
  if (/^\s*log\s*$/.test(name) && sub !== '') return `${name}以${sub}为底，${raised(high)}`
  if (isSign(name)) return limits(signOf(name), sub, spoken(high).trim())
  return `${name}${sub && (isOne(sub) ? ` ${sub} ` : `下标${sub}，`)}${raised(high)}`
}

/** Only with limits: min alone is a minute. */
const WITH_LIMITS: ReadonlyMap<string, string> = new Map([
  ['lim', '极限'],
  ['max', '最大值'],
  ['min', '最小值'],
])
const signOf = (name: string): string => WITH_LIMITS.get(name.trim()) ?? name.trim()
const isSign = (name: string): boolean => ['求和', '连乘', '积分', ...WITH_LIMITS.values()].includes(signOf(name))
function limits(name: string, from: string, to: string): string {
  if (name === '极限') return `当${from}时的极限，`
  if (from === '' && to === '') return name
  return to === '' ? `对${from}${name}，` : `从${from}到${to}${name}，`
}

const MARKS: ReadonlyMap<string, (name: string) => string> = new Map<string, (name: string) => string>([
  ['→', (name) => `向量${name}`],
  ['‾', (name) => `${name}拔`],
  ['¯', (name) => `${name}拔`],
  ['ˉ', (name) => `${name}拔`],
  ['^', (name) => `${name}尖`],
  ['ˆ', (name) => `${name}尖`],
  ['~', (name) => `${name}波浪`],
  ['˙', (name) => `${name}点`],
  ['⌢', (name) => `弧${name}`],
])
/** Marks of a letter, limits of a big sign, or what is written on an arrow. */
function stacked(base: Given, under: Given, over: Given): string {
  const name = spoken(base)
  const mark = under === undefined && over?.tag === 'mo' ? MARKS.get(over.text) : undefined
  if (mark) return mark(name)
  const [from, to] = [spoken(under).trim(), spoken(over).trim()]
  if (isSign(name)) return limits(signOf(name), from, to)
  return `${name}${[to, from]
    .filter(Boolean)
    .map((text) => `，${text}，`)
    .join('')}`
}
