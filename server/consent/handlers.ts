import type { Contract } from '#src/contract/index.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { type Answering, consentsOf, recordAgreed, writeChoice } from './store.ts'

/** What other domains have. */
interface Others {
  /** Gives a device the name that its student knows it by, from its User-Agent. */
  deviceName: (agent: string) => string
  /** No device of the student gets messages any more. */
  unsubscribeAll: (tx: Tx, uid: string) => Promise<void>
}

export const consentHandlers = (db: Db, { deviceName, unsubscribeAll }: Others): Handlers<Contract['consent']> => {
  const answering = ({ uid, now, agent }: Ctx<string>): Answering => ({ uid, at: now, device: deviceName(agent) })
  return {
    read: (_, { uid }) => consentsOf(db, uid),

    answer: ({ agreed, given }, ctx) =>
      db.transaction().execute(async (tx) => {
        await recordAgreed(tx, agreed, given, answering(ctx))
        return consentsOf(tx, ctx.uid)
      }),

    choose({ kind, given }, ctx) {
      // Nobody can be sent a message before a device has said to where.
      if (kind === 'push' && given) throw new Refusal('请在要接收推送的设备上打开学习提醒')
      return db.transaction().execute(async (tx) => {
        if (kind === 'push') await unsubscribeAll(tx, ctx.uid)
        await writeChoice(tx, { kind, given, ...answering(ctx) })
        return consentsOf(tx, ctx.uid)
      })
    },
  }
}
