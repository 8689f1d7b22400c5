import { MINUTE_MS } from '#src/domain/time/day.ts'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { pointNamesQuery } from '#src/api/points.ts'
import { type Band, bandsBy, ENOUGH_QUESTIONS, reviewMsADay } from '#src/domain/study/forecast.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ForecastPlot } from './ForecastPlot.tsx'
import { Meter } from './Meter.tsx'
import classes from './Stats.module.css'
import { percentText, timeText } from './texts.ts'
import { type ExamForecast as Made, MORE_MINUTES, useExamForecast } from './useExamForecast.ts'

/** Fewer questions say nothing of a point. */
const ENOUGH_OF_GROUP = 5
/** Two figures that lie closer together say nothing by their difference. */
const WORTH_SAYING = 0.01
/** Rows at first. */
const FIRST = 6
/** 预计考试那天: what the student will still know of all that they have done, and what more minutes a day would add. */
export function ExamForecast({ figures }: { figures: Figures }) {
  const { today, all } = figures
  const { examDay } = figures.settings
  if (all.done < ENOUGH_QUESTIONS)
    return <p className={common.note}>做满 {ENOUGH_QUESTIONS} 题后，这里会预计到考试那天你还记得多少。</p>
  if (examDay === null) return <p className={common.note}>在“学习计划”里选好考试日期，这里会预计到那天你还记得多少。</p>
  if (examDay <= today) return <p className={common.note}>考试日期已到。选好下一次考试的日期，这里会重新预计。</p>
  return <Expected key={examDay} figures={figures} examDay={examDay} />
}

function Expected({ figures, examDay }: { figures: Figures; examDay: number }) {
  const { today, all: practice, days, settings, model } = figures
  const dayMs = reviewMsADay(settings, days, today)
  const { mostADay: most, lapseShare } = settings
  const made = useExamForecast({ today, examDay, practice, dayMs, most, lapseShare, model })
  if (made.state === 'making')
    return (
      <p role="status" className={common.note}>
        正在推算…
      </p>
    )
  if (made.state === 'failed')
    return (
      <p role="alert" className={common.note}>
        暂时读不到学习记录，无法推算。请关闭后重新打开。
      </p>
    )
  return <Said of={made.of} />
}

function Said({ of }: { of: Made }) {
  const [now, more] = [of.now.days.at(-1), of.more.days.at(-1)]
  if (!now || !more) return null
  return (
    <div className={clsx(common.stack, classes.pair)}>
      <div>
        <p>
          {of.dayMs < MINUTE_MS ? '最近两周没有学习，照这样' : `以现在的节奏，每天约 ${timeText(of.dayMs)}都用来复习`}
          ，预计记得 <b className={common.accent}>{percentText(now.known)}</b>（大致在 {bandText(now)}）
          {more.known - now.known >= WORTH_SAYING && (
            <>
              ；每天多 {MORE_MINUTES} 分钟，预计 <b>{percentText(more.known)}</b>
            </>
          )}
          。{more.known - now.known < WORTH_SAYING && littleMore(of)}
        </p>
        {of.now.unseen > 0 && (
          <p className={common.note}>
            照这样，有 {of.now.unseen} 道到期的题考前排不上复习
            {of.more.unseen < of.now.unseen && `；每天多 ${MORE_MINUTES} 分钟，剩 ${of.more.unseen} 道`}。
          </p>
        )}
        <ForecastPlot now={of.now.days} more={of.more.days} />
        <p className={common.note}>
          <i className={classes.key} data-line="now" /> 现在的节奏{'　'}
          <i className={classes.key} data-band /> 大致范围{'　'}
          <i className={classes.key} data-line /> 每天多 {MORE_MINUTES} 分钟
        </p>
        <p className={common.note}>
          只算做过的 {of.states.size} 题，按遗忘规律推算，五次里约有四次落在范围内；不是考试分数。
        </p>
      </div>
      <div>
        <Groups of={of} />
      </div>
    </div>
  )
}

/** Says what more minutes are good for where they hardly change what is remembered. */
const littleMore = ({ now }: Made): string =>
  now.unseen === 0 ? '到期的复习都赶得上，多出的时间可以练新题。' : `每天多 ${MORE_MINUTES} 分钟，差别不到 1 个百分点。`

const bandText = ({ low, high }: Band): string => `${percentText(low)}–${percentText(high)}`

/** Subjects and points stand in the order of what will be known of them, the least first. */
function Groups({ of: { now, states } }: { of: Made }) {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const { data: points = {} } = useQuery(pointNamesQuery())
  const subjectOf = (no: string) => homeOf(libraries, { libraryNo: states.get(no)?.libraryNo ?? null }).library?.subject
  const subjects = bandsBy(now.chances, (no) => [subjectOf(no)?.name ?? '其他科目'])
  const named = bandsBy(now.chances, (no) => (states.get(no)?.points ?? []).flatMap((point) => points[point] ?? []))
  return (
    <>
      <ExpectedTable title="各科目" groups={subjects} />
      <ExpectedTable title="各知识点" groups={named} />
    </>
  )
}

function ExpectedTable({ title, groups }: { title: string; groups: ReturnType<typeof bandsBy> }) {
  const [all, setAll] = useState(false)
  const list = [...groups]
    .filter(([, { count }]) => count >= ENOUGH_OF_GROUP)
    .sort(([, a], [, b]) => a.known - b.known || b.count - a.count)
  if (list.length === 0) return null
  return (
    <>
      <table className={clsx(common.small, common.figures, classes.rates)}>
        <caption className={clsx(common.caption, classes.caption)}>{title}：记得最少的在前</caption>
        <thead>
          <tr>
            {['名称', '预计记得', '大致范围'].map((name) => (
              <th key={name} scope="col" className={clsx(common.quiet, classes.plain, classes.cell, classes.column)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.slice(0, all ? undefined : FIRST).map(([name, band]) => (
            <tr key={name} className={classes.row}>
              <th scope="row" className={clsx(classes.plain, classes.cell)}>
                {name}
              </th>
              <td className={clsx(classes.cell, classes.rate)}>
                {percentText(band.known)}
                <Meter part={band.known} />
              </td>
              <td className={clsx(classes.cell, classes.rate)}>{bandText(band)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!all && list.length > FIRST && (
        <Button look="quiet" small onClick={() => setAll(true)}>
          显示全部 {list.length} 项
        </Button>
      )}
    </>
  )
}
