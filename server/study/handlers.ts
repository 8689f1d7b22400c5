import type { Output } from '#src/contract/endpoint.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Change } from '#src/contract/study.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Ready, Refusal } from '#server/http/handlers.ts'
import { ingest } from './ingest.ts'
import { type Page, pageOf, readChanges, type StateRow } from './store.ts'

export const studyHandlers = (db: Db): Handlers<Contract['study']> => ({
  async sync({ device, owner, sentAt, cursor, ops }, { uid, now }) {
    // Ops carry no token: whoever sends them must be the student who made them.
    if (owner !== uid) throw new Refusal('登录账号与待同步记录不一致，请登录原账号后再同步')
    if (ops.length === 0) {
      const page = pageOf(await readChanges(db, uid, cursor), cursor)
      return ready({ verdicts: [], ...onWire(page), ackSeq: 0, serverNow: now })
    }
    const { verdicts, page, ackSeq } = await ingest(db, { uid, device, ops, sentAt, cursor, now })
    return ready({ verdicts, ...onWire(page), ackSeq, serverNow: now })
  },
})

/** Verdicts are made here, and states come out of columns that only checked answers went into. */
const ready = (output: Output<Contract['study']['sync']>): Ready => new Ready(JSON.stringify(output))

const onWire = ({ states, cursor, more }: Page) => ({ changes: states.map(change), cursor, more })
/** Field by field: `lastOp` is the server's own. */
const change = (state: StateRow): Change => ({
  kind: 'state',
  state: {
    questionNo: state.questionNo,
    chapterNo: state.chapterNo,
    libraryNo: state.libraryNo,
    times: state.times,
    wrong: state.wrong,
    streak: state.streak,
    lastAt: state.lastAt,
    lastRight: state.lastRight,
    lastResponse: state.lastResponse,
    spentMs: state.spentMs,
  },
})
