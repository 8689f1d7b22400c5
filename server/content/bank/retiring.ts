import { sql } from 'kysely'
import type { Question } from '#src/contract/question.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { lockImports } from '#server/content/claimStore.ts'
import { type Doing, type Done, release, ReleaseRefusal } from './releases.ts'
import { making } from './releaseStore.ts'
import { retireWhere, rowOf, writeRows } from './store.ts'
import { unstamped } from './versions.ts'

/** A published paper that shows questions as they were when it was published. */
export interface Holder {
  kind: 'set' | 'exam' | 'testing'
  no: string
  title: string
  questions: string[]
}
export interface Turned {
  /** By library. */
  done: Done[]
  /** Those that are so already. */
  already: string[]
}
const CHUNK = 500

/**
 * Takes questions out of their libraries: they leave the blocks, never the records of students, nor what is published.
 * @throws ReleaseRefusal when one of them is not known; then none is taken out.
 */
export const retireQuestions = (
  db: Db,
  nos: readonly string[],
  { mediaDir, at, note }: Doing,
): Promise<Turned & { held: Holder[] }> =>
  db.transaction().execute(async (tx) => {
    await lockImports(tx)
    const known = await readKnown(tx, nos)
    const made = making('retire', at, note)
    const done: Done[] = []
    for (const [libraryNo, { setsOnly, own }] of byLibrary(known.filter(({ retired }) => !retired)))
      done.push(
        await release(tx, { ...frameOf(libraryNo, setsOnly), made, mediaDir }, (into, sum) =>
          retireWhere(tx, into, sql`q.no = any(${own})`, sum),
        ),
      )
    const already = known.filter(({ retired }) => retired).map(({ no }) => no)
    return { done, already, held: await readHolders(tx, nos) }
  })

/**
 * Brings retired questions back to their places.
 * @throws ReleaseRefusal when one of them is not known or its place is not; then none comes back.
 */
export const restoreQuestions = (db: Db, nos: readonly string[], { mediaDir, at, note }: Doing): Promise<Turned> =>
  db.transaction().execute(async (tx) => {
    await lockImports(tx)
    const known = await readKnown(tx, nos)
    const made = making('restore', at, note)
    const gone = known.filter(({ retired }) => retired)
    await judgePlaces(tx, gone)
    const done: Done[] = []
    for (const [libraryNo, { setsOnly, own }] of byLibrary(gone))
      done.push(
        await release(tx, { ...frameOf(libraryNo, setsOnly), made, mediaDir }, async (into, sum) => {
          for (let from = 0; from < own.length; from += CHUNK) {
            const rows = await readPlaced(tx, own.slice(from, from + CHUNK))
            await writeRows(
              tx,
              into,
              rows.map(({ chapterNo, position, body }) => rowOf({ chapterNo, question: unstamped(body) }, position)),
              sum,
            )
          }
        }),
      )
    return { done, already: known.filter(({ retired }) => !retired).map(({ no }) => no) }
  })

interface Known {
  no: string
  retired: boolean
  libraryNo: string
  setsOnly: boolean
}
/** @throws ReleaseRefusal */
async function readKnown(tx: Tx, nos: readonly string[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select distinct on (q.no) q.no, q.retired, l.no as "libraryNo", l.sets_only as "setsOnly"
    from question q join answerable a on a.question_no = q.no join library l on l.no = a.library_no
    where q.no = any(${nos}) order by q.no`.execute(tx)
  const known = new Set(rows.map(({ no }) => no))
  const unknown = [...new Set(nos)].filter((no) => !known.has(no))
  if (unknown.length === 0) return rows
  const parts = await sql<{ no: string; questionNo: string }>`
    select no, question_no as "questionNo" from answerable where no = any(${unknown})`.execute(tx)
  const [part] = parts.rows
  if (part) throw new ReleaseRefusal(`${part.no} 是材料题 ${part.questionNo} 的小题，请写材料题的编号`)
  throw new ReleaseRefusal(`没有编号为 ${listed(unknown)} 的题目`)
}

const SHOWN = 10
const listed = (nos: readonly string[]): string =>
  nos.slice(0, SHOWN).join('、') + (nos.length > SHOWN ? ` 等 ${nos.length} 个` : '')

/** It stays as it is. */
const frameOf = (libraryNo: string, setsOnly: boolean) => ({
  libraryNo,
  framing: { pointNos: [], write: () => Promise.resolve(setsOnly) },
  replace: true,
})

/** In the order of the libraries' numbers. */
function byLibrary(known: readonly Known[]) {
  const libraries = Map.groupBy(known, ({ libraryNo }) => libraryNo)
  return [...libraries]
    .map(
      ([no, all]) => [no, { setsOnly: all.some(({ setsOnly }) => setsOnly), own: all.map((each) => each.no) }] as const,
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Where questions were when they were retired last, in chapters that can hold questions still. */
const lastPlaces = (nos: readonly string[]) => sql`
  select distinct on (b.question_no) b.question_no as no, c.no as chapter_no, b.position
  from release_question b join release r on r.id = b.release_id
  left join chapter c on c.no = b.chapter_no and c.library_no = r.library_no
    and not exists (select from chapter below where below.parent = c.no)
  where b.question_no = any(${nos}) and not b.retired and b.chapter_no is not null
  order by b.question_no, r.no desc`

/** @throws ReleaseRefusal */
async function judgePlaces(tx: Tx, gone: readonly Known[]): Promise<void> {
  const nos = gone.map(({ no }) => no)
  const { rows } = await sql<{ no: string }>`
    select no from unnest(${nos}::text[]) as nos (no)
    where not exists (select from (${lastPlaces(nos)}) p where p.no = nos.no and p.chapter_no is not null)`.execute(tx)
  if (rows.length === 0) return
  const lost = listed(rows.map(({ no }) => no))
  throw new ReleaseRefusal(`${lost} 原来的章节已经没有，或下架时还没有版本记录：请把题目写进文件导入`)
}

async function readPlaced(tx: Tx, nos: readonly string[]) {
  const { rows } = await sql<{ chapterNo: string; position: number; body: Question }>`
    select p.chapter_no as "chapterNo", p.position, q.body from (${lastPlaces(nos)}) p join question q on q.no = p.no`.execute(
    tx,
  )
  return rows
}

async function readHolders(tx: Tx, nos: readonly string[]): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select 'set' as kind, s.no, s.title, array_agg(distinct e.question_no) as questions
      from set_entry e join set_item i on i.no = e.item_no and not i.retired join question_set s on s.no = i.set_no
      where e.question_no = any(${nos}) group by s.no
    union all
    select 'exam', x.no, x.title, array_agg(distinct m.question_no)
      from exam_question m join exam x on x.no = m.exam_no join exam_paper p on p.exam_no = x.no and p.rev = x.rev,
        json_array_elements(p.body::json) section, json_array_elements(section -> 'entries') entry
      where m.question_no = any(${nos}) and entry -> 'question' ->> 'no' = m.question_no group by x.no
    union all
    select 'testing', t.no, t.title, array_agg(distinct entry -> 'question' ->> 'no')
      from testing t join testing_paper p on p.testing_no = t.no and p.rev = t.rev,
        json_array_elements(p.body::json) section, json_array_elements(section -> 'entries') entry
      where entry -> 'question' ->> 'no' = any(${nos}) group by t.no
    order by 1, 2`.execute(tx)
  return rows
}
