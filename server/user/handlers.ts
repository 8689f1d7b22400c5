import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { readUserinfo, updateStudent } from './store.ts'

export const userHandlers = (
  db: Db,
  hashPassword: (password: string) => Promise<string>,
): Handlers<Contract['user']> => ({
  getUserInfo: (_, { uid }) => readUserinfo(db, uid),
  async save({ nickname, password }, { uid, say }) {
    await updateStudent(db, uid, {
      ...(nickname !== undefined && { nickname }),
      ...(password !== undefined && { password: await hashPassword(password) }),
    })
    say('保存成功')
    return readUserinfo(db, uid)
  },
})
