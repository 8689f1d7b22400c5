import { putByFetch, send } from '#src/api/transport.ts'
import type { Caller } from '#src/api/transport.ts'
import type { study } from '#src/contract/study.ts'
import { SYNC_ADDRESS, SYNC_TIMEOUT_MS } from '#src/contract/sync.ts'
import { expectTears } from '../device/idb.ts'
import { openRecord } from '../device/rows.ts'
import { drain, type DrainOptions, type First, type Settled } from './drain.ts'
import { createOutbox } from './outbox.ts'
import { createSettle } from './settle.ts'

/** The page sends this once (fill.ts). */
export interface FillRequest {
  caller: Caller
  first: First
}
export type FillReply =
  /** One answer of the server is on disk. */
  | { kind: 'settled'; questions: string[]; settled: Settled }
  /** Chromium's log is torn by a full disk (tornLog.ts); only the page remembers that. */
  | { kind: 'torn' }
  /** Nothing more comes, for whatever reason: the page asks the server itself, and says how that went. */
  | { kind: 'over' }
/** The worker's own scope, or one end of a channel. */
export interface FillPort {
  postMessage: (message: FillReply) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<FillRequest>) => void) => void
}

/** Takes in a long record, from its first answer on, which the page has already. */
export function serveFill(port: FillPort): void {
  expectTears(() => port.postMessage({ kind: 'torn' }))
  const onSettled = (questions: string[], settled: Settled) => port.postMessage({ kind: 'settled', questions, settled })
  port.addEventListener('message', ({ data: { caller, first } }) => {
    const db = openRecord()
    const over = () => {
      db.close()
      port.postMessage({ kind: 'over' })
    }
    void drain({ ...wire(caller), ...first, record: { ...createOutbox(db), ...createSettle(db) }, onSettled }, first)
      .catch(() => {})
      .then(over)
  })
}

const wire = (caller: Caller): Pick<DrainOptions, 'send' | 'now' | 'steady'> => ({
  send: async (input) =>
    (await send<typeof study.sync>(SYNC_ADDRESS, input, caller, putByFetch, { timeoutMs: SYNC_TIMEOUT_MS })).data,
  now: () => Date.now(),
  steady: () => performance.now(),
})
