import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { logChange } from '#server/config/store.ts'
import { endAllSessions } from '#server/login/store.ts'
import { Refusal } from '#server/http/handlers.ts'
import { logEvent } from '#server/security/store.ts'
import { lockStudent } from './store.ts'

/** What an operator sees of a student who asks for help. Times epoch ms, money fen. */
export interface Found {
  uid: string
  mobile: string
  nickname: string
  createdAt: number
  hasPassword: boolean
  balance: number
  /** Orders by state. */
  orders: Record<string, number>
  /** What is theirs now; `until` may be FOR_GOOD. */
  rights: { kind: string; no: string; until: number }[]
  sessions: { device: string; seenAt: number }[]
  /** Devices that have sent answers, and when they last did. */
  devices: { device: string; seenAt: number }[]
  answers: number
  /** Ops that were refused, by code. */
  refused: Record<string, number>
  reports: number
}
const MOST = 20

/** Students by uid, mobile, number of an order, or part of their nickname. */
export async function findStudents(db: Db, what: string, now: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with found as (
      select s.* from student s where s.uid = ${what} or s.mobile = ${what} or position(${what} in s.nickname) > 0
        or s.uid in (select uid from orders where id = ${what})
      order by s.mobile = ${what} desc, s.created_at limit ${MOST}
    )
    select s.uid, s.mobile, s.nickname, s.created_at as "createdAt", s.password is not null as "hasPassword",
      coalesce((select balance from wallet w where w.uid = s.uid), 0) as balance,
      (select coalesce(json_object_agg(state, n), '{}') from (select state, count(*) as n from orders o where o.uid = s.uid group by 1) t) as orders,
      (select coalesce(json_agg(json_build_object('kind', kind, 'no', no, 'until', until) order by kind, no), '[]')
        from entitlement e where e.uid = s.uid and e.until > ${now}) as rights,
      (select coalesce(json_agg(json_build_object('device', device, 'seenAt', seen_at) order by seen_at desc), '[]')
        from session t where t.uid = s.uid and t.expires_at > ${now}) as sessions,
      (select coalesce(json_agg(json_build_object('device', device, 'seenAt', seen_at) order by seen_at desc), '[]')
        from study_device d where d.uid = s.uid) as devices,
      (select count(*)::int from study_op o where o.uid = s.uid and o.kind = 'answer' and o.verdict = 'applied') as answers,
      (select coalesce(json_object_agg(code, n), '{}') from (select coalesce(code, '') as code, count(*) as n from study_op o
        where o.uid = s.uid and o.verdict = 'rejected' group by 1) t) as refused,
      (select count(*)::int from study_record r where r.uid = s.uid and r.kind = 'report') as reports
    from found s order by s.mobile = ${what} desc, s.created_at`.execute(db)
  return rows
}

export const RESETS = ['password', 'sessions', 'limits'] as const
export type Reset = (typeof RESETS)[number]
const RESET_NAMES: Record<Reset, string> = {
  password: '清除密码，改用验证码登录',
  sessions: '退出所有设备',
  limits: '解除次数限制',
}

const RESET_EVENTS = { password: 'passwordReset', sessions: 'devicesEnded', limits: 'limitsLifted' } as const

/**
 * Helps a student who cannot log in. Without a password one logs in by a code to the mobile; whoever had logged in with the old one
 * must log in again. What was done on a device stays there, and is sent after the login.
 * @param who uid or mobile
 * @throws Refusal
 */
export async function resetStudent(db: Db, who: string, resets: readonly Reset[], now: number): Promise<string> {
  const row = await db
    .selectFrom('student')
    .select('uid')
    .where((e) => e.or([e('uid', '=', who), e('mobile', '=', who)]))
    .executeTakeFirst()
  if (!row) throw new Refusal(`没有手机号或编号为 ${who} 的学生`)
  const { uid } = row
  await db.transaction().execute(async (tx) => {
    const student = await lockStudent(tx, uid)
    if (!student) throw new Refusal(`没有手机号或编号为 ${who} 的学生`)
    if (resets.includes('password'))
      await tx.updateTable('student').set({ password: null }).where('uid', '=', uid).execute()
    if (resets.includes('password') || resets.includes('sessions')) await endAllSessions(tx, uid, now)
    if (resets.includes('limits'))
      await sql`delete from rate where split_part(key, ':', 2) = ${uid}
        or split_part(key, ':', 2) = ${student.mobile}
        or key = any(${['sms:mobile:minute', 'sms:mobile:day'].map((name) => `${name}:${student.mobile}`)})`.execute(tx)
    const about = { mobile: student.mobile, ip: '', uid, now }
    for (const each of RESETS) if (resets.includes(each)) await logEvent(tx, RESET_EVENTS[each], about, '管理员操作')
    const done = RESETS.filter((each) => resets.includes(each)).map((each) => RESET_NAMES[each])
    // Not the mobile: a closed account leaves none.
    await logChange(tx, 'users', `${uid}：${done.join('；')}`, now)
  })
  return uid
}
