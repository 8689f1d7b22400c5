/// <reference lib="webworker" />
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { SYNC_TAG } from '#src/offline/names.ts'
import { deliverInBackground } from './background.ts'
import { bringParts, dropOldParts } from './parts.ts'
import { contentRoute, fileRoute } from './routes.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] }
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

// The shell and every route's chunk: an old page must find its chunks as long as this worker lives.
precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    // The address of a document is the last part of its reader's.
    denylist: [/^\/(pcapi|media|pay)\//, /^(?!\/pdf\/).*\/[^/?]+\.[a-z0-9]+$/i],
  }),
)

// Content whose contract entry says keep: 'worker', one cache per owner; pictures; the parts of the app that are not precached.
registerRoute(contentRoute)
registerRoute(fileRoute)

self.addEventListener('install', (event) => event.waitUntil(bringParts()))

// A new version waits until the student says so (src/app/swBridge.ts).
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting()
})

// The page of the first visit, too, is to keep what it reads. An update takes over every page anyway, or none is open.
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), dropOldParts()])))

// Only an accelerator: nothing depends on Background Sync, which iOS and Firefox lack.
self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent
  if (sync.tag === SYNC_TAG) sync.waitUntil(deliverInBackground())
})
