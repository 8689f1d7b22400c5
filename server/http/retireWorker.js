// Served as /sw.js while RETIRE_WORKER=1: takes the place of a broken worker, then goes. IndexedDB stays as it is.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const precaches = (await caches.keys()).filter((name) => name.includes('-precache-'))
      await Promise.all(precaches.map((name) => caches.delete(name)))
      await self.registration.unregister()
      for (const page of await self.clients.matchAll({ type: 'window' })) await page.navigate(page.url)
    })(),
  )
})
