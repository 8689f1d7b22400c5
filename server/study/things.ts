import { sql } from 'kysely'
import type { Thing } from '#src/contract/study.ts'
import type { Days } from '#src/domain/study/stats.ts'
import type { Db } from '#server/db/open.ts'

/** Reads what a student decided of themself, and what they did on each day. */
export async function readThings(
  db: Db,
  uid: string,
): Promise<{ settings: ReadonlyMap<string, Thing<'setting'>>; days: Days }> {
  const { rows } = await sql<{ kind: 'setting' | 'day'; id: string; body: Thing<'setting'> & Thing<'day'> }>`
    select kind, id, body from study_record where uid = ${uid} and kind in ('setting', 'day')`.execute(db)
  const of = (wanted: 'setting' | 'day') => rows.filter(({ kind }) => kind === wanted)
  return {
    settings: new Map(of('setting').map(({ id, body }) => [id, body])),
    days: new Map(of('day').map(({ id, body }) => [Number(id), body])),
  }
}
