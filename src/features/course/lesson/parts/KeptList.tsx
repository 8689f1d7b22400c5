import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import common from '#src/ui/common.module.css'
import type { KeptLesson } from '../media/doors.ts'
import classes from '../Lesson.module.css'
import { clockText } from '#src/domain/course/lengths.ts'
import { plainClick } from '../plainClick.ts'
import type { LessonWay } from '../../lessonWay.ts'
import type { PlacedLesson } from '../lessons.ts'

interface KeptListProps {
  lessons: readonly PlacedLesson[]
  kept: (lessonNo: string) => Promise<KeptLesson | null>
  wayTo: (lessonNo: string) => LessonWay
  onLesson: (lesson: PlacedLesson) => void
}

/** Which lessons of this course play without a network. */
export function KeptList({ lessons, kept, wayTo, onLesson }: KeptListProps) {
  const [here, setHere] = useState<readonly PlacedLesson[] | null>(null)
  useEffect(() => {
    let left = false
    const isHere = ({ no }: PlacedLesson) =>
      kept(no).then(
        (found) => found?.opens === 'open',
        () => false,
      )
    void Promise.all(lessons.map(isHere)).then((found) => !left && setHere(lessons.filter((_, i) => found[i])))
    return () => {
      left = true
    }
  }, [lessons, kept])
  if (!here) return null
  return (
    <section className={classes.panel} aria-label="已下载的课时">
      <h2 className={classes.heading}>{here.length > 0 ? '这些课时已经下载，现在就能学' : '这门课还没有下载课时'}</h2>
      {here.map((lesson) => (
        <Link
          key={lesson.no}
          {...wayTo(lesson.no)}
          className={clsx(common.between, common.link, classes.line)}
          onClick={plainClick(() => onLesson(lesson))}
        >
          <span className={common.accent}>{lesson.title}</span>
          <span className={clsx(common.quiet, common.figures)}>{clockText(lesson.seconds)}</span>
        </Link>
      ))}
    </section>
  )
}
