import '../ui/tokens.css'
import './theme.css'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { deviceMemory } from '#src/device/stores.ts'
import { createQueryClient, restoreBoot, watchNetwork } from '#src/offline/device/cache.ts'
import { hasLessons, offline, startOffline } from '#src/offline/index.ts'
import { endView } from '#src/session/lastView.ts'
import { session } from '#src/session/session.ts'
import { openAnew, reload } from '#src/ui/dialog/newPage.ts'
import { showCalls, tellFailure } from './failures.ts'
import { mendMissingChunks } from './missingChunk.ts'
import { Providers } from './providers.tsx'
import { createAppRouter, followHistory } from './router.ts'
import { followContent, startWorker, update } from './swBridge.ts'

/** Screens that keep no view of theirs are shown by then. */
const VIEW_MS = 3_000

/** What takes longer is waited for inside the shell. */
const LOAD_MS = 400

/** The first screen has had the network to itself by then. */
const RESUME_MS = 8_000

/** Downloads of lessons that were interrupted go on; when that fails, they rest until a screen shows them. */
async function resumeLessons(): Promise<void> {
  if (await hasLessons()) await (await import('#src/features/course/download/acts.ts')).resumeAll()
}

/** On a slow phone each step is a task of its own, so that a scroll or a tap comes between. */
const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Boot order: what the first paint needs comes from device/stores.ts; IndexedDB, the worker and the network never block it. */
async function boot(): Promise<void> {
  await breath()
  const queryClient = createQueryClient(offline.owner, tellFailure)
  watchNetwork()
  showCalls(queryClient)
  mendMissingChunks()
  followContent(queryClient)
  await restoreBoot(queryClient)
  await breath()
  const router = createAppRouter(queryClient)
  followHistory(router)
  // Loaded before it is rendered, it is rendered once.
  await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, LOAD_MS))])
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const app = createRoot(root)
  // In slices, for the same reason.
  startTransition(() => app.render(<Providers queryClient={queryClient} router={router} />))
  setTimeout(endView, VIEW_MS)
  startOffline()
  startWorker()
  setTimeout(() => void resumeLessons().catch(() => {}), RESUME_MS)
  setTimeout(
    () => void import('./iconBadge.ts').then(({ followReviews }) => followReviews()).catch(() => {}),
    RESUME_MS,
  )
  router.subscribe('onResolved', update.moved)
  // What was resolved before it was rendered is not told.
  update.moved()
  // Another tab logged out or became another student's: this page's owner is no longer true.
  session.subscribe(() => session.owner() !== offline.owner && reload())
  offline.onLogout(() => {
    // Where the browser keeps nothing, each tab has a login of its own, which would be carried over.
    if (!deviceMemory.works()) session.logout()
    openAnew('/')
  })
}
void boot()
