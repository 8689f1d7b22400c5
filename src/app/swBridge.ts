import { feedback } from '#src/ui/feedback.ts'

/** Paths on which nothing may come between the student and the question. */
const STUDYING =
  /^\/(question\/library_(study|error_study|collect_study|note_study)|question_set\/question_set_study|exam\/exam_study|testing\/testing_study_page)\//

let waiting: (() => void) | null = null
const listeners = new Set<() => void>()

/** A new version that has been fetched and waits. It never takes over by itself. */
export const update = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** True when a new version waits and this page is not a study or an exam. */
  ready: (): boolean => waiting !== null && !STUDYING.test(window.location.pathname),
  apply: (): void => waiting?.(),
}

const TAKEOVER_MS = 5_000

/** Registers the worker after the page has loaded; the page works without it. */
export function startWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const later = () => void register().catch(() => {})
  if (document.readyState === 'complete') later()
  else window.addEventListener('load', later, { once: true })
}

async function register(): Promise<void> {
  const { Workbox } = await import('workbox-window')
  const workbox = new Workbox('/sw.js', { updateViaCache: 'none' })
  workbox.addEventListener('waiting', () => {
    waiting = () => {
      let reloading = false
      workbox.addEventListener('controlling', () => {
        if (!reloading) window.location.reload()
        reloading = true
      })
      workbox.messageSkipWaiting()
      setTimeout(() => {
        if (!reloading) feedback.toast('新版本会在关闭所有页面后生效')
      }, TAKEOVER_MS)
    }
    for (const listener of listeners) listener()
  })
  await workbox.register()
}
