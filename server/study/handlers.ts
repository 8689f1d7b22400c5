import type { Output } from '#src/contract/endpoint.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Change } from '#src/contract/study.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Ready, Refusal } from '#server/http/handlers.ts'
import { SYNC_FETCH_PAGE } from '#src/contract/sync.ts'
import type { Place } from '#src/domain/study/study.ts'
import { stateOf } from './fold.ts'
import { type CountDue, ingest } from './ingest.ts'
import type { RevisedRow } from './rows.ts'
import { countChanges, type Page, pageOf, readChanges } from './store.ts'

export const studyHandlers = (db: Db, countDue: CountDue): Handlers<Contract['study']> => ({
  async sync({ device, owner, sentAt, measured, cursor, ops }, { uid, now }) {
    // Ops carry no token: whoever sends them must be the student who made them.
    if (owner !== uid) throw new Refusal('登录账号与待同步记录不一致，请登录原账号后再同步')
    if (ops.length === 0) {
      const page = pageOf(await readChanges(db, uid, cursor, SYNC_FETCH_PAGE), cursor, SYNC_FETCH_PAGE)
      const left = page.more && { left: await countChanges(db, uid, page.cursor) }
      return ready({ verdicts: [], ...onWire(page), ...left, ackSeq: 0, serverNow: now })
    }
    const { verdicts, page, ackSeq } = await ingest(db, { uid, device, ops, sentAt, measured, cursor, now }, countDue)
    return ready({ verdicts, ...onWire(page), ackSeq, serverNow: now })
  },
})

/** Verdicts are made here, and states come out of columns that only checked answers went into. */
const ready = (output: Output<Contract['study']['sync']>): Ready => new Ready(JSON.stringify(output))

const onWire = ({ rows, cursor, more }: Page) => ({ changes: rows.map(change), cursor, more })
/** A question that no bank holds any more has no place; its record stays. */
const NOWHERE: Place = { chapterNo: null, libraryNo: null, type: 'single', points: [] }
function change(row: RevisedRow): Change {
  const { kind, id, body, place } = row
  if (kind === 'state') return { kind, state: stateOf(row, place ?? NOWHERE) }
  // Only what the contract names goes in (ingest.ts).
  return { kind, id, body } as Change
}
