import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { BLOCK_SIZE, type PlainQuestion, type Question } from '#src/contract/question.ts'
import type { Markable } from '#src/domain/marking.ts'
import type { Tx } from '#server/db/open.ts'
import type { Bank } from './draft.ts'

export interface Placed {
  chapterNo: string
  question: Question
}
export interface Written {
  added: number
  changed: number
  retired: number
}
const CHUNK = 500
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Numbers of a bank that another library's questions or chapters, or another subject's points, use already. */
export async function foreignNos(tx: Tx, bank: Bank, questionNos: string[]): Promise<string[]> {
  const { library, subject } = bank
  const { rows } = await sql<{ no: string }>`
    select no from answerable
      where (no = any(${questionNos}) or question_no = any(${questionNos})) and library_no is distinct from ${library.no}
    union all
    select no from chapter where no = any(${bank.chapters.map(({ no }) => no)}) and library_no <> ${library.no}
    union all
    select no from point where no = any(${bank.points.map(({ no }) => no)}) and subject_no <> ${subject.no}`.execute(tx)
  return rows.map(({ no }) => no)
}

/**
 * Puts a library in place: what is new is added, what differs is changed, and with `replace` what the bank no longer holds is
 * retired: it leaves the blocks, never the records of students.
 */
export async function writeLibrary(tx: Tx, bank: Bank, placed: readonly Placed[], replace: boolean): Promise<Written> {
  await writeFrame(tx, bank)
  const written = await writeQuestions(tx, bank.library.no, placed, replace)
  const retired = replace
    ? await retireOthers(
        tx,
        bank.library.no,
        placed.map(({ question }) => question.no),
      )
    : 0
  if (replace) await dropChapters(tx, bank)
  await rebuildBlocks(tx, bank.library.no)
  return { ...written, retired }
}

async function writeFrame(tx: Tx, { subject, points, library, chapters }: Bank): Promise<void> {
  await sql`insert into subject (no, name, position) select ${subject.no}, ${subject.name}, coalesce(max(position) + 1, 0) from subject
    on conflict (no) do update set name = excluded.name`.execute(tx)
  await sql`insert into point (no, subject_no, parent, name, position)
    select t.no, ${subject.no}, t.parent, t.name, t.ordinality from rows from (json_to_recordset(${JSON.stringify(points)}::json)
      as (no text, parent text, name text)) with ordinality as t
    on conflict (no) do update set parent = excluded.parent, name = excluded.name, position = excluded.position`.execute(
    tx,
  )
  await sql`insert into library (no, subject_no, title, directions, areas, position)
    select ${library.no}, ${subject.no}, ${library.title}, ${library.directions}, ${library.areas}, coalesce(max(position) + 1, 0) from library
    on conflict (no) do update set subject_no = excluded.subject_no, title = excluded.title, directions = excluded.directions,
      areas = excluded.areas`.execute(tx)
  await sql`insert into chapter (no, library_no, parent, title, position)
    select t.no, ${library.no}, t.parent, t.title, t.ordinality from rows from (json_to_recordset(${JSON.stringify(chapters)}::json)
      as (no text, parent text, title text)) with ordinality as t
    on conflict (no) do update set parent = excluded.parent, title = excluded.title, position = excluded.position`.execute(
    tx,
  )
}

async function writeQuestions(tx: Tx, libraryNo: string, placed: readonly Placed[], replace: boolean) {
  const before = await sql<{ at: number }>`
    select coalesce(max(q.position), 0) as at from question q join chapter c on c.no = q.chapter_no where c.library_no = ${libraryNo}`.execute(
    tx,
  )
  const offset = replace ? 0 : (before.rows[0]?.at ?? 0)
  let added = 0
  let changed = 0
  for (let from = 0; from < placed.length; from += CHUNK) {
    const rows = placed.slice(from, from + CHUNK).map(({ chapterNo, question }, i) => {
      const body = JSON.stringify(question)
      return {
        no: question.no,
        chapter_no: chapterNo,
        position: offset + from + i + 1,
        type: question.type,
        hash: hashOf(body),
        body: question,
      }
    })
    // xmax is 0 for a row that was not there before.
    const result = await sql<{ fresh: boolean }>`
      insert into question (no, chapter_no, position, type, hash, body)
      select no, chapter_no, position, type, hash, body from json_to_recordset(${JSON.stringify(rows)}::json)
        as t(no text, chapter_no text, position int, type text, hash text, body jsonb)
      on conflict (no) do update set chapter_no = excluded.chapter_no, type = excluded.type, hash = excluded.hash, body = excluded.body,
        retired = false, position = case when ${replace} then excluded.position else question.position end
      where question.hash <> excluded.hash or question.retired or question.chapter_no is distinct from excluded.chapter_no
        or (${replace} and question.position <> excluded.position)
      returning xmax = 0 as fresh`.execute(tx)
    added += result.rows.filter((row) => row.fresh).length
    changed += result.rows.filter((row) => !row.fresh).length
    await writeAnswerables(tx, libraryNo, placed.slice(from, from + CHUNK))
  }
  return { added, changed }
}

function markable(question: PlainQuestion): Markable {
  const { no, type } = question
  if (type === 'blank') return { no, type, blanks: question.blanks, unordered: question.unordered }
  if (type === 'essay') return { no, type, scoring: question.scoring.map(({ score }) => ({ score })) }
  return { no, type, key: question.key }
}

async function writeAnswerables(tx: Tx, libraryNo: string, placed: readonly Placed[]): Promise<void> {
  const rows = placed.flatMap(({ chapterNo, question }) =>
    (question.type === 'composite' ? question.parts : [question]).map((body) => ({
      no: body.no,
      question_no: question.no,
      chapter_no: chapterNo,
      body: markable(body),
    })),
  )
  await sql`
    insert into answerable (no, question_no, chapter_no, library_no, body)
    select no, question_no, chapter_no, ${libraryNo}, body from json_to_recordset(${JSON.stringify(rows)}::json)
      as t(no text, question_no text, chapter_no text, body jsonb)
    on conflict (no) do update set question_no = excluded.question_no, chapter_no = excluded.chapter_no, library_no = excluded.library_no,
      body = excluded.body`.execute(tx)
  // Parts that a question no longer has leave its chapter, never the records of students.
  await sql`
    update answerable set chapter_no = null
    where question_no = any(${placed.map(({ question }) => question.no)}) and no <> all(${rows.map(({ no }) => no)})`.execute(
    tx,
  )
}

async function retireOthers(tx: Tx, libraryNo: string, kept: string[]): Promise<number> {
  const { rows } = await sql`
    with gone as (
      update question q set retired = true, chapter_no = null from chapter c
      where c.no = q.chapter_no and c.library_no = ${libraryNo} and q.no <> all(${kept}) returning q.no
    ), parts as (update answerable a set chapter_no = null from gone where a.question_no = gone.no)
    select no from gone`.execute(tx)
  return rows.length
}

async function dropChapters(tx: Tx, { library, chapters }: Bank): Promise<void> {
  const kept = chapters.map(({ no }) => no)
  await sql`update chapter set parent = null where library_no = ${library.no} and no <> all(${kept})`.execute(tx)
  await sql`delete from chapter where library_no = ${library.no} and no <> all(${kept})`.execute(tx)
}

/** Cuts the library's chapters into blocks of ready JSON. The rev is a hash of it, so an unchanged block keeps its rev. */
async function rebuildBlocks(tx: Tx, libraryNo: string): Promise<void> {
  const { rows } = await sql<{ chapter: string; body: Question }>`
    select q.chapter_no as chapter, q.body from question q join chapter c on c.no = q.chapter_no
    where c.library_no = ${libraryNo} and not q.retired order by c.position, q.position, q.no`.execute(tx)
  const blocks = [...Map.groupBy(rows, (row) => row.chapter)].flatMap(([chapter, questions]) =>
    blocksOf(
      chapter,
      questions.map((row) => row.body),
    ),
  )
  await sql`delete from block where chapter_no in (select no from chapter where library_no = ${libraryNo})`.execute(tx)
  for (let from = 0; from < blocks.length; from += 100)
    await sql`insert into block (chapter_no, at, rev, count, body)
      select * from json_to_recordset(${JSON.stringify(blocks.slice(from, from + 100))}::json) as t(chapter_no text, at int, rev text, count int, body text)`.execute(
      tx,
    )
  await sql`
    with recursive own as (
      select a.chapter_no as no, count(*)::int as n from answerable a join question q on q.no = a.question_no
      where a.library_no = ${libraryNo} and a.chapter_no is not null and not q.retired group by a.chapter_no
    ), up as (
      select c.no, c.parent, own.n from chapter c join own on own.no = c.no
      union all
      select p.no, p.parent, up.n from chapter p join up on up.parent = p.no
    ), sums as (select no, sum(n)::int as total from up group by no)
    update chapter c set total = coalesce((select total from sums where sums.no = c.no), 0) where c.library_no = ${libraryNo}`.execute(
    tx,
  )
}

function blocksOf(chapter: string, questions: readonly Question[]) {
  const blocks: { chapter_no: string; at: number; rev: string; count: number; body: string }[] = []
  for (let from = 0; from < questions.length; from += BLOCK_SIZE) {
    const part = questions.slice(from, from + BLOCK_SIZE)
    const body = JSON.stringify(part)
    blocks.push({ chapter_no: chapter, at: blocks.length, rev: hashOf(body).slice(0, 10), count: part.length, body })
  }
  return blocks
}
