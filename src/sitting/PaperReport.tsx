import { IconLock } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { SittingRecord } from '#src/contract/sitting.ts'
import type { Response } from '#src/contract/response.ts'
import { markPaper, type PaperResult } from '#src/domain/paper/paper.ts'
import { lookOf, type PlayerState, partState, summary } from '#src/player/playerState.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import type { Reported } from './reported.ts'
import { isTrial, type Sheet } from './engine/sheet.ts'
import type { OpenedSheet, SheetPolicy } from './engine/sheetPolicy.ts'
import type { ReportActs } from './SittingView.tsx'
import { RefusedHandIn } from './RefusedHandIn.tsx'
import { minutesText, reportName } from './texts.ts'
import outcome from './Outcome.module.css'
import { ScoreLine, ScoreTables } from '#src/player/paper/ScoreTables.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'

interface PaperReportProps extends ReportActs, Pick<OpenedSheet, 'paper' | 'sitting'> {
  policy: SheetPolicy
  /** The record of this sitting; null until it is handed in. */
  handed: SittingRecord | null
  report: Reported
  onAgain: () => void
  onLeave: () => void
}

const WARNING = clsx(common.warm, outcome.warning)

/** Counts the answers that are marked, and all of them once the sitting is handed in. */
const resultOf = (sheet: Sheet, { parts, mode }: PlayerState): PaperResult =>
  markPaper(
    sheet,
    new Map<string, Response>(
      Object.entries(parts)
        .filter(([, { right }]) => right !== null || mode === 'review')
        .map(([no, { response }]) => [no, response]),
    ),
  )

/** How a paper went: marks by section and by type, what to look at again, what is locked. */
export function PaperReport(props: PaperReportProps) {
  const { policy, paper: sheet, sitting, handed, state, busy, report, onHandIn } = props
  useAtTop()
  const result = resultOf(sheet, state)
  const { spentMs, untouched, started } = summary(state)
  const review = state.mode === 'review'
  const essays = state.items.findIndex(({ part }) => part.type === 'essay' && partState(state, part).right === null)
  const trial = isTrial(handed?.paper ?? sheet.ref)
  const left = review ? 0 : untouched + started
  // A paper that has been published anew since is not what was marked.
  const changed = handed !== null && handed.paper.rev !== sheet.rev
  return (
    <section
      className={clsx(common.stack, outcome.outcome)}
      data-wide={changed ? undefined : ''}
      aria-labelledby="paper-report"
    >
      <div className={clsx(common.stack, outcome.summary)}>
        <h1 id="paper-report" ref={focusOn} tabIndex={-1} className={clsx(common.title, outcome.heading)}>
          {review
            ? reportName(trial)
            : state.mode === 'recite'
              ? '背题完成'
              : left > 0
                ? `本卷小结 · 还剩 ${left} 题`
                : '本卷完成'}
        </h1>
        <p className={common.quiet}>{sheet.title}</p>
        <ScoreLine {...(changed ? handed : result)} />
        <p className={common.quiet}>
          答对 {changed ? handed.right : result.right}/{result.total} 题 · 已答 {result.answered} 题 · 用时{' '}
          {minutesText(handed?.spentMs ?? spentMs)}
        </p>
        {review && !handed && <RefusedHandIn marked={policy.marked} id={sitting.id} busy={busy} onAgain={onHandIn} />}
        {review && essays >= 0 && <p className={WARNING}>主观题由你对照采分点自评，评完计入总分。</p>}
        {changed && <p className={WARNING}>这套卷后来更新过，总分按交卷时的试卷计算，下面是现在的题目。</p>}
        {sheet.locked > 0 && (
          <p className={WARNING}>
            <IconLock className={outcome.lock} size={18} aria-hidden="true" />
            试做到这里：这一套还有 {sheet.locked} 题未解锁，成绩只按试做的题计算。
          </p>
        )}
        <WaysOn {...props} left={left} essay={essays} />
      </div>
      <div className={common.stack}>
        {review && report.advise?.(changed ? handed : result, changed ? null : result.bySection)}
        {!changed && <ScoreTables result={result} section={report.section} />}
      </div>
    </section>
  )
}

interface WaysOnProps extends PaperReportProps {
  /** Questions that are not done. */
  left: number
  /** The first essay without a mark; -1: none. */
  essay: number
}

function WaysOn(props: WaysOnProps) {
  const { policy, sitting, state, left, essay, busy, report, onGo, onMore, onHandIn, onReview, onAgain, onLeave } =
    props
  const review = state.mode === 'review'
  // 背题 counts nothing.
  const isCounted = sitting.mode !== 'recite'
  const wrong = state.items.filter((item) => ['partial', 'wrong'].includes(lookOf(state, item)))
  return (
    <div className={clsx(common.stack, outcome.actions)}>
      {left > 0 && <Button onClick={onMore}>{state.mode === 'recite' ? '开始做题' : '继续做'}</Button>}
      {left > 0 && isCounted && (
        <Button look="light" busy={busy} onClick={onHandIn}>
          结束并记成绩
        </Button>
      )}
      {review && essay >= 0 && <Button onClick={() => onGo(essay)}>自评主观题</Button>}
      {wrong.length > 0 && (
        <Button look="light" tone="danger" onClick={() => onReview(wrong)}>
          回看 {wrong.length} 道错题
        </Button>
      )}
      {review && (
        <Button look="light" onClick={() => onGo(0)}>
          查看全部解析
        </Button>
      )}
      {policy.again && (review || !isCounted) && (
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
