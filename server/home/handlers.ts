import { getHomeData } from '#src/contract/homeData.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { remembered } from '#server/http/remembered.ts'
import { readHome, readNotice } from './store.ts'

export function homeHandlers(db: Db): Handlers<Contract['home']> {
  const ofVisitors = remembered(getHomeData, (scope, now) => readHome(db, scope, { uid: null, now }))
  return {
    getNotice: async () => ({ text: await readNotice(db) }),
    // What is open to a student is theirs alone.
    getHomeData: (_, { scope, uid, now }) =>
      uid === null ? ofVisitors(scope, now) : readHome(db, scope, { uid, now }),
  }
}
