import { randomBytes } from 'node:crypto'
import type { Devices } from '#src/contract/user.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Ctx } from '#server/http/handlers.ts'
import { deviceName } from './device.ts'
import { sha256 } from './proof.ts'
import * as store from './store.ts'

/** Reads a token: the student it belongs to, or null. */
export const authenticator =
  (db: Db, now: () => number) =>
  (token: string): Promise<string | null> =>
    store.sessionUid(db, sha256(token), now())

export async function beginSession(db: Db, uid: string, { agent, now }: Pick<Ctx, 'agent' | 'now'>) {
  const token = randomBytes(32).toString('base64url')
  await store.insertSession(db, sha256(token), uid, now, deviceName(agent))
  return { token, uid }
}

/** A student's sessions, by the token of the one that asks. */
export const sessionsOf = (db: Db) => ({
  async list(uid: string, token: string, now: number): Promise<Devices> {
    const rows = await store.readSessions(db, uid, now)
    const own = sha256(token)
    return rows
      .map(({ hash, ...session }) => ({ ...session, current: hash === own }))
      .toSorted((a, b) => Number(b.current) - Number(a.current))
  },
  /** Of one that is another's, or over, nothing ends. */
  end: (uid: string, id: string): Promise<void> => store.deleteSessionById(db, uid, id),
  /** Every one of them but this. */
  endOthers: (uid: string, token: string, tx: Tx | Db = db): Promise<void> =>
    store.deleteOtherSessions(tx, uid, sha256(token)),
})
