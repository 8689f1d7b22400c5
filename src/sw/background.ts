import { OfflineError } from '#src/api/errors.ts'
import { putByFetch, send } from '#src/api/transport.ts'
import type { study } from '#src/contract/study.ts'
import { SYNC_ADDRESS } from '#src/contract/sync.ts'
import { drain } from '#src/offline/drain.ts'
import { CHANNEL } from '#src/offline/names.ts'
import { createOutbox } from '#src/offline/outbox.ts'
import { openRecord } from '#src/offline/rows.ts'
import { readMirror } from '#src/session/mirror.ts'

/** Sends what waits while no page is open. Throws when it should be tried again: the browser then fires another sync. */
export async function drainInBackground(): Promise<void> {
  const mirror = await readMirror()
  if (!mirror || mirror.token === '') return
  const { owner, token } = mirror
  const db = openRecord()
  const record = createOutbox(db)
  const device = await record.device()
  // No page has ever written here: nothing waits.
  if (device === null) return db.close()
  const channel = new BroadcastChannel(CHANNEL)
  const caller = { token, owner, scope: { sg_key: '', area: '0', key: '' } }
  const outcome = await navigator.locks.request(`outbox:${owner}`, { ifAvailable: true }, async (lock) =>
    // A page is at it already.
    lock
      ? drain({
          record,
          owner,
          device,
          send: async (input) =>
            (await send<typeof study.sync>(SYNC_ADDRESS, input, caller, putByFetch, { timeoutMs: 20_000 })).data,
          now: Date.now,
          onSettled: (questions) => channel.postMessage({ type: 'changed', owner, questions }),
        })
      : null,
  )
  channel.close()
  db.close()
  if (outcome?.to === 'later') throw new OfflineError('try again')
}
