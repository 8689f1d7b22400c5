import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '#server/db/open.ts'
import { findOrCreateStudent, insertSession } from '#server/login/store.ts'

/** A live session without the way through codes and passwords, which tests/server/login.test.ts walks. */
export async function authorise(db: Db, mobile: string, now: number): Promise<{ uid: string; token: string }> {
  const uid = await findOrCreateStudent(db, mobile, randomUUID(), now)
  const token = randomBytes(32).toString('base64url')
  await insertSession(db, createHash('sha256').update(token).digest('hex'), uid, now)
  return { uid, token }
}
