import { useQuery } from '@tanstack/react-query'
import { homeQuery } from '#src/api/home.ts'
import { dayOfDate } from '#src/domain/time/day.ts'
import { Button } from '#src/ui/Button.tsx'
import classes from './Stats.module.css'

/** Offers the day that the home page counts down to anyway, so that nobody has to look it up and type it. */
export function ExpectedDate({ today, onTake }: { today: number; onTake: (date: string) => void }) {
  const { data } = useQuery(homeQuery())
  const ahead = data?.examDays.filter(({ day }) => dayOfDate(day) > today) ?? []
  const [found] = ahead.sort((a, b) => dayOfDate(a.day) - dayOfDate(b.day))
  if (!found) return null
  const word = found.name.includes('预计') ? '用预计日期' : '用考试日历的日期'
  return (
    <Button look="light" small className={classes.expected} onClick={() => onTake(found.day)}>
      {word} {chinese(found.day)}
    </Button>
  )
}

/** 2027年6月5日 */
function chinese(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${year}年${month}月${day}日`
}
