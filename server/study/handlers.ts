import type { Contract } from '#src/contract/index.ts'
import type { Change } from '#src/contract/study.ts'
import { SYNC_PAGE } from '#src/contract/sync.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { ingest } from './ingest.ts'
import { readChanges, type RevisedState } from './store.ts'

export const studyHandlers = (db: Db): Handlers<Contract['study']> => ({
  async sync({ device, owner, sentAt, cursor, ops }, { uid, now }) {
    // Ops carry no token: whoever sends them must be the student who made them.
    if (owner !== uid) throw new Refusal('登录账号与待同步记录不一致，请登录原账号后再同步')
    if (ops.length === 0)
      return { verdicts: [], ...paged(await readChanges(db, uid, cursor), cursor), ackSeq: 0, serverNow: now }
    const { verdicts, changes, ackSeq } = await ingest(db, { uid, device, ops, sentAt, cursor, now })
    return { verdicts, ...paged(changes, cursor), ackSeq, serverNow: now }
  },
})

function paged(revised: readonly RevisedState[], cursor: number) {
  const page = revised.slice(0, SYNC_PAGE)
  const changes: Change[] = page.map(({ state }) => ({ kind: 'state', state }))
  return { changes, cursor: page.at(-1)?.rev ?? cursor, more: revised.length > SYNC_PAGE }
}
