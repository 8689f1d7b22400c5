import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { readMine, readPackage, readPackages } from './store.ts'

export const vipHandlers = (db: Db): Handlers<Contract['vip']> => ({
  list: (_, { scope, uid, now }) => readPackages(db, scope, { uid, now }),
  async detail({ no }, { scope, uid, now }) {
    const found = await readPackage(db, scope, no, { uid, now })
    if (!found) throw new Refusal('会员功能包不存在或已下架，请返回看看其他会员')
    return found
  },
  mine: (_, { uid, now }) => readMine(db, uid, now),
})
