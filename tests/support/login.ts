import { sql } from 'kysely'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { contract } from '#src/contract/index.ts'
import { pictureIdOf } from '#src/contract/login.ts'
import type { Db } from '#server/db/open.ts'
import { hashPassword } from '#server/login/argon2.ts'
import { findOrCreateStudent, insertSession } from '#server/login/store.ts'
import { updateStudent } from '#server/user/store.ts'
import type { TestServer } from './server.ts'

/** A live session without the way through codes and passwords, which tests/server/login.test.ts walks. */
export async function authorise(db: Db, mobile: string, now: number): Promise<{ uid: string; token: string }> {
  const uid = await findOrCreateStudent(db, mobile, randomUUID(), now)
  const token = randomBytes(32).toString('base64url')
  await insertSession(db, createHash('sha256').update(token).digest('hex'), { uid, mobile }, now, '')
  // As everybody who logs in by the screens.
  await sql`insert into consent (uid, kind, version, given, at, device)
    select ${uid}, kind, max(version), true, ${now}::bigint, '' from agreement group by kind`.execute(db)
  return { uid, token }
}

/** A password without the proof that changing it takes, which tests/server/user.test.ts gives. */
export async function givePassword(db: Db, uid: string, password: string): Promise<void> {
  await updateStudent(db, uid, { password: await hashPassword(password) })
}

/** What stands on a picture of this source, as an eye would read it. */
export async function readPicture(db: Db, source: string): Promise<string> {
  const image = db.selectFrom('image_code').select('code').where('id', '=', pictureIdOf(source))
  return (await image.executeTakeFirstOrThrow()).code
}

/** The code that the server sends to a mobile whose picture was read rightly. */
export async function requestCode(server: TestServer, mobile: string): Promise<string> {
  const source = await server.call(contract.login.getImgVerifyCode, { mobile })
  const picture = pictureIdOf(source)
  await server.call(contract.login.sendCode, { mobile, img_code: await readPicture(server.db, source), picture })
  const code = server.codes.get(mobile)
  if (!code) throw new Error(`no code was sent to ${mobile}`)
  return code
}
