import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { PlayerState } from '#src/player/playerState.ts'
import common from '#src/ui/common.module.css'
import { type BatchPart, learntOf, resultsOf } from '../practice/batchPart.ts'
import classes from './BatchSummary.module.css'

/** Shows what was done of each part of a sitting, and what it has taught. */
export function PartResults({ state, parts }: { state: PlayerState; parts: readonly BatchPart[] }) {
  const results = parts
    .map((part) => ({ part, ...resultsOf(state, part) }))
    .filter(({ part, total }) => total > 0 || part.away)
  return (
    <div className={common.stack}>
      <ul aria-label="各项任务">
        {results.map(({ part, total, answered, right }) => (
          <li key={part.name} className={clsx(common.between, classes.part)}>
            <span className={common.inline}>
              {total > 0 && answered === total ? (
                <IconCircleCheckFilled size={20} className={common.right} role="img" aria-label="已完成" />
              ) : (
                <IconCircle size={20} className={common.quiet} role="img" aria-label="未完成" />
              )}
              {part.name}
            </span>
            <span className={clsx(common.quiet, common.figures)}>
              {total === 0 ? '还没有下载，联网后可做' : `做了 ${answered}/${total} 题，对 ${right} 题`}
            </span>
          </li>
        ))}
      </ul>
      <p className={common.quiet}>{learntOf(state, parts)}</p>
    </div>
  )
}
