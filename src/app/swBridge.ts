import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'
import { offline } from '#src/offline/index.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { reload } from '#src/ui/dialog/newPage.ts'
import { isBusy, isStudying } from './shell/nav.ts'

const busy = (): boolean => isBusy(window.location.pathname)

let waiting: (() => void) | null = null
let outdated = false
let givenUp = false
const listeners = new Set<() => void>()

const tell = (): void => listeners.forEach((listener) => listener())

/** Whether there is a reason to update, and the update: a new version never takes over by itself. */
export const update = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Why to update; '' while there is no reason to, and in a study, an exam or a lesson. */
  reason: (): string => (busy() ? '' : givenUp ? '当前版本已停用，记录都在，请更新' : waiting ? '发现新版本' : ''),
  /** Without one that waits a new start looks for it. */
  apply: (): void => (waiting ?? reload)(),
  /** The student went elsewhere: a page that another tab's update has outdated starts anew, once nothing is disturbed. */
  moved: (): void => {
    if (outdated && !busy()) reload()
    tell()
    // Until the worker has its own files everything would count as such a part.
    if (!isStudying(window.location.pathname) && navigator.serviceWorker?.controller)
      setTimeout(() => keepParts(), AFTER_FIRST_SCREEN_MS)
  },
}

/** What the worker has not precached, for the next time without a network. */
const keepParts = (only?: RegExp) =>
  void import('#src/offline/device/keepLazyAssets.ts').then(({ keepUsedParts }) => keepUsedParts(only)).catch(() => {})
const FONT = /^\/assets\/mathFont-/

const TAKEOVER_MS = 5_000
const AFTER_FIRST_SCREEN_MS = 1_500

/** Registers the worker after the page has loaded; the page works without it. */
export function startWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  fetchPapers()
  // The first formula has brought its font, before there is a worker as well as after.
  document.fonts.addEventListener('loadingdone', () => keepParts(FONT))
  const begin = () => void register().catch(() => {})
  // The first question comes before the files of the other screens.
  const later = () => void setTimeout(begin, AFTER_FIRST_SCREEN_MS)
  if (document.readyState === 'complete') later()
  else window.addEventListener('load', later, { once: true })
}

/**
 * What the worker keeps is asked for again when a fresh answer differs, and when the first worker came after the first reading.
 * Before the first reading itself: what is told while nobody listens is lost.
 */
export function followContent(queryClient: QueryClient): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const { serviceWorker } = navigator
  const again = (path?: string) => {
    const asked: InvalidateQueryFilters = {
      predicate: ({ meta, queryKey }) => meta?.keep === 'worker' && (!path || path === `/pcapi/${String(queryKey[3])}`),
      refetchType: path ? 'active' : 'all',
    }
    // A first answer that is still on its way may be the old one, and is not asked for anew: so once more after it.
    const early = queryClient.isFetching(asked)
    void queryClient.invalidateQueries(asked).then(() => {
      if (early > 0) void queryClient.invalidateQueries(asked)
    })
  }
  serviceWorker.addEventListener('message', ({ data }) => data?.fresh && again(data.fresh))
  if (!serviceWorker.controller) serviceWorker.addEventListener('controllerchange', () => again(), { once: true })
}

/** Once what the student did is known here, and when more of it comes: papers that this device does not hold yet. */
function fetchPapers(): void {
  let due = true
  const again = () => (due = true)
  offline.onChange((changed) => {
    if (!changed || changed.includes('attempt')) due = true
  })
  offline.onStatus(() => {
    if (!due || offline.status().state !== 'synced' || !navigator.serviceWorker.controller) return
    due = false
    void import('#src/sitting/ahead.ts').then(({ fetchAhead }) => fetchAhead()).catch(again)
  })
}

async function register(): Promise<void> {
  const worker = await import('./register.ts')
  await worker.register({
    waits: (takeOver) => {
      waiting = () => {
        takeOver()
        setTimeout(() => {
          if (!outdated) feedback.toast('新版本会在关闭所有页面后生效')
        }, TAKEOVER_MS)
      }
      tell()
    },
    // Here or in another tab somebody said 更新: every tab of the old version follows.
    tookOver: () => {
      outdated = true
      update.moved()
    },
    givenUp: () => {
      givenUp = true
      tell()
    },
  })
  // Whoever opens the product at its front reads its news later, perhaps without a network.
  if (window.location.pathname === '/')
    await import('#src/features/news/ahead.ts').then(({ fetchLatest }) => fetchLatest())
}
