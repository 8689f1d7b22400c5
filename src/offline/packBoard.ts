import { createListeners } from './listeners.ts'
import type { PackRow } from './pack.ts'
import type { PackStore } from './packStore.ts'

/** What a download does now; a pack without one rests: ready, paused, or not there. */
export interface Activity {
  at: 'queued' | 'running' | 'waiting' | 'wifi' | 'full' | 'failed'
  /** 0 … 1 */
  part: number
  /** Chinese; of `failed`. */
  message: string
}
export interface PacksState {
  /** Null until read. */
  rows: ReadonlyMap<string, PackRow> | null
  activities: ReadonlyMap<string, Activity>
}
type Message = { type: 'changed' } | { type: 'stop'; no: string } | { type: 'part'; no: string; part: number }
/** What another tab asks of this one. */
interface Asked {
  changed: () => Promise<void>
  stop: (no: string) => void
}

const CHANNEL = 'jk-packs'

/**
 * What there is of packs and what their downloads do, as screens and other tabs are told it.
 * @param mark told whether any pack is ready
 */
export function createBoard(store: Pick<PackStore, 'list'>, mark: (any: boolean) => void) {
  const listeners = createListeners()
  const swaps = createListeners()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  let state: PacksState = { rows: null, activities: new Map() }
  let closed = false
  const set = (next: Partial<PacksState>): void => {
    state = { ...state, ...next }
    listeners.tell()
  }
  const send = (message: Message): void => {
    if (!closed) channel?.postMessage(message)
  }
  const show = (no: string, activity: Partial<Activity> | null): void => {
    const activities = new Map(state.activities)
    const known = activities.get(no) ?? { at: 'queued', part: 0, message: '' }
    if (activity) activities.set(no, { ...known, ...activity })
    else activities.delete(no)
    set({ activities })
  }
  const refresh = async (): Promise<void> => {
    const rows = new Map((await store.list()).map((row) => [row.libraryNo, row]))
    mark([...rows.values()].some(({ ready }) => ready))
    set({ rows })
  }
  return {
    subscribe: listeners.add,
    get: (): PacksState => state,
    /** Another version can be read from now on, or none. */
    onSwap: swaps.add,
    swapped: swaps.tell,
    show,
    refresh,
    /** The device cannot be read: as if there were none. */
    unread: (): void => set({ rows: state.rows ?? new Map() }),
    changed: async (): Promise<void> => {
      await refresh()
      send({ type: 'changed' })
    },
    tellPart: (no: string, part: number): void => send({ type: 'part', no, part }),
    askToStop: (no: string): void => send({ type: 'stop', no }),
    onOtherTab: ({ changed, stop }: Asked): void => {
      if (!channel) return
      channel.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.type === 'changed') void changed().then(swaps.tell)
        else if (data.type === 'stop') stop(data.no)
        else if (state.activities.get(data.no)?.at === 'queued') show(data.no, { part: data.part })
      }
    },
    close: (): void => {
      closed = true
      channel?.close()
    },
  }
}
export type Board = ReturnType<typeof createBoard>
