import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'
import { bring } from '#server/content/media/arriving.ts'
import type { Checked } from './checked.ts'
import { lockImports } from '#server/content/claimStore.ts'
import { numbersOf } from './doubles/doubles.ts'
import { FileFault } from '#server/content/draft.ts'
import { draftParts, dropDraft, keepDraft, readDraft, type Waiting } from './draftStore.ts'
import { readStops, type Stop } from './lessonStops.ts'
import { keepFormulae } from './formulaStore.ts'
import { refuseEmpty, soundBank } from './import.ts'
import { counted, noProgress } from '#server/content/progress.ts'
import { type Doing, type Done, judgeFrame, release, ReleaseRefusal } from './releases.ts'
import { type Framing, making, readFraming, type Release } from './releaseStore.ts'
import { answerFixed } from './reports.ts'
import { compared, dropChapters, foreignNos, retireWhere, rowOf, writeFrame, writeRows } from './store.ts'

/** What publishing would change, by number; `moved`: only their place or chapter. */
export interface Difference extends Record<(typeof WAYS)[number], string[]> {
  /** The library's title, chapters, scope or points become others. */
  framed: boolean
  /** Published lessons would ask these no more; the field is left out where there are none. */
  lostStops?: Stop[]
}
const WAYS = ['added', 'changed', 'moved', 'restored', 'retired'] as const

/** Keeps what was checked as drafts that no student sees, pictures at their places. @throws FileFault */
export async function keepDrafts(
  db: Db,
  checked: readonly Checked[],
  { mediaDir, at, note, replace, progress = noProgress }: Doing & { replace: boolean },
): Promise<number[]> {
  const libraries = checked.map(({ bank }) => bank?.library.no)
  const twice = libraries.find((no, i) => libraries.indexOf(no) !== i)
  if (twice !== undefined) throw new FileFault(`题库 ${twice} 有两个文件：一个题库的草稿来自一个文件`)
  const media = checked.map(({ spool }) => ({ files: spool.pictures(), lessons: [] }))
  refuseEmpty(checked, replace)
  const arriving = await bring(mediaDir, media)
  try {
    return await db.transaction().execute(async (tx) => {
      await lockImports(tx)
      const totals: number[] = []
      for (const one of checked) {
        const bank = await soundBank(tx, one)
        const draft = { libraryNo: bank.library.no, at, note, file: one.file, replaces: replace, bank }
        totals.push(await keepDraft(tx, draft, counted(one.spool.parts(), one.importable, progress)))
        await keepFormulae(tx, one.spool.formulae())
      }
      await arriving.place()
      return totals
    })
  } finally {
    await arriving.drop()
  }
}

/** Publishes a library's draft, all of it or nothing. @throws ReleaseRefusal when it would undo what has changed since it was made. */
export const publishDraft = (
  db: Db,
  libraryNo: string,
  { mediaDir, at, note, reply, progress = noProgress }: Doing & { reply?: string | undefined },
): Promise<Done> =>
  db.transaction().execute(async (tx) => {
    await lockImports(tx)
    const { draft, before } = await sound(tx, libraryNo)
    await refuseUndoing(tx, draft, before)
    const { replaces } = draft
    const { bank } = draft
    const framing = { pointNos: bank.points.map(({ no }) => no), write: () => writeFrame(tx, bank) }
    const made = making('publish', at, note || draft.note)
    let released: Release | null = null
    const done = await release(tx, { libraryNo, framing, replace: replaces, made, mediaDir }, async (into, sum) => {
      released = into.release
      let done = 0
      for await (const rows of rowsOf(tx, draft)) {
        await writeRows(tx, into, rows, sum)
        progress('写入', (done += rows.length), draft.total)
      }
      if (!replaces) return
      await retireWhere(tx, into, sql`q.no in (select no from coming where way = 'retired')`, sum)
      await dropChapters(tx, bank)
    })
    await dropDraft(tx, libraryNo)
    // Last, because the reporters' own batches wait from here on.
    if (reply !== undefined && released) await answerFixed(tx, released, { reply, at })
    return done
  })

/** What publishing a library's draft would change now; changes nothing. @throws ReleaseRefusal when it cannot be published. */
export const readDifference = (db: Db, libraryNo: string): Promise<{ draft: Waiting; difference: Difference }> =>
  db.transaction().execute(async (tx) => {
    await lockImports(tx)
    const { draft, before } = await sound(tx, libraryNo)
    await refuseUndoing(tx, draft, before)
    const { rows } = await sql<{
      no: string
      way: keyof Difference
    }>`select no, way from coming where way <> 'same' order by no`.execute(tx)
    const of = (way: string): string[] => rows.flatMap((row) => (row.way === way ? [row.no] : []))
    const ways = Object.fromEntries(WAYS.map((way) => [way, of(way)])) as Record<(typeof WAYS)[number], string[]>
    const leaving = new Set(ways.retired)
    const lost = (await readStops(tx, libraryNo)).filter(({ question }) => leaving.has(question))
    return {
      draft,
      difference: { ...ways, framed: isFramed(before, draft), ...(lost.length > 0 && { lostStops: lost }) },
    }
  })

/** Throws a draft away. @throws ReleaseRefusal when there is none. */
export const dropDraftOf = (db: Db, libraryNo: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await lockImports(tx)
    if (!(await dropDraft(tx, libraryNo))) throw new ReleaseRefusal(none(libraryNo))
  })

const none = (libraryNo: string): string => `题库 ${libraryNo} 没有草稿`

/** Judges a draft by what the database holds now, and lays what would become of each question into the table `coming`. */
async function sound(tx: Tx, libraryNo: string): Promise<{ draft: Waiting; before: Framing }> {
  const draft = await readDraft(tx, libraryNo)
  if (!draft) throw new ReleaseRefusal(none(libraryNo))
  const { bank } = draft
  await judgeFrame(tx, bank)
  await sql`create temp table coming (no text primary key, way text) on commit drop`.execute(tx)
  for await (const rows of rowsOf(tx, draft)) {
    const nos = rows.flatMap(({ question }) => numbersOf(question))
    const [foreign] = await foreignNos(tx, { ...bank, chapters: [], points: [] }, nos)
    if (foreign !== undefined) throw new ReleaseRefusal(`编号 ${foreign} 已被其他题库使用`)
    const { differing, known } = await compared(tx, rows, draft.replaces)
    const others = new Map(
      differing.map(({ question: { no }, hash }) => {
        const old = known.get(no)
        return [no, !old ? 'added' : old.retired ? 'restored' : old.hash === hash ? 'moved' : 'changed']
      }),
    )
    const ways = rows.map(({ question: { no } }) => ({ no, way: others.get(no) ?? 'same' }))
    await sql`insert into coming select no, way from json_to_recordset(${JSON.stringify(ways)}::json) as t(no text, way text)`.execute(
      tx,
    )
  }
  // Nothing else tells the planner how large it is.
  await sql`analyze coming`.execute(tx)
  if (draft.replaces)
    await sql`insert into coming select q.no, 'retired' from question q join chapter c on c.no = q.chapter_no
      where c.library_no = ${libraryNo} and not exists (select from coming k where k.no = q.no)`.execute(tx)
  return {
    draft,
    before: await readFraming(
      tx,
      libraryNo,
      bank.points.map(({ no }) => no),
    ),
  }
}

/** The draft's questions at the places that they would get. */
async function* rowsOf(tx: Tx, { libraryNo, replaces }: Waiting) {
  const last = await sql<{ at: number }>`
    select coalesce(max(q.position), 0) as at from question q join chapter c on c.no = q.chapter_no where c.library_no = ${libraryNo}`.execute(
    tx,
  )
  let at = replaces ? 0 : (last.rows[0]?.at ?? 0)
  for await (const part of draftParts(tx, libraryNo)) yield part.map((each) => rowOf(each, ++at))
}

/** @throws ReleaseRefusal when what has changed since the draft was made would be changed back by it. */
async function refuseUndoing(tx: Tx, draft: Waiting, before: Framing): Promise<void> {
  const { libraryNo, base } = draft
  const since = base === 0 ? '草稿之后' : `草稿（在第 ${base} 版上）之后`
  const again = '发布会盖掉这些改动：请核对，重新导入草稿再发布'
  if (base === 0 && before.frame) throw new ReleaseRefusal(`${since}题库 ${libraryNo} 已经建立，${again}`)
  const { rows } = await sql<{ no: string }>`
    select distinct question_no as no from release_question b join release r on r.id = b.release_id
    where r.library_no = ${libraryNo} and r.no > ${base} and b.question_no in (select no from coming where way <> 'same')
    order by no`.execute(tx)
  const nos = rows.map(({ no }) => no)
  if (nos.length > 0)
    throw new ReleaseRefusal(`${since}又改过 ${nos.slice(0, 10).join('、')}（共 ${nos.length} 题），${again}`)
  const framed = await sql`
    select from release where library_no = ${libraryNo} and no > ${base} and (frame is not null or points is not null)`.execute(
    tx,
  )
  if (framed.rows.length > 0 && isFramed(before, draft))
    throw new ReleaseRefusal(`${since}题库信息、章节或知识点又改过，${again}`)
}

/** Whether publishing makes anything of the library's frame another. */
function isFramed({ frame, points }: Framing, { replaces, bank }: Waiting): boolean {
  if (!frame) return true
  const { setsOnly = frame.library.setsOnly, title, directions, areas } = bank.library
  const { library } = frame
  const one = [bank.subject.no, title, directions, areas, setsOnly]
  const other = [library.subjectNo, library.title, library.directions, library.areas, library.setsOnly]
  const chapters = new Map(frame.chapters.map((each) => [each.no, each]))
  return (
    JSON.stringify(one) !== JSON.stringify(other) ||
    (replaces && bank.chapters.length !== frame.chapters.length) ||
    bank.chapters.some(({ no, parent, title: name }, i) => {
      const now = chapters.get(no)
      return now?.parent !== parent || now.title !== name || now.position !== i + 1
    }) ||
    arePointsOthers(points, bank.points)
  )
}

/** As they are written: in their order already, they keep their places. */
function arePointsOthers(now: Framing['points'], given: Waiting['bank']['points']): boolean {
  const known = given.flatMap((point, i) => {
    const same = now[point.no]
    return same ? [{ point, same, i }] : []
  })
  const isOrdered = known.every(({ same }, i) => (same.position ?? 0) >= (known[i - 1]?.same.position ?? 0))
  return known.some(
    ({ point: { parent, name }, same, i }) =>
      same.parent !== parent || same.name !== name || (!isOrdered && same.position !== i + 1),
  )
}
