import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { endOtherSessions } from '#server/login/handlers.ts'
import { readUserinfo, updateStudent } from './store.ts'

export const userHandlers = (
  db: Db,
  hashPassword: (password: string) => Promise<string>,
): Handlers<Contract['user']> => ({
  getUserInfo: (_, { uid }) => readUserinfo(db, uid),
  async save({ nickname, password }, { uid, token, say }) {
    await updateStudent(db, uid, {
      ...(nickname !== undefined && { nickname }),
      ...(password !== undefined && { password: await hashPassword(password) }),
    })
    // Whoever logged in elsewhere with the old password, or with somebody else's hands, must log in again.
    if (password !== undefined) await endOtherSessions(db, uid, token)
    say('保存成功')
    return readUserinfo(db, uid)
  },
})
