import { getHomeData } from '#src/contract/home.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { changedAt } from '#server/config/store.ts'
import { remembered } from '#server/http/remembered.ts'
import { readHome, readNotice } from './store.ts'

export function homeHandlers(db: Db): Handlers<Contract['home']> {
  const ofVisitors = remembered(getHomeData, (scope, now) => readHome(db, scope, { uid: null, now }))
  return {
    getNotice: async () => {
      const [text, at] = await Promise.all([readNotice(db), changedAt(db, 'notice')])
      return { text, at }
    },
    // What is open to a student is theirs alone.
    getHomeData: (_, { scope, uid, now }) =>
      uid === null ? ofVisitors(scope, now) : readHome(db, scope, { uid, now }),
  }
}
