import type { Db } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'

/** Every message costs money: so many an hour for the whole site, whoever asks for them. */
const HOUR = 3_600_000
const SENT = 'sms:site'
const REFUSED = 'sms:site:refused'

/** Counts a message that is about to be sent. @throws Refusal when this hour's are used up */
export async function spendMessage(db: Db, anHour: number, now: number): Promise<void> {
  if (await allowed(db, { key: SENT, windowMs: HOUR, max: anHour }, now)) return
  await allowed(db, { key: REFUSED, windowMs: 24 * HOUR, max: 0 }, now)
  throw new Refusal('短信暂时发不出去，请过一会儿再试，或使用密码登录')
}

/** What was asked for in the hour that began with its first message, and what was refused within a day. */
export async function readMessages(db: Db, now: number): Promise<{ sent: number; refused: number }> {
  const rows = await db.selectFrom('rate').selectAll().where('key', 'in', [SENT, REFUSED]).execute()
  const hits = (key: string, windowMs: number) =>
    rows.find((row) => row.key === key && now - row.window_start < windowMs)?.hits ?? 0
  return { sent: hits(SENT, HOUR), refused: hits(REFUSED, 24 * HOUR) }
}
