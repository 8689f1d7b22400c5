/// <reference lib="webworker" />
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { SYNC_TAG } from '#src/offline/device/names.ts'
import { deliverInBackground } from './background.ts'
import { openHome, showMessage } from './notify.ts'
import { bringParts, dropOldParts } from './updateLazyAssets.ts'
import { fetchAhead, hashedFiles } from './precache.ts'
import { contentRoute, fileRoute } from './routes.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] }
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

// The shell and every route's chunk: an old page must find its chunks as long as this worker lives.
const files = self.__WB_MANIFEST
const precache = new PrecacheController()
precache.addToCacheList(files)
registerRoute(new PrecacheRoute(precache))
cleanupOutdatedCaches()
registerRoute(
  new NavigationRoute(precache.createHandlerBoundToURL('/index.html'), {
    // The address of a document is the last part of its reader's.
    denylist: [/^\/(pcapi|media|pay)\//, /^(?!\/pdf\/).*\/[^/?]+\.[a-z0-9]+$/i],
  }),
)

// Content whose contract entry says keep: 'worker', one cache per owner; pictures; the parts of the app that are not precached.
registerRoute(contentRoute)
registerRoute(fileRoute)

const install = async (event: ExtendableEvent): Promise<void> => {
  await fetchAhead(hashedFiles(files), precache.strategy.cacheName)
  await precache.install(event)
}
self.addEventListener('install', (event) => event.waitUntil(Promise.all([install(event), bringParts()])))

// A new version waits until the student says so (src/app/swBridge.ts).
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting()
})

// The page of the first visit, too, is to keep what it reads. An update takes over every page anyway, or none is open.
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([precache.activate(event), self.clients.claim(), dropOldParts()])),
)

// Only an accelerator: nothing depends on Background Sync, which iOS and Firefox lack.
self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent
  if (sync.tag === SYNC_TAG) sync.waitUntil(deliverInBackground())
})

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showMessage(event.data, self.registration))
})
self.addEventListener('notificationclick', (event) => event.waitUntil(openHome(event, self.clients)))
