import { IconCheck, IconClipboardCheck, IconLock, IconPlayerPlayFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { Thing } from '#src/contract/study.ts'
import { watchedShare } from '#src/domain/course/watched.ts'
import common from '#src/ui/common.module.css'
import { plainClick } from '../plainClick.ts'
import { keepInSight } from '#src/ui/sight.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import type { LessonWay } from '../../lessonWay.ts'
import { TrialMark } from '../../parts/TrialMark.tsx'
import type { PlacedLesson } from '../lessons.ts'
import type { Quiz } from './EndCard.tsx'
import classes from './LessonList.module.css'

interface LessonListProps {
  lessons: readonly PlacedLesson[]
  current: string
  records: ReadonlyMap<string, Thing<'lesson'>> | null
  quizOf: (courseNo: string, unitNo: string) => Quiz | null
  wayTo: (lessonNo: string) => LessonWay
  /** A plain click: the element that plays stays, and goes on with this lesson. */
  onLesson: (lesson: PlacedLesson) => void
  onQuiz: (no: string) => void
}

/** All lessons by unit: how far each was watched, and which one is open. */
export function LessonList({ lessons, current, records, quizOf, wayTo, onLesson, onQuiz }: LessonListProps) {
  const many = new Set(lessons.map(({ course }) => course.no)).size > 1
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const list = box.current
    const own = list?.querySelector<HTMLElement>(`[data-no='${current}']`)
    if (list && own) keepInSight(list, own)
  }, [current])
  return (
    <nav ref={box} className={classes.list} aria-label="课时目录">
      {byUnit(lessons).map((inUnit) => {
        const { course, unit } = inUnit[0]
        const quiz = quizOf(course.no, unit.no)
        return (
          <section key={`${course.no} ${unit.no}`}>
            {many && unit.no === course.units[0]?.no && (
              <p className={clsx(common.strong, classes.course)}>{course.title}</p>
            )}
            <h2 className={clsx(common.quiet, classes.unit)}>{unit.title}</h2>
            <ol>
              {inUnit.map((lesson) => (
                <li key={lesson.no}>
                  <Row
                    lesson={lesson}
                    current={lesson.no === current}
                    share={watchedShare(records?.get(lesson.no)?.watched ?? [], lesson.seconds)}
                    way={wayTo(lesson.no)}
                    onOpen={() => onLesson(lesson)}
                  />
                </li>
              ))}
              {quiz && (
                <li>
                  <button type="button" className={classes.row} onClick={() => onQuiz(quiz.no)}>
                    <span className={clsx(common.accent, classes.state)}>
                      <IconClipboardCheck size={20} aria-hidden="true" />
                    </span>
                    <span>做单元测验</span>
                  </button>
                </li>
              )}
            </ol>
          </section>
        )
      })}
    </nav>
  )
}

type Unit = [PlacedLesson, ...PlacedLesson[]]

/** As they come: those of a unit stand together. */
function byUnit(lessons: readonly PlacedLesson[]): Unit[] {
  const units: Unit[] = []
  for (const lesson of lessons) {
    const open = units.at(-1)
    if (open && open[0].course.no === lesson.course.no && open[0].unit.no === lesson.unit.no) open.push(lesson)
    else units.push([lesson])
  }
  return units
}

interface RowProps {
  lesson: PlacedLesson
  current: boolean
  /** 0 … 1 */
  share: number
  way: LessonWay
  onOpen: () => void
}

function Row({ lesson: { no, title, seconds, trial, open, course }, current, share, way, onOpen }: RowProps) {
  const percent = Math.floor(share * 100)
  return (
    <Link
      {...way}
      className={clsx(common.link, classes.row)}
      data-no={no}
      aria-current={current ? 'true' : undefined}
      onClick={plainClick(onOpen)}
    >
      <span className={clsx(common.accent, classes.state)}>
        {current ? (
          <IconPlayerPlayFilled size={18} aria-hidden="true" />
        ) : share === 1 ? (
          <IconCheck size={20} aria-hidden="true" />
        ) : (
          !open && <IconLock size={18} aria-hidden="true" />
        )}
      </span>
      <span className={common.strong}>{title}</span>
      <span className={clsx(common.wrap, common.caption, common.figures, classes.facts)}>
        {current && <b>当前</b>}
        <span>{clockText(seconds)}</span>
        {share === 1 ? <span>已学完</span> : percent > 0 && <span>已学 {percent}%</span>}
        {trial && !course.open && <TrialMark kind={course.kind} />}
        {!open && <span>未解锁</span>}
      </span>
    </Link>
  )
}
