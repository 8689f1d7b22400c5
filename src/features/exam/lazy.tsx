import { Suspense } from 'react'
import { optional } from '#src/ui/optional.ts'
import { useAnySitting } from './anySitting.ts'

const Bar = optional(() => import('./parts/ExamBar.tsx').then((m) => m.ExamBar))
const Cards = optional(() => import('./parts/RunningExams.tsx').then((m) => m.RunningExams))

/** What tells of sittings on every page: nothing is loaded where there is none. */
export function ExamBar() {
  return (
    useAnySitting() && (
      <Suspense>
        <Bar />
      </Suspense>
    )
  )
}

/** The same on the home page. */
export function RunningExams() {
  return (
    useAnySitting() && (
      <Suspense>
        <Cards />
      </Suspense>
    )
  )
}
