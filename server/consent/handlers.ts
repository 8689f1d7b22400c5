import type { Contract } from '#src/contract/index.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { type Answering, consentsOf, holdChoices, recordAgreed, writeChoice } from './store.ts'

/** Other domains have these. */
interface Others {
  /** Gives a device the name that its student knows it by, from its User-Agent. */
  deviceName: (agent: string) => string
  /** No device of the student gets messages any more. */
  unsubscribeAll: (tx: Tx, uid: string) => Promise<void>
}

export const consentHandlers = (db: Db, { deviceName, unsubscribeAll }: Others): Handlers<Contract['consent']> => {
  const answering = ({ uid, now, agent }: Ctx<string>): Answering => ({ uid, at: now, device: deviceName(agent) })
  /** Each answer is a row that stays. */
  const mayAnswer = async ({ uid, now }: Ctx<string>): Promise<void> => {
    const limit = { key: `consent:${uid}`, windowMs: 3_600_000, max: 60 }
    if (!(await allowed(db, limit, now))) throw new Refusal('更改得过于频繁，请1小时后再试')
  }
  return {
    read: (_, { uid }) => consentsOf(db, uid),

    async answer({ agreed, given }, ctx) {
      await mayAnswer(ctx)
      return db.transaction().execute(async (tx) => {
        await recordAgreed(tx, agreed, given, answering(ctx))
        return consentsOf(tx, ctx.uid)
      })
    },

    async choose({ kind, given }, ctx) {
      // Nobody can be sent a message before a device has said to where.
      if (kind === 'push' && given) throw new Refusal('请在要接收推送的设备上打开学习提醒')
      await mayAnswer(ctx)
      return db.transaction().execute(async (tx) => {
        await holdChoices(tx, ctx.uid)
        if (kind === 'push') await unsubscribeAll(tx, ctx.uid)
        await writeChoice(tx, { kind, given, ...answering(ctx) })
        return consentsOf(tx, ctx.uid)
      })
    },
  }
}
