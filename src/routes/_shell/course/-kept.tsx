import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { optional } from '#src/ui/optional.ts'
import { openLesson } from './-lesson.ts'

const KeptCourses = optional(() => import('#src/features/course/download/KeptCourses.tsx').then((m) => m.KeptCourses))

/** 本机课程, whose lessons open where they play. */
export function Kept({ quiet = false }: { quiet?: boolean }) {
  const navigate = useNavigate()
  return (
    <Suspense>
      <KeptCourses
        quiet={quiet}
        onLesson={({ course: no, kind, lesson }) => openLesson(navigate, { no, kind, open: true }, { no: lesson })}
      />
    </Suspense>
  )
}
