import type { ExamHead } from '#src/contract/exam.ts'
import { examState } from '#src/domain/exam.ts'
import { loginGate } from '#src/session/loginGate.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import { countdownText } from '../texts.ts'
import { useApply } from '../useApply.ts'
import classes from '../Exams.module.css'

interface EntryProps {
  exam: ExamHead
  /** Epoch ms by the server's clock. */
  now: number
  onEnter: () => void
}

/** What this student can do with an exam now: apply, wait, or go in. */
export function Entry({ exam, now, onEnter }: EntryProps) {
  const state = examState(exam, now)
  if (state === 'over') return <p className={classes.entry}>考试已结束{!exam.applied && '，不能再报名'}。</p>
  return (
    <div className={classes.entry}>
      <Clock exam={exam} now={now} />
      {exam.applied ? (
        <Button disabled={state === 'coming'} onClick={onEnter}>
          {state === 'coming' ? '已报名，等待开考' : '进入考试'}
        </Button>
      ) : (
        <Apply exam={exam} />
      )}
    </div>
  )
}

/** An end that is far off is a date, not a clock. */
const SOON_MS = 3 * 86_400_000

function Clock({ exam: { window }, now }: Pick<EntryProps, 'exam' | 'now'>) {
  if (!window) return null
  const coming = now < window.from
  if (!coming && window.to - now > SOON_MS) return null
  return (
    <p className={classes.clock} role="timer">
      {coming ? '距开考' : '距结束'}
      <strong>{countdownText((coming ? window.from : window.to) - now)}</strong>
    </p>
  )
}

function Apply({ exam }: Pick<EntryProps, 'exam'>) {
  const { token } = useSession()
  const applying = useApply(exam.no)
  if (!token) return <Button onClick={loginGate.ask}>登录后报名</Button>
  return (
    <Button disabled={!exam.open} busy={applying.isPending} onClick={() => applying.mutate()}>
      {exam.open ? '报名' : '购买后报名'}
    </Button>
  )
}
