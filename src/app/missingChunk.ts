import { TAB_KEYS } from '#src/device/keys.ts'
import { call } from '#src/api/client.ts'
import { OfflineError } from '#src/api/errors.ts'
import { getNotice } from '#src/contract/home.ts'
import { tabMemory } from '#src/device/stores.ts'
import { reload } from '#src/ui/dialog/newPage.ts'
import { isBusy } from './shell/nav.ts'

/**
 * Why a file of the app could not be fetched: `gone`, the server answers and has it no more; `away`, nobody answers; `faulty`, the
 * server answers with a fault; `there`, it can be fetched by now.
 */
export type WhyMissing = 'gone' | 'away' | 'faulty' | 'there'

const RELOAD_AGAIN_MS = 60_000
const ASK_MS = 5_000

/** The address of the last file that could not be fetched; '' where the browser does not name it, null while none was missing. */
let missing: string | null = null

/** Whether this page has missed a file of the app, so that what fails afterwards may come of it. */
export const hasMissingChunk = (): boolean => missing !== null

/**
 * A piece of the app that neither worker nor server has any more: one reload brings the new version. Where nobody answers a
 * reload brings nothing, so the route's error page is shown instead; and no question is taken away for a piece that may have
 * been fetched ahead.
 */
export function mendMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Else the router reloads by itself, also offline.
    event.preventDefault()
    missing = /\/assets\/[\w.-]+/.exec(event.payload?.message ?? '')?.[0] ?? ''
    const last = Number(tabMemory.get(TAB_KEYS.chunkReload))
    if (isBusy(window.location.pathname) || !navigator.onLine || Date.now() - last < RELOAD_AGAIN_MS) return
    tabMemory.set(TAB_KEYS.chunkReload, String(Date.now()))
    // The worker answers for the page itself, also where nobody else does.
    void fetch('/readyz', { cache: 'no-store' }).then(
      ({ ok }) => ok && reload(),
      () => {},
    )
  })
}

/** Asks the server about itself and about the file. As a call, so that the rest of the app also learns that nobody answers. */
export async function whyMissing(): Promise<WhyMissing> {
  try {
    await call(getNotice, {}, { timeoutMs: ASK_MS, authorization: false })
  } catch (error) {
    return error instanceof OfflineError ? 'away' : 'faulty'
  }
  if (!missing) return 'gone'
  return fetch(missing, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) }).then(
    ({ status }) => (status === 404 ? 'gone' : status < 400 ? 'there' : 'faulty'),
    () => 'away',
  )
}
