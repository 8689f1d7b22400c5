import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { accuracyOf, longestStreak, streakOf } from '#src/domain/study/stats.ts'
import { spanOf, WEEK_DAYS } from '#src/domain/study/week.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import { useFetching } from '#src/offline/useOffline.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { Forms } from '#src/ui/forms/Forms.tsx'
import { Calendar } from './Calendar.tsx'
import { Daily, Planned } from './Charts.tsx'
import { ExamForecast } from './ExamForecast.tsx'
import { MemoryNote } from './MemoryNote.tsx'
import { PlanForm } from './PlanForm.tsx'
import { Rates } from './Rates.tsx'
import { ReminderForm } from './ReminderForm.tsx'
import classes from './Stats.module.css'
import { percentText, timeText } from './texts.ts'
import { Tile } from './Tile.tsx'
import { Drawing } from '#src/ui/Empty.tsx'
import { foundText } from './week/texts.ts'
import { WeekPlot } from './week/WeekPlot.tsx'

interface StatsDialogProps {
  /** For the exam date: the plan comes first. */
  toDate: boolean
  onClose: () => void
}

/** 学习统计 (ADR 0022): all of it from this device's record, so it is true without a network. */
export function StatsDialog({ toDate, onClose }: StatsDialogProps) {
  const figures = useFigures()
  const fetching = useFetching()
  const plan = figures && (
    <Section title="学习计划">
      <Forms>
        <PlanForm settings={figures.settings} toDate={toDate} />
        <ReminderForm examDay={figures.settings.examDay} />
      </Forms>
    </Section>
  )
  return (
    <Dialog title="学习统计" full width={920} onClose={onClose}>
      {!figures && <p role="status">{fetching ?? '正在统计…'}</p>}
      {figures && (
        <div className={clsx(common.stack, classes.sections)}>
          {toDate && plan}
          {figures.all.answered === 0 ? <Nothing onLeave={onClose} /> : <All figures={figures} onLeave={onClose} />}
          {!toDate && plan}
        </div>
      )}
    </Dialog>
  )
}

function Nothing({ onLeave }: { onLeave: () => void }) {
  return (
    <section className={clsx(common.stack, classes.nothing)}>
      <Drawing of="chart" />
      <h3 className={common.subheading}>还没有学习记录</h3>
      <p>做题后，这里会有：每天做了多少、连续学习天数、各题库和知识点的正确率、接下来 14 天的复习安排。</p>
      <Link to="/question/library" {...buttonLook()} onClick={onLeave}>
        去做第一组题
      </Link>
    </section>
  )
}

function All({ figures, onLeave }: { figures: Figures; onLeave: () => void }) {
  const { all, days, today, settings } = figures
  const week = spanOf(days, today - WEEK_DAYS + 1, today)
  return (
    <>
      <dl className={clsx(common.stack, classes.fitted)}>
        <Tile name="累计答题" value={`${all.answered} 次`} note={`做过 ${all.done} 题`} />
        <Tile name="正确率" value={percentText(accuracyOf(all))} note={`答对 ${all.right} 次`} />
        <Tile name="累计用时" value={timeText(all.spentMs)} />
        <Tile name="连续学习" value={`${streakOf(days, today)} 天`} note={`最长 ${longestStreak(days)} 天`} />
      </dl>
      <Section title={foundText(week, '最近 7 天')}>
        <WeekPlot days={week.days} today={today} caption="最近 7 天每天的答题用时与正确率" />
        <Link to="/report/week" {...buttonLook({ look: 'light', small: true })} onClick={onLeave}>
          看周报，生成海报
        </Link>
      </Section>
      <Section title="最近五周">
        <Calendar days={days} today={today} goal={settings.dayGoal} />
      </Section>
      <Section title="最近 30 天">
        <Daily days={days} today={today} />
      </Section>
      <Section title="接下来 14 天的复习">
        <Planned plan={figures.plan} settings={settings} />
        <MemoryNote figures={figures} />
      </Section>
      <Section title="考试那天还记得多少" wide>
        <ExamForecast figures={figures} />
      </Section>
      <Rates rows={figures.rows} />
    </>
  )
}

interface SectionProps {
  title: string
  /** It takes all columns where there are several. */
  wide?: boolean
  children: ReactNode
}

function Section({ title, wide = false, children }: SectionProps) {
  return (
    <section className={clsx(wide && classes.wide)}>
      <h3 className={clsx(common.subheading, classes.title)}>{title}</h3>
      {children}
    </section>
  )
}
