/** A piece of a formula that is written as a line. */
export interface Item {
  text: string
  kind: Kind
  /** It carries something raised or lowered. */
  isScripted?: boolean
}
type Kind =
  | 'letter'
  | 'number'
  | 'word'
  | 'function'
  /** A sign with limits, such as ∑ and lim: what it applies to stands apart. */
  | 'big'
  | 'sign'
  | 'times'
  | 'open'
  | 'close'
  | 'fraction'
  | 'root'
  | 'rows'
  | 'space'
export const itemOf = (text: string, kind: Kind): Item => ({ text, kind })

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const others = Array.from(to)
  return new Map(Array.from(from, (char, at) => [char, others[at] ?? char]))
}
/** Signs that look alike, as a keyboard and every font have them. */
const PLAINER = pairs('⋅∙∣∗⩽⩾⟂⟶', '··|*≤≥⊥→')
const KINDS: readonly [RegExp, Kind][] = [
  [/^\s+$/, 'space'],
  [/^\d[\d.,]*$/, 'number'],
  [/^(?:[∑∏∐∫∮⋀⋁⋂⋃]|lim|max|min|sup|inf)$/, 'big'],
  [/^(?:arc)?(?:sin|cos|tan|cot|sec|csc|tg|ctg)h?$|^(?:ln|lg|log|exp|det|gcd|lcm|mod|deg|dim|arg)$/, 'function'],
  [/^[([{⌊⌈⟨（【]$/, 'open'],
  [/^[)\]}⌋⌉⟩）】]$/, 'close'],
  [/^[×·*]$/, 'times'],
  [/^[%‰°′″!]$/, 'letter'],
  [/^[-+−±/|=<>:,;?]$/, 'sign'],
]

/** A token of a formula. Invisible signs (function application, zero-width marks) give nothing. */
export function tokenItems(tag: string, source: string, attributes: string): Item[] {
  const text = source
    .replace(/[\p{Cf}\uFE0E\uFE0F]/gu, '')
    .replace(/[\u{1D400}-\u{1D7FF}]/gu, (letter) => letter.normalize('NFKC'))
    .replace(/[⋅∙∣∗⩽⩾⟂⟶]/g, (sign) => PLAINER.get(sign) ?? sign)
  if (text === '') return []
  const [, form] = /\bform="(prefix|postfix)"/.exec(attributes) ?? []
  if (form && /^[|‖∥]$/.test(text)) return [itemOf(text, form === 'prefix' ? 'open' : 'close')]
  const [, kind] = KINDS.find(([pattern]) => pattern.test(text.trim() || text)) ?? []
  const other = tag === 'mo' ? 'sign' : tag === 'mtext' && text.length > 1 ? 'word' : 'letter'
  return [itemOf(text, kind ?? other)]
}

/** How tightly the pieces of a line hold together: as `one` they need no brackets anywhere. */
export function bindingOf(items: readonly Item[]): 'one' | 'product' | 'fraction' | 'sum' {
  const [first] = items
  if (items.length <= 1) {
    if (first?.kind === 'fraction') return 'fraction'
    return first?.kind === 'rows' || (first?.kind === 'word' && /[\s=+/−-]/.test(first.text.trim())) ? 'sum' : 'one'
  }
  // Chinese comes a character a token.
  if (isAbsolute(items) || items.every(({ text }) => CHINESE.test(text))) return 'one'
  let depth = 0
  let isWhole = first?.kind === 'open'
  let isProduct = true
  for (const [at, { kind }] of items.entries()) {
    if (kind === 'open') depth++
    else if (kind === 'close') depth--
    else if (depth === 0 && !['letter', 'number', 'times', 'root', 'fraction'].includes(kind)) isProduct = false
    if (depth === 0 && at < items.length - 1) isWhole = false
  }
  if (isWhole) return 'one'
  return isProduct ? 'product' : 'sum'
}

const CHINESE = /^[\u4E00-\u9FFF]+$/
const isAbsolute = (items: readonly Item[]): boolean =>
  items.every(({ text }, at) => (text === '|') === (at === 0 || at === items.length - 1))

const ENDS: readonly Kind[] = ['letter', 'number', 'close', 'root', 'fraction', 'function', 'rows']
const BEGINS: readonly Kind[] = ['letter', 'number', 'open', 'root', 'fraction', 'function', 'big', 'rows']

/** The pieces side by side, with the spaces and brackets without which they would run into one another. */
export const joined = (items: readonly Item[]): string =>
  items.map((item, at) => beside(items[at - 1], item, items[at + 1])).join('')

function beside(before: Item | undefined, { text, kind, isScripted }: Item, after: Item | undefined): string {
  const isLeft = before !== undefined && ENDS.includes(before.kind)
  const isRight = after !== undefined && BEGINS.includes(after.kind)
  if (kind === 'fraction') {
    // 2 1/2 is a number.
    if (before?.kind === 'number' && !isRight && /^\d+\/\d+$/.test(text)) return ` ${text}`
    const isDivided = before !== undefined && /^[÷/]$/.test(before.text)
    return isLeft || isRight || isDivided ? bracketed(text) : text
  }
  // Its index would be taken for the power of what stands before.
  if (kind === 'root') return isLeft && /^[^√(]/.test(text) ? ` ${text}` : text
  if (kind !== 'function' && kind !== 'big') return text
  const isSign = kind === 'big' && !isScripted && !/^[a-z]/.test(text)
  const isHeld = isSign || (isScripted ? kind === 'function' : after?.kind === 'open' || after?.kind === 'fraction')
  const isFused = before?.kind === 'letter' || before?.kind === 'function' || (isLeft && text === 'mod')
  return `${isFused && !isSign ? ' ' : ''}${text}${isRight && !isHeld ? ' ' : ''}`
}

/** In round brackets, unless it stands in one pair already. */
export function bracketed(text: string): string {
  let depth = 0
  const isWhole =
    text.startsWith('(') &&
    text.split('').every((char, at) => {
      depth += char === '(' ? 1 : char === ')' ? -1 : 0
      return depth > 0 || at === text.length - 1
    })
  return isWhole ? text : `(${text})`
}

const RAISED = pairs('0123456789+-−=()ni′″‴*∘°%', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ′″‴*°°%')
const LOWERED = pairs('0123456789+-−=()aehijklmnoprstuvx', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ')

/** What is lowered and raised behind something: ₙ², or _(水)^(x+y) where Unicode lacks one of the characters. */
export function scripts(low: string, high: string): string {
  // The degrees of a temperature.
  if (/^∘[A-Z]$/.test(high)) return scripts(low, '') + high.replace('∘', '°')
  return inOne(low, LOWERED, '_') + inOne(high, RAISED, '^')
}
function inOne(text: string, signs: ReadonlyMap<string, string>, mark: string): string {
  const found = Array.from(text, (char) => signs.get(char))
  return found.includes(undefined) ? mark + bracketed(text) : found.join('')
}

/** Marks over and under: most are combined with one letter, and stand behind the bracket around several. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['→', '\u20D7'],
  ['←', '\u20D6'],
  ['‾', '\u0304'],
  ['¯', '\u0304'],
  ['ˉ', '\u0304'],
  ['ˆ', '\u0302'],
  ['^', '\u0302'],
  ['~', '\u0303'],
  ['˜', '\u0303'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['⏞', '⏞'],
  ['⏟', '⏟'],
  ['⌢', '\u0311'],
])
/** Null: not a mark but a text of its own, as on an arrow. */
export function marked(text: string, mark: string): string | null {
  const sign = MARKS.get(mark)
  if (sign === undefined) return null
  if (text === '') return mark
  return (Array.from(text).length > 1 ? bracketed(text) : text) + sign
}

const WIDE = '\u3000-\u303F\u4E00-\u9FFF\uFF00-\uFFEF'
const BESIDE_WIDE = [new RegExp(`([${WIDE}]) +`, 'g'), new RegExp(` +([${WIDE}])`, 'g')] as const
/** Spaces as a reader writes them: one, and none beside Chinese. */
export const tidied = (text: string): string =>
  BESIDE_WIDE.reduce((line, pattern) => line.replace(pattern, '$1'), text.replace(/\s+/g, ' ')).trim()
