import { Suspense } from 'react'
import { optional } from '#src/ui/optional.ts'

const KeptCourses = optional(() => import('#src/features/course/download/KeptCourses.tsx').then((m) => m.KeptCourses))

/** 本机课程, whose lessons open where they play. */
export const Kept = ({ quiet = false }: { quiet?: boolean }) => (
  <Suspense>
    <KeptCourses quiet={quiet} />
  </Suspense>
)
