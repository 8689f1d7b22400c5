import { clsx } from 'clsx'
import { v7 as uuidv7 } from 'uuid'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ExamMode } from '#src/contract/sitting.ts'
import type { ExamHead } from '#src/contract/exam.ts'
import { allowedMs, examState } from '#src/domain/paper/exam.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import { WayPicker } from '#src/sitting/ModePicker.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { countdownText, MODE_NAMES } from '../texts.ts'
import { useApply } from '../useApply.ts'
import { type Handed, type MySittings, useSittings } from '../useSittings.ts'
import { focusIsNowhere } from '#src/ui/nowhere.ts'
import classes from '../Exams.module.css'

interface EntryProps {
  exam: ExamHead
  /** Epoch ms by the server's clock. */
  now: number
  onEnter: (sittingId: string, mode: ExamMode) => void
  onReport: (sittingId: string) => void
}

/** What this student can do with an exam now: apply, wait, go in, go on, look at how it went. */
export function Entry({ exam, now, onEnter, onReport }: EntryProps) {
  const sittings = useSittings(exam.no)
  const state = examState(exam, now)
  const box = useFocusOnApplied(exam.applied)
  return (
    <>
      <div ref={box} tabIndex={-1} className={clsx(common.wrap, classes.entry)}>
        {state === 'over' ? <p>考试已结束{!exam.applied && '，不能再报名'}。</p> : <Clock exam={exam} now={now} />}
        {state !== 'over' && !exam.applied && <Apply exam={exam} />}
        {state === 'coming' && exam.applied && !sittings?.open && <Button disabled>已报名，等待开考</Button>}
        {sittings?.open ? (
          <GoOn open={sittings.open} {...{ exam, now, onEnter }} />
        ) : (
          state === 'running' && exam.applied && sittings && <Enter handed={sittings.handed} onEnter={onEnter} />
        )}
      </div>
      {sittings && sittings.handed.length > 0 && <Past handed={sittings.handed} onReport={onReport} />}
    </>
  )
}

/** The button of 报名 is gone when it has done its work: the focus stays where one is. */
function useFocusOnApplied(applied: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(applied)
  useLayoutEffect(() => {
    if (applied && !before.current && focusIsNowhere()) box.current?.focus()
    before.current = applied
  }, [applied])
  return box
}

/** An end that is far off is a date, not a clock. */
const SOON_MS = 3 * 86_400_000

function Clock({ exam: { window }, now }: Pick<EntryProps, 'exam' | 'now'>) {
  if (!window) return null
  const coming = now < window.from
  if (!coming && window.to - now > SOON_MS) return null
  return (
    <p className={clsx(common.row, classes.clock)} role="timer">
      <span className={common.quiet}>{coming ? '距开考' : '距结束'}</span>
      <strong className={clsx(common.heading, common.figures)}>
        {countdownText((coming ? window.from : window.to) - now)}
      </strong>
    </p>
  )
}

const WAYS = (['exam', 'practice'] as const).map((mode) => [mode, ...MODE_NAMES[mode]] as const)

interface GoOnProps extends Pick<EntryProps, 'exam' | 'now' | 'onEnter'> {
  open: NonNullable<MySittings['open']>
}

/** What was begun can be gone on with. Once its time is over it is sealed by itself (ended.ts), or by opening it where that failed. */
function GoOn({ open, exam, now, onEnter }: GoOnProps) {
  const enter = () => onEnter(open.id, open.mode)
  const leftMs = allowedMs(exam, open.startedAt) - (now - open.startedAt)
  const isOver = open.mode === 'exam' && leftMs <= 0
  if (examState(exam, now) !== 'over' && !isOver)
    return (
      <>
        <Button onClick={enter}>继续考试（{MODE_NAMES[open.mode][0]}）</Button>
        <p>{open.mode === 'practice' ? '已暂停计时' : `计时中，还剩 ${countdownText(leftMs)}`}</p>
      </>
    )
  return (
    <>
      <p>时间已到，答卷还没有交，答案都在这台设备上。交卷后按结束前的作答判分。</p>
      <Button onClick={enter}>交卷并看回执</Button>
    </>
  )
}

function Enter({ handed, onEnter }: Pick<MySittings, 'handed'> & Pick<EntryProps, 'onEnter'>) {
  const [mode, setMode] = useState<ExamMode>('exam')
  return (
    <>
      <div className={classes.ways}>
        <WayPicker legend="考试方式" ways={WAYS} way={mode} onWay={setMode} />
      </div>
      <Button onClick={() => onEnter(uuidv7(), mode)}>{handed.length > 0 ? '再考一次' : '进入考试'}</Button>
    </>
  )
}

function Apply({ exam }: Pick<EntryProps, 'exam'>) {
  const { token } = useSession()
  const applying = useApply(exam.no)
  // It is to be bought first, which the page offers by itself.
  if (!exam.open) return null
  if (!token) return <Button onClick={loginRequest.ask}>登录后报名</Button>
  return (
    <Button busy={applying.isPending} onClick={() => applying.mutate()}>
      报名
    </Button>
  )
}

function Past({ handed, onReport }: { handed: readonly Handed[]; onReport: (id: string) => void }) {
  return (
    <section aria-labelledby="my-sittings">
      <h2 id="my-sittings" className={clsx(common.subheading, classes.heading)}>
        我的作答记录
      </h2>
      <ul>
        {handed.map(({ id, handedAt, mode, answered }) => (
          <li key={id} className={clsx(common.between, common.figures, classes.line)}>
            <span>
              {timeText(handedAt)} · {MODE_NAMES[mode][0]} · 已答 {answered} 题
            </span>
            <Button small look="light" onClick={() => onReport(id)} aria-label={`查看成绩 ${timeText(handedAt)}`}>
              查看成绩
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
