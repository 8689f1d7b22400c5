import { clsx } from 'clsx'
import { useEffect } from 'react'
import type { Thing } from '#src/contract/study.ts'
import { useThings } from '#src/offline/useThings.ts'
import { REASON_NAMES, STATUS_NAMES } from '#src/player/marks/reasons.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { dateText } from '#src/ui/dates.ts'
import { markSeen } from './messages.ts'
import { QuestionLink, useStates } from './QuestionLink.tsx'
import { useQuestions } from './useQuestions.ts'
import classes from './Inbox.module.css'

/** 我的纠错: what the student reported and what became of it. Opening it marks the replies as read. */
export function ReportSheet({ onClose }: { onClose: () => void }) {
  const reports = useThings('report')
  const list = [...(reports ?? [])].sort(([, a], [, b]) => latest(b) - latest(a))
  const newest = Math.max(0, ...list.map(([, { answeredAt = 0 }]) => answeredAt))
  useEffect(() => void markSeen('repliesSeen', [newest]).catch(() => {}), [newest])
  const nos = [...new Set(list.map(([, { questionNo }]) => questionNo))]
  const states = useStates(nos)
  // One that was never answered is in no record.
  const questions = useQuestions(nos.filter((no) => states?.has(no) === false))
  return (
    <Dialog title="我的纠错" sheet onClose={onClose}>
      {reports && list.length === 0 && <p>还没有提交过纠错。做题时发现问题，可以点“纠错”告诉我们。</p>}
      <ul className={clsx(common.stack, classes.list)}>
        {list.map(([id, report]) => (
          <li key={id} className={clsx(common.between, common.sunken, classes.message)}>
            <Report {...report} />
            <QuestionLink
              questionNo={report.questionNo}
              home={states?.get(report.questionNo) ?? questions.get(report.questionNo)}
              onLeave={onClose}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const latest = ({ at, answeredAt = at }: Thing<'report'>): number => answeredAt

function Report({ reason, text, at, status, reply }: Thing<'report'>) {
  return (
    <span>
      <b>{REASON_NAMES[reason]}</b>{' '}
      <em className={clsx(status === 'fixed' ? common.right : common.quiet, classes.status)}>{STATUS_NAMES[status]}</em>
      {text && <span className={classes.text}>{text}</span>}
      {reply && <span className={classes.text}>回复：{reply}</span>}
      <small className={clsx(common.caption, classes.text)}>{dateText(at)} 提交</small>
    </span>
  )
}
