/** A gap in a stem: a line, one with its number in it, empty brackets, or a number in brackets of its own. */
const GAPS = [/_{2,}(?:\s*[（(]?\d{1,2}[)）]?\s*_{2,})?/g, /[（(]\s*[)）]/g, /【\s*\d{1,2}\s*】/g]
const SIGNS = ['____', '（ ）', '【1】']

/** Tells of answers that are not as many as the gaps of the stem. Null: they are, or the stem shows none. */
export function gapsMissed(stem: string, blanks: readonly (readonly string[])[]): string | null {
  const text = stem.replaceAll(/<(?!u\b)[^>]*>/g, ' ').replaceAll(/&nbsp;|[\u00a0\u3000]/g, ' ')
  const kind = GAPS.findIndex((gap) => text.search(gap) >= 0)
  const gaps = kind < 0 ? 0 : (text.match(GAPS[kind] ?? /$^/g) ?? []).length
  if (gaps === 0 || gaps === blanks.length) return null
  const shown = (each: readonly string[]) => each.map((answer) => `“${answer.slice(0, 20)}”`).join('')
  const others = blanks
    .flatMap((accepted) => (accepted[0] ?? '').split(/[、,，]|\s{2,}/))
    .filter((answer) => answer.trim() !== '')
  const other = others.length === gaps ? `；按顿号、逗号分开是 ${gaps} 个：${shown(others)}` : ''
  return `题干有 ${gaps} 空（${SIGNS[kind]}），答案读成 ${blanks.length} 个：${shown(blanks.map((accepted) => accepted.join('/')))}${other}。各空请用分号分开`
}
