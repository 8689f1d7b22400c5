import { countdown } from '#src/domain/examDay.ts'
import { dayOf } from '#src/domain/day.ts'
import { planSettings } from '#src/domain/plan.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { useThings } from '#src/offline/useThings.ts'

const TICK_MS = 60_000

/** Days to the exam: the student's own date. Nothing when there is none to come. */
export function Countdown() {
  const settings = useThings('setting')
  const today = dayOf(useServerNow(TICK_MS))
  const exam = settings && countdown(planSettings(settings).examDay, [], today)
  if (!exam) return null
  const { name, days } = exam
  if (days === 0) return <b>今天考试{name && `：${name}`}</b>
  return (
    <>
      距{name || '考试'} <b>{days}</b> 天
    </>
  )
}
