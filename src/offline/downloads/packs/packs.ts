import { keepParts } from '#src/offline/device/keepLazyAssets.ts'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { call } from '#src/api/client.ts'
import { RefusedError } from '#src/api/errors.ts'
import { question } from '#src/contract/question.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { session } from '#src/session/session.ts'
import { type Activity, type Downloads, createBoard } from '../board.ts'
import { type Database, isFull } from '#src/offline/device/idb.ts'
import { mayFetch, metered, pause } from '../network.ts'
import { isPending, packDb, type PackRow } from './pack.ts'
import { download, type DownloadParts, shareOf } from './packDownload.ts'
import { packSettings } from '../downloadSettings.ts'
import { freePictures } from './packFree.ts'
import { createPackStore, dropCopies, prunePictures } from './packStore.ts'
import { type MissingRoom, missingRoom, restoreMargin } from '#src/offline/device/room.ts'
import { goOnWithRoom } from '../roomAgain.ts'
import { createRuns, type RunParts } from '../runs.ts'

export type { Activity }
export type PacksState = Downloads<PackRow>
export interface PacksParts extends RunParts, Pick<DownloadParts, 'manifest' | 'blocks' | 'fetch' | 'fetchFont'> {
  db: Database
  owner: string
  missingRoom: MissingRoom
  /** True on mobile data, false on Wi-Fi, null where the browser does not say. */
  metered: () => boolean | null
}

const LOCK = 'jk-packs'
const CHANNEL = 'jk-packs'

/** Downloads of libraries: one at a time over all tabs, each going on where it was, whatever ended it. */
export function createPacks(parts: PacksParts) {
  const store = createPackStore(parts.db)
  const board = createBoard({
    channel: CHANNEL,
    list: store.list,
    one: store.get,
    noOf: ({ libraryNo }: PackRow) => libraryNo,
    mark: markPacks,
  })
  const allowed = (row: PackRow): void => mayFetch(row, parts.metered)
  const runs = createRuns(parts, LOCK, board, async (no, onProgress, signal) => {
    const done = await download(no, { ...parts, store, mayFetch: allowed, onProgress }, signal).catch(
      async (error: unknown) => {
        if (isFull(error)) await leaveRoom(no)
        if (error instanceof RefusedError) await giveUp(no)
        throw error
      },
    )
    // Before copies leave: readers look into packs once they are marked.
    await board.changed(no)
    await dropCopies(parts.owner, done).catch(() => {})
    await prunePictures(store.list).catch(() => {})
    board.swapped()
  })
  let closed = false

  /** Within the attempt, so that no other download takes what is freed. What fails here is told as the full device that it is. */
  async function leaveRoom(no: string): Promise<void> {
    // Pictures come last, so they go first.
    const free = async (bytes: number): Promise<number> =>
      (await freePictures(await store.list(), no, bytes)) || store.freeNewest(no, bytes)
    await restoreMargin(parts.missingRoom, free).catch(() => {})
    await store.patch(no, { paused: true, full: true }).catch(() => {})
    await board.changed(no).catch(() => {})
    // It has given blocks and pictures back since its last figure.
    board.show(no, { part: await shareOf(no, store).catch(() => 0) })
  }

  /** What the server does not give this student, now or any more, is not asked for at every start. */
  async function giveUp(no: string): Promise<void> {
    await store.cancel(no).catch(() => {})
    await board.changed(no).catch(() => {})
  }

  /** Reads what is there and goes on with what was interrupted: when another tab is at it, after that. */
  async function resume(): Promise<void> {
    await board.refresh().catch(board.unread)
    for (const row of board.get().rows?.values() ?? [])
      if (isPending(row) && !row.paused && !closed) void runs.run(row.libraryNo)
  }
  board.onOtherTab({ changed: resume, stop: runs.heardStop })

  async function put(no: string, anyNetwork: boolean, signal: AbortSignal): Promise<void> {
    const row = board.get().rows?.get(no)
    if (row && isPending(row))
      return store.patch(no, { paused: false, full: false, anyNetwork: anyNetwork || row.anyNetwork })
    const withoutPictures = packSettings.saver()
    const next = await parts.manifest(no, signal)
    signal.throwIfAborted()
    await store.begin(next, { anyNetwork, withoutPictures })
  }
  const halt = async (no: string): Promise<void> => {
    // First of all here: nothing of it may be put down after it was paused.
    runs.abort(no)
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
      return runs.run(no, async (signal) => {
        await put(no, anyNetwork, signal)
        await board.changed(no)
      })
    },
    /** Begins or goes on with all of these that are not whole, one after the other, also after the page that asked for it. */
    async startAll(list: Parameters<typeof store.want>[0], anyNetwork = false): Promise<void> {
      await Promise.all(list.map(({ no }) => runs.stop(no)))
      await store.want(list, { anyNetwork, withoutPictures: packSettings.saver() })
      await board.changed()
      await resume()
    },
    async pauseAll(nos: readonly string[]): Promise<void> {
      await Promise.all(nos.map(halt))
      await board.changed()
    },
    async pause(no: string): Promise<void> {
      await halt(no)
      await board.changed(no)
    },
    async cancel(no: string): Promise<void> {
      await halt(no)
      board.show(no, null)
      await store.cancel(no)
      await prunePictures(store.list).catch(() => {})
      await board.changed(no)
      void goOnWithRoom(parts.missingRoom)
    },
    /** Frees its space. What the student answered is in another database, and stays. */
    async remove(no: string): Promise<void> {
      await runs.stop(no)
      await store.remove(no)
      await prunePictures(store.list).catch(() => {})
      await board.changed(no)
      board.swapped()
      void goOnWithRoom(parts.missingRoom)
    },
    close(): void {
      closed = true
      runs.abortAll()
      board.close()
    },
  }
}
export type Packs = ReturnType<typeof createPacks>

const CALL_MS = 60_000

const markPacks = (rows: readonly PackRow[]): void => {
  if (rows.some(({ ready }) => ready)) deviceMemory.set(DEVICE_KEYS.packs, '1')
  else deviceMemory.remove(DEVICE_KEYS.packs)
}

/** Formulae that are first read without a network look as they do with one. What does not come is asked for with the next questions. */
let font: Promise<void> | undefined
const fetchFont = (): void => {
  font ??= keepParts(['mathFont']).catch(() => {
    font = undefined
  })
}

export const packs = createPacks({
  db: packDb,
  owner: session.owner(),
  locks: typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : null,
  manifest: (no, signal) => call(question.pack, { no }, { signal }),
  blocks: (list, signal) =>
    call(question.blocks, { list: list.map(({ no, at, rev }) => ({ no, at, rev })) }, { signal, timeoutMs: CALL_MS }),
  fetch: (src, signal) => fetch(src, { signal }),
  fetchFont,
  missingRoom,
  metered,
  pause,
  random: Math.random,
})
