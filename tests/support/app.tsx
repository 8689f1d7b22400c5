// Ahead of time: what the page loads lazily takes a busy machine longer than a test waits.
import '#src/features/account/AccountPage.tsx'
import '#src/features/login/dialog/LoginDialog.tsx'
import '#src/features/login/security/security.ts'
import '#src/features/question/today/TaskCard.tsx'
import '#src/features/stats/afterFirst.ts'
import '#src/features/stats/StatsDialog.tsx'
import '#src/features/structural/ScopeDialog.tsx'
import { render, waitFor } from '@testing-library/react'
import { keys } from 'idb-keyval'
import { createAppRouter } from '#src/app/router.ts'
import { Providers } from '#src/app/providers.tsx'
import { showCalls, tellFailure } from '#src/app/failures.ts'
import { createQueryClient, restoreBoot } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { session } from '#src/session/session.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { onPage } from '#src/ui/dialog/sheetHistory.ts'

export const DIRECTION = { key: 'jg', name: '高中士兵考军官院校' }

/** A device as it is for a student who has chosen a direction, and is logged in or a visitor. */
export function prepareDevice(student: { token: string; uid: string } | null = null): void {
  while (feedback.get().question) feedback.get().question?.answer(null)
  localStorage.clear()
  sessionStorage.clear()
  session.logout()
  session.setChoice({ key: '0', name: '全国' }, DIRECTION)
  if (student) session.login(student.token, student.uid)
  localStorage.setItem('jk-chosen', '1')
}

/** The whole page as main.tsx starts it, at a path, over whatever answers `fetch` now. */
export async function openApp(path: string) {
  // What the last page had open is undone.
  await onPage()
  window.history.replaceState(null, '', path)
  const queryClient = createQueryClient(session.owner(), tellFailure)
  const stopShowing = showCalls(queryClient)
  const stopKeeping = await restoreBoot(queryClient)
  const router = createAppRouter(queryClient)
  const { unmount } = render(<Providers queryClient={queryClient} router={router} />)
  await waitFor(() => {
    if (router.state.status !== 'idle' || router.state.matches.length === 0) throw new Error('still loading')
  })
  /** What the page has asked for is here, and what belongs on the device lies there: only then can it be left and seen without a network. */
  const kept = () =>
    waitFor(async () => {
      if (queryClient.isFetching() > 0) throw new Error('still asking')
      const rows = new Set(await keys<string>(cacheStore(session.owner())))
      for (const { meta, state, queryHash } of queryClient.getQueryCache().getAll())
        if (meta?.keep === 'device' && state.data !== undefined && !rows.has(`q-${queryHash}`))
          throw new Error(`not kept yet: ${queryHash}`)
    })
  const close = () => {
    unmount()
    stopShowing()
    stopKeeping()
    queryClient.clear()
  }
  return { router, queryClient, kept, close, path: () => window.location.pathname }
}
