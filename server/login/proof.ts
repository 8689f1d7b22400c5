import type { OwnerProof } from '#src/contract/user.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { isPassword } from './argon2.ts'
import { logEvent } from '#server/security/store.ts'
import { type Asker, countGuess, placeOf, whoOf } from './guesses.ts'
import { sha256 } from './sha256.ts'
import * as store from './store.ts'

const HOUR = 3_600_000
const CODE_TRIES = 5
const CODE_TRIES_OF_ALL = 30
export const CODE_REFUSED = '验证码不正确或已过期，请重新获取'

const hashOf = (mobile: string, code: string): string => sha256(`${mobile}:${code}`)
export const keepCode = (db: Db, mobile: string, code: string, until: number): Promise<void> =>
  store.putSmsCode(db, mobile, hashOf(mobile, code), until)
/** Resolves to false when it is spent already. */
type Spend = (tx: Tx | Db) => Promise<boolean>
/**
 * Counts as a try: a code is dead for whoever has guessed wrong five times, and for everybody after thirty.
 * @returns the way to spend it; null when this is not the code
 */
export async function readCode(db: Db, mobile: string, code: string, asker: Asker): Promise<Spend | null> {
  const { now } = asker
  const name = await store.smsCodeName(db, mobile, now)
  if (name === null) return null
  const place = await placeOf(db, mobile, asker)
  const own = { key: `code:${mobile}:${name}:${place.name}`, windowMs: HOUR, max: CODE_TRIES }
  if (!(await allowed(db, own, now))) return null
  const hash = hashOf(mobile, code)
  const right = await store.trySmsCode(db, mobile, hash, now, CODE_TRIES_OF_ALL)
  return right ? (tx) => store.endSmsCode(tx, mobile, hash) : null
}

/** Writes down that a proof of the owner was wrong. @param what for the operator @throws Refusal always */
async function refuseProof(db: Db, mobile: string, asker: Asker, what: string, refusal: string): Promise<never> {
  await logEvent(db, 'proofRefused', whoOf('owner', mobile, asker), what)
  throw new Refusal(refusal)
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
    const giveBack = await countGuess(db, 'owner', mobile, asker)
    if (oldPassword && password !== null) {
      if (!(await isPassword(password, oldPassword)))
        return refuseProof(db, mobile, asker, '原密码', '原密码不正确，请重新输入，或用短信验证码验证')
    } else {
      const spend = await readCode(db, mobile, code ?? '', asker)
      if (!(await spend?.(db))) return refuseProof(db, mobile, asker, '短信验证码', CODE_REFUSED)
    }
    await giveBack()
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
    const giveBack = await countGuess(db, 'owner', mobile, asker)
    const spend = await readCode(db, mobile, code, asker)
    if (!spend) return refuseProof(db, mobile, asker, '新手机号的验证码', '新手机号的验证码不正确或已过期，请重新获取')
    await giveBack()
    return { spend }
  }
