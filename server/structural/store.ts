import { sql } from 'kysely'
import type { Scope } from '#src/contract/scalar.ts'
import type { ExamCategory } from '#src/contract/structural.ts'
import type { Db, Tx } from '#server/db/open.ts'

export const readAreas = (db: Db) => db.selectFrom('area').select(['key', 'name']).orderBy('position').execute()

/** Whether a row of a table with `areas` is open in the area: none means everywhere, and '0' is nationwide and sees all. */
const openIn = (table: string, area: string) => {
  const areas = sql.ref(`${table}.areas`)
  return sql<boolean>`(${area} = '0' or ${areas} = '{}' or ${area} = any(${areas}))`
}
/** The same for a table that has `directions`, too: none means all of them. */
export const inScope = (table: string, { sg_key, area }: Scope) => {
  const directions = sql.ref(`${table}.directions`)
  return sql<boolean>`((${directions} = '{}' or ${sg_key} = any(${directions})) and ${openIn(table, area)})`
}

/** Categories that have a direction open in the area. */
export async function readCategories(db: Db, area: string): Promise<ExamCategory[]> {
  const { rows } = await sql<ExamCategory>`
    select c.name, json_agg(json_build_object('key', d.key, 'name', d.name, 'about', d.about) order by d.position) as child
    from exam_category c join exam_direction d on d.category_no = c.no
    where ${openIn('d', area)}
    group by c.no order by c.position`.execute(db)
  return rows
}

/** Sorts subjects by the order of the direction's papers, then the others as they came. */
export const inPaperOrder = ({ sg_key }: Scope, subject: string) =>
  sql`array_position((select subjects from exam_direction where key = ${sg_key}), ${sql.ref(`${subject}.no`)}), ${sql.ref(`${subject}.position`)}`

/** Subjects that have a library for the direction and area. */
export const readSubjects = (db: Db, scope: Scope) =>
  db
    .selectFrom('subject')
    .select(['no', 'name'])
    .where((e) =>
      e.exists(
        e
          .selectFrom('library')
          .select('library.no')
          .whereRef('library.subject_no', '=', 'subject.no')
          .where('library.sets_only', '=', false)
          .where(inScope('library', scope)),
      ),
    )
    .orderBy(inPaperOrder(scope, 'subject'))
    .execute()

export const readPoints = (db: Db, subject: string) =>
  db
    .selectFrom('point')
    .select(['no', 'parent', 'name'])
    .where('subject_no', '=', subject)
    .orderBy('position')
    .execute()

interface Direction {
  key: string
  name: string
  /** It says in one line what the direction is for. */
  about?: string
  areas?: string[]
  /** They stand in the order of its papers. */
  subjects?: string[]
}

export interface Structure {
  areas: { key: string; name: string }[]
  categories: { no: string; name: string; directions: Direction[] }[]
}

/** Puts areas, categories and directions in place; what is there already takes the new name and order. */
export async function writeStructure(db: Db | Tx, { areas, categories }: Structure): Promise<void> {
  for (const [position, area] of areas.entries())
    await db
      .insertInto('area')
      .values({ ...area, position })
      .onConflict((c) => c.column('key').doUpdateSet({ name: area.name, position }))
      .execute()
  for (const [position, { no, name, directions }] of categories.entries()) {
    await db
      .insertInto('exam_category')
      .values({ no, name, position })
      .onConflict((c) => c.column('no').doUpdateSet({ name, position }))
      .execute()
    for (const [place, { key, name: title, about = '', areas: where = [], subjects = [] }] of directions.entries()) {
      const row = { category_no: no, name: title, position: place, about, areas: where, subjects }
      await db
        .insertInto('exam_direction')
        .values({ key, ...row })
        .onConflict((c) => c.column('key').doUpdateSet(row))
        .execute()
    }
  }
}

/** What there is, empty categories among it. */
export async function readStructure(db: Db | Tx): Promise<Structure['categories']> {
  const { rows } = await sql<Structure['categories'][number]>`
    select c.no, c.name, coalesce(json_agg(json_build_object('key', d.key, 'name', d.name, 'about', d.about, 'areas', d.areas, 'subjects', d.subjects)
      order by d.position)
      filter (where d.key is not null), '[]') as directions
    from exam_category c left join exam_direction d on d.category_no = c.no group by c.no order by c.position`.execute(
    db,
  )
  return rows
}

/** All that one may prepare for, as the operator wants it: what is not among it leaves. */
export async function replaceStructure(tx: Tx, categories: Structure['categories']): Promise<void> {
  await writeStructure(tx, { areas: [], categories })
  const keys = categories.flatMap(({ directions }) => directions.map(({ key }) => key))
  await sql`delete from exam_direction where key <> all(${keys})`.execute(tx)
  await sql`delete from exam_category where no <> all(${categories.map(({ no }) => no)})`.execute(tx)
}

const IN_USE = {
  library: '题库',
  question_set: '题集',
  exam: '考试',
  testing: '测评',
  course: '课程',
  course_package: '课程包',
  news: '资讯',
  calendar_entry: '考试日历',
  book: '图书',
  vip_package: '会员',
} as const

/** Directions that something is for, and what, in Chinese. */
export async function directionsInUse(db: Db | Tx): Promise<{ key: string; what: string }[]> {
  const uses = Object.entries(IN_USE).map(
    ([table, name]) =>
      sql`select unnest(directions) as key, ${name}::text as what, count(*) as n from ${sql.table(table)} group by 1`,
  )
  const { rows } = await sql<{ key: string; what: string }>`
    select key, string_agg(what || ' ' || n, '、') as what from (${sql.join(uses, sql` union all `)}) used group by key order by key`.execute(
    db,
  )
  return rows
}
