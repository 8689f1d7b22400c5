import { createListeners } from '../listeners.ts'

/** What a download does now; one without rests: whole, paused, or not there. */
export interface Activity {
  at: 'queued' | 'running' | 'unsteady' | 'waiting' | 'wifi' | 'full' | 'costly' | 'failed'
  /** 0 … 1 */
  part: number
  /** Chinese; of `failed` and `costly`. */
  message: string
}
export interface Downloads<Row> {
  /** By number; null until read. */
  rows: ReadonlyMap<string, Row> | null
  activities: ReadonlyMap<string, Activity>
}
type Message = { type: 'changed' } | { type: 'stop'; no: string } | { type: 'part'; no: string; part: number }
/** What another tab asks of this one. */
interface Asked {
  changed: () => Promise<void>
  stop: (no: string) => void
}
interface BoardParts<Row> {
  /** Of the BroadcastChannel between tabs. */
  channel: string
  list: () => Promise<Row[]>
  /** Reads one row; left out, a change of one reads them all again. */
  one?: (no: string) => Promise<Row | undefined>
  noOf: (row: Row) => string
  /** Told what there is, for marks that are read without a database. */
  mark?: (rows: readonly Row[]) => void
}

/** What there is of one kind on this device and what its downloads do, as screens and other tabs are told it. */
export function createBoard<Row>({ list, noOf, mark, ...parts }: BoardParts<Row>) {
  const listeners = createListeners()
  const swaps = createListeners()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(parts.channel)
  let state: Downloads<Row> = { rows: null, activities: new Map() }
  let closed = false
  const set = (next: Partial<Downloads<Row>>): void => {
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
    const rows = await list()
    mark?.(rows)
    set({ rows: new Map(rows.map((row) => [noOf(row), row])) })
  }
  /** Rows that have not changed stay the same objects, so that nobody draws them again. */
  const refreshOne = async (no: string, one: (no: string) => Promise<Row | undefined>): Promise<void> => {
    const row = await one(no)
    const rows = new Map(state.rows)
    if (row) rows.set(no, row)
    else rows.delete(no)
    mark?.([...rows.values()])
    set({ rows })
  }
  return {
    subscribe: listeners.add,
    get: (): Downloads<Row> => state,
    /** Another version can be read from now on, or none. */
    onSwap: swaps.add,
    swapped: swaps.tell,
    show,
    refresh,
    /** The device cannot be read: as if there were none. */
    unread: (): void => set({ rows: state.rows ?? new Map<string, Row>() }),
    /** @param no the only one that has; left out, any may have */
    changed: async (no?: string): Promise<void> => {
      await (no !== undefined && parts.one && state.rows ? refreshOne(no, parts.one) : refresh())
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
export type Board = Pick<ReturnType<typeof createBoard<unknown>>, 'show' | 'tellPart' | 'askToStop'>

/**
 * Tells every tab, this one included, that rows of this channel have changed outside of its board.
 * @param stopped numbers of downloads that must end first
 */
export function tellBoards(name: string, stopped: readonly string[] = []): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(name)
  const messages: Message[] = [...stopped.map((no) => ({ type: 'stop' as const, no })), { type: 'changed' }]
  for (const message of messages) channel.postMessage(message)
  channel.close()
}
