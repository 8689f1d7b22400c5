import { isCallError, OfflineError, ServerFaultError } from '#src/api/errors.ts'
import type { Pack } from '#src/contract/question.ts'
import { type Database, StorageError } from './idb.ts'
import type { PackRow } from './pack.ts'
import type { Activity, Board } from './packBoard.ts'
import { download, type DownloadParts } from './packDownload.ts'
import { packSettings } from './packSettings.ts'
import { dropCopies, GoneError, type PackStore, prunePictures } from './packStore.ts'

class NoWifiError extends Error {
  override readonly name = 'NoWifiError'
}
class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError'
}

const LOCK = 'jk-packs'
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

/** The downloads of this tab, each until it is done or the student must do something. */
export function createRuns(parts: PacksParts, store: PackStore, board: Board) {
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>()
  const persevere = (no: string, signal: AbortSignal) => persist(no, parts, store, board, signal)
  const locked = (no: string, signal: AbortSignal): Promise<void> =>
    parts.locks ? parts.locks.request(LOCK, { signal }, () => persevere(no, signal)) : persevere(no, signal)
  return {
    run(no: string): Promise<void> {
      const known = running.get(no)
      if (known) return known.ended
      const controller = new AbortController()
      const { signal } = controller
      board.show(no, { at: 'queued', message: '' })
      const ended = locked(no, signal)
        .then(
          () => board.show(no, null),
          (error: unknown) => board.show(no, signal.aborted || error instanceof GoneError ? null : troubleOf(error)),
        )
        .finally(() => running.delete(no))
      running.set(no, { controller, ended })
      return ended
    },
    /** In every tab; resolves when it has ended in this one. */
    async stop(no: string): Promise<void> {
      board.askToStop(no)
      const known = running.get(no)
      known?.controller.abort()
      await known?.ended
    },
    abort: (no: string): void => running.get(no)?.controller.abort(),
    abortAll: (): void => {
      for (const { controller } of running.values()) controller.abort()
    },
    checkSpace: (next: Pack): Promise<void> => checkSpace(next, parts.estimate),
  }
}

async function persist(
  no: string,
  parts: PacksParts,
  store: PackStore,
  board: Board,
  signal: AbortSignal,
): Promise<void> {
  let furthest = -1
  let failures = 0
  const onProgress = (part: number) => {
    if (part > furthest) failures = 0
    furthest = Math.max(furthest, part)
    board.show(no, { part })
    board.tellPart(no, part)
  }
  const mayFetch = ({ anyNetwork }: PackRow): void => {
    if (packSettings.wifiOnly() && !anyNetwork && parts.metered()) throw new NoWifiError()
  }
  while (!signal.aborted)
    try {
      board.show(no, { at: 'running' })
      return await finish(await download(no, { ...parts, store, mayFetch, onProgress }, signal), parts, store, board)
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      failures++
      board.show(no, { at: error instanceof NoWifiError ? 'wifi' : 'waiting' })
      const told = error instanceof ServerFaultError ? error.retryAfterMs : null
      await parts.pause(told ?? backoff(failures, parts.random), signal)
    }
}

async function finish(done: PackRow, { owner }: PacksParts, store: PackStore, board: Board): Promise<void> {
  // Before copies leave: readers look into packs once they are marked.
  await board.changed()
  await dropCopies(owner, done).catch(() => {})
  await prunePictures(await store.list()).catch(() => {})
  board.swapped()
}

const isPassing = (error: unknown): boolean =>
  error instanceof NoWifiError || error instanceof OfflineError || error instanceof ServerFaultError
const backoff = (failures: number, random: () => number): number =>
  Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1)) * (0.5 + random() / 2)

async function checkSpace({ blocks, pictures }: Pack, estimate: PacksParts['estimate']): Promise<void> {
  const { quota, usage } = await estimate().catch((): StorageEstimate => ({}))
  const sum = (list: readonly { bytes: number }[]) => list.reduce((all, { bytes }) => all + bytes, 0)
  if (quota !== undefined && usage !== undefined && quota - usage < sum(blocks) * ROOM + sum(pictures))
    throw new NoSpaceError()
}

/** As the screen tells it. */
export function troubleOf(error: unknown): Partial<Activity> {
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
