import { clsx } from 'clsx'
import { useId } from 'react'
import type { VipDuration } from '#src/contract/vip.ts'
import { daysOf, perDay } from '#src/domain/money/vip.ts'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from '../Vip.module.css'

interface DurationsProps {
  durations: readonly VipDuration[]
  /** Days since 1970; `examDay` null: the student has set none. */
  today: number
  examDay: number | null
  /** Number of one of them. */
  chosen: string
  onPick: (no: string) => void
}

/** How long, at which price, and what that is a day. */
export function Durations({ durations, today, examDay, chosen, onPick }: DurationsProps) {
  const name = useId()
  return (
    <fieldset className={classes.durations}>
      <legend className={clsx(common.heading, classes.legend)}>时长</legend>
      {durations.map((each) => {
        const days = daysOf(each, today, examDay)
        return (
          <label key={each.no} className={clsx(common.column, common.figures, classes.duration)}>
            <input
              className={classes.radio}
              type="radio"
              name={name}
              checked={each.no === chosen}
              onChange={() => onPick(each.no)}
            />
            <strong>{each.name}</strong>
            <b className={clsx(common.heading, common.warm)}>{priceText(each.price)}</b>
            <small className={common.caption}>{lengthText(each, days)}</small>
            <small className={common.caption}>
              {days === null ? '未设置考试日期' : `每天约 ${priceText(perDay(each.price, days))}`}
            </small>
          </label>
        )
      })}
    </fieldset>
  )
}

function lengthText({ days: fixed }: VipDuration, days: number | null): string {
  if (fixed !== null) return `${fixed} 天`
  return days === null ? '到考试当天' : `到考试当天，${days} 天`
}
