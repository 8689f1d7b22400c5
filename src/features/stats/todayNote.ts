import { plannedOfDue } from '#src/domain/study/plan.ts'
import type { Figures } from '#src/offline/record/figures.ts'

/** Days without an answer after which a student has been away. */
const AWAY_DAYS = 3

/** Returns the one thing that a student should know now. */
export function noteOf({
  all,
  days,
  today,
  settings,
  plan,
}: Pick<Figures, 'all' | 'days' | 'today' | 'settings' | 'plan'>): string {
  if (all.answered === 0) return '做完第一组题，这里就有今天的进度、正确率和连续学习天数。'
  const done = days.get(today)?.answered ?? 0
  const last = Math.max(0, ...[...days].flatMap(([day, { answered }]) => (answered > 0 && day <= today ? [day] : [])))
  const missed = last > 0 ? today - last - 1 : 0
  const [first] = plan
  const [due, planned] = first ? [first.due, plannedOfDue(first)] : [0, 0]
  if (missed >= AWAY_DAYS && due > planned)
    return `已 ${missed} 天没有复习，先做最要紧的 ${planned} 题，其余分到后面几天。`
  // A student whose days in a row stand at nothing is not left alone with it.
  if (missed === 1) return '昨天没学不要紧，今天接着来。'
  if (missed > 1) return `歇了 ${missed} 天，今天接着来，先做几道就好。`
  if (first && first.ahead > 0) return `考试临近，今天多复习 ${first.ahead} 道掌握不牢的题。`
  if (done >= settings.dayGoal) return '今日目标已达成 ✓'
  return `再做 ${settings.dayGoal - done} 题，达成今日目标。`
}
