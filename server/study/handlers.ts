import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { ingest } from './ingest.ts'
import { advanceAck, readChanges } from './store.ts'

export const studyHandlers = (db: Db): Handlers<Contract['study']> => ({
  async sync({ device, owner, sentAt, cursor, ops }, { uid, now }) {
    // Ops carry no token: whoever sends them must be the student who made them.
    if (owner !== uid) throw new Refusal('登录账号与待同步记录不一致，请登录原账号后再同步')
    if (ops.length === 0) return { verdicts: [], ...(await readChanges(db, uid, cursor)), ackSeq: 0, serverNow: now }
    return db.transaction().execute(async (tx) => {
      const verdicts = await ingest(tx, { uid, device, ops, sentAt, now })
      const ackSeq = await advanceAck(tx, uid, device, now)
      return { verdicts, ...(await readChanges(tx, uid, cursor)), ackSeq, serverNow: now }
    })
  },
})
