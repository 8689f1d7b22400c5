import type { StudyState } from '#src/contract/study.ts'
import {
  addTo,
  type ChapterSums,
  contributions,
  type Detail,
  detailOf,
  plus,
  type Sums,
} from '#src/domain/study/sums.ts'
import { type Database, done } from '../device/idb.ts'
import { ofOwner } from '../device/rows.ts'

/**
 * A row keeps what the views of one leaf chapter add up to. Details stand apart, as text: they are nine tenths of all names, nearly every
 * screen reads the rows, and text costs next to nothing until it is parsed. Rows of version 3 have all names in `sums`.
 */
export type SumsRow = ChapterSums & { owner: string } & { [detail in Detail]?: string }

/** Differences in the sums of chapters are written once per transaction, however many questions moved. */
export type Deltas = Map<string, { libraryNo: string; sums: Record<string, number> }>

export function noteView(deltas: Deltas, view: StudyState | null, sign: 1 | -1): void {
  if (!view) return
  const chapterNo = view.chapterNo ?? ''
  const delta = deltas.get(chapterNo) ?? { libraryNo: '', sums: {} }
  addTo(delta.sums, contributions(view), sign)
  deltas.set(chapterNo, { ...delta, libraryNo: view.libraryNo ?? '' })
}

export const sumsRow = (tx: IDBTransaction, owner: string, chapterNo: string): Promise<SumsRow | undefined> =>
  done(tx.objectStore('sums').get([owner, chapterNo]))

/** @param read rows of chapters that are read already. */
export async function putSums(
  tx: IDBTransaction,
  owner: string,
  deltas: Deltas,
  read: ReadonlyMap<string, Promise<SumsRow | undefined>> = new Map(),
): Promise<void> {
  const add = async (chapterNo: string, { libraryNo, sums }: { libraryNo: string; sums: Sums }) => {
    const old = await (read.get(chapterNo) ?? sumsRow(tx, owner, chapterNo))
    tx.objectStore('sums').put({ owner, chapterNo, libraryNo, ...apart(plus(old ? wholeOf(old) : {}, sums)) })
  }
  await Promise.all([...deltas].map(([chapterNo, delta]) => add(chapterNo, delta)))
}

function apart(whole: Sums): Omit<SumsRow, 'owner' | 'chapterNo' | 'libraryNo'> {
  const parts: Record<Detail | 'sums', Record<string, number>> = { sums: {}, points: {}, groups: {} }
  for (const [name, amount] of Object.entries(whole)) parts[detailOf(name) ?? 'sums'][name] = amount
  return { sums: parts.sums, points: JSON.stringify(parts.points), groups: JSON.stringify(parts.groups) }
}

const withDetail = ({ sums, ...row }: SumsRow, detail: Detail): Sums => {
  const text = row[detail]
  return text === undefined ? sums : { ...sums, ...JSON.parse(text) }
}

/** Every name of a row. */
const wholeOf = (row: SumsRow): Sums => ({ ...withDetail(row, 'points'), ...withDetail(row, 'groups') })

/** Rows in one go. */
const AT_ONCE = 20
/** Under it meta says up to which chapter the rows of this owner are as they are written now; true: all of them. */
const apartKey = (owner: string): string => `apart:${owner}`

/** Takes some rows of version 3 apart. True: there are more. */
export async function takeApart(tx: IDBTransaction, owner: string): Promise<boolean> {
  const [meta, sums] = [tx.objectStore('meta'), tx.objectStore('sums')]
  const reached: string | true | undefined = await done(meta.get(apartKey(owner)))
  if (reached === true) return false
  const range = IDBKeyRange.bound([owner, reached ?? ''], [owner, []], reached !== undefined)
  const rows: SumsRow[] = await done(sums.getAll(range, AT_ONCE))
  for (const row of rows) if (row.points === undefined) sums.put({ ...row, ...apart(row.sums) })
  const last = rows.at(-1)
  const more = last !== undefined && rows.length === AT_ONCE
  meta.put(more ? last.chapterNo : true, apartKey(owner))
  return more
}

export const createSums = (db: Database) => ({
  /** Reads the sums of every chapter in which something was done, with one kind of details when it is named. */
  allCounters: (owner: string, detail?: Detail): Promise<ChapterSums[]> =>
    db.run(['sums'], 'readonly', async (tx) => {
      const rows: SumsRow[] = await done(tx.objectStore('sums').getAll(ofOwner(owner)))
      return detail ? rows.map((row) => ({ ...row, sums: withDetail(row, detail) })) : rows
    }),
})
