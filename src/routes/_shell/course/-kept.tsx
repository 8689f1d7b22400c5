import type { KeptLesson } from '#src/features/course/lesson/media/doors.ts'
import { Suspense } from 'react'
import type { Updated } from '#src/features/course/lesson/LessonPlayer.tsx'
import { optional } from '#src/ui/optional.ts'

const KeptCourses = optional(() => import('#src/features/course/download/KeptCourses.tsx').then((m) => m.KeptCourses))

const LessonUpdate = optional(() =>
  import('#src/features/course/download/LessonUpdate.tsx').then((m) => m.LessonUpdate),
)

/** Under a lesson that plays. The engine of downloads comes with it, behind what plays. */
export const updateOfLesson = (of: Updated) => (
  <Suspense>
    <LessonUpdate {...of} />
  </Suspense>
)

/** 已下载课程, whose lessons open where they play. */
export const Kept = ({ quiet = false }: { quiet?: boolean }) => (
  <Suspense>
    <KeptCourses quiet={quiet} />
  </Suspense>
)

/** A downloaded lesson, read by a part of the player, which is there when this is asked. */
export const keptLesson = (lessonNo: string): Promise<KeptLesson | null> =>
  import('#src/features/course/lesson/media/kept.ts').then((all) => all.keptLesson(lessonNo))
