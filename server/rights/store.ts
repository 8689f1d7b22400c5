import { type RawBuilder, sql } from 'kysely'
import { dayOf, dayOfDate, startOf } from '#src/domain/time/day.ts'
import { endOf, FOR_GOOD, type Grant, type RightKind } from '#src/domain/money/rights.ts'
import type { Db, Tx } from '#server/db/open.ts'

export { FOR_GOOD }

/**
 * Who may have which questions and courses (docs/decisions/rights.md 0025, courses.md 0031): conditions of every statement that gives some,
 * on the aliases `l` of a library, `s` of a set, `x` of an exam, `q` of a question, `c` of a course, `m` of a lesson and `p` of a package
 * of courses.
 */

/** Who asks, and when: epoch ms. */
export interface Asker {
  uid: string | null
  now: number
}

/** Its chapters are for everybody; the questions of others come in sets alone. */
export const isListed: RawBuilder<boolean> = sql<boolean>`not l.sets_only`

/** What is sold, by the alias that its rows stand under here. */
const SOLD = { s: 'set', x: 'exam', c: 'course', p: 'package' } as const
type Alias = keyof typeof SOLD
/** Of what comes with VIP: there is more to say of courses and packages, which are withdrawn. */
const ALL = sql`true`

/**
 * The one place that knows what opens something: every right to it that this person has or had, with its end; `vip`: by a VIP
 * package, which opens the one that it names, or all of a kind that come with VIP (docs/decisions/rights.md 0046).
 * @param offered of all of a kind those that it still opens
 */
const rightsTo = (uid: string | null, alias: Alias, offered = ALL): RawBuilder<unknown> => {
  const of = sql.ref(alias)
  return sql`(select e.until, false as vip from entitlement e where e.uid = ${uid} and e.kind = ${SOLD[alias]} and e.no = ${of}.no
    union all
    select e.until, true from entitlement e join vip_package v on v.no = e.no
      cross join lateral json_to_recordset(v.unlocks) as u(kind text, no text)
      where e.uid = ${uid} and e.kind = 'vip' and u.kind = ${SOLD[alias]}
        and (u.no = ${of}.no or (u.no is null and ${of}.vip and ${offered})))`
}

/** The whole set: it is free, or this person's at the moment `now`, in epoch ms. */
export const isOpenTo = (uid: string | null, now: number): RawBuilder<boolean> => sql<boolean>`(s.price = 0
  or exists (select from ${rightsTo(uid, 's')} r where r.until > ${now}))`

/** An exam may be applied for and taken: it is free, or this person's. */
export const isExamOpenTo = (uid: string | null, now: number): RawBuilder<boolean> => sql<boolean>`(x.price = 0
  or exists (select from ${rightsTo(uid, 'x')} r where r.until > ${now}))`

/** It is open by VIP alone: neither free nor bought. */
export const isByVip = (uid: string | null, now: number, alias: 's' | 'x'): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(alias)}.price > 0 and coalesce((select bool_and(r.vip) from ${rightsTo(uid, alias)} r where r.until > ${now}), false))`

/** What VIP opened is what the set had before the VIP ended; who bought a set has what comes into it later, too. */
const hadIt = sql`(not r.vip or m.since < r.until)`

/** `isOpenTo` once: a sitting may come long after it was done, and what one has done counts. */
export const wasOpenTo = (uid: string): RawBuilder<boolean> => sql<boolean>`(s.price = 0
  or exists (select from set_question m cross join lateral ${rightsTo(uid, 's')} r where m.set_no = s.no and ${hadIt}))`

/**
 * A question of one's record, where anybody may put any number: it was free once, is of a set that was open to one, or of an exam
 * that one had applied for and has handed in, when its key is released (epoch ms `now`). What the server has handed in gives the key
 * by the report alone, which notes it: until then its device may bring answers that are ranked.
 */
export const mayRead = (uid: string, now: number): RawBuilder<boolean> => sql<boolean>`(q.free
  or exists (select from exam_question m join exam x on x.no = m.exam_no
    join exam_apply a on a.exam_no = x.no and a.uid = ${uid}
    join study_record r on r.uid = ${uid} and r.kind = 'exam' and r.body ->> 'exam' = x.no and r.body ->> 'handIn' <> ''
    where m.question_no = q.no and (x.ends_at is null or greatest(x.ends_at, x.rank_closes_at) <= ${now}))
  or exists (select from set_question m join question_set s on s.no = m.set_no cross join lateral ${rightsTo(uid, 's')} r
    where m.question_no = q.no and ${hadIt}))`

const begun = (
  uid: string | null,
): RawBuilder<boolean> => sql<boolean>`exists (select from study_record b join lesson m on m.no = b.id
  where b.uid = ${uid} and b.kind = 'lesson' and m.course_no = c.no)`

/** Course `c` costs this person nothing: it is free and offered, or they had begun it. */
export const isFree = (uid: string | null): RawBuilder<boolean> =>
  sql<boolean>`(c.price = 0 and (not c.withdrawn or ${begun(uid)}))`

/**
 * Lesson `m` of course `c` is open to this person or once was: what one has watched counts, also when it is told after the right has
 * ended. Who has begun a course goes on counting, whatever it costs meanwhile.
 */
export const wasLessonOpenTo = (
  uid: string,
): RawBuilder<boolean> => sql<boolean>`(m.trial or c.price = 0 or ${begun(uid)}
  or exists (select from ${rightsTo(uid, 'c')} r)
  or exists (select from package_course k join course_package p on p.no = k.package_no cross join lateral ${rightsTo(uid, 'p')} r
    where k.course_no = c.no))`

interface End {
  /** Of the right that ends last, epoch ms; null: there is none. */
  until: number | null
  /** VIP's are the only ones. */
  vip: boolean
}
const lastOf = (rights: RawBuilder<unknown>, now: number): RawBuilder<End> => sql<End>`(
  select max(r.until) as until, coalesce(bool_and(r.vip), false) as vip from ${rights} r where r.until > ${now})`

/**
 * When what this person has of course `c` ends, bought alone, in a package or by VIP; no end: nothing, or it is over at `now`. A
 * withdrawn one stays with who bought it, and with who began it by VIP.
 */
export const courseEnd = (uid: string | null, now: number): RawBuilder<End> => {
  const own = rightsTo(uid, 'c', sql`(not c.withdrawn or ${begun(uid)})`)
  const packaged = sql`select r.until, r.vip from package_course m join course_package p on p.no = m.package_no
    cross join lateral ${rightsTo(uid, 'p', sql`not p.withdrawn`)} r
    where m.course_no = c.no and (m.position is not null or not r.vip)`
  return lastOf(sql`(select * from ${own} o union all ${packaged})`, now)
}

/** The same of package `p`. */
export const packageEnd = (uid: string | null, now: number): RawBuilder<End> =>
  lastOf(rightsTo(uid, 'p', sql`not p.withdrawn`), now)

/** The same of VIP package `p`. */
export const vipEnd = (uid: string | null, now: number): RawBuilder<number | null> => sql<number | null>`(
  select e.until from entitlement e where e.uid = ${uid} and e.kind = 'vip' and e.no = p.no and e.until > ${now})`

/** What was bought or opened by a code, named by its `source`: which gives once. */
export interface Granted extends Grant {
  uid: string
  source: string
  kind: RightKind
  no: string
}

/** Gives a right in the transaction that pays for it. It begins where what the student has of it ends. */
export async function writeGrant(tx: Tx, { uid, source, kind, no, at, days, until }: Granted): Promise<void> {
  const begun = await tx
    .insertInto('entitlement')
    .values({ uid, kind, no, until: 0 })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  if (begun.numInsertedOrUpdatedRows === 0n) await keepBase(tx, { uid, kind, no })
  await tx.insertInto('entitlement_grant').values({ uid, source, kind, no, at, days, until }).execute()
  await addUp(tx, { uid, kind, no }, at)
}

/**
 * What somebody has without a grant is what grants are added to. Locked by a statement of its own: only one that begins after it
 * sees the grants of whoever held the right before.
 */
async function keepBase(tx: Tx, { uid, kind, no }: Right): Promise<void> {
  await sql`select from entitlement where uid = ${uid} and kind = ${kind} and no = ${no} for update`.execute(tx)
  await sql`update entitlement set base = until where uid = ${uid} and kind = ${kind} and no = ${no} and base is null
    and not exists (select from entitlement_grant g where g.uid = ${uid} and g.kind = ${kind} and g.no = ${no})`.execute(
    tx,
  )
}

/** Takes back what these sources gave; what others gave stays. */
export async function revokeGrants(tx: Tx, uid: string, sources: readonly string[], now: number): Promise<void> {
  const revoked = await tx
    .updateTable('entitlement_grant')
    .set({ revoked_at: now })
    .where('uid', '=', uid)
    .where('source', 'in', sources)
    .where('revoked_at', 'is', null)
    .returning(['uid', 'kind', 'no'])
    .execute()
  for (const right of revoked) await addUp(tx, right, now)
}

type Right = Pick<Granted, 'uid' | 'kind' | 'no'>
/** A right that nothing is left of ends now; it is kept, for what was done under it. */
async function addUp(tx: Tx, { uid, kind, no }: Right, now: number): Promise<void> {
  const right = await tx
    .selectFrom('entitlement')
    .select('base')
    .where('uid', '=', uid)
    .where('kind', '=', kind)
    .where('no', '=', no)
    .forUpdate()
    .executeTakeFirst()
  // Of an account that has closed the grants are left, and no right.
  if (!right) return
  const grants = await tx
    .selectFrom('entitlement_grant')
    .select(['at', 'days', 'until'])
    .where('uid', '=', uid)
    .where('kind', '=', kind)
    .where('no', '=', no)
    .where('revoked_at', 'is', null)
    .orderBy('at')
    .orderBy('source')
    .execute()
  await tx
    .updateTable('entitlement')
    .set({ until: endOf(grants, right.base) ?? now })
    .where('uid', '=', uid)
    .where('kind', '=', kind)
    .where('no', '=', no)
    .execute()
}

/** The end of what this student has of these, epoch ms; what they have not, or not any more, is not there. */
export async function readEnds(
  tx: Db | Tx,
  uid: string,
  rights: readonly Pick<Right, 'kind' | 'no'>[],
  now: number,
): Promise<(Pick<Right, 'kind' | 'no'> & { until: number })[]> {
  const { rows } = await sql<Pick<Right, 'kind' | 'no'> & { until: number }>`
    select e.kind, e.no, e.until from entitlement e
      join json_to_recordset(${JSON.stringify(rights)}::json) as r(kind text, no text) on r.kind = e.kind and r.no = e.no
    where e.uid = ${uid} and e.until > ${now}`.execute(tx)
  return rows
}

/** The end of the student's exam day, which rights without days last until, epoch ms; null: there is none ahead. */
export async function readExamEnd(db: Db | Tx, uid: string, now: number): Promise<number | null> {
  const { rows } = await sql<{ value: string | null }>`
    select body ->> 'value' as value from study_record where uid = ${uid} and kind = 'setting' and id = 'examDate'`.execute(
    db,
  )
  const day = dayOfDate(rows[0]?.value ?? '')
  return Number.isInteger(day) && day >= dayOf(now) ? startOf(day + 1) : null
}
