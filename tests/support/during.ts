import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db, Tx } from '#server/db/open.ts'

/** Whether somebody waits for somebody in this database. */
export async function waiting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return (rows[0]?.n ?? 0) > 0
}

/** Does `first` and, before it is done for good, `second`, which comes as far as it can; then `rest`. Resolves to what `second` said. */
export async function during<T>(
  db: Db,
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<T>,
  rest: (tx: Tx) => Promise<void> = async () => {},
): Promise<T> {
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const one = db.transaction().execute(async (tx) => {
    await first(tx)
    written.resolve()
    await end.promise
    await rest(tx)
  })
  await Promise.race([written.promise, one])
  let answered = false
  const two = second().finally(() => (answered = true))
  await expect.poll(async () => answered || (await waiting(db))).toBe(true)
  end.resolve()
  await one
  return two
}
