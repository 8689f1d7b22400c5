import { clsx } from 'clsx'
import type { SittingRecord } from '#src/contract/sitting.ts'
import { resultOfMarks } from '#src/domain/paper/paper.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import type { Reported } from './reported.ts'
import { isTrial, type Sheet } from './engine/sheet.ts'
import { minutesText, reportName } from './texts.ts'
import outcome from './Outcome.module.css'
import { ScoreLine, ScoreTables } from '#src/player/paper/ScoreTables.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'

interface RecordReportProps {
  handed: SittingRecord
  /** Null: not on this device, and there is no network. */
  sheet: Sheet | null
  report: Reported
  onAgain: () => void
  onLeave: () => void
}

/** How a sitting went, of which only the marks are on this device. */
export function RecordReport({ handed, sheet, report, onAgain, onLeave }: RecordReportProps) {
  useAtTop()
  const same = sheet?.rev === handed.paper.rev && isTrial(sheet.ref) === isTrial(handed.paper)
  const result = same ? resultOfMarks(sheet, handed.marks) : null
  const why = same
    ? '每题选了什么保存在当时作答的设备上，这里有各题的得分。'
    : sheet
      ? '这套卷后来更新过，当时作答的设备上还有每题的作答。'
      : '这套卷还没有下载，联网后可以看到各大题的得分。'
  return (
    <section
      className={clsx(common.stack, outcome.outcome)}
      data-wide={result ? '' : undefined}
      aria-labelledby="paper-report"
    >
      <div className={clsx(common.stack, outcome.summary)}>
        <h1 id="paper-report" ref={focusOn} tabIndex={-1} className={clsx(common.title, outcome.heading)}>
          {reportName(isTrial(handed.paper))}
        </h1>
        {sheet && <p className={common.quiet}>{sheet.title}</p>}
        <ScoreLine {...handed} />
        <p className={common.quiet}>
          答对 {handed.right}/{handed.total} 题 · 用时 {minutesText(handed.spentMs)} · {timeText(handed.handedAt)} 交卷
        </p>
        <p className={clsx(common.warm, outcome.warning)}>{why}</p>
        <div className={clsx(common.stack, outcome.actions)}>
          <Button onClick={onAgain}>再做一遍</Button>
          <Button look="quiet" tone="plain" onClick={onLeave}>
            {report.leave}
          </Button>
        </div>
      </div>
      <div className={common.stack}>
        {report.advise?.(handed, result?.bySection ?? null)}
        {result && <ScoreTables result={result} section={report.section} />}
      </div>
    </section>
  )
}
