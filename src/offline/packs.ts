import { call } from '#src/api/client.ts'
import { isCallError, OfflineError, ServerFaultError } from '#src/api/errors.ts'
import { question } from '#src/contract/question.ts'
import { session } from '#src/session/session.ts'
import { type Database, StorageError } from './idb.ts'
import { createListeners } from './listeners.ts'
import { packDb, type PackRow, PACKS_MARK } from './pack.ts'
import { download, type DownloadParts } from './packDownload.ts'
import { createPackStore, dropCopies, GoneError, prunePictures } from './packStore.ts'
import { packSettings } from './packSettings.ts'

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

export class NoWifiError extends Error {
  override readonly name = 'NoWifiError'
}
class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError'
}

const LOCK = 'jk-packs'
const CALL_MS = 60_000
const FIRST_BACKOFF_MS = 1_000
const LAST_BACKOFF_MS = 60_000
/** Browsers keep text as UTF-16, and a database needs room to work. */
const ROOM = 2.5

export interface PacksParts extends Pick<DownloadParts, 'manifest' | 'blocks' | 'fetch'> {
  db: Database
  owner: string
  /** `navigator.locks`; null: downloads of two tabs are harmless, only wasteful. */
  locks: LockManager | null
  estimate: () => Promise<StorageEstimate>
  /** True on mobile data, false on Wi-Fi, null where the browser does not say. */
  metered: () => boolean | null
  /** Resolves when it may work again; at the latest after `ms`. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
}

/** Downloads of libraries: one at a time over all tabs, each going on where it was, whatever ended it. */
export function createPacks(parts: PacksParts) {
  const store = createPackStore(parts.db)
  const listeners = createListeners()
  const swaps = createListeners()
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(LOCK)
  let state: PacksState = { rows: null, activities: new Map() }
  let closed = false
  const send = (message: Message): void => {
    if (!closed) channel?.postMessage(message)
  }
  const set = (next: Partial<PacksState>): void => {
    state = { ...state, ...next }
    listeners.tell()
  }

  function show(no: string, activity: Partial<Activity> | null): void {
    const activities = new Map(state.activities)
    const known = activities.get(no) ?? { at: 'queued', part: 0, message: '' }
    if (activity) activities.set(no, { ...known, ...activity })
    else activities.delete(no)
    set({ activities })
  }
  async function refresh(): Promise<void> {
    const rows = new Map((await store.list()).map((row) => [row.libraryNo, row]))
    markPacks([...rows.values()].some(({ ready }) => ready))
    set({ rows })
  }
  async function changed(): Promise<void> {
    await refresh()
    send({ type: 'changed' })
  }

  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'changed') void resume().then(swaps.tell)
      else if (data.type === 'stop') running.get(data.no)?.controller.abort()
      else if (state.activities.get(data.no)?.at === 'queued') show(data.no, { part: data.part })
    }

  const mayFetch = (row: PackRow): void => {
    if (packSettings.wifiOnly() && !row.anyNetwork && parts.metered()) throw new NoWifiError()
  }

  async function attempt(no: string, signal: AbortSignal, onProgress: (part: number) => void): Promise<void> {
    show(no, { at: 'running' })
    const done = await download(no, { ...parts, store, mayFetch, onProgress }, signal)
    markPacks(true)
    await dropCopies(parts.owner, done).catch(() => {})
    await prunePictures(await store.list()).catch(() => {})
    await changed()
    swaps.tell()
  }

  /** Until it is done or the student must do something. */
  async function persevere(no: string, signal: AbortSignal): Promise<void> {
    let furthest = -1
    for (let failures = 0; !signal.aborted;) {
      const progress = (part: number) => {
        if (part > furthest) failures = 0
        furthest = Math.max(furthest, part)
        show(no, { part })
        send({ type: 'part', no, part })
      }
      try {
        return await attempt(no, signal, progress)
      } catch (error) {
        const wifi = error instanceof NoWifiError
        if (signal.aborted || !(wifi || error instanceof OfflineError || error instanceof ServerFaultError)) throw error
        failures++
        show(no, { at: wifi ? 'wifi' : 'waiting' })
        const backoff = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + parts.random() / 2)
        const told = error instanceof ServerFaultError ? error.retryAfterMs : null
        await parts.pause(told ?? backoff, signal)
      }
    }
  }

  const locked = (no: string, signal: AbortSignal): Promise<void> =>
    parts.locks ? parts.locks.request(LOCK, { signal }, () => persevere(no, signal)) : persevere(no, signal)

  function run(no: string): Promise<void> {
    const known = running.get(no)
    if (known) return known.ended
    const controller = new AbortController()
    const { signal } = controller
    show(no, { at: 'queued', message: '' })
    const ended = locked(no, signal)
      .then(
        () => show(no, null),
        (error: unknown) => show(no, signal.aborted || error instanceof GoneError ? null : troubleOf(error)),
      )
      .finally(() => running.delete(no))
    running.set(no, { controller, ended })
    return ended
  }

  async function stop(no: string): Promise<void> {
    send({ type: 'stop', no })
    const known = running.get(no)
    known?.controller.abort()
    await known?.ended
  }

  /** Reads what is there and goes on with what was interrupted: when another tab is at it, after that. */
  async function resume(): Promise<void> {
    await refresh().catch(() => set({ rows: state.rows ?? new Map() }))
    for (const { libraryNo, next, paused } of state.rows?.values() ?? [])
      if (next && !paused && !closed) void run(libraryNo)
  }

  /** Begins, goes on, or updates. */
  async function start(no: string, anyNetwork = false): Promise<void> {
    await stop(no)
    show(no, { at: 'queued', message: '' })
    try {
      const row = state.rows?.get(no)
      const withoutPictures = packSettings.saver()
      if (row?.next) await store.patch(no, { paused: false, anyNetwork: anyNetwork || row.anyNetwork })
      else {
        const next = await parts.manifest(no, new AbortController().signal)
        await checkSpace(
          next.blocks.reduce((all, { bytes }) => all + bytes, 0),
          next.pictures,
          parts.estimate,
        )
        await store.begin(next, { anyNetwork, withoutPictures })
      }
      await changed()
    } catch (error) {
      return show(no, troubleOf(error))
    }
    return run(no)
  }

  return {
    subscribe: listeners.add,
    get: (): PacksState => state,
    onSwap: swaps.add,
    metered: parts.metered,
    open: resume,
    start,
    async pause(no: string): Promise<void> {
      await store.patch(no, { paused: true })
      await stop(no)
      await changed()
    },
    async cancel(no: string): Promise<void> {
      await store.patch(no, { paused: true })
      await stop(no)
      show(no, null)
      await store.cancel(no)
      await changed()
    },
    /** Frees its space. What the student answered is in another database, and stays. */
    async remove(no: string): Promise<void> {
      await stop(no)
      await store.remove(no)
      await prunePictures(await store.list()).catch(() => {})
      await changed()
      swaps.tell()
    },
    close(): void {
      closed = true
      for (const { controller } of running.values()) controller.abort()
      channel?.close()
    },
  }
}
export type Packs = ReturnType<typeof createPacks>

async function checkSpace(
  text: number,
  pictures: readonly { bytes: number }[],
  estimate: PacksParts['estimate'],
): Promise<void> {
  const { quota, usage } = await estimate().catch((): StorageEstimate => ({}))
  const needed = text * ROOM + pictures.reduce((all, { bytes }) => all + bytes, 0)
  if (quota !== undefined && usage !== undefined && quota - usage < needed) throw new NoSpaceError()
}

function troubleOf(error: unknown): Partial<Activity> {
  const full =
    error instanceof NoSpaceError ||
    (error instanceof StorageError && error.kind === 'quota') ||
    (error instanceof DOMException && error.name === 'QuotaExceededError')
  if (full) return { at: 'full' }
  if (error instanceof OfflineError) return { at: 'failed', message: '当前没有网络，请联网后重试' }
  return {
    at: 'failed',
    message: isCallError(error) || error instanceof StorageError ? error.message : '下载没有完成，请重试',
  }
}

interface Connection extends EventTarget {
  readonly type?: string
}
const connection = (): Connection | undefined =>
  'connection' in navigator ? (navigator.connection as Connection) : undefined

function metered(): boolean | null {
  const type = connection()?.type
  return type === undefined || type === 'unknown' ? null : type === 'cellular' || type === 'wimax'
}

/** A change of the network or a look at the page may mean that it works again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const sources: [EventTarget | undefined, string][] = [
      [window, 'online'],
      [document, 'visibilitychange'],
      [connection(), 'change'],
      [signal, 'abort'],
    ]
    const over = () => {
      clearTimeout(timer)
      for (const [source, event] of sources) source?.removeEventListener(event, over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    for (const [source, event] of sources) source?.addEventListener(event, over)
  })
}

const markPacks = (any: boolean): void => {
  try {
    if (any) localStorage.setItem(PACKS_MARK, '1')
    else localStorage.removeItem(PACKS_MARK)
  } catch {
    // Then they are looked for each time.
  }
}

export const packs = createPacks({
  db: packDb,
  owner: session.owner(),
  locks: typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : null,
  manifest: (no, signal) => call(question.pack, { no }, { signal }),
  blocks: (list, signal) =>
    call(question.blocks, { list: list.map(({ no, at, rev }) => ({ no, at, rev })) }, { signal, timeoutMs: CALL_MS }),
  fetch: (src, signal) => fetch(src, { signal }),
  estimate: async () => (await navigator.storage?.estimate?.()) ?? {},
  metered,
  pause,
  random: Math.random,
})
