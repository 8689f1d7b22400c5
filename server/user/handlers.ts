import type { OwnerProof, user } from '#src/contract/user.ts'
import type { Db } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed, type Limit } from '#server/http/limits.ts'
import type { Storage } from '#server/outside/storage.ts'
import { isKeyOf, prefixOf } from '../bucket/store.ts'
import { readUserinfo, updateStudent } from './store.ts'

/** Portraits are looked at in the storage, which may be far away. */
const PORTRAITS: Pick<Limit, 'windowMs' | 'max'> = { windowMs: 3_600_000, max: 60 }

export const userHandlers = (
  db: Db,
  storage: Storage,
  /** The login domain's: proves who asks, hashes, and ends every session of the student but the one of this token. */
  login: {
    proveOwner: (uid: string, proof: OwnerProof, asker: Pick<Ctx, 'ip' | 'now'>) => Promise<string | null>
    hashPassword: (password: string) => Promise<string>
    endOtherSessions: (uid: string, token: string) => Promise<void>
  },
): Handlers<typeof user> => ({
  getUserInfo: (_, { uid }) => readUserinfo(db, uid),
  async save({ nickname, portrait, password, ...proof }, { uid, token, ip, now, say }) {
    const before = portrait === undefined ? '' : (await readUserinfo(db, uid)).portrait
    const named = {
      ...(nickname !== undefined && { nickname }),
      ...(portrait !== undefined && { portrait: await ownPicture(db, storage, { uid, now }, portrait) }),
    }
    if (password === undefined) await updateStudent(db, uid, named)
    else {
      const limit = { key: `password:${uid}`, windowMs: 3_600_000, max: 10 }
      if (!(await allowed(db, limit, now))) throw new Refusal('修改密码过于频繁，请1小时后再试')
      const was = await login.proveOwner(uid, proof, { ip, now })
      const values = { ...named, password: await login.hashPassword(password) }
      if (!(await updateStudent(db, uid, values, was))) throw new Refusal('密码刚刚在别处修改过，请重新登录')
      // Whoever logged in elsewhere with the old password, or with somebody else's hands, must log in again.
      await login.endOtherSessions(uid, token)
    }
    const after = await readUserinfo(db, uid)
    // Its place is taken: nobody comes to it any more.
    const left = before === '' || before === after.portrait ? null : storage.keyOf(before)
    if (portrait !== undefined && left !== null) await storage.remove(left)
    say('保存成功')
    return after
  },
})

/** Only what the student has uploaded under their own prefix: an address of elsewhere could follow whoever looks at it. */
async function ownPicture(
  db: Db,
  storage: Storage,
  { uid, now }: { uid: string; now: number },
  address: string,
): Promise<string> {
  if (address === '') return ''
  if (!(await allowed(db, { key: `portrait:${uid}`, ...PORTRAITS }, now)))
    throw new Refusal('更换头像过于频繁，请1小时后再试')
  const key = storage.keyOf(address)
  if (key === null || !isKeyOf(await prefixOf(db, uid), key)) throw new Refusal('请上传自己的图片作为头像')
  if (!(await storage.holds(key))) throw new Refusal('头像还没有上传成功，请重新上传')
  return storage.addressOf(key)
}
