import { homeQuery } from '#src/api/home.ts'
import { onlineManager, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useSyncExternalStore } from 'react'
import type { CourseHead } from '#src/contract/course.ts'
import type { ExamHead } from '#src/contract/exam.ts'
import type { NewsHead } from '#src/contract/news.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { bySchedule, examState } from '#src/domain/paper/exam.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { dateText, timeText } from '#src/ui/dates.ts'
import { CourseCard } from './CourseCard.tsx'
import { ExamCard } from './ExamCard.tsx'
import classes from './Offers.module.css'
import { Part } from './Part.tsx'
import { Room } from './Room.tsx'
import { Books, Vip } from './Sales.tsx'

const TICK_MS = 15_000

/** What is on now: exams, courses, news. Without a network, what was known last, with its date. */
export function Offers() {
  const { data, error, isPending, isError, isStale, isFetching, dataUpdatedAt, refetch } = useQuery(homeQuery())
  const online = useSyncExternalStore(watchOnline, () => onlineManager.isOnline())
  const now = useServerNow(TICK_MS)
  if (isPending) return <Room />
  if (!data) return <Missing error={error} onRetry={() => void refetch()} />
  const exams = data.exams.filter((exam) => examState(exam, now) !== 'over').sort(bySchedule(now))
  // Of what may be old, and is not being asked for just now.
  const dated = !online || isError || (isStale && !isFetching)
  const asOf = dated ? `截至 ${timeText(dataUpdatedAt)}` : ''
  // The date stands beside the first title: above it, it seemed to be of the student's own figures.
  const { courses, news, books, vip } = data
  const first = [exams, courses, news, books, vip].findIndex(({ length }) => length > 0)
  const asOfAt = (at: number) => (at === first ? asOf : '')
  return (
    <>
      {exams.length > 0 && <Exams exams={exams} now={now} asOf={asOfAt(0)} />}
      {courses.length > 0 && <Courses courses={courses} asOf={asOfAt(1)} />}
      {news.length > 0 && <News news={news} asOf={asOfAt(2)} />}
      {books.length > 0 && <Books books={books} asOf={asOfAt(3)} />}
      {vip.length > 0 && <Vip vip={vip} asOf={asOfAt(4)} />}
    </>
  )
}

const watchOnline = (told: () => void) => onlineManager.subscribe(told)

function Exams({ exams, now, asOf }: { exams: readonly ExamHead[]; now: number; asOf: string }) {
  return (
    <Part title="模拟考试" to="/exam/exam_list" asOf={asOf}>
      <ul className={clsx(common.stack, classes.cards)}>
        {exams.map((exam) => (
          <li key={exam.no}>
            <ExamCard exam={exam} now={now} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Courses({ courses, asOf }: { courses: readonly CourseHead[]; asOf: string }) {
  return (
    <Part title="推荐课程" to="/course/course_list" asOf={asOf}>
      <ul className={clsx(common.stack, classes.covers)}>
        {courses.map((course) => (
          <li key={course.no}>
            <CourseCard course={course} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function News({ news, asOf }: { news: readonly NewsHead[]; asOf: string }) {
  return (
    <Part title="最新资讯" to="/news/news_list" asOf={asOf}>
      <ul className={clsx(common.card, classes.news)}>
        {news.map(({ id, title, kind, publishedAt }) => (
          <li key={id}>
            <Link
              to="/news/news_detail/$id"
              params={{ id }}
              className={clsx(common.between, common.link, classes.item)}
            >
              <span>
                {kind === 'notice' && <b className={classes.notice}>公告</b>}
                {title}
              </span>
              <time
                className={clsx(common.fixed, common.caption, common.figures)}
                dateTime={dateOf(dayOf(publishedAt))}
              >
                {dateText(publishedAt)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** In one line, because the page has enough without it. */
function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const offline = error instanceof Error && error.name === 'OfflineError'
  return (
    <p className={clsx(common.wrap, common.quiet, common.sunken, classes.missing)}>
      {offline ? '联网后，这里有正在开放的考试与推荐内容。' : '服务器开小差了，稍后再试试!'}
      <Button look="light" small onClick={onRetry}>
        重试
      </Button>
    </p>
  )
}
