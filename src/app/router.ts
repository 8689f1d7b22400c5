import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { readablePath } from '#src/domain/readablePath.ts'
import { routeTree } from '#src/routeTree.gen.ts'
import { RouteError } from './RouteError.tsx'

/** The student's page over the URL space of src/routes. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
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
