import { call } from '#src/api/client.ts'
import { question } from '#src/contract/question.ts'
import { session } from '#src/session/session.ts'
import { packDb, PACKS_MARK, type PackRow } from './pack.ts'
import { type Activity, createBoard, type PacksState } from './packBoard.ts'
import { createRuns, type PacksParts, troubleOf } from './packRuns.ts'
import { packSettings } from './packSettings.ts'
import { createPackStore, prunePictures } from './packStore.ts'

export type { Activity, PacksParts, PacksState }

/** Downloads of libraries: one at a time over all tabs, each going on where it was, whatever ended it. */
export function createPacks(parts: PacksParts) {
  const store = createPackStore(parts.db)
  const board = createBoard(store, markPacks)
  const runs = createRuns(parts, store, board)
  let closed = false

  /** Reads what is there and goes on with what was interrupted: when another tab is at it, after that. */
  async function resume(): Promise<void> {
    await board.refresh().catch(board.unread)
    for (const { libraryNo, next, paused } of board.get().rows?.values() ?? [])
      if (next && !paused && !closed) void runs.run(libraryNo)
  }
  board.onOtherTab({ changed: resume, stop: runs.abort })

  async function put(no: string, row: PackRow | undefined, anyNetwork: boolean): Promise<void> {
    if (row?.next) return store.patch(no, { paused: false, anyNetwork: anyNetwork || row.anyNetwork })
    const withoutPictures = packSettings.saver()
    const next = await parts.manifest(no, new AbortController().signal)
    await runs.checkSpace(next)
    await store.begin(next, { anyNetwork, withoutPictures })
  }
  const halt = async (no: string): Promise<void> => {
    await store.patch(no, { paused: true })
    await runs.stop(no)
  }
  return {
    subscribe: board.subscribe,
    get: board.get,
    onSwap: board.onSwap,
    metered: parts.metered,
    open: resume,
    /** Begins, goes on, or updates. */
    async start(no: string, anyNetwork = false): Promise<void> {
      await runs.stop(no)
      board.show(no, { at: 'queued', message: '' })
      try {
        await put(no, board.get().rows?.get(no), anyNetwork)
        await board.changed()
      } catch (error) {
        return board.show(no, troubleOf(error))
      }
      return runs.run(no)
    },
    async pause(no: string): Promise<void> {
      await halt(no)
      await board.changed()
    },
    async cancel(no: string): Promise<void> {
      await halt(no)
      board.show(no, null)
      await store.cancel(no)
      await board.changed()
    },
    /** Frees its space. What the student answered is in another database, and stays. */
    async remove(no: string): Promise<void> {
      await runs.stop(no)
      await store.remove(no)
      await prunePictures(await store.list()).catch(() => {})
      await board.changed()
      board.swapped()
    },
    close(): void {
      closed = true
      runs.abortAll()
      board.close()
    },
  }
}
export type Packs = ReturnType<typeof createPacks>

interface Connection extends EventTarget {
  readonly type?: string
}
const connection = (): Connection | undefined =>
  'connection' in navigator ? (navigator.connection as Connection) : undefined

function metered(): boolean | null {
  const type = connection()?.type
  return type === undefined || type === 'unknown' ? null : type === 'cellular' || type === 'wimax'
}

const CALL_MS = 60_000

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
