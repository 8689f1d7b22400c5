import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useCallback } from 'react'
import { pointNamesQuery } from '#src/api/points.ts'
import { calendar, mondayOf } from '#src/domain/study/stats.ts'
import { isFirstWeek, WEEK_DAYS, weekName, weekOf } from '#src/domain/study/week.ts'
import { offline } from '#src/offline/index.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { readWeek } from '#src/offline/record/week.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import { useFetching } from '#src/offline/useOffline.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Drawing } from '#src/ui/Empty.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'
import { PosterOpener } from '../poster/PosterOpener.tsx'
import { streakPoster, weekPoster } from '../poster/posters.ts'
import { Missed, Strong, Subjects } from './Points.tsx'
import { Exams } from './Exams.tsx'
import { NextWeek } from './NextWeek.tsx'
import { foundText, rangeText } from './texts.ts'
import { WeekPlot } from './WeekPlot.tsx'
import { WeekTiles } from './WeekTiles.tsx'
import classes from './Week.module.css'

interface WeekPageProps {
  /** The address asks for this week; null: the present one. */
  monday: number | null
  product: string
}

/** 周报: a week by this device's record, so it is there without a network. */
export function WeekPage({ monday, product }: WeekPageProps) {
  const figures = useFigures()
  const fetching = useFetching()
  useAtTop()
  // Names are fetched for the day that has no network.
  useQuery(pointNamesQuery())
  if (!figures) return <Skeleton heights={[40, 96, 260, 160]} {...(fetching && { says: fetching })} />
  const current = mondayOf(figures.today)
  // A week that is still to come has nothing to tell.
  const shown = Math.min(monday ?? current, current)
  return <Report key={shown} figures={figures} monday={shown} product={product} />
}

interface ReportProps {
  figures: Figures
  monday: number
  product: string
}

function Report({ figures, monday, product }: ReportProps) {
  const { days, today } = figures
  const week = weekOf(days, monday, today)
  const isCurrent = monday === mondayOf(today)
  const record = useRecord(useCallback(() => readWeek(offline, monday), [monday])).data
  const name = isCurrent ? '这周' : monday === mondayOf(today) - WEEK_DAYS ? '上周' : '那一周'
  const happened = week.now.studied > 0 || (record !== null && record.exams.length + record.papers > 0)
  // A past week has no say in how many days in a row it is today.
  const streak = isCurrent ? streakPoster(days, today) : null
  const posters = [weekPoster(week, monday, today), ...(streak ? [streak] : [])]
  const subjects = <Subjects rows={figures.rows} missed={record?.missed ?? []} name={name} />
  return (
    <section className={clsx(common.stack, classes.page)} aria-labelledby="week-report">
      <Head monday={monday} today={today} />
      {happened ? (
        <>
          <WeekTiles {...{ week, monday, today }} isFirst={isFirstWeek(days, monday)} />
          <div className={clsx(common.stack, classes.parts)}>
            <div className={common.stack}>
              <section className={common.panel} aria-labelledby="week-days">
                <h2 id="week-days" className={common.subheading}>
                  {foundText(week.now, name)}
                </h2>
                <WeekPlot
                  days={calendar(days, monday, monday + WEEK_DAYS - 1)}
                  today={today}
                  caption={`${rangeText(monday, monday + WEEK_DAYS - 1)}每天的答题用时与正确率`}
                />
                <PosterOpener product={product} posters={posters} />
              </section>
              {isCurrent ? <NextWeek figures={figures} /> : subjects}
              {record && <Exams record={record} name={name} />}
            </div>
            <div className={common.stack}>
              {record && <Missed states={record.missed} name={name} />}
              {record && <Strong states={record.missed} name={name} />}
              {isCurrent && subjects}
            </div>
          </div>
        </>
      ) : (
        <Nothing isCurrent={isCurrent} due={figures.plan[0]?.due ?? 0} />
      )}
    </section>
  )
}

function Head({ monday, today }: { monday: number; today: number }) {
  const current = mondayOf(today)
  const said =
    monday === current
      ? '本周'
      : monday === current - WEEK_DAYS
        ? '上周'
        : weekName(monday).replace('-W', ' 年第 ') + ' 周'
  return (
    <header className={clsx(common.between, classes.head)}>
      <div>
        <h1 id="week-report" className={common.title}>
          周报
        </h1>
        <p className={common.note}>
          {said} · {rangeText(monday, monday + WEEK_DAYS - 1)}
        </p>
      </div>
      <nav className={clsx(common.row, classes.weeks)} aria-label="换一周">
        <WeekLink monday={monday - WEEK_DAYS}>
          <IconChevronLeft size={18} aria-hidden="true" />
          {monday === current ? '上周' : '上一周'}
        </WeekLink>
        {monday < current && (
          <WeekLink monday={monday + WEEK_DAYS === current ? null : monday + WEEK_DAYS}>
            {monday + WEEK_DAYS === current ? '本周' : '下一周'}
            <IconChevronRight size={18} aria-hidden="true" />
          </WeekLink>
        )}
      </nav>
    </header>
  )
}

const WeekLink = ({ monday, children }: { monday: number | null; children: ReactNode }) => (
  <Link
    to="/report/week"
    search={monday === null ? {} : { week: weekName(monday) }}
    {...buttonLook({ look: 'light', small: true })}
  >
    {children}
  </Link>
)

/** It says what to do instead. */
function Nothing({ isCurrent, due }: { isCurrent: boolean; due: number }) {
  return (
    <div className={clsx(common.panel, classes.nothing)}>
      <Drawing of="chart" />
      <h2 className={common.subheading}>{isCurrent ? '这周还没有开始' : '那一周没有学习记录'}</h2>
      <p className={common.quiet}>
        {!isCurrent
          ? '休息过也没关系，看看这周能做点什么。'
          : due > 0
            ? `有 ${due} 题到了复习的日子，先做 5 分钟，周报就有内容了。`
            : '先做 5 分钟，这里就有你的答题用时、正确率和薄弱的知识点。'}
      </p>
      {isCurrent ? (
        <Link to="/today" {...buttonLook()}>
          去做今日任务
        </Link>
      ) : (
        <Link to="/report/week" search={{}} {...buttonLook()}>
          看本周
        </Link>
      )}
    </div>
  )
}
