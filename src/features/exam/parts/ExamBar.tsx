import type { EndedExam } from '#src/offline/drafts/exam.ts'
import { clsx } from 'clsx'
import { Link, useMatches } from '@tanstack/react-router'
import bar from '#src/ui/Bar.module.css'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import type { OpenSitting } from '../ended.ts'
import { toItemNo } from '#src/sitting/itemNo.ts'
import { countdownText } from '../texts.ts'
import { useLeft, useOpenSittings } from '../useOpenSittings.ts'
import classes from '../Exams.module.css'

/** On every page but its own: the sitting that is under way, and the one that has ended by itself. */
export function ExamBar() {
  const params = useMatches().at(-1)?.params
  const item = params && 'itemNo' in params ? String(params.itemNo) : ''
  // Back from an exam, the device is read anew: the clock of a 练习 has gone on in it.
  return <Bars key={item} item={item} />
}

function Bars({ item }: { item: string }) {
  const { open, ended, putAway } = useOpenSittings()
  const elsewhere = ({ id }: { id: string }) => toItemNo(id) !== item
  return (
    <>
      {open
        .filter(({ sitting }) => elsewhere(sitting))
        .map((each) => (
          <Running key={each.sitting.id} open={each} />
        ))}
      {ended.filter(elsewhere).map((each) => (
        <Told key={each.id} ended={each} onRead={() => putAway(each.id)} />
      ))}
    </>
  )
}

/** Where a sitting goes on. */
export const wayTo = ({ sitting: { id, mode }, paper: { no, title, kind, minutes } }: OpenSitting) => ({
  to: '/exam/exam_study/$type/$mode/$no/$title/$itemNo/$limitTime' as const,
  params: { type: kind, mode, no, title, itemNo: toItemNo(id), limitTime: String(minutes) },
})

/** What is told of one that is not on the screen. */
export function runningText({ sitting }: OpenSitting, leftMs: number): string {
  if (leftMs <= 0) return '模考时间已到，正在交卷'
  return `${sitting.mode === 'practice' ? '模考练习已暂停' : '模考进行中'} · 还剩 ${countdownText(leftMs)}`
}

function Running({ open }: { open: OpenSitting }) {
  const leftMs = useLeft(open)
  return (
    <Link {...wayTo(open)} className={clsx(common.link, common.figures, bar.bar, classes.bar)}>
      {runningText(open, leftMs)}
      <strong className={classes.goOn}>继续</strong>
    </Link>
  )
}

function Told({ ended: { id, title }, onRead }: { ended: EndedExam; onRead: () => void }) {
  return (
    <aside className={bar.bar} aria-label="考试已交卷">
      <p role="status">《{title}》时间已到，已自动交卷。</p>
      <Link
        {...buttonLook({ small: true })}
        to="/exam/exam_report/$itemNo"
        params={{ itemNo: toItemNo(id) }}
        onClick={onRead}
      >
        查看结果
      </Link>
      <Button small look="quiet" onClick={onRead}>
        知道了
      </Button>
    </aside>
  )
}
