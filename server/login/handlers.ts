import { randomUUID } from 'node:crypto'
import type { Contract } from '#src/contract/index.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { deviceName } from './device.ts'
import { hashPassword, isPassword } from './argon2.ts'
import { giveBack as forgive } from '#server/http/limits.ts'
import { type Answering, recordAgreed } from '#server/consent/store.ts'
import { type EventKind, holdTo, logEvent } from '#server/security/store.ts'
import { countGuess } from './guesses.ts'
import { CODE_MS, type Messages, sendMessage } from './messages.ts'
import { CODE_REFUSED, readCode } from './proof.ts'
import { sha256 } from './sha256.ts'
import { beginSession } from './sessions.ts'
import * as store from './store.ts'

const consenting = (uid: string, { now, agent }: Ctx): Answering => ({ uid, at: now, device: deviceName(agent) })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WRONG = '账号或密码不正确，请重新输入'

export function loginHandlers(db: Db, messages: Messages): Handlers<Contract['login']> {
  // Checked when there is no such account or no password, so that both take as long as a real one.
  const decoy = hashPassword(randomUUID())
  /** Passes on why a login failed; a refusal is written down, after its transaction and not in it, or it would be lost with it. */
  const refuse = async (kind: EventKind, mobile: string, { ip, now }: Ctx, why: unknown): Promise<never> => {
    if (why instanceof Refusal) await logEvent(db, kind, { mobile, ip, now })
    throw why
  }

  return {
    async loginByPassword({ mobile, password, agreed }, ctx) {
      const giveBack = await countGuess(db, 'password', mobile, ctx)
      const account = await store.credentials(db, mobile)
      const right = await isPassword(account?.password ?? (await decoy), password)
      if (!account?.password || !right) return refuse('passwordRefused', mobile, ctx, new Refusal(WRONG))
      const { uid, password: was } = account
      const begin = async (tx: Tx) => {
        const begun = await beginSession(tx, { uid, mobile, password: was }, ctx)
        if (!begun) throw new Refusal(WRONG)
        if (agreed) await recordAgreed(tx, agreed, true, consenting(uid, ctx))
        return begun
      }
      const session = await db.transaction().execute(begin)
      await giveBack()
      return session
    },

    async getImgVerifyCode({ mobile }, ctx) {
      await holdTo(
        db,
        [{ key: `image:ip:${ctx.ip}`, windowMs: HOUR, max: 200 }],
        { mobile, ip: ctx.ip, now: ctx.now },
        '获取图形验证码',
        '获取图形验证码过于频繁，请稍后再试',
      )
      // Loaded with the first picture: it takes longer than the rest of a start.
      const { drawPicture } = await import('./picture.ts')
      const { text, png } = await drawPicture()
      const id = randomUUID()
      await store.putImageCode(db, { id, mobile, code: text }, ctx.now + CODE_MS)
      return `data:image/png;base64,${png.toString('base64')}#${id}`
    },

    async sendCode({ mobile, img_code, picture }, ctx) {
      const tries = [
        { key: `image:${mobile}:${ctx.ip}`, windowMs: 15 * MINUTE, max: 15 },
        { key: `image:wrong:ip:${ctx.ip}`, windowMs: HOUR, max: 300 },
      ]
      // Counted before it is looked at, and given back when it was right: many at once are not more.
      const who = { mobile, ip: ctx.ip, now: ctx.now }
      await holdTo(db, tries, who, '输错图形验证码', '图形验证码输错的次数过多，请15分钟后再试')
      const found = await store.takeImageCode(db, { id: picture, mobile, code: img_code.toLowerCase() }, ctx.now)
      if (found === 'gone') throw new Refusal('图形验证码已过期，请重新获取')
      if (found === 'wrong') throw new Refusal('图形验证码不正确，请重新输入')
      await forgive(db, tries)
      await sendMessage(db, messages, mobile, ctx)
      ctx.say('验证码已发送到您的手机!')
      return null
    },

    async mobileCodeLogin({ mobile, code, agreed }, ctx) {
      const giveBack = await countGuess(db, 'code', mobile, ctx)
      const spend = await readCode(db, mobile, code, ctx)
      const begin = async (tx: Tx) => {
        await store.awaitStudent(tx, mobile)
        if (!(await spend?.(tx))) throw new Refusal(CODE_REFUSED)
        const uid = await store.findOrCreateStudent(tx, mobile, randomUUID(), ctx.now)
        const begun = await beginSession(tx, { uid, mobile }, ctx)
        if (!begun) throw new Refusal(CODE_REFUSED)
        if (agreed) await recordAgreed(tx, agreed, true, consenting(uid, ctx))
        return begun
      }
      const session = await db
        .transaction()
        .execute(begin)
        .catch((error: unknown) => refuse('codeRefused', mobile, ctx, error))
      await giveBack()
      return session
    },

    async logout(_, ctx) {
      await store.deleteSession(db, sha256(ctx.token))
      return null
    },
  }
}
