import uFuzzy from '@leeoniya/ufuzzy'
import { fold, termsOf } from '#src/domain/text/searchText.ts'
import type { Doc } from './text.ts'

export interface Query {
  text: string
  scope: 'all' | 'notes' | 'errors'
  subject?: string
}
/** What of this is the student's own, and what is to be searched at all. */
export interface Own {
  /** By question number. */
  notes: ReadonlyMap<string, string>
  wrong: ReadonlySet<string>
  /** Subject of each chapter of the direction that is studied, in reading order; of others only what is the student's own. */
  subjects: ReadonlyMap<string, string>
}
/** A question that was found. What a list shows of it is read from its block (show.ts). */
export interface Match extends Doc {
  /** The block that it is in, as `put` was told. */
  block: string
  /** The student's own; '' if there is none. */
  note: string
}
export interface FoundQuestions {
  /** All that were found; `hits` are the best of them. */
  total: number
  /** Nothing holds the words as they are; these stems hold something that one slip makes of them. */
  alike: boolean
  hits: Match[]
}

const SHOWN = 50
/** Questions without a block stand at the end of their chapter, those of papers and other directions behind all. */
const LAST = Number.MAX_SAFE_INTEGER
/** Shorter words have a slip in too many others. */
const SLIP_FROM = 3
const PLAIN = /^[\p{L}\p{N}]+$/u

/** A word that no text holds as it is may have one character wrong, or two changed about (所谓错别字). */
const matcher = new uFuzzy({
  unicode: true,
  interSplit: '\\s+',
  intraSplit: '',
  intraContr: '(?!)',
  intraChars: '[\\p{L}\\d]',
  intraMode: 1,
  intraRules: () => ({ intraSlice: [0, Number.POSITIVE_INFINITY], intraIns: 0, intraSub: 1, intraTrn: 1, intraDel: 0 }),
})

/** The searchable questions of this device, in memory, by block. */
export function createIndex() {
  const blocks = new Map<string, readonly Doc[]>()
  let own: Own = { notes: new Map(), wrong: new Set(), subjects: new Map() }
  let shelf: Shelf | null = null
  return {
    put: (id: string, docs: readonly Doc[]): void => {
      blocks.set(id, docs)
      shelf = null
    },
    drop: (id: string): void => {
      blocks.delete(id)
      shelf = null
    },
    setOwn: (given: Own): void => {
      own = given
      shelf = null
    },
    /** Of every question in it, and of its parts. */
    numbers: (): Set<string> => new Set([...blocks.values()].flat().flatMap(({ nos }) => nos)),
    /** How many questions can be found now. */
    size: (): number => (shelf ??= fill(blocks, own)).docs.length,
    search: (query: Query): FoundQuestions => find((shelf ??= fill(blocks, own)), query, own),
  }
}
export type Index = ReturnType<typeof createIndex>

interface Shelf {
  docs: Doc[]
  /** The block of each. */
  blocks: string[]
  texts: string[]
}

function fill(blocks: ReadonlyMap<string, readonly Doc[]>, own: Own): Shelf {
  const chapters = new Map([...own.subjects.keys()].map((no, place) => [no, place]))
  const placeOf = ([first]: readonly Doc[]) => (first && chapters.get(first.chapterNo)) ?? LAST
  const inOrder = [...blocks]
    .filter(([, list]) => placeOf(list) < LAST || list[0]?.at === undefined)
    .sort(([, a], [, b]) => placeOf(a) - placeOf(b) || (a[0]?.at ?? LAST) - (b[0]?.at ?? LAST))
  const docs = inOrder.flatMap(([, list]) => list)
  const texts = docs.map((doc) => {
    const note = noteOf(doc, own)
    return note === '' ? doc.folded : `${doc.folded}\n${fold(note)}`
  })
  return { docs, texts, blocks: inOrder.flatMap(([id, list]) => list.map(() => id)) }
}

const noteOf = ({ nos, no }: Doc, { notes }: Own): string =>
  [...new Set([no, ...nos])].flatMap((each) => notes.get(each) ?? []).join(' ')

function find(shelf: Shelf, query: Query, own: Own): FoundQuestions {
  const terms = termsOf(query.text)
  if (terms.length === 0) return { total: 0, alike: false, hits: [] }
  const within = [...shelf.docs.keys()].filter((at) => isWithin(shelf.docs[at], query, own))
  const exact = within.filter((at) => terms.every((term) => shelf.texts[at]?.includes(term)))
  const slips = exact.length === 0 && terms.every((term) => term.length >= SLIP_FROM && PLAIN.test(term))
  const found = slips ? alike(shelf, terms, within) : ranked(shelf, terms, exact)
  const hits = found.slice(0, SHOWN).flatMap((at) => matchAt(shelf, at, own))
  return { total: found.length, alike: slips && found.length > 0, hits }
}

function isWithin(doc: Doc | undefined, { scope, subject }: Query, own: Own): boolean {
  if (!doc || (subject !== undefined && own.subjects.get(doc.chapterNo) !== subject)) return false
  if (scope === 'notes') return noteOf(doc, own) !== ''
  if (scope === 'all') return own.subjects.has(doc.chapterNo)
  return doc.nos.some((no) => own.wrong.has(no))
}

/** In stems only: a slip costs thirty times what a word as it is does. */
function alike({ docs }: Shelf, terms: readonly string[], within: number[]): number[] {
  const stems = docs.map(({ folded, stemLength }) => folded.slice(0, stemLength))
  return terms.reduce((left, term) => (left.length === 0 ? [] : (matcher.filter(stems, term, left) ?? [])), within)
}

/** Words in the stem before words elsewhere, and early ones before late ones; else in the order of the books. */
function ranked({ docs, texts }: Shelf, terms: readonly string[], found: readonly number[]): number[] {
  const rank = (at: number): number => {
    const length = docs[at]?.stemLength ?? 0
    const places = terms.map((term) => texts[at]?.indexOf(term) ?? 0)
    const outside = places.filter((place) => place >= length).length
    return outside * 1e6 + Math.min(...places)
  }
  return found
    .map((at) => ({ at, rank: rank(at) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ at }) => at)
}

function matchAt({ docs, blocks }: Shelf, at: number, own: Own): Match[] {
  const [doc, block] = [docs[at], blocks[at]]
  return doc && block !== undefined ? [{ ...doc, block, note: noteOf(doc, own) }] : []
}
