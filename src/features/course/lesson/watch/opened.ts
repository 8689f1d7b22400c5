import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { StorageError } from '#src/offline/device/idb.ts'
import { type DeviceKey, OWNER_KEYS } from '#src/device/keys.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { recoverWatched, Watcher } from './watcher.ts'
import { resumeAt } from './watching.ts'

/** A lesson that is open in an element. */
export interface Opened {
  no: string
  watcher: Watcher
  /** Where it was opened. */
  at: number
  /** The newest word on its place that this page knows. */
  opId: string
  /** The student asked for this very second: no other device's place is taken instead. */
  asked: boolean
}

const CLOCKS = { now: serverNow, nowMs: () => performance.now() }
let recovered: Promise<void> | null = null
/** Lessons that are being left: what they still write comes before what is read. */
let leaving: Promise<unknown> = Promise.resolve()

interface Opening {
  courseNo: string
  no: string
  seconds: number
  /** The second that was asked for; undefined: none was. */
  from: number | undefined
}

/** At the second that was asked for, else where it was left, on whichever device, as far as this one knows. */
export async function openLesson({ courseNo, no, seconds, from }: Opening): Promise<Opened> {
  // A device that cannot read its record begins at 0 rather than not at all.
  await (recovered ??= recover())
  await leaving
  const known = await offline.things('lesson').then(
    (things) => things.get(no),
    () => undefined,
  )
  const at = from === undefined ? resumeAt(known?.position ?? 0, seconds) : Math.min(from, seconds)
  return {
    no,
    at,
    asked: from !== undefined,
    opId: known?.opId ?? '',
    watcher: new Watcher({ courseNo, lessonNo: no, at }, offline, CLOCKS, tellLost),
  }
}

/** A page that ends has no time for the database, only for what is written at once. */
const lastKey = (): DeviceKey => OWNER_KEYS.lastWatched(offline.owner)
async function recover(): Promise<void> {
  try {
    await recoverWatched(offline, JSON.parse(deviceMemory.get(lastKey()) || 'null'))
    deviceMemory.set(lastKey(), '')
  } catch {
    // It is tried again at the next start.
  }
}
function tellLast(watcher: Watcher): void {
  const last = watcher.lastWord()
  if (last) deviceMemory.set(lastKey(), JSON.stringify(last))
}

function tellLost(error: unknown): void {
  const why = error instanceof StorageError && error.kind === 'quota' ? '存储空间不足' : '本地存储写入失败'
  feedback.toast(`${why}，观看时长暂时无法保存，请清理存储空间`)
}

export function leaveLesson({ watcher }: Opened): void {
  leaving = Promise.all([leaving, watcher.close()])
}

/** Whether a word on its place comes from elsewhere, and was not heard before. */
export function isNews(opened: Opened, opId: string): boolean {
  if (opened.opId === opId || opened.watcher.isOwn(opId)) return false
  opened.opId = opId
  return true
}

/** What the element does, told to who writes it down. */
export function listen(element: HTMLMediaElement, watcher: () => Watcher | undefined): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const heard = () => {
    if (!element.paused && !element.seeking) watcher()?.played(element.currentTime)
  }
  const stopped = () => watcher()?.stopped()
  const stands = () => (element.seeking ? stopped() : watcher()?.paused(element.currentTime))
  const on = (type: string, act: () => void) => element.addEventListener(type, act, { signal })
  on('playing', heard)
  on('timeupdate', heard)
  on('seeking', () => watcher()?.jumped(element.currentTime))
  on('waiting', stands)
  on('emptied', stopped)
  on('seeked', () => element.paused && void watcher()?.stands())
  on('pause', () => {
    stands()
    void watcher()?.flush('pause')
  })
  on('ended', () => void watcher()?.flush('end'))
  const leave = () => {
    heard()
    const own = watcher()
    if (own) tellLast(own)
    void own?.flush('hidden')
  }
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave(), { signal })
  window.addEventListener('pagehide', leave, { signal })
  return () => ended.abort()
}
