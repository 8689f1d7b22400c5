import { type RawBuilder, sql } from 'kysely'
import type { Contract } from '#src/contract/index.ts'
import type { Output } from '#src/contract/endpoint.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { Price } from '#src/contract/store.ts'
import type { MyVip, VipDetail, VipDuration, VipFeature, VipHead, VipUnlock } from '#src/contract/vip.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Asker, FOR_GOOD, vipEnd } from '#server/rights/store.ts'
import { inScope } from '#server/structural/store.ts'

type Has = VipFeature['has']
/** What packages are compared by, in order. */
export interface FeatureRow {
  no: string
  name: string
  /** Of one who has no package. */
  free: Has
}
/** A package with what it says on each line by the line's number. */
type Said<T extends VipHead> = Omit<T, 'features'> & { features: Record<string, Has> }

const head: RawBuilder<Said<VipHead>> = sql<Said<VipHead>>`p.no, p.title, p.summary, p.features, x."from",
  r.until is not null as open, case when r.until < ${FOR_GOOD} then r.until end as until`

/** Packages `p` that are sold, with the price `x` of their durations and their end `r` for the asker. */
const packages = ({ uid, now }: Asker): RawBuilder<unknown> => sql`vip_package p
  cross join lateral (select min(d.price) as "from" from vip_duration d where d.package_no = p.no and not d.retired) x
  cross join lateral (select ${vipEnd(uid, now)} as until) r
  where not p.withdrawn and x."from" is not null`

const readFeatures = (db: Db): Promise<FeatureRow[]> =>
  db.selectFrom('vip_feature').select(['no', 'name', 'free']).orderBy('position').execute()

/** The lines, with what this package says on each. */
const compared = (said: Record<string, Has>, features: readonly FeatureRow[]): VipFeature[] =>
  features.map(({ no, name }) => ({ name, has: said[no] ?? false }))

export async function readPackages(db: Db, scope: Scope, asker: Asker): Promise<Output<Contract['vip']['list']>> {
  const features = await readFeatures(db)
  const { rows } = await sql<Said<VipHead>>`
    select ${head} from ${packages(asker)} and ${inScope('p', scope)} order by p.position, p.no`.execute(db)
  return {
    free: features.map(({ name, free }) => ({ name, has: free })),
    packages: rows.map((row) => ({ ...row, features: compared(row.features, features) })),
  }
}

/** Null when there is no such package, or not any more. */
export async function readPackage(db: Db, scope: Scope, no: string, asker: Asker): Promise<VipDetail | null> {
  const { rows } = await sql<Omit<Said<VipDetail>, 'durations' | 'unlocks'> & { unlocks: VipUnlock[] }>`
    select ${head}, p.intro, p.unlocks from ${packages(asker)} and p.no = ${no}`.execute(db)
  const [found] = rows
  if (!found) return null
  const durations: VipDuration[] = await db
    .selectFrom('vip_duration')
    .select(['no', 'name', 'days', 'price'])
    .where('package_no', '=', no)
    .where('retired', '=', false)
    .orderBy('position')
    .execute()
  const counts = await countVip(db, scope, asker.now)
  const unlocks = found.unlocks.map((unlock) => ({
    ...unlock,
    count: unlock.no === null ? (counts[unlock.kind] ?? null) : null,
  }))
  return { ...found, unlocks, features: compared(found.features, await readFeatures(db)), durations }
}

/** How many of each kind come with VIP; of exams those that are not over. */
async function countVip(db: Db, scope: Scope, now: number): Promise<Partial<Record<VipUnlock['kind'], number>>> {
  const { rows } = await sql<Record<'set' | 'exam' | 'course' | 'package', number>>`
    select (select count(*)::int from question_set s where s.vip and ${inScope('s', scope)}) as "set",
      (select count(*)::int from exam x where x.vip and ${inScope('x', scope)} and (x.ends_at is null or x.ends_at > ${now})) as exam,
      (select count(*)::int from course c where c.vip and not c.withdrawn and ${inScope('c', scope)}) as course,
      (select count(*)::int from course_package p where p.vip and not p.withdrawn and ${inScope('p', scope)}) as package`.execute(
    db,
  )
  return rows[0] ?? {}
}

/** Of any direction, also when it is over or sold no more. */
export async function readMine(db: Db, uid: string, now: number): Promise<MyVip[]> {
  const { rows } = await sql<MyVip>`
    select p.no, p.title, p.summary, e.until > ${now} as open, case when e.until < ${FOR_GOOD} then e.until end as until,
      not p.withdrawn and exists (select from vip_duration d where d.package_no = p.no and not d.retired) as sold
    from entitlement e join vip_package p on p.no = e.no where e.uid = ${uid} and e.kind = 'vip'
    order by e.until desc, p.position, p.no`.execute(db)
  return rows
}

/** Of these numbers those of packages and durations that are sold. */
export async function readVipPrices(db: Db, nos: readonly string[]): Promise<Price[]> {
  const { rows } = await sql<Omit<Price, 'stock'>>`
    select p.no, x."from" as price from ${packages({ uid: null, now: 0 })} and p.no = any(${nos})
    union all select d.no, d.price from vip_duration d join vip_package p on p.no = d.package_no
      where not p.withdrawn and not d.retired and d.no = any(${nos})`.execute(db)
  return rows.map((row) => ({ ...row, stock: null }))
}

export interface PackageRow {
  no: string
  title: string
  summary: string
  intro: string
  features: Record<string, Has>
  unlocks: VipUnlock[]
  directions: string[]
  areas: string[]
  withdrawn: boolean
  durations: VipDuration[]
  /** Hash of all this. */
  rev: string
}
export interface VipRows {
  /** The whole table; empty: it stays as it is. */
  features: FeatureRow[]
  packages: PackageRow[]
}
export interface VipWritten {
  added: number
  changed: number
}

/** Numbers of lines of comparison, and the packages that these durations belong to. */
export async function readKnown(db: Db | Tx, durations: readonly string[]) {
  const features = await db.selectFrom('vip_feature').select('no').execute()
  const { rows } = await sql<{ no: string; package: string }>`
    select no, package_no as package from vip_duration where no = any(${durations})`.execute(db)
  return { features: features.map(({ no }) => no), packageOf: new Map(rows.map((row) => [row.no, row.package])) }
}

/** Publishes packages. One that a file does not name stays as it is; a duration that its package has left out is not sold any more. */
export async function writeVip(tx: Tx, { features, packages: rows }: VipRows): Promise<VipWritten> {
  if (features.length > 0) {
    await tx.deleteFrom('vip_feature').execute()
    const lines = features.map(({ no, name, free }, position) => ({ no, name, free: JSON.stringify(free), position }))
    await tx.insertInto('vip_feature').values(lines).execute()
  }
  const written = { added: 0, changed: 0 }
  for (const row of rows) {
    const before = await tx.selectFrom('vip_package').select('rev').where('no', '=', row.no).executeTakeFirst()
    if (before?.rev === row.rev) continue
    await writePackage(tx, row)
    written[before ? 'changed' : 'added']++
  }
  return written
}

async function writePackage(tx: Tx, { durations, features, unlocks, ...same }: PackageRow): Promise<void> {
  const row = { ...same, features: JSON.stringify(features), unlocks: JSON.stringify(unlocks) }
  await tx
    .insertInto('vip_package')
    .values({ ...row, position: sql`(select coalesce(max(position) + 1, 0) from vip_package)` })
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  await tx.updateTable('vip_duration').set({ retired: true }).where('package_no', '=', same.no).execute()
  for (const [position, duration] of durations.entries()) {
    const values = { ...duration, position, retired: false }
    await tx
      .insertInto('vip_duration')
      .values({ ...values, package_no: same.no })
      .onConflict((c) => c.column('no').doUpdateSet(values))
      .execute()
  }
}

/** Packages as they were published, with the table that they are compared by: one, or with null all. */
export async function readPublished(
  db: Db,
  no: string | null,
): Promise<{ features: FeatureRow[]; packages: Omit<PackageRow, 'rev'>[] }> {
  const { rows } = await sql<Omit<PackageRow, 'rev'>>`
    select p.no, p.title, p.summary, p.intro, p.features, p.unlocks, p.directions, p.areas, p.withdrawn,
      (select coalesce(json_agg(json_build_object('no', d.no, 'name', d.name, 'days', d.days, 'price', d.price) order by d.position), '[]')
        from vip_duration d where d.package_no = p.no and not d.retired) as durations
    from vip_package p where ${no === null ? sql`true` : sql`p.no = ${no}`} order by p.position, p.no`.execute(db)
  return { features: await readFeatures(db), packages: rows }
}
