import type { Contract } from '#src/contract/index.ts'
import { holdChoices, writeChoice } from '#server/consent/store.ts'
import type { Db } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import type { Push } from '#server/outside/push.ts'
import * as store from './store.ts'

/** The login domain has these. */
interface Sessions {
  /** Gives the name under which the session of a token is kept. */
  nameOf: (token: string) => string
  /** Gives a device the name that its student knows it by, from its User-Agent. */
  deviceName: (agent: string) => string
}

export const reminderHandlers = (db: Db, push: Push, sessions: Sessions): Handlers<Contract['reminder']> => {
  /** Messages come with the student's consent alone, and what they agreed to and took back is written down with it. */
  const consent = ({ uid, now, agent }: Ctx<string>, given: boolean) =>
    ({ uid, kind: 'push', given, at: now, device: sessions.deviceName(agent) }) as const
  return {
    async state(_, { uid, token }) {
      const own = sessions.nameOf(token)
      const devices = (await store.readDevices(db, uid)).map(({ session, endpoint, created_at, device }) => ({
        device,
        service: new URL(endpoint).hostname,
        since: created_at,
        current: session === own,
      }))
      return { publicKey: push.publicKey, devices }
    },

    async subscribe(subscription, ctx) {
      if (!push.takes(subscription.endpoint)) throw new Refusal('暂不支持这个浏览器的推送，请改用日历提醒')
      const { uid, now, token } = ctx
      await db.transaction().execute(async (tx) => {
        await holdChoices(tx, uid)
        await store.subscribe(tx, { uid, session: sessions.nameOf(token), now }, subscription)
        await writeChoice(tx, consent(ctx, true))
      })
      return null
    },

    async unsubscribe(_, ctx) {
      await db.transaction().execute(async (tx) => {
        await holdChoices(tx, ctx.uid)
        const left = await store.unsubscribe(tx, ctx.uid, sessions.nameOf(ctx.token))
        if (left === 0) await writeChoice(tx, consent(ctx, false))
      })
      return null
    },
  }
}
