import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Attempt } from '#src/contract/attempt.ts'
import { type Item, lookOf, type PlayerState, partState, summary } from '#src/player/playerState.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import type { Reported } from './reported.ts'
import { isTrial, type Sheet } from './sheet.ts'
import { resultOfSitting } from './sitting.ts'
import { minutesText, reportName } from './texts.ts'
import classes from './Paper.module.css'
import { ScoreLine, ScoreTables } from '#src/player/paper/ScoreTables.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'

interface PaperReportProps {
  sheet: Sheet
  state: PlayerState
  /** As the record has it, once it is handed in. */
  attempt: Attempt | null
  /** What is said of a hand-in that the record does not have. */
  refusal: ReactNode
  onGo: (at: number) => void
  /** Back to what is not done. */
  onMore: () => void
  /** Ends a sitting with questions left; null where nothing is counted. */
  onEnd: (() => void) | null
  /** It is being written. */
  busy: boolean
  onReview: (items: Item[]) => void
  onAgain: () => void
  onLeave: () => void
  report: Reported
}

/** How a paper went: marks by section and by type, what to look at again, what is locked. */
export function PaperReport(props: PaperReportProps) {
  const { sheet, state, attempt, refusal, report } = props
  useAtTop()
  const result = resultOfSitting(sheet, state)
  const { spentMs, untouched, started } = summary(state)
  const review = state.mode === 'review'
  const essays = state.items.findIndex(({ part }) => part.type === 'essay' && partState(state, part).right === null)
  const trial = isTrial(attempt?.paper ?? sheet.ref)
  const left = review ? 0 : untouched + started
  // A paper that has been published anew since is not what was marked.
  const changed = attempt !== null && attempt.paper.rev !== sheet.rev
  return (
    <section className={classes.report} aria-labelledby="paper-report">
      <h1 id="paper-report" ref={focusOn} tabIndex={-1}>
        {review ? reportName(trial) : state.mode === 'recite' ? '背题完成' : left > 0 ? '还有题没做完' : '本卷完成'}
      </h1>
      <p className={classes.paperTitle}>{sheet.title}</p>
      <ScoreLine {...(changed ? attempt : result)} />
      <p className={classes.note}>
        答对 {changed ? attempt.right : result.right}/{result.total} 题 · 已答 {result.answered} 题 · 用时{' '}
        {minutesText(attempt?.spentMs ?? spentMs)}
      </p>
      {review && !attempt && refusal}
      {review && essays >= 0 && <p className={classes.warm}>主观题由你对照采分点自评，评完计入总分。</p>}
      {changed && <p className={classes.warm}>这套卷后来更新过，总分按交卷时的试卷计算，下面是现在的题目。</p>}
      {sheet.locked > 0 && (
        <p className={classes.warm}>
          <IconLock size={18} aria-hidden="true" />
          试做到这里：这一套还有 {sheet.locked} 题未解锁，成绩只按试做的题计算。
        </p>
      )}
      {review && report.advise?.(changed ? attempt : result, changed ? null : result.bySection)}
      {!changed && <ScoreTables result={result} section={report.section} />}
      <WaysOn {...props} left={left} essay={essays} />
    </section>
  )
}

interface WaysOnProps extends PaperReportProps {
  /** Questions that are not done. */
  left: number
  /** The first essay without a mark; -1: none. */
  essay: number
}

function WaysOn({ state, left, essay, busy, report, onGo, onMore, onEnd, onReview, onAgain, onLeave }: WaysOnProps) {
  const review = state.mode === 'review'
  const wrong = state.items.filter((item) => ['partial', 'wrong'].includes(lookOf(state, item)))
  return (
    <div className={classes.actions}>
      {left > 0 && <Button onClick={onMore}>{state.mode === 'recite' ? '开始做题' : '继续做'}</Button>}
      {left > 0 && onEnd && (
        <Button look="light" busy={busy} onClick={onEnd}>
          结束并记成绩
        </Button>
      )}
      {review && essay >= 0 && <Button onClick={() => onGo(essay)}>自评主观题</Button>}
      {wrong.length > 0 && (
        <Button look="light" tone="danger" onClick={() => onReview(wrong)}>
          看 {wrong.length} 道没全对的题
        </Button>
      )}
      {review && (
        <Button look="light" onClick={() => onGo(0)}>
          看全部解析
        </Button>
      )}
      {(review || !onEnd) && (
        <Button look="light" onClick={onAgain}>
          再做一遍
        </Button>
      )}
      <Button look="quiet" tone="plain" onClick={onLeave}>
        {report.leave}
      </Button>
    </div>
  )
}
