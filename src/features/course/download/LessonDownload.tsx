import { useEffect } from 'react'
import type { Lesson } from '#src/contract/course.ts'
import { useLesson } from '#src/offline/useLessons.ts'
import { followLessons } from './acts.ts'
import { Control } from './Control.tsx'
import { useWish } from './quality.ts'
import { type CourseOf, wantedOf } from './view.ts'

interface LessonDownloadProps {
  course: CourseOf
  lesson: Lesson
}

/** 下载 of one lesson: what it weighs, how far it has come, and what can be done with it. For lessons that one may have. */
export function LessonDownload({ course, lesson }: LessonDownloadProps) {
  const known = useLesson(lesson.no)
  const wish = useWish()
  useEffect(followLessons, [])
  return known && <Control wanted={wantedOf(course, lesson, wish)} {...known} />
}
