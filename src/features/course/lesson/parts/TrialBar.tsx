import { IconLock } from '@tabler/icons-react'
import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { TRIAL_NAMES } from '../../texts.ts'
import { isForSale, type PlacedLesson } from '../lessons.ts'
import classes from '../Lesson.module.css'

const TRIAL = clsx(common.wrap, common.warm, classes.trial)

interface TrialBarProps {
  lesson: PlacedLesson
  lessons: readonly PlacedLesson[]
  onCourse: () => void
}

/** What is free here, what comes after it, and how to get that. Nothing to who may have all of it. */
export function TrialBar({ lesson, lessons, onCourse }: TrialBarProps) {
  const locked = lessons.filter(({ open }) => !open).length
  if (lesson.course.open || locked === 0) return null
  if (!isForSale(lesson.course))
    return (
      <div className={TRIAL}>
        <IconLock size={20} className={common.fixed} aria-hidden="true" />
        <p className={classes.terms}>这门课已下架，不再开放。你的学习进度和笔记都还在。</p>
      </div>
    )
  const trial = TRIAL_NAMES[lesson.course.kind]
  return (
    <div className={TRIAL}>
      <IconLock size={20} className={common.fixed} aria-hidden="true" />
      <p className={classes.terms}>
        {lesson.open && <b>{trial}课时，免费。</b>}共 {lessons.length} 课时，可{trial} {lessons.length - locked}{' '}
        课时；其余 {locked} 课时购买后学习。
      </p>
      <Button small onClick={onCourse}>
        看看怎么购买
      </Button>
    </div>
  )
}
