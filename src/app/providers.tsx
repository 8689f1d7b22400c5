import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import { InsightContext } from '#src/player/question/insightContext.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { AvailableContext } from '#src/ui/available.ts'
import { FeedbackHost } from '#src/ui/feedback/FeedbackHost.tsx'
import { LoginContext } from '#src/ui/login.ts'
import { optional } from '#src/ui/optional.ts'
import type { AppRouter } from './router.ts'

const Insight = optional(() => import('#src/player/question/Insight.tsx').then((m) => m.Insight))
const Available = optional(() => import('./Available.tsx').then((m) => m.Available))
const available = (
  <Suspense>
    <Available />
  </Suspense>
)
const insight = (part: PlainQuestion) => (
  <Suspense>
    <Insight part={part} />
  </Suspense>
)

export function Providers({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <QueryClientProvider client={queryClient}>
      <InsightContext value={insight}>
        <AvailableContext value={available}>
          <LoginContext value={loginRequest.ask}>
            <RouterProvider router={router} />
          </LoginContext>
        </AvailableContext>
      </InsightContext>
      <FeedbackHost />
    </QueryClientProvider>
  )
}
