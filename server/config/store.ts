import { sql } from 'kysely'
import * as v from 'valibot'
import { Site } from '#src/contract/config.ts'
import type { SitePromise } from '#src/contract/promise.ts'
import { PROMISE } from '#src/domain/promise.ts'
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

/**
 * The operator's own change, told in the log.
 * @param change gives what is to be from what is; null: the default.
 * @param at epoch ms
 * @returns whether it was anything new.
 */
export async function changeSetting(
  db: Db,
  name: SettingName,
  change: (before: string | null) => string | null,
  at: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // One after another, so that what the log calls `before` was the case.
    await sql`lock table operator_log in exclusive mode`.execute(tx)
    const before = await readSetting(tx, name)
    const after = change(before)
    if (before === after) return false
    if (after === null) await tx.deleteFrom('setting').where('key', '=', name).execute()
    else await writeSetting(tx, name, after)
    await tx.insertInto('operator_log').values({ at, what: name, before, after }).execute()
    return true
  })
}

/** What else an operator does is told in the same log. @param at epoch ms */
export async function logChange(tx: Tx, what: string, after: string, at: number): Promise<void> {
  await tx.insertInto('operator_log').values({ at, what, before: null, after }).execute()
}

/** Changes by the operator, the last one first. */
export const readLog = (db: Db, limit: number) =>
  db.selectFrom('operator_log').select(['at', 'what', 'before', 'after']).orderBy('id', 'desc').limit(limit).execute()

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
