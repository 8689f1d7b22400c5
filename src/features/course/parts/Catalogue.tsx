import { IconCircleCheck, IconHeadphones, IconLock, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, Suspense } from 'react'
import type { CourseDetail, CourseKind, Lesson, Unit } from '#src/contract/course.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import { lastWatched } from '#src/domain/course/goOn.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import classes from '../Courses.module.css'
import { lessonWay } from '../lessonWay.ts'
import { lessonShare, type Watched } from '../progress.ts'
import { TRIAL_NAMES } from '../texts.ts'
import { percentOf } from './ProgressBar.tsx'
import { TrialMark } from './TrialMark.tsx'

// Behind what is to be read: the engine of downloads comes with them, and without it there is the rest.
const LessonDownload = optional(() => import('../download/LessonDownload.tsx').then((m) => m.LessonDownload))
const GroupDownload = optional(() => import('../download/GroupDownload.tsx').then((m) => m.GroupDownload))

/** What is said from elsewhere: behind units, and of what downloads leave out. */
export interface CatalogueSlots {
  notAlong: (course: Pick<CourseDetail, 'no' | 'handouts'>) => ReactNode
  unit: (course: string, unit: Unit) => ReactNode
}
interface CatalogueProps {
  course: Pick<CourseDetail, 'no' | 'title' | 'kind' | 'price' | 'open' | 'units' | 'lessons' | 'handouts'>
  /** Null until it was read. */
  watched: Watched | null
  /** The package that the student has it in. */
  pack?: string | undefined
  slots: CatalogueSlots
}

/** 目录: units and their lessons. What is not one's own says so, and can be opened to see what to buy. */
export function Catalogue({ course, watched, pack, slots }: CatalogueProps) {
  const last = watched && lastWatched(watched, course.lessons)
  const isMine = (lesson: Lesson) => course.open || lesson.trial
  const mineOf = (units: readonly Unit[]) => units.flatMap((unit) => unit.lessons).filter(isMine)
  const download = (name: string, units: readonly Unit[], brief = false) => (
    <Suspense>
      <GroupDownload course={course} lessons={mineOf(units)} name={name} brief={brief} />
    </Suspense>
  )
  return (
    <>
      {download(course.open ? '整门课程' : `${TRIAL_NAMES[course.kind]}课时`, course.units)}
      {mineOf(course.units).length > 0 && slots.notAlong(course)}
      <ol className={clsx(common.stack, classes.units)}>
        {course.units.map((unit) => (
          <li key={unit.no}>
            <h3 className={clsx(common.between, classes.unit)}>
              {unit.title}
              <small className={clsx(common.caption, common.figures, classes.length)}>
                {clockText(unit.lessons.reduce((sum, { seconds }) => sum + seconds, 0))}
              </small>
            </h3>
            <ol className={clsx(common.card, classes.lessons)}>
              {unit.lessons.map((lesson) => (
                <LessonRow
                  key={lesson.no}
                  course={course}
                  lesson={lesson}
                  mine={isMine(lesson)}
                  last={lesson.no === last?.no}
                  watched={watched}
                  pack={pack}
                />
              ))}
            </ol>
            {course.open && course.units.length > 1 && download('本单元', [unit], true)}
            {slots.unit(course.no, unit)}
          </li>
        ))}
      </ol>
    </>
  )
}

interface LessonRowProps extends Omit<CatalogueProps, 'slots'> {
  lesson: Lesson
  mine: boolean
  /** It is the one that was watched last. */
  last: boolean
}

function LessonRow({ course, lesson, mine, last, watched, pack }: LessonRowProps) {
  const whole = watched !== null && lessonShare(lesson, watched) === 1
  return (
    <li className={clsx(common.wrap, classes.lesson)} data-last={last || undefined}>
      <Link
        {...lessonWay(course, lesson, pack)}
        state={{ from: window.location.pathname }}
        className={clsx(common.row, common.link, classes.opener)}
      >
        <Sign kind={course.kind} mine={mine} whole={whole} />
        <span className={clsx(common.column, common.grow)}>
          <b className={classes.lessonName}>{lesson.title}</b>
          <LessonFacts lesson={lesson} trial={course.open ? null : course.kind} watched={watched} />
        </span>
      </Link>
      {mine && (
        <Suspense>
          <LessonDownload course={course} lesson={lesson} />
        </Suspense>
      )}
    </li>
  )
}

const SIGN = { size: 20, className: clsx(common.fixed, common.accent) }

function Sign({ kind, mine, whole }: { kind: CourseKind; mine: boolean; whole: boolean }) {
  if (!mine) return <IconLock {...SIGN} aria-label="未解锁" />
  if (whole) return <IconCircleCheck {...SIGN} aria-label="已学完" />
  return kind === 'audio' ? (
    <IconHeadphones {...SIGN} aria-hidden="true" />
  ) : (
    <IconPlayerPlay {...SIGN} aria-hidden="true" />
  )
}

interface LessonFactsProps {
  lesson: Lesson
  /** Null: the student has all of the course. */
  trial: CourseKind | null
  watched: Watched | null
}

function LessonFacts({ lesson, trial, watched }: LessonFactsProps) {
  const of = watched?.get(lesson.no)
  const share = watched ? lessonShare(lesson, watched) : 0
  return (
    <small className={clsx(common.wrap, common.caption, common.figures, classes.facts)}>
      <span>{clockText(lesson.seconds)}</span>
      {trial !== null && lesson.trial && <TrialMark kind={trial} />}
      {share > 0 && share < 1 && (
        <span>
          已学 {percentOf(share)}%{of && of.position > 0 && `，上次到 ${clockText(of.position)}`}
        </span>
      )}
    </small>
  )
}
