import type { Line } from './paperAnswers.ts'

export const NUMBER =
  /^(?:第\s*(\d{1,4})\s*题|[【[（(]?(\d{1,4})[】\])）]?\s*(?:[.．、]|[:：](?!\d))|[【[](\d{1,4})[】\]])\s*/
/** Spaces of every kind are spaces, what has no width is gone; a number at the start has ordinary figures. */
export const ordinary = (text: string): string =>
  text
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]/g, ' ')
    .trim()
    .replace(/^(第|[【[（(［])?\s*[０-９]+/, (start) => start.normalize('NFKC'))

export function numberOf(text: string): number | null {
  const found = NUMBER.exec(text)
  return found ? Number(found[1] ?? found[2] ?? found[3]) : null
}
const CIRCLED = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'
export const LOOSE_NUMBER = new RegExp(
  `^(?:[（(［[【]\\s*(\\d{1,4})\\s*[)）］\\]】]|(\\d{1,4})\\s*[)）]|(\\d{1,4})(?=[\\s\\u4e00-\\u9fff])|([${CIRCLED}]))\\s*`,
)
/** Reads a number in a style that lists within a question have, too. */
export function looseNumberOf(text: string): number | null {
  const [, a, b, c, circled] = LOOSE_NUMBER.exec(text) ?? []
  const figures = a ?? b ?? c
  return figures !== undefined ? Number(figures) : circled !== undefined ? CIRCLED.indexOf(circled) + 1 : null
}

const OPTION_A = /(?:^|\s)[（(]?A[)）]?\s*[.．、:：]/
const OPTION_B = /(?:^|[\s\p{L}\p{N}%，。；）)])[（(]?B[)）]?\s*[.．、:：]/u
export const hasOptions = (lines: readonly Line[]): boolean =>
  [OPTION_A, OPTION_B].every((mark) => lines.some(({ text }) => mark.test(text)))
