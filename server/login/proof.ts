import { createHash } from 'node:crypto'
import type { OwnerProof } from '#src/contract/user.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, Refusal } from '#server/http/handlers.ts'
import { allowed, type Limit } from '#server/http/limits.ts'
import { isPassword } from './argon2.ts'
import * as store from './store.ts'

const MINUTE = 60_000
const CODE_TRIES = 5
export const CODE_REFUSED = '验证码不正确或已过期，请重新获取'

export type Asker = Pick<Ctx, 'ip' | 'now'>

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export async function limit(db: Db, limits: Limit[], now: number, refusal: string): Promise<void> {
  for (const each of limits) if (!(await allowed(db, each, now))) throw new Refusal(refusal)
}
export const limitGuesses = (db: Db, mobile: string, { ip, now }: Asker): Promise<void> =>
  limit(
    db,
    [
      { key: `guess:mobile:${mobile}`, windowMs: 15 * MINUTE, max: 10 },
      { key: `guess:ip:${ip}`, windowMs: 15 * MINUTE, max: 100 },
    ],
    now,
    '尝试次数过多，请15分钟后再试',
  )

const hashOf = (mobile: string, code: string): string => sha256(`${mobile}:${code}`)
export const keepCode = (db: Db, mobile: string, code: string, until: number): Promise<void> =>
  store.putSmsCode(db, mobile, hashOf(mobile, code), until)
/** Resolves to false when it is spent already. */
type Spend = (tx: Tx | Db) => Promise<boolean>
/** Counts as a try. @returns the way to spend it; null when this is not the code */
export async function readCode(db: Db, mobile: string, code: string, now: number): Promise<Spend | null> {
  const hash = hashOf(mobile, code)
  const right = await store.trySmsCode(db, mobile, hash, now, CODE_TRIES)
  return right ? (tx) => store.endSmsCode(tx, mobile, hash) : null
}

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
      if (!(await isPassword(password, oldPassword))) throw new Refusal('原密码不正确，请重新输入，或用短信验证码验证')
    } else {
      const spend = await readCode(db, mobile, code ?? '', asker.now)
      if (!(await spend?.(db))) throw new Refusal(CODE_REFUSED)
    }
    return password
  }

/**
 * Makes sure that the student holds a mobile that is to be theirs: by the code sent to it. It counts as a try and is good until it
 * is spent, so that a wrong proof of the owner beside it does not cost another message.
 * @returns spend: false when it is spent already
 */
export const proveMobile =
  (db: Db) =>
  async (mobile: string, code: string, asker: Asker): Promise<{ spend: Spend }> => {
    await limitGuesses(db, mobile, asker)
    const spend = await readCode(db, mobile, code, asker.now)
    if (!spend) throw new Refusal('新手机号的验证码不正确或已过期，请重新获取')
    return { spend }
  }
