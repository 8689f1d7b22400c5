import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import type { Push } from '#server/outside/push.ts'
import * as store from './store.ts'

/** @param sessionOf gives the name under which the session of a token is kept. */
export const reminderHandlers = (
  db: Db,
  push: Push,
  sessionOf: (token: string) => string,
): Handlers<Contract['reminder']> => ({
  async state(_, { uid, token }) {
    const own = sessionOf(token)
    const devices = (await store.readDevices(db, uid)).map(({ session, endpoint, created_at, device }) => ({
      device,
      service: new URL(endpoint).hostname,
      since: created_at,
      current: session === own,
    }))
    return { publicKey: push.publicKey, devices }
  },

  async subscribe(subscription, { uid, token, now }) {
    if (!push.takes(subscription.endpoint)) throw new Refusal('暂不支持这个浏览器的推送，请改用日历提醒')
    await store.subscribe(db, { uid, session: sessionOf(token), now }, subscription)
    return null
  },

  async unsubscribe(_, { token }) {
    await store.unsubscribe(db, sessionOf(token))
    return null
  },
})
