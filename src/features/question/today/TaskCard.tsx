import { IconCircle, IconCircleCheckFilled, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import { NO_TIME } from '#src/domain/study/days.ts'
import { streakOf } from '#src/domain/study/stats.ts'
import {
  countOf,
  fitting,
  minutesOf,
  partMinutes,
  MORE_COUNT,
  SLOTS,
  TASK_PARTS,
  type TaskPart,
} from '#src/domain/study/task.ts'
import { useFetching } from '#src/offline/useOffline.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { PART_NAMES } from './task.ts'
import classes from './TaskCard.module.css'
import { type Today, useToday } from './useToday.ts'

/** 今日任务: what a day asks of a student, across subjects. Its shape is there before its figures, so nothing moves when they come. */
export function TaskCard() {
  const today = useToday()
  const fetching = useFetching()
  const [slot, setSlot] = useState<number | null>()
  const minutes = slot === undefined ? (today?.left?.minutes ?? null) : slot
  const isDone = today !== null && countOf(today.task) === 0
  return (
    <section className={clsx(common.card, classes.card)} aria-labelledby="task" aria-busy={!today}>
      <div className={clsx(common.between, classes.head)}>
        <h2 id="task" className={common.subheading}>
          今日任务
        </h2>
        <span className={common.note}>{today ? headOf(today) : fetching}</span>
      </div>
      <ul className={classes.parts}>
        {TASK_PARTS.map((part) => (
          <Part key={part} part={part} today={today} />
        ))}
      </ul>
      {today !== null && today.missing > 0 && (
        <p className={common.note}>另有 {today.missing} 道到期的题还没有下载，联网后再复习。</p>
      )}
      {isDone ? (
        <p className={clsx(common.small, common.right, classes.slots)}>{praise(today)}</p>
      ) : (
        <Slots chosen={minutes} onPick={setSlot} />
      )}
      <Start today={today} minutes={isDone ? (today.left?.minutes ?? null) : minutes} />
    </section>
  )
}

const headOf = ({ task, away }: Today): string => {
  if (countOf(task) > 0) return `还有 ${countOf(task)} 题`
  return away.length > 0 ? '能做的都做完了' : '全部完成 ✓'
}

function Part({ part, today }: { part: TaskPart; today: Today | null }) {
  const count = today?.task[part] ?? 0
  const isDone = today !== null && count === 0 && isOver(part, today)
  return (
    <li className={clsx(common.row, classes.part)}>
      {isDone ? (
        <IconCircleCheckFilled size={22} className={clsx(common.fixed, common.right)} role="img" aria-label="已完成" />
      ) : (
        <IconCircle size={22} className={clsx(common.fixed, common.quiet)} role="img" aria-label="未完成" />
      )}
      <div className={clsx(common.grow, common.wrap)}>
        <span className={clsx(common.ellipsis, classes.name)}>
          {PART_NAMES[part]}
          {today && <small className={clsx(common.quiet, classes.about)}>{aboutOf(part, today)}</small>}
        </span>
        <span className={clsx(common.small, common.figures, common.quiet, common.end)}>
          {today && (count > 0 ? costOf(part, today) : nothingOf(part, today))}
        </span>
      </div>
    </li>
  )
}

const reached = ({ figures: { days, today, settings } }: Today): boolean =>
  (days.get(today)?.answered ?? 0) >= settings.dayGoal

/** Nothing of a part is left because it is done, not because there is none yet. */
function isOver(part: TaskPart, today: Today): boolean {
  if (today.away.includes(part)) return false
  if (part === 'daily') return today.library !== undefined && today.daily.all === 0
  return part === 'review' || reached(today)
}

function aboutOf(part: TaskPart, { library, figures }: Today): string {
  if (part === 'daily') return library?.title ?? ''
  return part === 'fresh' ? `补足每日 ${figures.settings.dayGoal} 题` : ''
}

const costOf = (part: TaskPart, { task, pace }: Today): string =>
  `${task[part]} 题 · ${partMinutes(task[part], pace[part])} 分钟`

function nothingOf(part: TaskPart, today: Today): string {
  if ((part === 'daily' && !today.library) || today.away.includes(part)) return '联网后就有'
  if (part === 'daily') return today.daily.all > 0 ? '都在复习里' : '已完成'
  if (part === 'review') return today.figures.reviewed > 0 ? '已完成' : '今天没有'
  if (reached(today)) return '已达标'
  return countOf(today.task) > 0 ? '做完上面的就达标' : '都做过了'
}

/** Says what the student really did today. */
function praise({ figures: { days, today } }: Today): string {
  const { answered, right } = days.get(today) ?? NO_TIME
  const streak = streakOf(days, today)
  const kept = streak > 1 ? `，已连续学习 ${streak} 天` : ''
  return `今天答了 ${answered} 题，答对 ${right} 题${kept}。好样的，还有劲头就再来一组！`
}

function Slots({ chosen, onPick }: { chosen: number | null; onPick: (minutes: number | null) => void }) {
  return (
    <div role="radiogroup" aria-labelledby="task-slots" className={clsx(common.row, classes.slots)}>
      <span id="task-slots" className={clsx(common.grow, common.note, classes.ask)}>
        现在有几分钟？
      </span>
      {[...SLOTS, null].map((minutes) => (
        <label key={minutes} className={clsx(common.small, common.choice, classes.slot)}>
          <input
            className={common.cover}
            type="radio"
            name="task-slot"
            aria-label={minutes === null ? '全部' : `${minutes} 分钟`}
            checked={chosen === minutes}
            onChange={() => onPick(minutes)}
          />
          {minutes ?? '全部'}
        </label>
      ))}
    </div>
  )
}

function Start({ today, minutes }: { today: Today | null; minutes: number | null }) {
  return (
    <Link to="/today" search={minutes === null ? {} : { minutes }} {...buttonLook()}>
      <IconPlayerPlay size={20} className={common.fixed} aria-hidden="true" />
      {today ? startText(today, minutes) : '开始'}
    </Link>
  )
}

function startText({ task, pace, left }: Today, minutes: number | null): string {
  if (left?.minutes === minutes) return `继续（约 ${minutesOf(left.task, pace)} 分钟）`
  // Parts that are rounded up must not come to more than the slot that they fit into.
  if (countOf(task) > 0)
    return `开始（约 ${Math.min(minutes ?? Infinity, minutesOf(fitting(task, minutes, pace), pace))} 分钟）`
  const more = { review: 0, daily: 0, fresh: MORE_COUNT }
  // A reading group is dealt whole, so that nobody can say how many come.
  return `再来一组（约 ${minutesOf(more, pace)} 分钟）`
}
