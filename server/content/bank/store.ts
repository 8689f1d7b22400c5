import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { partsOf } from '#src/domain/study/study.ts'
import type { Tx } from '#server/db/open.ts'
import { readKeptBy } from '#server/exam/store.ts'
import { countQuestions, rebuildBlocks } from './blocks.ts'
import { type Bank, FileFault, type Placed } from '#server/content/draft.ts'
import { lostOf, readStops, type Stop } from './lessonStops.ts'
import { closeRelease, type Making, noteBefore, openRelease, readFraming, type Release } from './releaseStore.ts'
import { markable, renew, stamped, versionAfter } from './versions.ts'

export interface Written {
  added: number
  changed: number
  retired: number
  /** The library's title, chapters, scope or points became others. */
  framed?: true
  /** Published lessons ask these no more; the field is left out where there are none. */
  lostStops?: Stop[]
}
export interface Import {
  /** In the order of the file, some at a time. */
  parts: Iterable<readonly Placed[]>
  /** What the bank no longer holds is retired. */
  replace: boolean
  /** Epoch ms. */
  at: number
  making: Making
  /** The operator has said yes to opening what an exam keeps. */
  consented?: boolean
}
/** Where questions are written to, and how. */
export interface Into {
  libraryNo: string
  setsOnly: boolean
  release: Release
  /** Questions get the places that they come with, also those that are there already. */
  replace: boolean
  /** Epoch ms. */
  at: number
  /** The operator has said yes to opening what an exam keeps. */
  consented?: boolean
}
/** What came of it so far. */
export interface Sum extends Written {
  /** Of the changed ones those that were retired before. */
  restored: number
  /** In which something changed. */
  chapters: Set<string>
  /** What asks the same as before and is marked otherwise now, and is not queued yet. */
  remark: string[]
  /** These stand in another chapter now, in none, or under other points, and are not queued yet. */
  moved: string[]
}
export const nothing = (): Sum => ({
  added: 0,
  changed: 0,
  restored: 0,
  retired: 0,
  chapters: new Set(),
  remark: [],
  moved: [],
})
/** Questions whose answers one job marks again, about. */
const REMARK_CHUNK = 10_000
const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** Numbers of a bank that another library's questions or chapters, or another subject's points, use already. */
export async function foreignNos(tx: Tx, bank: Bank, questionNos: string[]): Promise<string[]> {
  const { library, subject } = bank
  const { rows } = await sql<{ no: string; of: string | null }>`
    select no, '题库 ' || library_no as of from answerable
      where (no = any(${questionNos}) or question_no = any(${questionNos})) and library_no is distinct from ${library.no}
    union all
    select no, '题库 ' || library_no from chapter where no = any(${bank.chapters.map(({ no }) => no)}) and library_no <> ${library.no}
    union all
    select no, '科目 ' || subject_no from point where no = any(${bank.points.map(({ no }) => no)}) and subject_no <> ${subject.no}`.execute(
    tx,
  )
  return rows.map(({ no, of }) => (of === null ? no : `${no}（${of}）`))
}

/**
 * Puts a library in place: what is new is added, what differs is changed, and with `replace` what the bank no longer holds is
 * retired: it leaves the blocks, never the records of students. Only chapters in which something changed get new blocks. Under
 * the imports' lock: two at once would each cut blocks without the other's questions.
 */
export async function writeLibrary(
  tx: Tx,
  bank: Bank,
  { parts, replace, at, making, consented = false }: Import,
): Promise<{ written: Written; release: Release }> {
  const libraryNo = bank.library.no
  const pointNos = bank.points.map(({ no }) => no)
  const before = await readFraming(tx, libraryNo, pointNos)
  const stops = await readStops(tx, libraryNo)
  const setsOnly = await writeFrame(tx, bank)
  const release = await openRelease(tx, libraryNo, making)
  const into = { libraryNo, setsOnly, release, replace, at, consented }
  const sum = nothing()
  await writeQuestions(tx, into, parts, sum)
  if (replace) {
    await retireWhere(tx, into, sql`not exists (select from kept k where k.no = q.no)`, sum)
    await dropChapters(tx, bank)
  }
  await settle(tx, into, sum)
  const framed = await closeRelease(tx, libraryNo, making, before, sum)
  const lost = await lostOf(tx, libraryNo, stops)
  const { added, changed, retired } = sum
  const more = { ...(framed && { framed }), ...(lost.length > 0 && { lostStops: lost }) }
  return { written: { added, changed, retired, ...more }, release }
}

/** What follows from questions that were written: answers to be marked again, blocks, counts. */
export async function settle(
  tx: Tx,
  { libraryNo, setsOnly, at, consented = false }: Into,
  { remark, moved, chapters }: Sum,
): Promise<void> {
  await queueRemark(tx, remark, at)
  await queueMoved(tx, moved, at)
  if (!setsOnly) {
    if (!consented) await refuseToTell(tx, libraryNo, at)
    await free(tx, libraryNo)
  }
  await rebuildBlocks(tx, [...chapters])
  await countQuestions(tx, libraryNo)
}

/** Whether the library is for sets alone now. */
export async function writeFrame(tx: Tx, { subject, points, library, chapters }: Bank): Promise<boolean> {
  await sql`insert into subject (no, name, position) select ${subject.no}, ${subject.name}, coalesce(max(position) + 1, 0) from subject
    on conflict (no) do update set name = excluded.name`.execute(tx)
  await writePoints(tx, subject.no, points)
  const setsOnly = library.setsOnly ?? null
  const { rows } = await sql<{
    sets_only: boolean
  }>`insert into library (no, subject_no, title, directions, areas, sets_only, position)
    select ${library.no}, ${subject.no}, ${library.title}, ${library.directions}, ${library.areas}, coalesce(${setsOnly}, false),
      coalesce(max(position) + 1, 0) from library
    on conflict (no) do update set subject_no = excluded.subject_no, title = excluded.title, directions = excluded.directions,
      areas = excluded.areas, sets_only = coalesce(${setsOnly}, library.sets_only),
      pack = case when not coalesce(${setsOnly}, library.sets_only) then library.pack end
    returning sets_only`.execute(tx)
  await sql`insert into chapter (no, library_no, parent, title, position)
    select t.no, ${library.no}, t.parent, t.title, coalesce(t.position, t.ordinality)
    from rows from (json_to_recordset(${JSON.stringify(chapters)}::json)
      as (no text, parent text, title text, position int)) with ordinality as t
    on conflict (no) do update set parent = excluded.parent, title = excluded.title, position = excluded.position`.execute(
    tx,
  )
  return rows[0]?.sets_only ?? false
}

/** Other libraries have points of the subject, too: where a file's stand in its order already they keep their places. */
async function writePoints(tx: Tx, subjectNo: string, points: Bank['points']): Promise<void> {
  const given = sql`rows from (json_to_recordset(${JSON.stringify(points)}::json) as (no text, parent text, name text))
    with ordinality as t`
  const { rows } = await sql<{ ordered: boolean; last: number }>`
    select coalesce(bool_and(not coalesce(goes_back, false)), true) as ordered,
      (select coalesce(max(position), 0) from point where subject_no = ${subjectNo}) as last
    from (
      select p.position < lag(p.position) over (order by t.ordinality) as goes_back from ${given} join point p on p.no = t.no
    ) known`.execute(tx)
  const [{ ordered, last } = { ordered: false, last: 0 }] = rows
  await sql`insert into point (no, subject_no, parent, name, position)
    select t.no, ${subjectNo}, t.parent, t.name, t.ordinality + ${ordered ? last : 0}::int from ${given}
    on conflict (no) do update set parent = excluded.parent, name = excluded.name,
      position = case when ${ordered} then point.position else excluded.position end`.execute(tx)
}

/** Answers to these are marked again in the background. */
async function queueRemark(tx: Tx, nos: string[], at: number): Promise<void> {
  if (nos.length > 0) await sql`insert into remark (nos, at) values (${nos.splice(0)}, ${at})`.execute(tx)
}

/** Records of these are given to devices anew: what a student has done in a chapter is counted where the question stands. */
async function queueMoved(tx: Tx, nos: string[], at: number): Promise<void> {
  if (nos.length > 0) await sql`insert into remark (nos, at, moved) values (${nos.splice(0)}, ${at}, true)`.execute(tx)
}

/** With `replace` the table `kept` holds their numbers. */
async function writeQuestions(tx: Tx, into: Into, parts: Import['parts'], sum: Sum): Promise<void> {
  const before = await sql<{ at: number }>`
    select coalesce(max(q.position), 0) as at from question q join chapter c on c.no = q.chapter_no where c.library_no = ${into.libraryNo}`.execute(
    tx,
  )
  if (into.replace) {
    await sql`create temp table if not exists kept (no text primary key) on commit drop`.execute(tx)
    await sql`truncate kept`.execute(tx)
  }
  let position = into.replace ? 0 : (before.rows[0]?.at ?? 0)
  for (const placed of parts) {
    const rows = placed.map((each) => rowOf(each, ++position))
    await writeRows(tx, into, rows, sum)
    if (into.replace)
      await sql`insert into kept select unnest(${rows.map(({ question }) => question.no)}::text[])`.execute(tx)
  }
  // Nothing else tells the planner how large it is.
  if (into.replace) await sql`analyze kept`.execute(tx)
}

/** One chunk of questions at their places; those that are there just so stay as they are. */
export async function writeRows(tx: Tx, into: Into, rows: readonly QuestionRow[], sum: Sum): Promise<void> {
  const { libraryNo, setsOnly, release, replace, at } = into
  const { differing, known } = await compared(tx, rows, replace)
  if (differing.length === 0) return
  await noteBefore(
    tx,
    release,
    differing.map(({ question: { no } }) => known.get(no) ?? { no, ...ABSENT }),
  )
  for (const { question, chapterNo } of differing) {
    const old = known.get(question.no)
    for (const no of [chapterNo, old?.chapter_no]) if (no) sum.chapters.add(no)
    if (old?.retired) sum.restored++
  }
  const renewal = await renew(tx, differing, known, at)
  // xmax is 0 for a row that was not there before.
  const { rows: written } = await sql<{ fresh: boolean }>`
    insert into question (no, chapter_no, position, type, hash, version, free, body)
    select no, chapter_no, position, type, hash, version, ${!setsOnly}, body from json_to_recordset(${jsonOf(differing, known)}::json)
      as t(no text, chapter_no text, position int, type text, hash text, version int, body json)
    on conflict (no) do update set chapter_no = excluded.chapter_no, type = excluded.type, hash = excluded.hash,
      version = excluded.version, body = excluded.body, retired = false, position = case when ${replace} then excluded.position else question.position end
    returning xmax = 0 as fresh`.execute(tx)
  const fresh = written.filter((row) => row.fresh).length
  sum.added += fresh
  sum.changed += written.length - fresh
  sum.moved.push(...(await writeAnswerables(tx, libraryNo, differing, new Set(known.keys()))))
  await renewal.settle()
  sum.remark.push(...renewal.remark)
  if (sum.remark.length >= REMARK_CHUNK) await queueRemark(tx, sum.remark, at)
  if (sum.moved.length >= REMARK_CHUNK) await queueMoved(tx, sum.moved, at)
}
const ABSENT = { version: null, chapter_no: null, position: null, retired: null }

/** A library that was for sets alone may have been opened. */
/** @throws FileFault when opening the library would tell the keys of an exam before its results. */
async function refuseToTell(tx: Tx, libraryNo: string, at: number): Promise<void> {
  const [kept] = await readKeptBy(tx, libraryNo, at)
  if (kept)
    throw new FileFault(
      `题库 ${libraryNo} 有 ${kept.count} 道题在成绩还没有公布的考试 ${kept.no} 里，开放后不参加考试也能看到答案；等成绩公布后再开放，确实不用保密再加 --yes`,
    )
}

const free = (tx: Tx, libraryNo: string) =>
  sql`update question q set free = true from chapter c where c.no = q.chapter_no and c.library_no = ${libraryNo} and not q.free`.execute(
    tx,
  )

export interface QuestionRow extends Placed {
  position: number
  /** The JSON text that is hashed; it is stored and served with its version. */
  body: string
  hash: string
}
/** A question as it is in the database. */
interface Stored {
  no: string
  hash: string
  version: number
  chapter_no: string | null
  position: number
  retired: boolean
}
export function rowOf(placed: Placed, position: number): QuestionRow {
  const body = JSON.stringify(placed.question)
  return { ...placed, position, body, hash: hashOf(body) }
}

/** Put together around bodies that are JSON already. */
const jsonOf = (rows: readonly QuestionRow[], known: ReadonlyMap<string, Stored>): string =>
  `[${rows
    .map(({ question, chapterNo, position, hash, body }) => {
      const { no, type } = question
      const old = known.get(no)
      const version = old ? versionAfter(old, hash) : 1
      const head = JSON.stringify({ no, chapter_no: chapterNo, position, type, hash, version })
      return `${head.slice(0, -1)},"body":${version > 1 ? JSON.stringify(stamped(question, version)) : body}}`
    })
    .join(',')}]`

/** Those that are not in the database just so, and what is there of all of them. */
export async function compared(tx: Tx, rows: readonly QuestionRow[], replace: boolean) {
  const { rows: stored } = await sql<Stored>`
    select no, hash, version, chapter_no, position, retired from question where no = any(${rows.map(({ question }) => question.no)})`.execute(
    tx,
  )
  const before = new Map(stored.map((row) => [row.no, row]))
  const differing = rows.filter(({ question, chapterNo, hash, position }) => {
    const old = before.get(question.no)
    if (!old || old.retired || old.hash !== hash || old.chapter_no !== chapterNo) return true
    return replace && old.position !== position
  })
  return { differing, known: before }
}

/** Returns the numbers of those that stood elsewhere before, or under other points. */
async function writeAnswerables(
  tx: Tx,
  libraryNo: string,
  placed: readonly Placed[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const rows = placed.flatMap(({ chapterNo, question }) =>
    partsOf(question).map((body) => ({
      no: body.no,
      question_no: question.no,
      chapter_no: chapterNo,
      points: body.points.map((point) => point.no),
      body: markable(body),
    })),
  )
  const { rows: placedOtherwise } = await sql<{ no: string }>`
    select a.no from answerable a join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as t(no text, chapter_no text, points text[], body jsonb) on t.no = a.no
    where a.chapter_no is distinct from t.chapter_no or a.library_no is distinct from ${libraryNo} or a.points <> t.points
      or (a.body -> 'composition' is null) <> (t.body -> 'composition' is null)`.execute(tx)
  await sql`
    insert into answerable (no, question_no, chapter_no, library_no, points, body, guarded)
    select no, question_no, chapter_no, ${libraryNo}, points, body,
        exists (select from exam_question m join question q on q.no = m.question_no where q.no = t.question_no and not q.free)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as t(no text, question_no text, chapter_no text, points text[], body jsonb)
    on conflict (no) do update set question_no = excluded.question_no, chapter_no = excluded.chapter_no, library_no = excluded.library_no,
      points = excluded.points, body = excluded.body,
      guarded = answerable.guarded or excluded.guarded`.execute(tx)
  // Parts that a question no longer has leave its chapter, never the records of students.
  const again = placed.map(({ question }) => question.no).filter((no) => known.has(no))
  const { rows: left } =
    again.length === 0
      ? { rows: [] }
      : await sql<{ no: string }>`
          update answerable set chapter_no = null
          where question_no = any(${again}) and no <> all(${rows.map(({ no }) => no)}) and chapter_no is not null
          returning no`.execute(tx)
  return [...placedOtherwise, ...left].map(({ no }) => no)
}

/** Retires those of the library's questions `q` of which that holds: they leave the blocks, never the records of students. */
export async function retireWhere(
  tx: Tx,
  { libraryNo, release }: Pick<Into, 'libraryNo' | 'release'>,
  which: RawBuilder<unknown>,
  sum: Sum,
): Promise<void> {
  const { rows } = await sql<{ chapter_no: string; n: number; parts: string[] }>`
    with gone as (
      select q.no, q.chapter_no, q.version, q.position from question q join chapter c on c.no = q.chapter_no
      where c.library_no = ${libraryNo} and ${which}
    ), noted as (
      insert into release_question (release_id, question_no, version, chapter_no, position, retired)
      select ${release.id}, no, version, chapter_no, position, false from gone on conflict do nothing
    ), retired as (update question q set retired = true, chapter_no = null from gone where q.no = gone.no),
    parts as (update answerable a set chapter_no = null from gone where a.question_no = gone.no returning a.no, gone.chapter_no)
    select g.chapter_no, g.n, array(select no from parts p where p.chapter_no = g.chapter_no) as parts
    from (select chapter_no, count(*)::int as n from gone group by chapter_no) g`.execute(tx)
  for (const { chapter_no, n, parts } of rows) {
    sum.moved.push(...parts)
    sum.chapters.add(chapter_no)
    sum.retired += n
  }
}

export async function dropChapters(tx: Tx, { library, chapters }: Pick<Bank, 'library' | 'chapters'>): Promise<void> {
  const kept = chapters.map(({ no }) => no)
  await sql`update chapter set parent = null where library_no = ${library.no} and no <> all(${kept})`.execute(tx)
  await sql`delete from chapter where library_no = ${library.no} and no <> all(${kept})`.execute(tx)
}
