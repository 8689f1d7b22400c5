import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseDocument } from 'htmlparser2'
import { plainText } from '#src/domain/text/plainText.ts'
import { richText } from '#server/content/formats/richText.ts'

/** Every different formula, as MathML, of the texts in these JSON files, whatever their shape. */
export function formulaeIn(folder: string): Set<string> {
  const found = new Set<string>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && /\.jsonl?$/.test(entry.name))
      for (const text of textsIn(readFileSync(path.join(entry.parentPath, entry.name), 'utf8')))
        for (const [mathml] of richText(text).html.matchAll(/<math\b[^]*?<\/math>/g)) found.add(mathml)
  return found
}

/** The strings with a formula in a file, which is JSON or has JSON in every line. */
function textsIn(source: string): string[] {
  const texts: string[] = []
  const collect = (_: string, value: unknown): unknown => {
    if (typeof value === 'string' && /\$|\\[([]|<math/.test(value)) texts.push(value)
    return value
  }
  try {
    JSON.parse(source, collect)
  } catch {
    for (const line of source.split('\n').filter((each) => each.trim() !== '')) JSON.parse(line, collect)
  }
  return texts
}

type Node = ReturnType<typeof parseDocument>['children'][number]
const childrenOf = (node: Node): Node[] => ('children' in node ? node.children : [])
const elementsIn = (node: Node): Node[] =>
  'name' in node && node.name === 'mphantom' ? [] : [node, ...childrenOf(node).flatMap(elementsIn)]
const nameOf = (node: Node): string => ('name' in node ? node.name : '')
const shownBy = (node: Node | undefined): string =>
  node
    ? elementsIn(node)
        .flatMap((each) => ('data' in each ? [each.data] : []))
        .join('')
    : ''

/** Signs that a line writes in another way: marks over letters, look-alikes, and hyphens, which raised are minus signs. */
const OTHERWISE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    '→⃗',
    '←⃖',
    '‾̄',
    '¯̄',
    'ˉ̄',
    'ˆ̂',
    '^̂',
    '~̃',
    '˜̃',
    '˙̇',
    '¨̈',
    '⋅·',
    '∙·',
    '∣|',
    '∗*',
    '⩽≤',
    '⩾≥',
    '⟂⊥',
    '⟶→',
    '∘°',
    '-−',
  ].map((pair) => {
    const [from = '', to = ''] = Array.from(pair)
    return [from, to]
  }),
)
const charsOf = (text: string): string[] =>
  Array.from(text)
    .flatMap((char) => Array.from((OTHERWISE[char] ?? char).normalize('NFKD')))
    .map((char) => OTHERWISE[char] ?? char)
    .filter((char) => !/[\s\p{Cf}\uFE0E\uFE0F]/u.test(char))

/** Characters of a formula that its line has lost. */
function lost(shown: string, line: string): string[] {
  const left = charsOf(line)
  return charsOf(shown).filter((char) => {
    const at = left.indexOf(char)
    if (at === -1) return true
    left.splice(at, 1)
    return false
  })
}
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** What is wrong with the line that a formula is written as. Read with a parser of its own, so that it shares no mistake. */
export function faultsOf(mathml: string): string[] {
  const line = plainText(mathml)
  const all = parseDocument(mathml, { xmlMode: true }).children.flatMap(elementsIn)
  const shown = all.flatMap((each) => ('data' in each ? [each.data] : [])).join('')
  const named = (...names: string[]) => all.filter((each) => names.includes(nameOf(each)))
  const raised = [
    ...named('msup').map((each) => childrenOf(each)[1]),
    ...named('msubsup').map((each) => childrenOf(each)[2]),
  ]
  const lowered = named('msub', 'msubsup').map((each) => childrenOf(each)[1])
  const isMarked = (text: string) => charsOf(text).some((char) => !/[′″‴*°%]/.test(char))
  const [powers, indices] = [raised, lowered].map((some) => some.filter((each) => isMarked(shownBy(each))).length)
  const roots = named('msqrt', 'mroot').length
  const fractions = named('mfrac').filter(
    (each) => !('attribs' in each && each.attribs.linethickness?.startsWith('0')),
  ).length
  const isFlat = roots + fractions + (powers ?? 0) + (indices ?? 0) === 0
  return [
    ...lost(shown, line).map((char) => `${char} is lost`),
    ...(count(line, /√/g) < roots ? ['a root is lost'] : []),
    ...(count(line, /\//g) < fractions ? ['a fraction is lost'] : []),
    ...(count(line, /[⁰¹²³⁴-ⁿ^]/g) < (powers ?? 0) ? ['a power is lost'] : []),
    ...(count(line, /[₀-ₜᵢᵣᵤᵥⱼ_]/g) < (indices ?? 0) ? ['an index is lost'] : []),
    ...(!isFlat && line.replaceAll(' ', '') === shown.replaceAll(/\s/g, '') ? ['only the tags are dropped'] : []),
    ...(/[\u20D7\u0302-\u0307]{2}|\(\)[\u20D7\u0302-\u0307]|[\^_]\(\)/.test(line) ? ['a mark stands on nothing'] : []),
  ]
}
