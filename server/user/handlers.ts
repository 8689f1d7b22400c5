import type { OwnerProof, user } from '#src/contract/user.ts'
import type { Db } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { readUserinfo, updateStudent } from './store.ts'

export const userHandlers = (
  db: Db,
  /** The login domain's: proves who asks, hashes, and ends every session of the student but the one of this token. */
  login: {
    proveOwner: (uid: string, proof: OwnerProof, asker: Pick<Ctx, 'ip' | 'now'>) => Promise<string | null>
    hashPassword: (password: string) => Promise<string>
    endOtherSessions: (uid: string, token: string) => Promise<void>
  },
): Handlers<typeof user> => ({
  getUserInfo: (_, { uid }) => readUserinfo(db, uid),
  async save({ nickname, password, ...proof }, { uid, token, ip, now, say }) {
    const named = nickname === undefined ? {} : { nickname }
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
    say('保存成功')
    return readUserinfo(db, uid)
  },
})
