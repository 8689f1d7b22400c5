// Served as /sw.js while RETIRE_WORKER=1: takes the place of a broken worker, then goes. IndexedDB stays as it is.
// As `isBusy` of src/app/nav.ts: such a page is left as it is, and starts anew when the student leaves it.
const BUSY =
  /^\/(today$|(question\/library_(study|error_study|collect_study|note_study)|question_set\/question_set_study|exam\/exam_(study|analysis)|testing\/testing_(study_page|analysis)|pdf)\/)|^\/course\/course_[av]/
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const precaches = (await caches.keys()).filter((name) => name.includes('-precache-'))
      await Promise.all(precaches.map((name) => caches.delete(name)))
      await self.registration.unregister()
      for (const page of await self.clients.matchAll({ type: 'window' }))
        if (!BUSY.test(new URL(page.url).pathname)) await page.navigate(page.url)
    })(),
  )
})
