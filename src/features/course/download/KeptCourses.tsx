import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { CourseKind } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/bytes.ts'
import type { Activity } from '#src/offline/board.ts'
import type { ListedLesson } from '#src/offline/lessons.ts'
import { sizeOf, takenBy } from '#src/offline/media.ts'
import { useLessons } from '#src/offline/useLessons.ts'
import { Button } from '#src/ui/Button.tsx'
import { dateText } from '#src/ui/dates.ts'
import { NoMore } from '#src/ui/More.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import card from '#src/ui/Card.module.css'
import { followLessons, pause, remove, resume } from './acts.ts'
import { Control } from './Control.tsx'
import classes from './Download.module.css'
import { groupView, type KeptCourse, keptCourses } from './view.ts'

interface KeptCoursesProps {
  /** Opens a lesson that is whole on this device. */
  onLesson: (opened: { course: string; kind: CourseKind; lesson: string }) => void
}
interface KeptCoursesPageProps extends KeptCoursesProps {
  /** Nothing is said of nothing. */
  quiet?: boolean
}

/** 本机课程: what of courses is on this phone, what it takes, and what can be done with it. */
export function KeptCourses({ onLesson, quiet = false }: KeptCoursesPageProps) {
  const { rows, activities } = useLessons()
  useEffect(followLessons, [])
  if (!rows) return <Skeleton />
  const list = [...rows.values()]
  if (quiet && list.length === 0) return null
  return (
    <section className={card.card} aria-labelledby="kept-courses">
      <h2 id="kept-courses">本机课程</h2>
      {list.length === 0 ? (
        <>
          <NoMore />
          <p>还没有下载课时。在课程目录里点下载，没有网络也能学。</p>
        </>
      ) : (
        <>
          <Space key={Math.round(takenBy(list) / 1024 ** 2)} taken={takenBy(list)} />
          <All list={list} activities={activities} />
          {keptCourses(list).map((course) => (
            <Course key={course.no} course={course} activities={activities} onLesson={onLesson} />
          ))}
        </>
      )}
    </section>
  )
}

/** As the browser counts it; lessons alone where it does not say. */
function Space({ taken }: { taken: number }) {
  const [free, setFree] = useState<number | null>(null)
  useEffect(() => {
    let left = false
    void navigator.storage?.estimate?.().then(
      ({ quota, usage }) => !left && setFree(quota === undefined ? null : Math.max(0, quota - (usage ?? 0))),
      () => {},
    )
    return () => {
      left = true
    }
  }, [])
  const told = `课时占用 ${bytesText(taken)}${free === null ? '' : `，还可用约 ${bytesText(free)}`}`
  return (
    <div className={classes.space}>
      {free !== null && <meter value={taken} max={taken + free} aria-label="课时占用的空间" />}
      <p>{told}</p>
    </div>
  )
}

interface OfActivities {
  activities: ReadonlyMap<string, Activity>
}

function All({ list, activities }: OfActivities & { list: readonly ListedLesson[] }) {
  const rows = new Map(list.map((row) => [row.lesson, row]))
  const { running, resting } = groupView(list, rows, activities)
  if (running.length + resting.length === 0) return null
  return (
    <div className={classes.group}>
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

interface CourseProps extends OfActivities, KeptCoursesProps {
  course: KeptCourse
}

function Course({ course, activities, onLesson }: CourseProps) {
  const { title, rows, bytes } = course
  const removeAll = () =>
    remove(
      rows.map(({ lesson }) => lesson),
      `“${title}”的 ${rows.length} 课时`,
      bytes,
    )
  return (
    <section className={classes.course} aria-label={title}>
      <h3>
        <span>{title}</span>
        <small>
          {rows.length} 课时 · {bytesText(bytes)}
        </small>
        <Button look="quiet" tone="plain" small aria-label={`全部移除 ${title}`} onClick={() => void removeAll()}>
          全部移除
        </Button>
      </h3>
      <ul>
        {rows.map((row) => (
          <li key={row.lesson}>
            <Title row={row} onOpen={(kind) => onLesson({ course: row.course, kind, lesson: row.lesson })} />
            <Control wanted={row} row={row} activity={activities.get(row.lesson)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Title({ row, onOpen }: { row: ListedLesson; onOpen: (kind: CourseKind) => void }) {
  const told = (
    <>
      <b>{row.title}</b>
      <small>
        {bytesText(sizeOf(row))} · {dateText(row.addedAt)}
      </small>
    </>
  )
  if (!row.ready) return <span className={classes.title}>{told}</span>
  const { kind } = row.ready.media
  return (
    <button type="button" className={classes.title} onClick={() => onOpen(kind)}>
      {told}
    </button>
  )
}
