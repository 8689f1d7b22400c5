import type { Db } from '#server/db/open.ts'
import type { Ctx } from '#server/http/handlers.ts'
import { giveBack, type Limit } from '#server/http/limits.ts'
import { holdTo, type Who } from '#server/security/store.ts'
import { sha256 } from './sha256.ts'
import * as store from './store.ts'

const WINDOW_MS = 15 * 60_000
/** Wrong tries of one asker at one mobile. */
const MOST = 10
/** All strangers together have so many at one mobile, one network has so many at all mobiles: a barracks has one address for a hundred phones. */
const MOST_AT_MOBILE = 60
const MOST_OF_NETWORK = 200

/** These show who somebody is; each has tries of its own. */
export type Proof = 'password' | 'code' | 'owner'
const NAMES: Record<Proof, string> = { password: '密码登录', code: '验证码登录', owner: '身份验证' }
export type Asker = Pick<Ctx, 'ip' | 'now' | 'device' | 'uid'>

/**
 * Who asks, as far as wrong tries are concerned: the student themself, logged in, a device on which this student has logged in before, or
 * else a network. Nobody can use up the tries of another one of them.
 */
export async function placeOf(
  db: Db,
  mobile: string,
  { uid, device, ip }: Asker,
): Promise<{ name: string; isStranger: boolean }> {
  if (uid !== null && (await store.account(db, uid)).mobile === mobile) return { name: uid, isStranger: false }
  const hash = device === '' ? '' : sha256(device)
  if (hash !== '' && (await store.isKnownDevice(db, mobile, hash)))
    return { name: hash.slice(0, 32), isStranger: false }
  return { name: ip, isStranger: true }
}

/** For the log: a login is about whose mobile it is; a proof is about the student who is logged in, whichever mobile is proven. */
export const whoOf = (proof: Proof, mobile: string, { ip, now, uid }: Asker): Who => ({
  mobile,
  ip,
  now,
  ...(proof === 'owner' && uid !== null && { uid }),
})

/**
 * Counts a try before it is looked at, so that many at once are not more.
 * @returns what gives it back: a right one is none
 * @throws Refusal when there were too many wrong ones
 */
export async function countGuess(db: Db, proof: Proof, mobile: string, asker: Asker): Promise<() => Promise<void>> {
  const { name, isStranger } = await placeOf(db, mobile, asker)
  const limits: Limit[] = [
    { key: `guess:${mobile}:${proof}:${name}`, windowMs: WINDOW_MS, max: MOST },
    ...(isStranger
      ? [
          { key: `guess:${mobile}:${proof}`, windowMs: WINDOW_MS, max: MOST_AT_MOBILE },
          { key: `guesses:${asker.ip}`, windowMs: WINDOW_MS, max: MOST_OF_NETWORK },
        ]
      : []),
  ]
  await holdTo(db, limits, whoOf(proof, mobile, asker), NAMES[proof], '尝试次数过多，请15分钟后再试')
  return () => giveBack(db, limits)
}
