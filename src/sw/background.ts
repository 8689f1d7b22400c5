import { RefusedError, UnauthorizedError } from '#src/api/errors.ts'
import { putByFetch, send } from '#src/api/transport.ts'
import type { study } from '#src/contract/study.ts'
import { SYNC_ADDRESS, SYNC_MAX_OPS, SYNC_TIMEOUT_MS } from '#src/contract/sync.ts'
import { expectTears } from '#src/offline/device/idb.ts'
import { createOutbox, onWire } from '#src/offline/sync/outbox.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { measuredAt } from '#src/offline/device/steadyClock.ts'
import { forbidWorkerWrites, mayWorkerWrite } from '#src/offline/device/workerWrites.ts'
import { type Mirror, readMirror } from '#src/session/mirror.ts'

expectTears(() => void forbidWorkerWrites())

/**
 * Brings what waits to the server while no page is open. Its word on their effect is left to the next page: the worker carries
 * nothing that folds. Throws when it should be tried again: the browser then fires another sync. After a full disk it writes
 * nothing down, so that nothing is lost behind a torn log; the next page sends the same once more, and the server knows it.
 */
export async function deliverInBackground(): Promise<void> {
  const mirror = await readMirror()
  if (!mirror || mirror.token === '') return
  const db = openRecord()
  try {
    await navigator.locks.request(`outbox:${mirror.owner}`, { ifAvailable: true }, (lock) =>
      // A page is at it already.
      lock ? deliver(createOutbox(db), mirror) : undefined,
    )
  } catch (error) {
    // Trying again does not help; the next page says so.
    if (!(error instanceof UnauthorizedError || error instanceof RefusedError)) throw error
  } finally {
    db.close()
  }
}

async function deliver(record: ReturnType<typeof createOutbox>, { owner, token }: Mirror): Promise<void> {
  const device = await record.device()
  // No page has ever written here: nothing waits.
  if (device === null) return
  const mayWrite = await mayWorkerWrite()
  const caller = { token, owner, scope: { sg_key: '', area: '0', key: '' } }
  for (let after = 0; ;) {
    const ops = await record.batch(owner, SYNC_MAX_OPS, after)
    const last = ops.at(-1)
    if (!last) return
    // No change is newer than this: the page asks for them.
    const cursor = Number.MAX_SAFE_INTEGER
    const clock = await record.clock()
    const sentAt = Date.now()
    const measured = measuredAt(clock, { wall: sentAt, steady: performance.now() })
    const input = { device, owner: owner.slice(2), proto: 1 as const, sentAt, measured, cursor, ops: ops.map(onWire) }
    const { data } = await send<typeof study.sync>(SYNC_ADDRESS, input, caller, putByFetch, {
      timeoutMs: SYNC_TIMEOUT_MS,
    })
    const has = data.verdicts.filter(({ verdict }) => verdict === 'applied' || verdict === 'duplicate')
    if (mayWrite) await record.delivered(owner, ops, new Set(has.map(({ opId }) => opId)))
    after = last.seq
  }
}
