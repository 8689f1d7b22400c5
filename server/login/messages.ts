import { randomInt } from 'node:crypto'
import type { Db } from '#server/db/open.ts'
import { type Ctx, Refusal } from '#server/http/handlers.ts'
import { allowed, giveBack } from '#server/http/limits.ts'
import { type Sms, SmsFault, type Unsent } from '#server/outside/sms.ts'
import { holdTo, isWithin } from '#server/security/store.ts'
import { keepCode } from './proof.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
export const CODE_MS = 5 * MINUTE

const TOO_SOON = '验证码发送过于频繁，请60秒后再试'
const UNSENT = '短信暂时发不出去，请过一会儿再试，或使用密码登录'
const REFUSALS: Record<Unsent, string> = {
  failed: UNSENT,
  unknown: UNSENT,
  tooSoon: TOO_SOON,
  tooMany: '这个手机号刚收到的短信太多，请1小时后再试，或使用密码登录',
  tooManyToday: '这个手机号今天收到的短信太多，请明天再试，或使用密码登录',
  notTaken: '这个手机号收不到短信，请检查号码，或使用密码登录',
}

/** Every message costs money: so many an hour for the whole site, whoever asks for them. */
const budget = (anHour: number) => ({ key: 'sms:site', windowMs: HOUR, max: anHour })
const REFUSED = 'sms:site:refused'
const FAILED = 'sms:site:failed'

/** How codes are sent. */
export interface Messages {
  sms: Sms
  /** Messages, for the whole site. */
  anHour: number
  /** Is told why a message was not sent, in words that may be logged. */
  failed: (fault: SmsFault) => void
}

/**
 * Sends a new code to a mobile. One that was not sent counts for nobody, and the code before it stays good. One that may have been
 * sent counts, and is good; but the student need not wait for the next.
 * @throws Refusal
 */
export async function sendMessage(
  db: Db,
  messages: Messages,
  mobile: string,
  { ip, now }: Pick<Ctx, 'ip' | 'now'>,
): Promise<void> {
  const wait = { key: `sms:mobile:minute:${mobile}`, windowMs: MINUTE, max: 1 }
  const ofNetwork = { key: `sms:ip:hour:${ip}`, windowMs: HOUR, max: 30 }
  const ofMobile = { key: `sms:mobile:day:${mobile}`, windowMs: DAY, max: 10 }
  const ofSite = budget(messages.anHour)
  const who = { mobile, ip, now }
  await holdTo(db, [wait], who, '短信：同一手机号一分钟', TOO_SOON)
  await holdTo(db, [ofNetwork], who, '短信：同一网络一小时', '当前网络获取验证码过于频繁，请1小时后再试或使用密码登录')
  await holdTo(db, [ofMobile], who, '短信：同一手机号一天', '今日验证码发送次数已达上限，请稍后再试或使用密码登录')
  if (!(await isWithin(db, ofSite, who, '短信：全站一小时'))) {
    await giveBack(db, [wait, ofNetwork, ofMobile])
    await countFor(db, REFUSED, now)
    throw new Refusal(UNSENT)
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const unsent = await send(messages, mobile, code)
  if (unsent === null || unsent === 'unknown') await keepCode(db, mobile, code, now + CODE_MS)
  if (unsent === null) return
  await giveBack(db, unsent === 'unknown' ? [wait] : [wait, ofNetwork, ofMobile, ofSite])
  if (unsent === 'unknown' || unsent === 'failed') await countFor(db, FAILED, now)
  throw new Refusal(REFUSALS[unsent])
}

/** Null when it was sent. */
async function send({ sms, failed }: Messages, mobile: string, code: string): Promise<Unsent | null> {
  try {
    await sms.sendCode(mobile, code)
    return null
  } catch (error) {
    if (!(error instanceof SmsFault)) throw error
    failed(error)
    return error.reason
  }
}

/** Counts for the operator; nothing is refused because of it. */
const countFor = (db: Db, key: string, now: number) => allowed(db, { key, windowMs: DAY, max: 0 }, now)

/** What was sent in the hour that began with its first message; what was refused for its number, and what failed, within a day. */
export async function readMessages(db: Db, now: number): Promise<{ sent: number; refused: number; failed: number }> {
  const { key: sent } = budget(0)
  const rows = await db.selectFrom('rate').selectAll().where('key', 'in', [sent, REFUSED, FAILED]).execute()
  const hits = (key: string, windowMs: number) =>
    rows.find((row) => row.key === key && now - row.window_start < windowMs)?.hits ?? 0
  return { sent: hits(sent, HOUR), refused: hits(REFUSED, DAY), failed: hits(FAILED, DAY) }
}
