import { closeTag, literal, type Mark, MARKS, openTag, type Placeholders } from './placeholders.ts'
import type { Piece } from './runs.ts'
import type { Look } from './styles.ts'

/** Bits of a character beside those of its marks. */
const COLOURED = 1 << MARKS.length
const BIT = Object.fromEntries(MARKS.map((mark, i) => [mark, 1 << i])) as Record<Mark, number>
const LAYOUT = BIT.b | BIT.i

/** A number without a sign may be text: an underline says something of it. */
const LOOSE = /^\s*\d{1,4}(?=[\s\u4e00-\u9fff])/g
/**
 * The rules of a paper look for these: no tag may stand in them, or they would not be found. No `\s*` stands before a class that holds
 * spaces: a long row of them could be divided in too many ways.
 */
const STRUCTURE: readonly RegExp[] = [
  /^\s*(?:第\s*\d{1,4}\s*题|[【[（(［]\s*[\d０-９]{1,4}\s*[】\])）］]|[\d０-９]{1,4}\s*[.．、:：)）]|[①-⑳])\s*/g,
  /[（(【]?[A-H]\s?[)）】.．、:：]/g,
  /^\s*[【[]?[\u4e00-\u9fff]{1,8}[】\]]?\s*[:：]|^\s*[【[][\u4e00-\u9fff]{1,8}[】\]]/g,
  /[（(](?:[A-H]|√|×|✓|✗|对|错|正确|错误|[\s、,，])*[)）]|[（(]\s*正确答案\s*[)）]/g,
  /[【[(（][^】\])）]{0,3}(?:单选|多选|单项选择|多项选择|不定项|判断|填空|简答|论述|排序|问答)[^】\])）]{0,14}[】\])）]/g,
  /^\s*(?:[（(]?[一二三四五六七八九十]+[)）]?\s*[、.．].*|第[一二三四五六七八九十百\d]+[章节篇讲单元部分课].*)$/g,
  /^\s*[【[]?(?:参考|正确|标准)?答案[】\]]?[:：A-H√×✓✗对错正确误\s、,，;；]*$/g,
  /^[\d\s.．、:：\-—–~～－至到A-H√×✓✗对错正确误,，;；（）()]+$/g,
  /_+/g,
]
const OPTION = /(?<=^|[\s\u4e00-\u9fff）)。；;，,>])[（(]?([A-H])\s?[)）.．、:：]\s*/g

/** The lines of a paragraph, with tags for what is set off, and with what stands aside at the end of its line. */
export function linesOf(label: string, pieces: readonly Piece[], held: Placeholders): string[] {
  const lines: { text: string; masks: number[]; aside: string }[] = [{ text: '', masks: [], aside: '' }]
  for (const { text, look, isAside } of pieces) {
    const mask = maskOf(look)
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push({ text: '', masks: [], aside: '' })
      const line = lines.at(-1)
      if (!line) continue
      if (isAside) line.aside += part
      else {
        line.text += part
        for (let n = 0; n < part.length; n++) line.masks.push(mask)
      }
    }
  }
  return lines.map((line, i) => {
    const before = i === 0 && label !== '' ? `${literal(label)} ` : ''
    const text = before + line.text
    const masks = [...Array.from(before, () => 0), ...line.masks]
    return written(text, masks, held) + line.aside
  })
}

function maskOf({ b, i, u, s, script, isDotted, isColoured, isMarked }: Look): number {
  const on: Mark[] = []
  if (b || isDotted) on.push('b')
  if (i) on.push('i')
  if (u) on.push('u')
  if (s) on.push('s')
  if (script === 'sup' || script === 'sub') on.push(script)
  return on.reduce((mask, mark) => mask | BIT[mark], isColoured || isMarked ? COLOURED : 0)
}

function written(text: string, masks: number[], held: Placeholders): string {
  const asides = looks(text, masks, held)
  // Raised and struck text is never only layout: 10³ must not become 103.
  const clear = (pattern: RegExp, bits: number) => {
    for (const { index, 0: found } of text.matchAll(pattern))
      for (let i = index; i < index + found.length; i++) masks[i] = (masks[i] ?? 0) & ~bits
  }
  for (const pattern of STRUCTURE) clear(pattern, LAYOUT | BIT.u)
  clear(LOOSE, LAYOUT)
  // Bold over a whole line, or a whole option, is layout, or a teacher's sign for the right one: no student may see it.
  for (const [from, to] of [[0, text.length] as const, ...optionsIn(text)]) withoutLayout(text, masks, from, to)
  return tagged(text, masks) + asides
}

/** From the text of each option in a line to the next one. */
function optionsIn(text: string): [from: number, to: number, letter: string][] {
  const found = [...text.matchAll(OPTION)]
  return found.map((each, i) => [each.index + each[0].length, found[i + 1]?.index ?? text.length, each[1] ?? ''])
}

const isBlank = (text: string): boolean => /^\s*$/.test(text)
function allHave(bits: number, text: string, masks: readonly number[], from: number, to: number): number {
  let common = bits
  for (let i = from; i < to; i++) if (!isBlank(text[i] ?? '')) common &= masks[i] ?? 0
  return common
}

function withoutLayout(text: string, masks: number[], from: number, to: number): void {
  let [common, worded] = [LAYOUT, 0]
  const label = labelOf(text)
  for (let i = from; i < to; i++) {
    // The label of a line has lost its marks before.
    if (i < label || /[（）()\s_]/.test(text[i] ?? '')) continue
    common &= masks[i] ?? 0
    worded++
  }
  if (worded > 0 && common !== 0) for (let i = from; i < to; i++) masks[i] = (masks[i] ?? 0) & ~common
}
const labelOf = (text: string): number =>
  /^\s*(?:[（(]?[\d０-９]{1,4}[)）]?\s*[.．、:：]?|[（(]?[A-H][)）.．、:：]+)\s*/.exec(text)?.[0].length ?? 0

/** Options that look unlike others: in colour, or all bold or underlined. Nobody knows whether that means the right one. */
function looks(text: string, masks: readonly number[], held: Placeholders): string {
  return optionsIn(text)
    .filter(
      ([from, to]) => !isBlank(text.slice(from, to)) && allHave(COLOURED | BIT.b | BIT.u, text, masks, from, to) !== 0,
    )
    .map(([, , letter]) => held.add({ kind: 'look', reason: letter }))
    .join('')
}

/** A gap is drawn as spaces that are underlined. */
const GAP = /^(\s*)(?:([（(]?\d{1,2}[)）]?)(\s*))?$/
function tagged(text: string, masks: readonly number[]): string {
  let made = ''
  for (let from = 0; from < text.length;) {
    const mask = masks[from] ?? 0
    let to = from + 1
    while (to < text.length && masks[to] === mask) to++
    const next = set(text.slice(from, to), mask)
    // A gap is no text that a letter may belong to.
    made += next.endsWith('_') && /^[（(]?[A-H]\s?[)）.．、:：]/.test(text.slice(to)) ? `${next} ` : next
    from = to
  }
  return made
}
function set(text: string, mask: number): string {
  const on = MARKS.filter((mark) => mask & BIT[mark])
  if (on.includes('u')) {
    const [, before = '', number = '', behind = ''] = GAP.exec(text) ?? []
    const isWide = /[\t\u3000]|\s{2}/.test(before + behind)
    if (GAP.test(text) && isWide) return number === '' ? '____' : `____${number}____`
  }
  if (isBlank(text) || on.length === 0) return text
  return on.map(openTag).join('') + text + on.toReversed().map(closeTag).join('')
}
