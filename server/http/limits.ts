import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'

/** At most `max` hits per `windowMs` for one `key`, counted in the database so that every replica counts alike. */
export interface Limit {
  key: string
  windowMs: number
  max: number
}

/**
 * Counts one hit. False when it is over the limit; over-limit hits do not prolong the window. A window opens with its first
 * hit, not with the clock's minute: else two messages could go out a second apart, on both sides of a full minute.
 */
export async function allowed(db: Db | Tx, limit: Limit, now: number): Promise<boolean> {
  const { rows } = await sql<{ hits: number }>`
    insert into rate (key, window_start, hits) values (${limit.key}, ${now}, 1)
    on conflict (key) do update set
      hits = case when excluded.window_start - rate.window_start < ${limit.windowMs} then rate.hits + 1 else 1 end,
      window_start = case when excluded.window_start - rate.window_start < ${limit.windowMs} then rate.window_start
        else excluded.window_start end
    returning hits`.execute(db)
  return (rows[0]?.hits ?? 0) <= limit.max
}

/** Forgets counters whose longest window (a day) is over. */
export async function sweepLimits(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('rate')
    .where('window_start', '<', now - 2 * 86_400_000)
    .execute()
}
