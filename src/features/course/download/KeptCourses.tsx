import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { bytesText } from '#src/domain/text/bytes.ts'
import { QUALITY_NAMES } from '#src/domain/course/quality.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import type { Activity } from '#src/offline/downloads/board.ts'
import { type LessonsState, type ListedLesson, lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { sizeOf, takenBy } from '#src/offline/downloads/lessons/media.ts'
import { useLessons } from '#src/offline/useLessons.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { dateText } from '#src/ui/dates.ts'
import { NoMore } from '#src/ui/list/More.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { lessonWay } from '../lessonWay.ts'
import { followLessons, pause, remove, resume } from './acts.ts'
import { courseQuery } from '../queries.ts'
import { Control } from './Control.tsx'
import classes from './Download.module.css'
import { UpdateAll } from './UpdateAll.tsx'
import { groupView, type KeptCourse, keptCourses } from './view.ts'

interface KeptCoursesProps {
  /** Nothing is said of nothing. */
  quiet?: boolean
}

/** 已下载课程: what of courses is on this phone, what it takes, and what can be done with it. */
export function KeptCourses({ quiet = false }: KeptCoursesProps) {
  const state = useLessons()
  const { rows, activities } = state
  useEffect(followLessons, [])
  // Nothing else asks for these courses here, and whoever has no downloads asks for none: answers tell what was corrected.
  useQueries({ queries: coursesOf(rows).map(courseQuery) })
  if (!rows) return <Skeleton />
  const list = [...rows.values()]
  if (quiet && list.length === 0) return null
  return (
    <section className={common.panel} aria-labelledby="kept-courses">
      <h2 id="kept-courses" className={common.subheading}>
        已下载课程
      </h2>
      {list.length === 0 ? (
        <>
          <NoMore />
          <p className={common.note}>还没有下载课时。在课程目录里点下载，没有网络也能学。</p>
        </>
      ) : (
        <>
          <p className={common.note}>课时占用 {bytesText(takenBy(list))}</p>
          <All list={list} state={state} />
          {keptCourses(list).map((course) => (
            <Course key={course.no} course={course} activities={activities} />
          ))}
        </>
      )}
    </section>
  )
}

interface OfActivities {
  activities: ReadonlyMap<string, Activity>
}

const coursesOf = (rows: LessonsState['rows']): string[] => [
  ...new Set([...(rows?.values() ?? [])].map(({ course }) => course)),
]

function All({ list, state }: { list: readonly ListedLesson[]; state: LessonsState }) {
  const rows = new Map(list.map((row) => [row.lesson, row]))
  const { running, resting } = groupView(list, rows, state.activities)
  return (
    <div className={clsx(common.wrap, classes.group)}>
      <UpdateAll list={list} state={state} />
      {running.length > 0 && (
        <Button look="light" small onClick={() => pause(running)}>
          <IconPlayerPause size={18} aria-hidden="true" />
          全部暂停
        </Button>
      )}
      {resting.length > 0 && (
        <Button look="light" small onClick={() => resume(resting)}>
          <IconPlayerPlay size={18} aria-hidden="true" />
          全部继续
        </Button>
      )}
    </div>
  )
}

interface CourseProps extends OfActivities {
  course: KeptCourse
}

function Course({ course, activities }: CourseProps) {
  const { title, rows, bytes } = course
  const lengths = useLengths(course)
  const removeAll = () =>
    remove(
      rows.map(({ lesson }) => lesson),
      `“${title}”的 ${rows.length} 课时`,
      bytes,
    )
  return (
    <section aria-label={title}>
      <h3 className={clsx(common.wrap, classes.course)}>
        <span className={classes.name}>{title}</span>
        <small className={clsx(common.caption, common.figures, classes.size)}>
          {rows.length} 课时 · {bytesText(bytes)}
        </small>
        <Button
          look="quiet"
          tone="plain"
          small
          className={common.end}
          aria-label={`全部移除 ${title}`}
          onClick={() => void removeAll()}
        >
          全部移除
        </Button>
      </h3>
      <ul>
        {rows.map((row) => (
          <li key={row.lesson} className={clsx(common.wrap, classes.lesson)}>
            <Title row={row} seconds={lengths.get(row.lesson)} />
            <Control wanted={row} row={row} activity={activities.get(row.lesson)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How long its lessons are, as the kept page of the course says it: the same as everywhere else. */
function useLengths({ no, rows }: KeptCourse): ReadonlyMap<string, number> {
  const [lengths, setLengths] = useState<ReadonlyMap<string, number>>(new Map())
  const first = rows[0]?.lesson ?? ''
  useEffect(() => {
    let left = false
    void lessons.courseOf(first, no).then(
      (course) =>
        !left &&
        setLengths(new Map(course?.units.flatMap((unit) => unit.lessons.map((each) => [each.no, each.seconds])))),
      () => {},
    )
    return () => {
      left = true
    }
  }, [first, no])
  return lengths
}

const TITLE = clsx(common.column, classes.title)

/** A lesson that is whole on this device leads to where it plays. */
function Title({ row, seconds }: { row: ListedLesson; seconds: number | undefined }) {
  const told = (
    <>
      <b className={classes.lessonName}>{row.title}</b>
      <small className={clsx(common.caption, common.figures)}>
        {seconds !== undefined && `${clockText(seconds)} · `}
        {row.ready?.rendition.quality && `${QUALITY_NAMES[row.ready.media.kind][row.ready.rendition.quality]} · `}
        {bytesText(sizeOf(row))} · {dateText(row.addedAt)}
      </small>
    </>
  )
  if (!row.ready) return <span className={TITLE}>{told}</span>
  const course = { no: row.course, kind: row.ready.media.kind, open: true }
  return (
    <Link
      {...lessonWay(course, { no: row.lesson })}
      state={{ from: window.location.pathname }}
      className={clsx(common.link, TITLE)}
    >
      {told}
    </Link>
  )
}
