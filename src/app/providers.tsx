import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { FeedbackHost } from '#src/ui/FeedbackHost.tsx'
import type { AppRouter } from './router.ts'
import { schemeManager } from './scheme.ts'
import { theme } from './theme.ts'

export function Providers({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={schemeManager}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <FeedbackHost />
      </QueryClientProvider>
    </MantineProvider>
  )
}
