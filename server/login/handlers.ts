import { hash as argon2, verify } from '@node-rs/argon2'
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import svgCaptcha from 'svg-captcha'
import type { Contract } from '#src/contract/index.ts'
import type { OwnerProof } from '#src/contract/user.ts'
import type { Db } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed, type Limit } from '#server/http/limits.ts'
import type { Sms } from '#server/outside/sms.ts'
import * as store from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const CODE_MS = 5 * MINUTE
const CODE_TRIES = 5
/** argon2id at OWASP's current minimum: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => argon2(password, ARGON2)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Ends every session of a student but the one of this token. */
export const endOtherSessions =
  (db: Db) =>
  (uid: string, token: string): Promise<void> =>
    store.deleteOtherSessions(db, uid, sha256(token))

/** Reads a token: the student it belongs to, or null. */
export const authenticator =
  (db: Db, now: () => number) =>
  (token: string): Promise<string | null> =>
    store.sessionUid(db, sha256(token), now())

async function limit(db: Db, limits: Limit[], now: number, refusal: string): Promise<void> {
  for (const each of limits) if (!(await allowed(db, each, now))) throw new Refusal(refusal)
}
const limitGuesses = (db: Db, mobile: string, { ip, now }: Asker): Promise<void> =>
  limit(
    db,
    [
      { key: `guess:mobile:${mobile}`, windowMs: 15 * MINUTE, max: 10 },
      { key: `guess:ip:${ip}`, windowMs: 15 * MINUTE, max: 100 },
    ],
    now,
    '尝试次数过多，请15分钟后再试',
  )
type Asker = Pick<Ctx, 'ip' | 'now'>

const spendCode = (db: Db, mobile: string, code: string, now: number): Promise<boolean> =>
  store.useSmsCode(db, mobile, sha256(`${mobile}:${code}`), now, CODE_TRIES)

/**
 * Makes sure that the student asks, and not somebody with their unlocked phone: by the old password, or by a code sent to the
 * mobile. Guesses count with those of logging in. Resolves with the stored password, as it must still be when it is replaced.
 */
export const proveOwner =
  (db: Db) =>
  async (uid: string, { oldPassword, code }: OwnerProof, asker: Asker): Promise<string | null> => {
    const { mobile, password } = await store.account(db, uid)
    if (!oldPassword && !code) throw new Refusal('请输入原密码，或用短信验证码验证')
    if (oldPassword && password === null) throw new Refusal('还没有设置过密码，请用短信验证码验证')
    await limitGuesses(db, mobile, asker)
    if (oldPassword && password !== null) {
      if (!(await verify(password, oldPassword))) throw new Refusal('原密码不正确，请重新输入，或用短信验证码验证')
    } else if (!(await spendCode(db, mobile, code ?? '', asker.now))) throw new Refusal(CODE_REFUSED)
    return password
  }
const CODE_REFUSED = '验证码不正确或已过期，请重新获取'

export function loginHandlers(db: Db, sms: Sms): Handlers<Contract['login']> {
  // Checked when there is no such account or no password, so that both take as long as a real one.
  const decoy = hashPassword(randomUUID())

  const begin = async (uid: string, now: number) => {
    const token = randomBytes(32).toString('base64url')
    await store.insertSession(db, sha256(token), uid, now)
    return { token, uid }
  }

  return {
    async loginByPassword({ mobile, password }, ctx) {
      await limitGuesses(db, mobile, ctx)
      const account = await store.credentials(db, mobile)
      const right = await verify(account?.password ?? (await decoy), password)
      if (!account?.password || !right) throw new Refusal('账号或密码不正确')
      return begin(account.uid, ctx.now)
    },

    async getImgVerifyCode({ mobile }, ctx) {
      await limit(
        db,
        [{ key: `image:ip:${ctx.ip}`, windowMs: HOUR, max: 200 }],
        ctx.now,
        '获取图形验证码过于频繁，请稍后再试',
      )
      const image = svgCaptcha.create({
        size: 4,
        noise: 2,
        ignoreChars: '0oO1iIlL',
        color: false,
        width: 120,
        height: 44,
      })
      await store.putImageCode(db, mobile, image.text.toLowerCase(), ctx.now + CODE_MS)
      return `data:image/svg+xml;base64,${Buffer.from(image.data).toString('base64')}`
    },

    async sendCode({ mobile, img_code }, ctx) {
      const wanted = await store.takeImageCode(db, mobile, ctx.now)
      if (wanted === null) throw new Refusal('图形验证码已过期，请重新获取')
      if (wanted !== img_code.toLowerCase()) throw new Refusal('图形验证码不正确，请重新输入')
      await limit(
        db,
        [{ key: `sms:mobile:minute:${mobile}`, windowMs: MINUTE, max: 1 }],
        ctx.now,
        '验证码发送过于频繁，请60秒后再试',
      )
      await limit(
        db,
        [{ key: `sms:ip:hour:${ctx.ip}`, windowMs: HOUR, max: 30 }],
        ctx.now,
        '当前网络获取验证码过于频繁，请1小时后再试或使用密码登录',
      )
      await limit(
        db,
        [{ key: `sms:mobile:day:${mobile}`, windowMs: DAY, max: 10 }],
        ctx.now,
        '今日验证码发送次数已达上限，请稍后再试或使用密码登录',
      )
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await store.putSmsCode(db, mobile, sha256(`${mobile}:${code}`), ctx.now + CODE_MS)
      await sms.sendCode(mobile, code)
      ctx.say('验证码已发送到您的手机!')
      return null
    },

    async mobileCodeLogin({ mobile, code }, ctx) {
      await limitGuesses(db, mobile, ctx)
      if (!(await spendCode(db, mobile, code, ctx.now))) throw new Refusal(CODE_REFUSED)
      return begin(await store.findOrCreateStudent(db, mobile, randomUUID(), ctx.now), ctx.now)
    },

    async logout(_, ctx) {
      await store.deleteSession(db, sha256(ctx.token))
      return null
    },
  }
}
