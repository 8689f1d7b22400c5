import { sql } from 'kysely'
import { readByCursor } from '#server/db/cursor.ts'
import type { Db } from '#server/db/open.ts'
import type { Bank, Placed } from '#server/content/draft.ts'

/** A library with its subject, its chapters and the points that its questions name; null: there is none. */
export async function readFrame(db: Db, libraryNo: string): Promise<Bank | null> {
  const library = await db
    .selectFrom('library as l')
    .innerJoin('subject as s', 's.no', 'l.subject_no')
    .select(['l.no', 'l.title', 'l.directions', 'l.areas', 'l.sets_only', 's.no as subject_no', 's.name'])
    .where('l.no', '=', libraryNo)
    .executeTakeFirst()
  if (!library) return null
  const chapters = await db
    .selectFrom('chapter')
    .select(['no', 'parent', 'title'])
    .where('library_no', '=', libraryNo)
    .orderBy('position')
    .execute()
  const { rows: points } = await sql<Bank['points'][number]>`
    with recursive named as (
      select distinct unnest(points) as no from answerable where library_no = ${libraryNo} and chapter_no is not null
    ), up as (
      select p.no, p.parent, p.name, p.position from point p join named on named.no = p.no
      union
      select p.no, p.parent, p.name, p.position from point p join up on up.parent = p.no
    )
    select no, parent, name from up order by position, no`.execute(db)
  const { no, title, directions, areas, sets_only: setsOnly, subject_no, name } = library
  return {
    subject: { no: subject_no, name },
    points,
    library: { no, title, directions, areas, ...(setsOnly && { setsOnly }) },
    chapters,
  }
}

interface Listed {
  no: string
  title: string
  subject: string
  /** A material as one; without those that are retired. */
  questions: number
  /** 0: none is noted. */
  release: number
  setsOnly: boolean
}
/** In the order that students see them in. */
export async function readLibraryList(db: Db): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select l.no, l.title, s.name as subject, l.sets_only as "setsOnly", coalesce(h.n, 0) as questions,
      coalesce((select max(r.no) from release r where r.library_no = l.no), 0) as release
    from library l join subject s on s.no = l.subject_no
    left join (
      select c.library_no, count(*)::int as n from question q join chapter c on c.no = q.chapter_no
      where not q.retired group by 1
    ) h on h.library_no = l.no
    order by l.position, l.no`.execute(db)
  return rows
}

/** How many questions it has, a material as one. */
export async function countPlaced(db: Db, libraryNo: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from question q join chapter c on c.no = q.chapter_no
    where c.library_no = ${libraryNo} and not q.retired`.execute(db)
  return rows[0]?.n ?? 0
}

/** Its questions in their order, some at a time, all as they stood at one moment. */
export const readPlaced = (db: Db, libraryNo: string): AsyncGenerator<Placed[]> =>
  readByCursor(
    db,
    sql<Placed>`
      select q.chapter_no as "chapterNo", q.body as question from question q join chapter c on c.no = q.chapter_no
      where c.library_no = ${libraryNo} and not q.retired order by q.position, q.no`,
  )
