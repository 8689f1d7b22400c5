import { sql } from 'kysely'
import type { Scope } from '#src/contract/scalar.ts'
import type { ExamCategory } from '#src/contract/directions.ts'
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
    select c.name, json_agg(json_build_object('key', d.key, 'name', d.name) order by d.position) as child
    from exam_category c join exam_direction d on d.category_no = c.no
    where ${openIn('d', area)}
    group by c.no order by c.position`.execute(db)
  return rows
}

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
    .orderBy('position')
    .execute()

export const readPoints = (db: Db, subject: string) =>
  db
    .selectFrom('point')
    .select(['no', 'parent', 'name'])
    .where('subject_no', '=', subject)
    .orderBy('position')
    .execute()

export interface Structure {
  areas: { key: string; name: string }[]
  categories: { no: string; name: string; directions: { key: string; name: string; areas?: string[] }[] }[]
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
    for (const [place, { key, name: title, areas: where = [] }] of directions.entries()) {
      const row = { category_no: no, name: title, position: place, areas: where }
      await db
        .insertInto('exam_direction')
        .values({ key, ...row })
        .onConflict((c) => c.column('key').doUpdateSet(row))
        .execute()
    }
  }
}
