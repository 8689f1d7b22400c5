import { wordsOf } from '#src/domain/app/failureWords.ts'
import type { Ended } from './sync/sync.ts'
import { createListeners } from './listeners.ts'
import { ANONYMOUS } from './device/names.ts'
import type { Waiting } from './device/rows.ts'

/** Of failures that say nothing to a student. What waits is safe either way. */
const LATER = '同步没有完成，记录都在这台设备上，稍后自动重试'
const REFUSED = '同步没有完成，记录都在这台设备上，请稍后点“立即同步”再试'

/** A device that could not write down the server's answer has a network, so it gets a state of its own. */
const LATER_STATES = { offline: 'offline', storage: 'unwritten', 'server-fault': 'error' } as const

/** What the one small mark in the header says. */
export interface SyncStatus {
  state: 'synced' | 'waiting' | 'syncing' | 'unanswered' | 'offline' | 'unwritten' | 'needs-auth' | 'error' | 'visitor'
  /** Ops on this device that the server has not answered for. */
  waiting: number
  /** Ops that the server refused; listed with reasons. */
  dead: number
  /** While a long record comes to this device: the share of it that is here, 0 to 1. */
  fetched: number | null
  /** Of the last try, in Chinese; '' when it went well. */
  lastError: string
  /** Epoch ms; null before the first time. */
  lastSyncedAt: number | null
}

/** Says how much of a long record has come to this device. @param fetched the share that is here, 0 to 1 */
export const fetchingText = (fetched: number): string => `正在下载学习记录 ${Math.floor(fetched * 100)}%`

/** @param count reads the device. */
export function createStatus(owner: string, count: () => Promise<Waiting>, now: () => number) {
  const listeners = createListeners()
  let status: SyncStatus = {
    // Until the device has been read and the server asked, nobody knows better.
    state: owner === ANONYMOUS ? 'visitor' : 'syncing',
    waiting: 0,
    dead: 0,
    fetched: null,
    lastError: '',
    lastSyncedAt: null,
  }
  const set = (patch: Partial<SyncStatus>): void => {
    status = { ...status, ...patch }
    listeners.tell()
  }
  const setWaiting = (counted: Partial<Waiting>): void =>
    set({ ...counted, ...(counted.waiting && status.state === 'synced' && { state: 'waiting' as const }) })
  const recount = async (): Promise<void> => {
    const counted = await count().catch(() => null)
    if (counted) setWaiting(counted)
  }
  const said = (drained: Ended): Partial<SyncStatus> => {
    switch (drained.to) {
      case 'done':
        return { state: status.waiting > 0 ? 'waiting' : 'synced', lastError: '', lastSyncedAt: now() }
      case 'hold':
        return { state: 'needs-auth', lastError: '登录已过期，重新登录后继续同步' }
      case 'refused':
        return { state: 'error', lastError: wordsOf(drained.error, REFUSED) }
      case 'later':
        return { state: LATER_STATES[drained.why], lastError: wordsOf(drained.error, LATER) }
    }
  }
  return {
    get: (): SyncStatus => status,
    set,
    onChange: listeners.add,
    recount,
    /** So many more wait. */
    added: (count: number): void => setWaiting({ waiting: status.waiting + count }),
    ended: (drained: Ended): Promise<void> => recount().then(() => set(said(drained))),
  }
}
