import type { OpRecord } from '#src/contract/study.ts'
import { done } from './idb.ts'

/**
 * A device's own measure of time, which no setting of its clock turns back: by it the device and the server know in which order a
 * student did things, and how long ago.
 */

/** Both clocks of a device at one moment. */
export interface Reading {
  /** Epoch ms by the clock that people set, the network puts right and a dead battery loses. */
  wall: number
  /** ms by a clock that only goes forward while its page is open, and may stand still while the device sleeps. */
  steady: number
}
/** One moment as this device measures it. */
export type Measured = NonNullable<OpRecord['measured']>

interface Last extends Reading {
  own: number
  sure: number
  /** Only within one page are two readings of a steady clock comparable. */
  page: string
}
interface Heard {
  server: number
  sure: number
}
const LAST = 'clock'
const HEARD = 'heard'
const PAGE = crypto.randomUUID()

function next(last: Last | undefined, { wall, steady }: Reading): Last {
  if (!last) return { own: wall, sure: 0, wall, steady, page: PAGE }
  const passed = last.page === PAGE ? Math.max(0, steady - last.steady) : 0
  // A clock that is ahead of the steady one was put forward, or the device slept: most often it slept. After one that was put
  // back, ids made by it would sort before those made earlier: so the moment is another, by one at least.
  const by = wall < last.wall ? Math.max(1, passed) : Math.max(passed, wall - last.wall)
  return { own: last.own + by, sure: last.sure + passed, wall, steady, page: PAGE }
}

/** The measurements that this device has made so far. */
export interface Clock {
  last: Last | undefined
  heard: Heard | undefined
}
export async function readClock(tx: IDBTransaction): Promise<Clock> {
  const meta = tx.objectStore('meta')
  const [last, heard] = await Promise.all([
    done<Last | undefined>(meta.get(LAST)),
    done<Heard | undefined>(meta.get(HEARD)),
  ])
  return { last, heard }
}
async function look(tx: IDBTransaction, reading: Reading): Promise<{ last: Last; heard: Heard | undefined }> {
  const { last, heard } = await readClock(tx)
  return { last: next(last, reading), heard }
}

const measured = ({ own, sure }: Last, heard: Heard | undefined): Measured => ({
  own: Math.floor(own),
  sure: Math.floor(sure),
  ...(heard && { since: Math.floor(heard.server + sure - heard.sure) }),
})

/** A moment after all that was measured so far, as this device measures it. */
export const measuredAt = ({ last, heard }: Clock, reading: Reading): Measured => measured(next(last, reading), heard)

/**
 * The moment of an act, noted for those that follow; and `at`, the same as screens show it until the server has dated it: by the
 * device's clock and what it is known to be off, epoch ms.
 * @param skewMs by how much the server's clock is ahead of the device's.
 */
export async function tick(
  tx: IDBTransaction,
  reading: Reading,
  skewMs: number,
): Promise<{ measured: Measured; at: number }> {
  const { last, heard } = await look(tx, reading)
  tx.objectStore('meta').put(last, LAST)
  const now = measured(last, heard)
  return { measured: now, at: Math.max(reading.wall + skewMs, now.since ?? 0) }
}

/** The server has said just now what time it is. */
export async function hear(tx: IDBTransaction, server: number, reading: Reading): Promise<void> {
  const { last } = await look(tx, reading)
  const heard: Heard = { server, sure: last.sure }
  tx.objectStore('meta').put(last, LAST)
  tx.objectStore('meta').put(heard, HEARD)
}
