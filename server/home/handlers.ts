import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { readHome, readNotice } from './store.ts'

export const homeHandlers = (db: Db): Handlers<Contract['home']> => ({
  getNotice: async () => ({ text: await readNotice(db) }),
  getHomeData: (_, { scope, uid, now }) => readHome(db, scope, { uid, now }),
})
