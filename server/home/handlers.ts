import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { readNotice } from './store.ts'

export const homeHandlers = (db: Db): Handlers<Contract['home']> => ({
  getNotice: async () => ({ text: await readNotice(db) }),
})
