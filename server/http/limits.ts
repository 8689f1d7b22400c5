import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'

/** At most `max` hits per `windowMs` for one `key`, counted in the database so that every replica counts alike. */
export interface Limit {
  key: string
  windowMs: number
  max: number
  /** What this one counts for; 1 unless it is said. */
  hits?: number
}

/**
 * Counts one hit. False when it is over the limit; over-limit hits do not prolong the window. A window opens with its first
 * hit, not with the clock's minute: else two messages could go out a second apart, on both sides of a full minute.
 */
export const allowed = async (db: Db | Tx, limit: Limit, now: number): Promise<boolean> =>
  (await countHits(db, limit, now)) <= limit.max

/** Counts as `allowed` does. @returns all hits of this window, those over the limit too */
export async function countHits(db: Db | Tx, limit: Limit, now: number): Promise<number> {
  const { rows } = await sql<{ hits: number }>`
    insert into rate (key, window_start, hits) values (${limit.key}, ${now}, ${limit.hits ?? 1})
    ${addHits(limit.windowMs)} returning hits`.execute(db)
  return rows[0]?.hits ?? 0
}

/** An insert of hits ends with this: with those that are counted already they count together while the window is open. */
export const addHits = (windowMs: number): RawBuilder<unknown> => sql`
  on conflict (key) do update set
    hits = case when excluded.window_start - rate.window_start < ${windowMs} then rate.hits + excluded.hits
      else excluded.hits end,
    window_start = case when excluded.window_start - rate.window_start < ${windowMs} then rate.window_start
      else excluded.window_start end`

/** Takes back one hit of each that was counted: what it was for has turned out to be right. */
export async function giveBack(db: Db | Tx, limits: readonly Limit[]): Promise<void> {
  await db
    .updateTable('rate')
    .set(({ eb }) => ({ hits: eb('hits', '-', 1) }))
    .where(
      'key',
      'in',
      limits.map(({ key }) => key),
    )
    .where('hits', '>', 0)
    .execute()
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/
/** Tells whether an address is this machine's own: a proxy's, a collector's, or a test's. */
export const isLoopback = (ip: string): boolean => LOOPBACK.test(ip)

/** IPv6 gives whoever has a line 2^64 addresses: they are one. */
export function networkOf(ip: string | undefined): string {
  // A connection that is gone has no address any more; all such count as one.
  if (ip === undefined) return 'gone'
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip) ?? []
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const behind = tail?.split(':').filter(Boolean).length ?? 0
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - behind }, () => '0')
  // What stands behind the zeros only matters when they do not reach the network's end.
  const all = [...groups, ...zeros, ...(tail?.split(':') ?? [])]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Forgets counters whose longest window (a day) is over. */
export async function sweepLimits(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('rate')
    .where('window_start', '<', now - 2 * 86_400_000)
    .execute()
}
