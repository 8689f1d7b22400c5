import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { readUserinfo, updateStudent } from './store.ts'

export const userHandlers = (
  db: Db,
  /** The login domain's: hashes, and ends every session of the student but the one of this token. */
  login: {
    hashPassword: (password: string) => Promise<string>
    endOtherSessions: (uid: string, token: string) => Promise<void>
  },
): Handlers<Contract['user']> => ({
  getUserInfo: (_, { uid }) => readUserinfo(db, uid),
  async save({ nickname, password }, { uid, token, now, say }) {
    const limit = { key: `password:${uid}`, windowMs: 3_600_000, max: 10 }
    if (password !== undefined && !(await allowed(db, limit, now))) throw new Refusal('修改密码过于频繁，请1小时后再试')
    await updateStudent(db, uid, {
      ...(nickname !== undefined && { nickname }),
      ...(password !== undefined && { password: await login.hashPassword(password) }),
    })
    // Whoever logged in elsewhere with the old password, or with somebody else's hands, must log in again.
    if (password !== undefined) await login.endOtherSessions(uid, token)
    say('保存成功')
    return readUserinfo(db, uid)
  },
})
