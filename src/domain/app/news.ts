import type { Beside, NewsHead } from '#src/contract/news.ts'
import { plainText } from '../text/plainText.ts'
import { ordinaryCharacters } from '../text/text.ts'

/** So many words of a search count. */
const MAX_WORDS = 5
/** Width, case and spaces do not count; signs such as % do. */
const fold = (text: string): string =>
  ordinaryCharacters(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\S\n]+/g, '')

/** What an article is searched in, by the server and without a network. */
export const searchedText = ({ title, summary, html }: { title: string; summary: string; html: string }): string =>
  [title, summary, plainText(html)].map(fold).join('\n')

/** Each must be found; together they need not stand. */
export const wordsOf = (q: string): string[] =>
  [...new Set(q.split(/\s+/).map(fold))].filter((word) => word !== '').slice(0, MAX_WORDS)

/** The newest first; of one moment by number. */
export const byNewest = (a: NewsHead, b: NewsHead): number =>
  b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** Neighbours in a list that begins with the newest; none for what is not in it. */
export function besides(list: readonly NewsHead[], id: string): { newer: Beside; older: Beside } {
  const at = list.findIndex((each) => each.id === id)
  const named = (each: NewsHead | undefined): Beside => (each ? { id: each.id, title: each.title } : null)
  return at < 0 ? { newer: null, older: null } : { newer: named(list[at - 1]), older: named(list[at + 1]) }
}
