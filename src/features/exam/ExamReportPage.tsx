import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { RefusedError } from '#src/api/errors.ts'
import type { ExamAttempt } from '#src/contract/attempt.ts'
import type { ExamKey } from '#src/contract/exam.ts'
import { receiptCode } from '#src/domain/exam.ts'
import { resultOfMarks, scoredParts } from '#src/domain/paper.ts'
import { ScoreLine, ScoreTables } from '#src/player/ScoreTables.tsx'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import { timeText } from '#src/ui/dates.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useAtTop } from '#src/ui/useAtTop.ts'
import { examKeyQuery, examQuery } from './queries.ts'
import { recordAnswers } from './review.ts'
import { FLAG_TEXTS, tookText } from './texts.ts'
import { type Receipt, useReceipt } from './useSittings.ts'
import classes from './Exams.module.css'

interface ExamReportPageProps {
  attemptId: string
  onAnalysis: (no: string, title: string) => void
  /** Null: to the list. */
  onLeave: (no: string | null) => void
}

/** 交卷回执 at once, also without a network; the marks as soon as the key is released. */
export function ExamReportPage({ attemptId, onAnalysis, onLeave }: ExamReportPageProps) {
  const receipt = useReceipt(attemptId)
  useAtTop()
  if (!receipt) return <Skeleton />
  const { attempt } = receipt
  if (!attempt || attempt.handedAt === null)
    return (
      <Message title="没有找到这次交卷" onLeave={() => onLeave(attempt?.exam ?? null)}>
        用考试时的账号登录，联网同步后再来看。
      </Message>
    )
  return (
    <Report
      key={attempt.handIn}
      {...receipt}
      attemptId={attemptId}
      attempt={attempt}
      onAnalysis={(title) => onAnalysis(attempt.exam, title)}
      onLeave={() => onLeave(attempt.exam)}
    />
  )
}

function Message({ title, children, onLeave }: { title: string; children: ReactNode; onLeave: () => void }) {
  return (
    <section className={classes.report}>
      <h1 ref={focusOn} tabIndex={-1}>
        {title}
      </h1>
      <p>{children}</p>
      <Button onClick={onLeave}>返回考试</Button>
    </section>
  )
}

interface ReportProps extends Receipt {
  attemptId: string
  attempt: ExamAttempt
  onAnalysis: (title: string) => void
  onLeave: () => void
}

function Report({ attemptId, attempt, waiting, refused, onAnalysis, onLeave }: ReportProps) {
  const { data: exam } = useQuery(examQuery(attempt.exam))
  const { data: key, error } = useQuery({ ...examKeyQuery(attemptId), enabled: !waiting })
  const title = exam?.title ?? ''
  useEffect(() => {
    if (key) void recordAnswers(key).catch(() => {})
  }, [key])
  return (
    <section className={classes.report} aria-labelledby="exam-report">
      <h1 id="exam-report" ref={focusOn} tabIndex={-1}>
        {key ? '成绩报告' : '交卷回执'}
      </h1>
      {title && <p className={classes.note}>{title}</p>}
      {key ? <Marks examKey={key} /> : <Pending waiting={waiting} error={error} />}
      {refused && <p className={classes.warm}>这次交卷没有被接受：{refused.msg}</p>}
      <Slip attempt={attempt} />
      <div className={classes.actions}>
        {key && <Button onClick={() => onAnalysis(title || '解析')}>看解析</Button>}
        <Button look={key ? 'light' : 'filled'} onClick={onLeave}>
          返回考试
        </Button>
      </div>
    </section>
  )
}

function Marks({ examKey }: { examKey: ExamKey }) {
  const essays = examKey.sections.some(({ entries }) =>
    entries.flatMap(scoredParts).some(({ part }) => part.type === 'essay'),
  )
  return (
    <>
      <ScoreLine {...examKey.earned} />
      <p className={classes.note}>
        答对 {examKey.earned.right}/{examKey.earned.total} 题
      </p>
      {essays && <p className={classes.warm}>主观题对照采分点自评，在解析里评；自评不计入这里的得分。</p>}
      <ScoreTables result={resultOfMarks(examKey, examKey.earned.marks)} />
    </>
  )
}

/** Why there are no marks yet, and when there will be. */
function Pending({ waiting, error }: { waiting: boolean; error: Error | null }) {
  const [state, why] = waiting
    ? ['待交卷', '答卷已封存在本机，联网后自动上报，不用再做什么。']
    : error instanceof RefusedError
      ? ['待公布', `${error.message}。`]
      : ['已送达', '成绩正在取来；没有网络时，联网后再看。']
  return (
    <p className={classes.pending} role="status">
      <strong>{state}</strong>
      {why}
    </p>
  )
}

/** What a student can show: that this was handed in, when, and a code of what it held. */
function Slip({ attempt }: { attempt: ExamAttempt }) {
  return (
    <dl className={classes.facts} aria-label="交卷回执">
      <div>
        <dt>回执码</dt>
        <dd className={classes.code}>{receiptCode(attempt.hash)}</dd>
      </div>
      <div>
        <dt>交卷时间</dt>
        <dd>{timeText(attempt.handedAt ?? 0)}</dd>
      </div>
      <div>
        <dt>作答</dt>
        <dd>
          {attempt.answered} 题，用时 {tookText(attempt.elapsedMs)}
        </dd>
      </div>
      {attempt.flags.map((flag) => (
        <div key={flag}>
          <dt>{FLAG_TEXTS[flag][0]}</dt>
          <dd>{FLAG_TEXTS[flag][1]}</dd>
        </div>
      ))}
    </dl>
  )
}
