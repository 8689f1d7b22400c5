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
  return (
    <>
      <p className={clsx(common.caption, classes.asOf)}>{dated && `截至 ${timeText(dataUpdatedAt)}`}</p>
      {exams.length > 0 && <Exams exams={exams} now={now} />}
      {data.courses.length > 0 && <Courses courses={data.courses} />}
      {data.news.length > 0 && <News news={data.news} />}
      {data.books.length > 0 && <Books books={data.books} />}
      {data.vip.length > 0 && <Vip vip={data.vip} />}
    </>
  )
}

const watchOnline = (told: () => void) => onlineManager.subscribe(told)

function Exams({ exams, now }: { exams: readonly ExamHead[]; now: number }) {
  return (
    <Part title="模拟考试" to="/exam/exam_list">
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

function Courses({ courses }: { courses: readonly CourseHead[] }) {
  return (
    <Part title="推荐课程" to="/course/course_list">
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

function News({ news }: { news: readonly NewsHead[] }) {
  return (
    <Part title="最新资讯" to="/news/news_list">
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
