import { randomBytes } from 'node:crypto'
import type { Devices } from '#src/contract/user.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, Refusal } from '#server/http/handlers.ts'
import { logEvent } from '#server/security/store.ts'
import { deviceName } from './device.ts'
import { sha256 } from './sha256.ts'
import * as store from './store.ts'

/** Reads a token: the student it belongs to, or null. */
export const authenticator =
  (db: Db, now: () => number) =>
  (token: string): Promise<string | null> =>
    store.sessionUid(db, sha256(token), now())

/** Null when what was proven is not true any more. */
export async function beginSession(
  db: Db | Tx,
  proven: store.Proven,
  { agent, ip, now, keepDevice }: Pick<Ctx, 'agent' | 'ip' | 'now' | 'keepDevice'>,
) {
  const token = randomBytes(32).toString('base64url')
  const { uid, mobile } = proven
  const device = deviceName(agent)
  const begun = await store.insertSession(db, sha256(token), proven, now, device)
  if (!begun) return null
  const isNew = await store.rememberDevice(db, uid, sha256(keepDevice()), now)
  if (isNew) await logEvent(db, 'newDevice', { mobile, ip, uid, now }, device)
  return { token, uid }
}

/** Tells of a token that is no session's whether it was ended elsewhere. */
export const ended =
  (db: Db) =>
  (token: string): Promise<boolean> =>
    store.hasEnded(db, sha256(token))

/** A student's sessions, by the token of the one that asks. */
export const sessionsOf = (db: Db) => ({
  async list(uid: string, token: string, now: number, tx: Tx | Db = db): Promise<Devices> {
    const rows = await store.readSessions(tx, uid, now)
    const own = sha256(token)
    return rows
      .map(({ hash, ...session }) => ({ ...session, current: hash === own }))
      .toSorted((a, b) => Number(b.current) - Number(a.current))
  },
  /**
   * First of all in a transaction that ends sessions: nobody logs in meanwhile, and of two that end each other one comes second.
   * @throws Refusal when this one has ended while its call was under way
   */
  async hold(uid: string, token: string, tx: Tx): Promise<void> {
    if (!(await store.holdSessions(tx, uid, sha256(token)))) throw new Refusal('登录刚刚被退出，请重新登录后再试')
  },
  /** Of one that is another's, or over, nothing ends. */
  end: (uid: string, id: string, tx: Tx, now: number): Promise<void> => store.endSessionById(tx, uid, id, now),
  /** Every one of them but this. */
  endOthers: (uid: string, token: string, tx: Tx, now: number): Promise<void> =>
    store.endOtherSessions(tx, uid, sha256(token), now),
})
