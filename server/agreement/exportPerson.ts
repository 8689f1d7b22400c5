import { sql } from 'kysely'
import { logChange } from '#server/config/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { DATA_KINDS } from './dataMap.ts'

/** The log will say who wants it and why. */
export interface Request {
  authority: string
  reason: string
}
interface Kind {
  name: string
  purpose: string
  /** It is keyed by table. */
  rows: Record<string, unknown[]>
}
export interface Person {
  uid: string
  at: number
  request: Request
  kinds: Kind[]
}

/** Whoever has these could act as the student, so nobody who asks what is kept gets them. */
const SECRETS = new Set([
  'password',
  'token_hash',
  'code_hash',
  'code',
  'device_hash',
  'endpoint',
  'p256dh',
  'auth',
  'hash',
])

/** Their rows say whose they are. */
const OF_STUDENTS = new Set(
  DATA_KINDS.flatMap(({ where }) =>
    Object.entries(where).flatMap(([table, columns]) => (columns.split(' ').includes('uid') ? [table] : [])),
  ),
)

/**
 * Reads all that the list of personal data (dataMap.ts) knows of one student, for an authority that asks by law. It is logged first.
 * @param who uid or mobile
 * @param at epoch ms
 * @throws Refusal
 */
export const exportPerson = (db: Db, who: string, request: Request, at: number): Promise<Person> =>
  db.transaction().execute(async (tx) => {
    const student = await tx
      .selectFrom('student')
      .select(['uid', 'mobile'])
      .where((row) => row.or([row('uid', '=', who), row('mobile', '=', who)]))
      .executeTakeFirst()
    if (!student) throw new Refusal(`没有手机号或编号为 ${who} 的学生，请先用 find 查找`)
    await logChange(tx, 'users', `${student.uid}：应${request.authority}要求导出全部信息（${request.reason}）`, at)
    const kinds: Kind[] = []
    for (const { name, purpose, where } of DATA_KINDS) {
      const rows: Kind['rows'] = {}
      for (const [table, columns] of Object.entries(where)) {
        const found = await rowsOf(tx, table, columns.split(' '), student)
        if (found.length > 0) rows[table] = found
      }
      kinds.push({ name, purpose, rows })
    }
    return { uid: student.uid, at, request, kinds }
  })

/** Reads the student's rows of a table that says whose each is, and of another those in which the student is named. */
async function rowsOf(
  tx: Tx,
  table: string,
  columns: readonly string[],
  { uid, mobile }: { uid: string; mobile: string },
): Promise<unknown[]> {
  const names = [uid, mobile].flatMap((name) =>
    columns.map((column) => sql<boolean>`strpos(${sql.ref(column)}::text, ${name}) > 0`),
  )
  const isTheirs = OF_STUDENTS.has(table) ? sql`uid = ${uid}` : sql.join(names, sql` or `)
  const open = columns.filter((column) => !SECRETS.has(column)).map((column) => sql.ref(column))
  if (open.length === 0) return []
  const { rows } = await sql`select ${sql.join(open)} from ${sql.table(table)} where ${isTheirs}`.execute(tx)
  return rows
}
