import type { Contract } from '#src/contract/index.ts'
import type { Change } from '#src/contract/study.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { ingest } from './ingest.ts'
import { type Page, pageOf, readChanges } from './store.ts'

export const studyHandlers = (db: Db): Handlers<Contract['study']> => ({
  async sync({ device, owner, sentAt, cursor, ops }, { uid, now }) {
    // Ops carry no token: whoever sends them must be the student who made them.
    if (owner !== uid) throw new Refusal('登录账号与待同步记录不一致，请登录原账号后再同步')
    if (ops.length === 0)
      return { verdicts: [], ...onWire(pageOf(await readChanges(db, uid, cursor), cursor)), ackSeq: 0, serverNow: now }
    const { verdicts, page, ackSeq } = await ingest(db, { uid, device, ops, sentAt, cursor, now })
    return { verdicts, ...onWire(page), ackSeq, serverNow: now }
  },
})

const onWire = ({ states, cursor, more }: Page) => ({
  changes: states.map((state): Change => ({ kind: 'state', state })),
  cursor,
  more,
})
