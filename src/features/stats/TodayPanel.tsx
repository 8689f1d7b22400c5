import { useQuery } from '@tanstack/react-query'
import { IconCloudOff, IconListCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { pointNamesQuery } from '#src/api/points.ts'
import { accuracyOf, streakOf } from '#src/domain/study/stats.ts'
import { NO_TIME } from '#src/domain/study/days.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import { useFetching } from '#src/offline/useOffline.ts'
import { useSession } from '#src/session/useSession.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Meter } from './Meter.tsx'
import { StatsOpener } from './StatsOpener.tsx'
import { noteOf } from './todayNote.ts'
import { percentText } from './texts.ts'
import classes from './Today.module.css'

/** What the home page has for whoever it is: students and visitors who have studied see 今日学习. */
export function TodayPanel() {
  const figures = useFigures()
  const { uid } = useSession()
  // Here, so that whoever comes after a logout clears it.
  if (uid === null && figures?.all.answered === 0) return <Welcome />
  return uid === null && !figures ? null : <Today figures={figures} />
}

/** 今日学习. Its shape is there before its figures, so nothing moves when they come. */
function Today({ figures }: { figures: Figures | null }) {
  // For the statistics, which may be opened without a network.
  useQuery(pointNamesQuery())
  const fetching = useFetching()
  return (
    <section className={clsx(common.card, classes.panel)} aria-label="今日学习">
      <div className={clsx(common.between, classes.head)}>
        <h2 className={common.subheading}>今日学习</h2>
        <StatsOpener toDate={figures && !hasDate(figures) && '设置考试日期'}>学习统计</StatsOpener>
      </div>
      <Tiles figures={figures} />
      <div className={clsx(common.between, classes.note)}>
        <p className={common.note}>{figures ? noteOf(figures) : fetching}</p>
        <Link to="/report/week" {...buttonLook({ look: 'quiet', small: true })}>
          周报
        </Link>
      </div>
    </section>
  )
}

/** What a visitor can expect. */
const Welcome = () => (
  <ul className={clsx(common.stack, classes.points)}>
    <li className={clsx(common.card, classes.point)}>
      <IconCloudOff size={26} stroke={1.5} className={clsx(common.accent, classes.icon)} aria-hidden="true" />
      <b>断网照常做题</b>
      <span className={common.note}>打开过的章节没有信号也能练，答案先保存在设备上，有网自动同步。</span>
    </li>
    <li className={clsx(common.card, classes.point)}>
      <IconListCheck size={26} stroke={1.5} className={clsx(common.accent, classes.icon)} aria-hidden="true" />
      <b>按章节推进</b>
      <span className={common.note}>未做的题优先，随时离开，回来还在同一题。</span>
    </li>
  </ul>
)

/** Of an exam that is not over. */
const hasDate = ({ settings: { examDay }, today }: Figures): boolean => examDay !== null && examDay >= today

function Tiles({ figures }: { figures: Figures | null }) {
  const day = figures?.days.get(figures.today) ?? NO_TIME
  const goal = figures?.settings.dayGoal ?? 0
  return (
    <dl className={classes.tiles} aria-busy={!figures}>
      <Tile name="今日答题" value={figures && day.answered} unit={`/${goal} 题`}>
        <div className={classes.goal}>
          <Meter part={goal > 0 ? Math.min(1, day.answered / goal) : 0} />
        </div>
      </Tile>
      <Tile name="今日正确率" value={figures && percentText(accuracyOf(day))} />
      <Tile name="连续学习" value={figures && streakOf(figures.days, figures.today)} unit=" 天" />
      <Tile name="待复习" value={figures && (figures.plan[0]?.due ?? 0)} unit=" 题" />
    </dl>
  )
}

interface TileProps {
  name: string
  /** null: not known yet. */
  value: ReactNode
  unit?: string
  children?: ReactNode
}

const Tile = ({ name, value, unit, children }: TileProps) => (
  <div className={clsx(common.sunken, classes.tile)}>
    <dt className={classes.name}>{name}</dt>
    <dd className={clsx(common.heading, common.strong, common.figures)}>
      {value}
      {value !== null && unit && <small className={classes.unit}>{unit}</small>}
      {children}
    </dd>
  </div>
)
