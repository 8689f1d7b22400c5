import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'
import type { Bank } from '#server/content/draft.ts'

export type Deed = 'before' | 'import' | 'rollback' | 'retire' | 'restore' | 'publish'
/** What is done to libraries in one go: each gets at most one release of it. */
export interface Making {
  what: Deed
  note: string
  /** Epoch ms. */
  at: number
  /** Whose state a rollback puts back. */
  target?: number
  open: Map<string, Release>
}
export interface Release {
  id: number
  no: number
}
export interface Counts {
  added: number
  changed: number
  /** Of the changed ones those that were retired before. */
  restored: number
  retired: number
}
/** How a question stood before a release touched it; `version` null: it was not there. */
export interface Before {
  no: string
  version: number | null
  chapter_no: string | null
  position: number | null
  retired: boolean | null
}
interface Library extends Omit<Bank['library'], 'setsOnly'> {
  subjectNo: string
  setsOnly: boolean
}
type Point = Omit<Bank['points'][number], 'no'>
/** What of a library is not its questions. */
export interface Frame {
  library: Library
  chapters: Bank['chapters']
}
export interface Framing {
  frame: Frame | null
  points: Record<string, Point>
}

export const making = (what: Deed, at: number, note: string, target?: number): Making => ({
  what,
  at,
  note,
  ...(target !== undefined && { target }),
  open: new Map(),
})

/** @param pointNos the points that may be about to change */
export async function readFraming(tx: Tx, libraryNo: string, pointNos: readonly string[]): Promise<Framing> {
  const points = await sql<Point & { no: string }>`
    select no, parent, name, position from point where no = any(${pointNos}) order by no`.execute(tx)
  return {
    frame: await readFrame(tx, libraryNo),
    points: Object.fromEntries(points.rows.map(({ no, ...point }) => [no, point])),
  }
}

/** Null: there is no such library. */
export async function readFrame(db: Db | Tx, libraryNo: string): Promise<Frame | null> {
  const { rows } = await sql<Library>`
    select no, subject_no as "subjectNo", title, directions, areas, sets_only as "setsOnly" from library where no = ${libraryNo}`.execute(
    db,
  )
  const [library] = rows
  if (!library) return null
  const chapters = await sql<Bank['chapters'][number]>`
    select no, parent, title, position from chapter where library_no = ${libraryNo} order by position, no`.execute(db)
  return { library, chapters: chapters.rows }
}

/** The release of this library that is under way, a new one at the first call; under the imports' lock. */
export async function openRelease(tx: Tx, libraryNo: string, made: Making): Promise<Release> {
  const under = made.open.get(libraryNo)
  if (under) return under
  const { rows } = await sql<Release>`
    insert into release (library_no, no, at, what, target, note)
    select ${libraryNo}, coalesce(max(no), 0) + 1, ${made.at}, ${made.what}, ${made.target ?? null}, ${made.note}
    from release where library_no = ${libraryNo}
    returning id, no`.execute(tx)
  const [release] = rows
  if (!release) throw new Error(`no release of ${libraryNo}`)
  made.open.set(libraryNo, release)
  return release
}

/** What is noted first of a question stays. Nothing stood before a library's first release. */
export async function noteBefore(tx: Tx, release: Release, before: readonly Before[]): Promise<void> {
  if (release.no === 1 || before.length === 0) return
  await sql`
    insert into release_question (release_id, question_no, version, chapter_no, position, retired)
    select ${release.id}, no, version, chapter_no, position, retired from json_to_recordset(${JSON.stringify(before)}::json)
      as t(no text, version int, chapter_no text, position int, retired boolean)
    on conflict do nothing`.execute(tx)
}

/** Says what was done, and how the frame stood before if it is another now, which it tells; a release of nothing is none. */
export async function closeRelease(
  tx: Tx,
  libraryNo: string,
  made: Making,
  before: Framing,
  { added, changed, restored, retired }: Counts,
): Promise<boolean> {
  const release = await openRelease(tx, libraryNo, made)
  const now = await readFraming(tx, libraryNo, Object.keys(before.points))
  const frame = !before.frame || same(before.frame, now.frame) ? null : JSON.stringify(before.frame)
  const renamed = Object.entries(before.points).filter(([no, point]) => !same(point, now.points[no]))
  const points = renamed.length === 0 ? null : JSON.stringify(Object.fromEntries(renamed))
  const { rows } = await sql<{ empty: boolean }>`
    update release set added = added + ${added}, changed = changed + ${changed}, restored = restored + ${restored},
      retired = retired + ${retired}, frame = coalesce(frame, ${frame}::json),
      points = coalesce(${points}::jsonb || points, points, ${points}::jsonb)
    where id = ${release.id}
    returning no > 1 and added + changed + retired = 0 and frame is null and points is null as empty`.execute(tx)
  if (rows[0]?.empty) {
    await sql`delete from release where id = ${release.id}`.execute(tx)
    made.open.delete(libraryNo)
  }
  return frame !== null || points !== null
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Everything answerable of the questions that a release gave a new version, some at a time. */
export async function* renewedIn(tx: Tx, release: Release): AsyncGenerator<string[]> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const { rows }: { rows: { no: string }[] } = await sql<{ no: string }>`
      select a.no from release_question b join question q on q.no = b.question_no and q.version > b.version
      join answerable a on a.question_no = q.no
      where b.release_id = ${release.id} and a.no > ${last} order by a.no limit ${RENEWED_PART}`.execute(tx)
    if (rows.length > 0) yield rows.map(({ no }) => no)
    last = rows.at(-1)?.no
  }
}
const RENEWED_PART = 5000

export interface ListedRelease extends Counts {
  no: number
  at: number
  what: Deed
  target: number | null
  note: string
  /** Its title, chapters, scope or points became others. */
  framed: boolean
}

/** The releases of a library, the present one first; none when there is no such library. */
export async function readReleases(db: Db | Tx, libraryNo: string): Promise<ListedRelease[]> {
  const { rows } = await sql<ListedRelease>`
    select no, at, what, target, note, added, changed, restored, retired, frame is not null or points is not null as framed
    from release where library_no = ${libraryNo} order by no desc`.execute(db)
  return rows
}

/** How the frame stood after a release, and how points stood that were changed since. */
export async function readFramingAfter(tx: Tx, libraryNo: string, no: number): Promise<Framing> {
  const { rows } = await sql<{ frame: Frame | null; points: Framing['points'] | null }>`
    select frame, points from release where library_no = ${libraryNo} and no > ${no}
      and (frame is not null or points is not null) order by no`.execute(tx)
  const first = rows.find(({ frame }) => frame !== null)
  return {
    frame: first?.frame ?? (await readFrame(tx, libraryNo)),
    points: Object.assign({}, ...rows.map((row) => row.points ?? {}).reverse()) as Framing['points'],
  }
}

/** Points are a subject's, not the library's: they are put back by their numbers alone. */
export const putPointsBack = (tx: Tx, points: Framing['points']) =>
  sql`update point set parent = t.value ->> 'parent', name = t.value ->> 'name', position = (t.value ->> 'position')::int
    from jsonb_each(${JSON.stringify(points)}::jsonb) as t where no = t.key`.execute(tx)
