import type { Attempt } from '#src/contract/attempt.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import { resultOfMarks } from '#src/domain/paper.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import { timeText } from '#src/ui/dates.ts'
import { minutesText, reportName } from '../texts.ts'
import classes from '../Paper.module.css'
import { ScoreLine, ScoreTables } from '#src/player/ScoreTables.tsx'
import { useAtTop } from '#src/ui/useAtTop.ts'

interface RecordReportProps {
  attempt: Attempt
  /** Null: not on this device, and there is no network. */
  paper: Paper | null
  onAgain: () => void
  onLeave: () => void
}

/** How a sitting went, of which only the marks are on this device. */
export function RecordReport({ attempt, paper, onAgain, onLeave }: RecordReportProps) {
  useAtTop()
  const same = paper?.rev === attempt.paper.rev && paper.locked > 0 === attempt.paper.trial
  const why = same
    ? '每题选了什么保存在当时作答的设备上，这里有各题的得分。'
    : paper
      ? '这套卷后来更新过，当时作答的设备上还有每题的作答。'
      : '这套卷还没有下载到本机，联网后可以看到各大题的得分。'
  return (
    <section className={classes.report} aria-labelledby="paper-report">
      <h1 id="paper-report" ref={focusOn} tabIndex={-1}>
        {reportName(attempt.paper.trial)}
      </h1>
      {paper && <p className={classes.paperTitle}>{paper.title}</p>}
      <ScoreLine {...attempt} />
      <p className={classes.note}>
        答对 {attempt.right}/{attempt.total} 题 · 用时 {minutesText(attempt.spentMs)} · {timeText(attempt.handedAt)}{' '}
        交卷
      </p>
      <p className={classes.warm}>{why}</p>
      {same && <ScoreTables result={resultOfMarks(paper, attempt.marks)} />}
      <div className={classes.actions}>
        <Button onClick={onAgain}>再做一遍</Button>
        <Button look="quiet" tone="plain" onClick={onLeave}>
          返回题集
        </Button>
      </div>
    </section>
  )
}
