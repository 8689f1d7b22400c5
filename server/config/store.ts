import { sql } from 'kysely'
import * as v from 'valibot'
import { Site } from '#src/contract/config.ts'
import type { SitePromise } from '#src/contract/config.ts'
import { PROMISE } from '#src/domain/money/promise.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** What the operator sets while the server runs: rows of `setting`, as text or JSON. One that is not there has its default. */
export type SettingName = 'notice' | 'footer' | 'promise' | 'banners'

export async function readSetting(db: Db | Tx, name: SettingName): Promise<string | null> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', name).executeTakeFirst()
  return row?.value ?? null
}

export async function writeSetting(db: Db | Tx, name: SettingName, value: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ key: name, value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
}

/** How something that the operator sets is read and written, as text; null: the default. */
interface Kept {
  read: (tx: Tx) => Promise<string | null>
  write: (tx: Tx, after: string) => Promise<void>
  /** To the default. */
  drop?: (tx: Tx) => Promise<unknown>
  /** Gives what is to be from what is. */
  change: (before: string | null) => string | null
}

/**
 * The operator's own change, told in the log.
 * @param at epoch ms
 * @returns whether it was anything new.
 */
export async function changeLogged(
  db: Db,
  what: string,
  at: number,
  { read, write, drop, change }: Kept,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // One after another, so that what the log calls `before` was the case.
    await sql`lock table operator_log in exclusive mode`.execute(tx)
    const before = await read(tx)
    const after = change(before)
    if (before === after) return false
    if (after === null) await drop?.(tx)
    else await write(tx, after)
    await tx.insertInto('operator_log').values({ at, what, before, after }).execute()
    return true
  })
}

/** @param change gives what is to be from what is; null: the default. @param at epoch ms @returns whether it was anything new. */
export const changeSetting = (
  db: Db,
  name: SettingName,
  change: (before: string | null) => string | null,
  at: number,
): Promise<boolean> =>
  changeLogged(db, name, at, {
    read: (tx) => readSetting(tx, name),
    write: (tx, after) => writeSetting(tx, name, after),
    drop: (tx) => tx.deleteFrom('setting').where('key', '=', name).execute(),
    change,
  })

/** What else an operator does is told in the same log. @param at epoch ms */
export async function logChange(tx: Tx, what: string, after: string, at: number): Promise<void> {
  await tx.insertInto('operator_log').values({ at, what, before: null, after }).execute()
}

/** Changes by the operator, the last one first. */
export const readLog = (db: Db, limit: number) =>
  db.selectFrom('operator_log').select(['at', 'what', 'before', 'after']).orderBy('id', 'desc').limit(limit).execute()

/** The log has what an operator did to single students under these names. */
const ACTS = ['users', 'orders', 'payments', 'coupons', 'codes']
export const ACTS_KEPT_YEARS = 3
const ACTS_KEPT_MS = (ACTS_KEPT_YEARS * 365 + 1) * 86_400_000

export async function sweepActs(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('operator_log')
    .where('what', 'in', ACTS)
    .where('at', '<', now - ACTS_KEPT_MS)
    .execute()
}

/** When the operator changed it last, epoch ms; null: never. */
export async function changedAt(db: Db, what: SettingName): Promise<number | null> {
  const last = db.selectFrom('operator_log').select('at').where('what', '=', what).orderBy('id', 'desc').limit(1)
  return (await last.executeTakeFirst())?.at ?? null
}

const SiteSet = v.partial(Site)
export type SiteSet = v.InferOutput<typeof SiteSet>

/** Fields of the footer that the operator has set, '' among them. */
export const siteSet = (setting: string | null): SiteSet =>
  setting === null ? {} : v.parse(SiteSet, JSON.parse(setting))

export const readSite = async (db: Db, defaults: Site): Promise<Site> =>
  v.parse(Site, { ...defaults, ...siteSet(await readSetting(db, 'footer')) })

/** The operator's, else the product's own. */
export async function readPromise(db: Db): Promise<SitePromise> {
  const set = await readSetting(db, 'promise')
  // Checked when it was written, and filtered by the contract when it leaves.
  return set === null ? PROMISE : JSON.parse(set)
}
