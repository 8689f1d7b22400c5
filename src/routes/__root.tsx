import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import { NotFound } from '#src/app/shell/NotFound.tsx'
import { Root } from '#src/app/Root.tsx'
import { RouteError } from '#src/app/shell/RouteError.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: RouteError,
})
