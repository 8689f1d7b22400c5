import { clsx } from 'clsx'
import { useEffect } from 'react'
import type { Lesson } from '#src/contract/course.ts'
import { opensOffline } from '#src/domain/course/entitlement.ts'
import type { ListedLesson } from '#src/offline/downloads/lessons/lessons.ts'
import { updateOf } from '#src/offline/downloads/lessons/media.ts'
import { seenNow } from '#src/offline/device/highestTime.ts'
import { useLesson } from '#src/offline/useLessons.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { followLessons } from './acts.ts'
import { Control } from './Control.tsx'
import classes from './Download.module.css'
import { useWish } from './quality.ts'
import { type CourseOf, wantedOf } from './view.ts'

interface LessonUpdateProps {
  lesson: Lesson & { course: CourseOf }
  /** The rev that plays from this device; null: none does. */
  playing: string | null
  /** Opens the lesson again where it stands. */
  onReopen: () => void
}

/** Below a lesson that plays: the downloaded copy is an old one, its update is under way, or the new one has come meanwhile. */
export function LessonUpdate({ lesson, playing, onReopen }: LessonUpdateProps) {
  const known = useLesson(lesson.no)
  const wish = useWish()
  useEffect(followLessons, [])
  const row = known?.row
  if (!row?.ready) return null
  const isReplaced = playing !== null && playing !== row.ready.media.rev
  if (!isReplaced && !isOffered(row)) return null
  return (
    <section className={clsx(common.between, classes.update)} aria-label="课时更新">
      <p>{isReplaced ? '新版已下载，正在播放的还是旧版' : '已下载的是旧版'}</p>
      {isReplaced ? (
        <Button small onClick={onReopen}>
          换成新版
        </Button>
      ) : (
        <Control wanted={wantedOf(lesson.course, lesson, wish)} row={row} activity={known?.activity} keeps />
      )}
    </section>
  )
}

const isOffered = (row: ListedLesson): boolean =>
  row.wanted || (updateOf(row) !== null && opensOffline(row, seenNow()) === 'open')
