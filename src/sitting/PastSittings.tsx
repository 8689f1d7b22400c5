import { clsx } from 'clsx'
import { MODE_NAMES } from '#src/domain/study/modes.ts'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { isTrial } from './engine/sheet.ts'
import { scoreText } from './texts.ts'
import type { Past } from './useProgress.ts'
import classes from './Choice.module.css'

/** Each sitting that was handed in, to be looked at again. */
export function PastSittings({
  title,
  past,
  onPast,
}: {
  title: string
  past: readonly Past[]
  onPast: (id: string) => void
}) {
  return (
    <details className={clsx(common.small, classes.past)}>
      <summary className={clsx(common.row, common.accent, classes.summary)}>成绩记录</summary>
      <ul aria-label={`${title}的成绩记录`}>
        {past.map((each) => (
          <li key={each.id}>
            <button type="button" className={classes.sitting} onClick={() => onPast(each.id)}>
              {timeText(each.handedAt)} · {MODE_NAMES[each.mode]} · {isTrial(each.paper) && '试做 '}
              {scoreText(each)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
