import { ordinaryCharacters } from '#src/domain/text/text.ts'

/** A page's text as it is searched. Letter i of `folded` stands in `item[i]` of the page's pieces, there from `from[i]` to `to[i]`. */
export interface FoldedPage {
  folded: string
  item: number[]
  from: number[]
  to: number[]
}
/** What was found, by the pieces it stands in: a line's end may be in its middle. */
export interface Match {
  /** From 0. */
  page: number
  pieces: { item: number; from: number; to: number }[]
}
/** More would only fill the memory: nobody looks through them. */
export const MOST_MATCHES = 1000

/** Width, case and spaces do not count; so a word is found that a line's end cuts in two. */
const foldLetter = (letter: string): string =>
  ordinaryCharacters(letter).normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')

export const foldWords = (words: string): string => Array.from(words, foldLetter).join('')

export function foldPage(pieces: readonly string[]): FoldedPage {
  const folded: string[] = []
  const item: number[] = []
  const from: number[] = []
  const to: number[] = []
  for (const [i, piece] of pieces.entries()) {
    let at = 0
    for (const letter of piece) {
      const plain = foldLetter(letter)
      folded.push(plain)
      for (let n = 0; n < plain.length; n++) {
        item.push(i)
        from.push(at)
        to.push(at + letter.length)
      }
      at += letter.length
    }
  }
  return { folded: folded.join(''), item, from, to }
}

/** @param words folded. */
export function matchesIn(text: FoldedPage, words: string, page: number): Match[] {
  const found: Match[] = []
  if (words === '') return found
  for (let at = text.folded.indexOf(words); at >= 0; at = text.folded.indexOf(words, at + words.length)) {
    const pieces: Match['pieces'] = []
    for (let i = at; i < at + words.length; i++) {
      const item = text.item[i] ?? 0
      const to = text.to[i] ?? 0
      const last = pieces.at(-1)
      if (last?.item === item) last.to = to
      else pieces.push({ item, from: text.from[i] ?? 0, to })
    }
    found.push({ page, pieces })
    if (found.length >= MOST_MATCHES) break
  }
  return found
}

/** A piece of text cut at what was found in it; `of`: which of the page's matches it belongs to, or null. */
export function cutPiece(text: string, item: number, matches: readonly Match[]): { text: string; of: Match | null }[] {
  const parts: { text: string; of: Match | null }[] = []
  let at = 0
  for (const match of matches)
    for (const piece of match.pieces) {
      if (piece.item !== item) continue
      if (piece.from > at) parts.push({ text: text.slice(at, piece.from), of: null })
      parts.push({ text: text.slice(piece.from, piece.to), of: match })
      at = piece.to
    }
  if (at < text.length) parts.push({ text: text.slice(at), of: null })
  return parts
}
