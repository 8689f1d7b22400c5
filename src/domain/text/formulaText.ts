import { bindingOf, bracketed, type Item, itemOf, joined, marked, scripts, tidied, tokenItems } from './formulaLine.ts'
import { type MathNode, parseMathml } from './mathml.ts'

/**
 * A formula as one line of text, for search, lists, titles and exports: `x²+1=0`, `(a+b)/(2c)`, `√(x+1)`, `aₙ₊₁`, `v_(水)`.
 * What is raised and lowered is Unicode's where every character of it has such a form; brackets are added where the line would
 * read otherwise without them.
 * @param mathml one `<math>` element as the importer stores it.
 */
export const formulaText = (mathml: string): string => tidied(lineOf(parseMathml(mathml)))

type Given = MathNode | undefined
const lineOf = (node: Given): string => joined(itemsOf(node))
/** Rows only group what stands side by side, so that their pieces are those of the line around them. */
function itemsOf(node: Given): Item[] {
  if (!node || NOTHING.includes(node.tag)) return []
  return (READERS.get(node.tag) ?? row)(node)
}

const NOTHING = ['mphantom', 'annotation', 'annotation-xml', 'none', 'mprescripts']
const WITH_TOKENS = ['mi', 'mn', 'mo', 'ms', 'mtext']
const READERS: ReadonlyMap<string, (node: MathNode) => Item[]> = new Map<string, (node: MathNode) => Item[]>([
  ...WITH_TOKENS.map((tag) => [tag, token] as const),
  ['mspace', space],
  ['mfrac', fraction],
  ['msqrt', (node) => [root(tidied(joined(row(node))), '')]],
  ['mroot', ({ children: [inside, index] }) => [root(lineOf(inside), lineOf(index))]],
  ['msub', ({ children: [base, low] }) => scripted(base, low, undefined)],
  ['msup', ({ children: [base, high] }) => scripted(base, undefined, high)],
  ['msubsup', ({ children: [base, low, high] }) => scripted(base, low, high)],
  ['munder', ({ children: [base, under] }) => stacked(base, under, undefined)],
  ['mover', ({ children: [base, over] }) => stacked(base, undefined, over)],
  ['munderover', ({ children: [base, under, over] }) => stacked(base, under, over)],
  ['mmultiscripts', multiscripts],
  ['mtable', table],
  ['menclose', enclosed],
])

/** What a broken source was made into may hold others. */
function token(node: MathNode): Item[] {
  return node.children.length > 0 ? row(node) : tokenItems(node.tag, node.text, node.attributes)
}

function row({ children }: MathNode): Item[] {
  const items = children.flatMap(itemsOf)
  const last = children.at(-1)
  // The brace before cases has no counterpart: without one, nothing in a line says where they end.
  const isHalfOpen = items[0]?.text === '{' && last?.tag === 'mo' && last.text === ''
  return isHalfOpen ? [...items, itemOf('}', 'close')] : items
}

/** Narrower spaces only adjust what stands side by side; in em. */
const WIDE_SPACE = 0.3
function space({ attributes }: MathNode): Item[] {
  const [, width] = /\bwidth="([\d.]+)em"/.exec(attributes) ?? []
  return Number(width) >= WIDE_SPACE ? [itemOf(' ', 'space')] : []
}

function root(text: string, index: string): Item {
  const isOne = /^(?:\d+(?:\.\d+)?|\p{L}[₀-₉]*)?$/u.test(text)
  return itemOf(`${scripts('', index)}√${isOne ? text : bracketed(text)}`, 'root')
}

function fraction({ children: [over, under], attributes }: MathNode): Item[] {
  const [above, below] = [itemsOf(over), itemsOf(under)]
  // A binomial coefficient: its brackets stand around it already.
  if (attributes.includes('linethickness="0')) return [itemOf(`${joined(above)}；${joined(below)}`, 'rows')]
  const top = ['one', 'product'].includes(bindingOf(above)) ? joined(above) : bracketed(joined(above))
  const bottom = bindingOf(below) === 'one' ? joined(below) : bracketed(joined(below))
  return [itemOf(`${top}/${bottom}`, 'fraction')]
}

function scripted(base: Given, low: Given, high: Given): Item[] {
  const items = itemsOf(base)
  const [sub, sup] = [tidied(lineOf(low)), tidied(lineOf(high))]
  const marks = scripts(sub, sup)
  const last = items.at(-1)
  // They stand before what they belong to, as those of an isotope do.
  if (!last) return marks === '' ? [] : [itemOf(marks, 'letter')]
  const isTwice = (sup !== '' && /[⁰¹²³ⁱ⁴-ⁿ]$/.test(last.text)) || (sub !== '' && /[₀-ₜᵢᵣᵤᵥⱼ]$/.test(last.text))
  if (isTwice || (items.length === 1 && (last.kind === 'fraction' || last.kind === 'root')))
    return [itemOf(bracketed(joined(items)) + marks, 'letter')]
  return [...items.slice(0, -1), { ...last, text: last.text + marks, isScripted: marks !== '' }]
}

/** Marks of a letter, limits of a big sign, or what is written on an arrow. */
function stacked(base: Given, under: Given, over: Given): Item[] {
  const items = itemsOf(base)
  const only = over && under ? undefined : (over ?? under)
  const mark = only?.tag === 'mo' ? marked(tidied(joined(items)), only.text) : null
  if (mark !== null) return [itemOf(mark, 'letter')]
  const [sign, second] = items
  if (sign?.kind !== 'sign' || second) return scripted(base, under, over)
  const texts = [over, under].map((each) => tidied(lineOf(each))).filter(Boolean)
  return [itemOf(texts.length > 0 ? `${sign.text}(${texts.join('；')})` : sign.text, 'sign')]
}

function multiscripts({ children: [base, ...others] }: MathNode): Item[] {
  const at = others.findIndex(({ tag }) => tag === 'mprescripts')
  const [behind, before] = at === -1 ? [others, []] : [others.slice(0, at), others.slice(at + 1)]
  return [...scripted(undefined, before[0], before[1]), ...scripted(base, behind[0], behind[1])]
}

/** Rows with ； between them and cells with ，, unless a sign stands there already or the cells are lined up at a relation. */
function table({ children: rows }: MathNode): Item[] {
  const lines = rows.map(({ children: cells }) =>
    cells.reduce((line, cell, at) => {
      const isAligned = cells[at - 1]?.attributes.includes('tml-right') ?? false
      return apart(line, tidied(lineOf(cell)), isAligned ? '' : '，')
    }, ''),
  )
  return [
    itemOf(
      lines.reduce((all, line) => apart(all, line, '；'), ''),
      'rows',
    ),
  ]
}
const apart = (before: string, after: string, sign: string): string =>
  before + (before === '' || after === '' || /[,，、;；:：。]$/.test(before) ? '' : sign) + after

function enclosed(node: MathNode): Item[] {
  const items = row(node)
  const text = tidied(joined(items))
  const [, notation] = /\bnotation="([^"]*)"/.exec(node.attributes) ?? []
  if (notation === 'top') return [itemOf(marked(text, '‾') ?? text, 'letter')]
  if (notation === 'bottom' && text === '') return [itemOf('____', 'letter')]
  if (notation !== 'circle') return items
  const number = /^(?:[1-9]|1\d|20)$/.test(text) ? Number(text) : null
  return [itemOf(number === null ? bracketed(text) : String.fromCodePoint(CIRCLED + number), 'word')]
}
/** ① is the first after it. */
const CIRCLED = 0x24_5f
