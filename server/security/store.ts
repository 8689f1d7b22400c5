import { sql } from 'kysely'
import { maskMobile } from '#src/domain/text/text.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, Refusal } from '#server/http/handlers.ts'
import { countHits, type Limit } from '#server/http/limits.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** So many days events are kept: the law asks for six months of such a log. */
export const KEPT_DAYS = 180
/** The same event again within this time is counted in its row. */
const SAME_MS = 15 * MINUTE
/** Anybody can cause refusals; beyond so many rows an hour of one kind no more are written, so that a flood does not fill the disk. */
const MOST_AN_HOUR = 300
/** One network alone cannot use them up, and be unseen elsewhere. */
const MOST_OF_NETWORK = 30

/** Somebody was refused. */
const REFUSALS = {
  passwordRefused: '密码登录失败',
  codeRefused: '验证码登录失败',
  proofRefused: '身份验证失败',
  limited: '次数达到上限',
}
/** Somebody who had proven who they are, or an operator, did this. */
const ACTS = {
  newDevice: '新设备登录',
  passwordSet: '设置密码',
  passwordChanged: '修改密码',
  passwordReset: '清除密码',
  mobileChanged: '更换手机号',
  devicesEnded: '退出其他设备',
  limitsLifted: '解除次数限制',
  closed: '注销账号',
}
export const EVENT_NAMES = { ...REFUSALS, ...ACTS }
export type EventKind = keyof typeof EVENT_NAMES

/** Whom it is about, and from where. */
export interface Who extends Pick<Ctx, 'now'> {
  mobile: string
  /** The network (limits.ts); '' for an operator. */
  ip: string
  /** The student; left out, the one whose mobile it is, if there is one. */
  uid?: string
}

/**
 * Writes down an event, in the transaction of what it tells of if that is a change. Takes nothing but the server's own words as
 * `detail`: no code, no password and no whole mobile is ever in a row.
 */
export async function logEvent(
  db: Db | Tx,
  kind: EventKind,
  { mobile, ip, uid, now }: Who,
  detail = '',
): Promise<void> {
  const [masked, network] = [maskMobile(mobile), ip.slice(0, 45)]
  const isBounded = kind in REFUSALS
  // The lock lets a closing that is under way come first: afterwards there is no student to name.
  await sql`
    with student_of as (
      select uid from student where ${uid === undefined ? sql`mobile = ${mobile}` : sql`uid = ${uid}`} for key share
    ), again as (
      update security_event set times = times + 1, last_at = ${now} where id = (
        select max(id) from security_event where at > ${now - SAME_MS} and kind = ${kind} and mobile = ${masked}
          and network = ${network} and detail = ${detail} and uid is not distinct from (select uid from student_of)
      ) returning id
    )
    insert into security_event (at, last_at, kind, uid, mobile, network, detail)
    select ${now}, ${now}, ${kind}, (select uid from student_of), ${masked}, ${network}, ${detail}
    where not exists (select from again) and (not ${isBounded}::boolean or (
      select count(*) < ${MOST_AN_HOUR} and count(*) filter (where network = ${network}) < ${MOST_OF_NETWORK}
      from security_event where at > ${now - HOUR} and kind = ${kind}))`.execute(db)
}

/** Counts against a limit. The first call beyond it is written down, once a window. False: it is beyond. */
export async function isWithin(db: Db, limit: Limit, who: Who, name: string): Promise<boolean> {
  const hits = await countHits(db, limit, who.now)
  if (hits === limit.max + 1) await logEvent(db, 'limited', who, name)
  return hits <= limit.max
}

/** @param name what is limited, for the operator @param refusal for the student @throws Refusal */
export async function holdTo(db: Db, limits: readonly Limit[], who: Who, name: string, refusal: string): Promise<void> {
  for (const each of limits) if (!(await isWithin(db, each, who, name))) throw new Refusal(refusal)
}

/** An event as the operator sees it. Times epoch ms. */
export interface SecurityEvent {
  at: number
  lastAt: number
  times: number
  kind: EventKind
  uid: string | null
  mobile: string
  network: string
  detail: string
}

/**
 * Events since then, the last one first.
 * @param mobile only of this mobile, as far as a masked one says it, and of the student whose it is now, whatever theirs was then
 */
export async function readEvents(db: Db, since: number, most: number, mobile?: string): Promise<SecurityEvent[]> {
  const owner = sql`(select uid from student where mobile = ${mobile ?? ''})`
  const ofMobile = sql`and (uid = ${owner} or mobile = ${maskMobile(mobile ?? '')})`
  const { rows } = await sql<SecurityEvent>`
    select at, last_at as "lastAt", times, kind, uid, mobile, network, detail from security_event
    where last_at >= ${since} ${mobile === undefined ? sql`` : ofMobile} order by at desc, id desc limit ${most}`.execute(
    db,
  )
  return rows
}

export async function sweepEvents(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('security_event')
    .where('at', '<', now - KEPT_DAYS * 24 * HOUR)
    .execute()
}
