import type { WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { Route } from 'workbox-routing'
import { CacheFirst, StaleWhileRevalidate } from 'workbox-strategies'
import { leftAt } from '#src/offline/device/logouts.ts'
import { apiCache, IMAGE_CACHE } from '#src/offline/device/names.ts'

declare const clients: { matchAll: () => Promise<readonly { postMessage: (message: unknown) => void }[]> }
/** contract/kept.ts, at build time. */
declare const __KEPT_PATHS__: readonly string[]
const MONTH_S = 30 * 86_400

/** Only an answer of our own server that says "done" is worth keeping: refusals come with HTTP 200, too. */
export async function isDone(response: Response): Promise<boolean> {
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('application/json')) return false
  const envelope: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof envelope === 'object' && envelope !== null && 'status' in envelope && envelope.status === 1
}

/** Keeps what is done, unless its owner has logged out since it was asked for: a purged cache stays empty. */
const onlyDone = (owner: string): WorkboxPlugin => ({
  handlerWillStart: async ({ state }) => {
    if (state) state.askedAt = Date.now()
  },
  cacheWillUpdate: async ({ response, state }) =>
    (await isDone(response)) && (await leftAt(owner)) < Number(state?.askedAt) ? response : null,
})

/**
 * Tells the pages when the fresh answer differs from the one they were given. By its text: our answers carry no ETag, and gzipped
 * ones no length, which is all that workbox-broadcast-update compares.
 */
const telling: WorkboxPlugin = {
  cacheDidUpdate: async ({ oldResponse, newResponse, request }) => {
    if (!oldResponse || (await oldResponse.text()) === (await newResponse.clone().text())) return
    for (const page of await clients.matchAll()) page.postMessage({ fresh: new URL(request.url).pathname })
  },
}

/** Workbox's own classes declare their hooks as possibly undefined, which its interface does not allow. */
const asPlugin = (plugin: object): WorkboxPlugin => plugin

const strategies = new Map<string, StaleWhileRevalidate>()
function strategyOf(owner: string): StaleWhileRevalidate {
  const known = strategies.get(owner)
  if (known) return known
  const cacheName = apiCache(owner)
  const plugins = [
    onlyDone(owner),
    asPlugin(new ExpirationPlugin({ maxEntries: 300, maxAgeSeconds: MONTH_S })),
    telling,
  ]
  const made = new StaleWhileRevalidate({ cacheName, plugins })
  strategies.set(owner, made)
  return made
}

/** The stored answer at once, a fresh one behind it. The owner comes with the request, so accounts never mix. */
export const makeContentRoute = (paths: ReadonlySet<string>): Route =>
  new Route(
    ({ url, sameOrigin }) => sameOrigin && paths.has(url.pathname),
    (options) => {
      const [answer, kept] = strategyOf(options.request.headers.get('x-owner') ?? 'anon').handleAll(options)
      // A device that can keep nothing has been answered all the same.
      kept.catch(() => {})
      return answer
    },
    'GET',
  )
export const contentRoute = makeContentRoute(new Set(__KEPT_PATHS__))

/** A captive portal answers for pictures and recordings, too; what is kept here is never asked for again. */
const onlyMedia: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) =>
    response.status === 200 && /^(image|audio)\//.test(response.headers.get('content-type') ?? '') ? response : null,
  // In a cache of the page's own: pictures and recordings of a downloaded library (offline/downloads/packs/packDownload.ts), used parts (offline/downloads/documents/documents.ts).
  cachedResponseWillBeUsed: async ({ cachedResponse, request }) => cachedResponse ?? caches.match(request),
}

/**
 * Question pictures and recordings by content hash never change. Opaque answers are not kept: each would count as megabytes. A player
 * asks for ranges of a recording, which nothing here could answer: only what the page fetches to be kept is, and the page plays that
 * (ui/text/recordings.ts). Nor do the parts of the app change that are too heavy to be precached: the page keeps those it used, here
 * they are only found.
 */
export const fileRoute = new Route(
  ({ request, url, sameOrigin }) =>
    sameOrigin &&
    (url.pathname.startsWith('/assets/') ||
      (url.pathname.startsWith('/media/') && (request.destination === 'image' || request.cache === 'force-cache'))),
  new CacheFirst({
    cacheName: IMAGE_CACHE,
    plugins: [onlyMedia, asPlugin(new ExpirationPlugin({ maxEntries: 300, purgeOnQuotaError: true }))],
  }),
)
