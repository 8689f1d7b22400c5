import type { Question } from '#src/contract/question.ts'
import { type Piece, snippet } from '#src/domain/text/searchText.ts'
import type { Match } from './engine.ts'
import { type DocText, textOf } from './text.ts'

export interface Hit extends Pick<Match, 'no' | 'nos' | 'type' | 'chapterNo' | 'at'> {
  stem: Piece[]
  /** Where the words are found when it is not the stem. */
  rest: Piece[] | null
  note: Piece[] | null
}
/** Questions of a block, by the number that their docs have. */
export type ReadBlock = () => Promise<Iterable<readonly [no: string, question: Question]>>

/** Blocks whose questions stay at hand: who types on mostly finds the same ones. */
const KEPT_BLOCKS = 60

/** Shows what was found, from the blocks in which it stands. */
export function createShow(sources: ReadonlyMap<string, ReadBlock>) {
  const recent = new Map<string, Promise<ReadonlyMap<string, Question>>>()
  const read = (block: string): Promise<ReadonlyMap<string, Question>> => {
    const known = recent.get(block)
    const reading = known ?? (sources.get(block)?.() ?? Promise.resolve([])).then((found) => new Map(found))
    // The last one asked for is the last to leave.
    recent.delete(block)
    recent.set(block, reading)
    const [oldest] = recent.keys()
    if (recent.size > KEPT_BLOCKS && oldest !== undefined) recent.delete(oldest)
    // A block that has left the device meanwhile may come back.
    reading.catch(() => recent.delete(block))
    return reading
  }
  const show = async (match: Match, terms: readonly string[]): Promise<Hit> => {
    const question = await read(match.block).then(
      (found) => found.get(match.no),
      () => undefined,
    )
    return hitOf(match, terms, question ? textOf(question) : null)
  }
  return (matches: readonly Match[], terms: readonly string[]): Promise<Hit[]> =>
    Promise.all(matches.map((match) => show(match, terms)))
}
export type Show = ReturnType<typeof createShow>

/** @param text null: it cannot be read any more, and is shown as it is compared */
export function hitOf(match: Match, terms: readonly string[], text: DocText | null): Hit {
  const { no, nos, type, chapterNo, at, folded, stemLength, note } = match
  const { stem, rest } = text ?? { stem: folded.slice(0, stemLength), rest: folded.slice(stemLength + 1) }
  const elsewhere = terms.filter((term) => folded.indexOf(term) >= stemLength)
  return {
    no,
    nos,
    type,
    chapterNo,
    ...(at !== undefined && { at }),
    stem: snippet(stem, terms),
    rest: elsewhere.length > 0 ? snippet(rest, elsewhere) : null,
    note: note === '' ? null : snippet(note, terms),
  }
}
