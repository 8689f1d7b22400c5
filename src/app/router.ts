import type { QueryClient } from '@tanstack/react-query'
import { createBrowserHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { readablePath } from '#src/domain/text/readablePath.ts'
import { fromPage, watchSheets } from '#src/ui/dialog/sheetHistory.ts'
import { routeTree } from '#src/routeTree.gen.ts'
import { RouteError } from './shell/RouteError.tsx'

/** A history whose every move begins at the page's own entry, though a sheet may lie over it. */
function fromPages(history: RouterHistory): RouterHistory {
  const { push, replace, go, back, forward } = history
  history.push = (...to) => fromPage(() => push(...to))
  history.replace = (...to) => fromPage(() => replace(...to))
  history.go = (...by) => fromPage(() => go(...by))
  history.back = (...how) => fromPage(() => back(...how))
  history.forward = (...how) => fromPage(() => forward(...how))
  return history
}

/** The student's page over the URL space of src/routes. */
export function createAppRouter(queryClient: QueryClient) {
  watchSheets()
  return createRouter({
    routeTree,
    history: fromPages(createBrowserHistory()),
    context: { queryClient },
    defaultPreload: 'intent',
    // React Query decides what is fresh; the router must not keep a second opinion.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingMs: 200,
    // The error takes the place of the screen alone: the shell around it keeps its navigation.
    defaultErrorComponent: RouteError,
    rewrite: { input: ({ url }) => Object.assign(url, { pathname: readablePath(url.pathname) }) },
  })
}

/**
 * Follows the history from the start. A router hears it only once it is drawn, and would miss a student who steps back while the
 * first screen is on its way: the address would be of one page, the screen of another.
 */
export function followHistory(router: AppRouter): void {
  const stop = router.history.subscribe(() => void router.load())
  const drawn = router.subscribe('onRendered', () => {
    stop()
    drawn()
  })
}
export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface StaticDataRouteOption {
    /** The route's name in the page's title. */
    title?: string
    /** false: no footer and no tab bar; the student needs the space (spec §2). */
    footer?: false
    /** true: the switcher chip of region and direction is shown (spec §2). */
    chip?: true
  }
}
