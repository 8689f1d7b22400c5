import { clsx } from 'clsx'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { RefusedError, UnauthorizedError } from '#src/api/errors.ts'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import type { ExamKey } from '#src/contract/exam.ts'
import { resultsAt } from '#src/domain/paper/exam.ts'
import { satQuestions, sumsOf } from '#src/domain/paper/examReport.ts'
import type { Score } from '#src/domain/question/rules.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { ScoreLine } from '#src/player/paper/ScoreTables.tsx'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { timeText } from '#src/ui/dates.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'
import { Pending } from './parts/Pending.tsx'
import { Receipt as Slip } from './parts/Receipt.tsx'
import { examKeyQuery, examQuery } from './queries.ts'
import { dropPaper } from './sitting.ts'
import { readOwnMarks, recordAnswers } from './review.ts'
import { type Receipt, useReceipt } from './useSittings.ts'
import classes from './Exams.module.css'

/** With its charts: after the score, and never with a paper. */
const ReportDetails = optional(() => import('./parts/ReportDetails.tsx').then((m) => m.ReportDetails))

interface ExamReportPageProps {
  sittingId: string
  /** As the operator calls it. */
  product: string
  poster: (examKey: ExamKey, title: string) => ReactNode
  onAnalysis: (no: string, title: string) => void
  /** Null: to the list. */
  onLeave: (no: string | null) => void
}

/** 交卷回执 at once, also without a network; the marks as soon as the key is released. */
export function ExamReportPage({ sittingId, product, poster, onAnalysis, onLeave }: ExamReportPageProps) {
  const receipt = useReceipt(sittingId)
  useAtTop()
  if (!receipt) return <Skeleton />
  const { sitting, refused } = receipt
  if (refused && !sitting?.handedAt)
    return (
      <Message title="这次交卷没有成功" onLeave={() => onLeave(String(refused.payload.exam))}>
        {refused.msg}。答案都在这台设备上：返回考试，打开这份答卷再交一次。
      </Message>
    )
  if (!sitting || sitting.handedAt === null)
    return (
      <Message title="没有找到这次交卷" onLeave={() => onLeave(sitting?.exam ?? null)}>
        用考试时的账号登录，联网同步后再来看。
      </Message>
    )
  return (
    <Report
      key={sitting.handIn}
      {...receipt}
      sittingId={sittingId}
      product={product}
      poster={poster}
      sitting={sitting}
      onAnalysis={(title) => onAnalysis(sitting.exam, title)}
      onLeave={() => onLeave(sitting.exam)}
    />
  )
}

function Message({ title, children, onLeave }: { title: string; children: ReactNode; onLeave: () => void }) {
  return (
    <section className={clsx(common.column, classes.page, classes.report)}>
      <h1 ref={focusOn} tabIndex={-1} className={clsx(common.title, classes.title)}>
        {title}
      </h1>
      <p>{children}</p>
      <Button onClick={onLeave}>返回考试</Button>
    </section>
  )
}

interface ReportProps extends Receipt {
  sittingId: string
  product: string
  poster: ExamReportPageProps['poster']
  sitting: ExamSittingRecord
  onAnalysis: (title: string) => void
  onLeave: () => void
}

function Report({ sittingId, product, poster, sitting, waiting, refused, onAnalysis, onLeave }: ReportProps) {
  const { data: exam } = useQuery(examQuery(sitting.exam))
  const { data: key, error } = useQuery({ ...examKeyQuery(sittingId), enabled: !waiting })
  const own = useOwnMarks(key)
  const title = exam?.title ?? ''
  useEffect(() => {
    if (key) void recordAnswers(key).catch(() => {})
  }, [key])
  useEffect(() => {
    if (!waiting) void dropPaper(sittingId)
  }, [sittingId, waiting])
  return (
    <section
      className={clsx(common.column, classes.page, classes.report)}
      data-wide={key ? '' : undefined}
      aria-labelledby="exam-report"
    >
      <div className={clsx(common.column, classes.summary)}>
        <h1 id="exam-report" ref={focusOn} tabIndex={-1} className={clsx(common.title, classes.title)}>
          {key ? '成绩报告' : '交卷回执'}
        </h1>
        {title && <p className={common.quiet}>{title}</p>}
        {key ? (
          <Marks examKey={key} own={own} />
        ) : (
          <NotOut waiting={waiting} error={error} outAt={exam ? resultsAt(exam) : null} />
        )}
        {refused && !waiting && (
          <p className={clsx(common.sunken, common.warm, classes.warm)}>这次交卷没有成功：{refused.msg}</p>
        )}
        {key && <Button onClick={() => onAnalysis(title || '解析')}>查看解析</Button>}
        {key && poster(key, title || '模拟考试')}
      </div>
      {key && (
        <Suspense fallback={<Skeleton />}>
          <ReportDetails examKey={key} own={own} title={title || '考试'} applyCount={exam?.applyCount ?? 0} />
        </Suspense>
      )}
      <Slip sittingId={sittingId} sitting={sitting} product={product} />
      <div className={clsx(common.column, classes.actions)}>
        <Button look={key ? 'light' : 'filled'} onClick={onLeave}>
          返回考试
        </Button>
      </div>
    </section>
  )
}

const NONE: ReadonlyMap<string, Score> = new Map()

function useOwnMarks(key: ExamKey | undefined): ReadonlyMap<string, Score> {
  const [own, setOwn] = useState(NONE)
  useEffect(() => {
    if (key) void readOwnMarks(key).then(setOwn)
  }, [key])
  return own
}

function Marks({ examKey, own }: { examKey: ExamKey; own: ReadonlyMap<string, Score> }) {
  const { earned } = examKey
  const essays = satQuestions(examKey, own).filter(({ part }) => part.type === 'essay')
  return (
    <>
      <ScoreLine {...earned} />
      <p className={common.quiet}>
        答对 {earned.right}/{earned.total} 题
        {essays.length > 0 && `；满分里的主观题 ${marksText(sumsOf(essays).full)} 分没有计入得分`}
      </p>
      <Essays examKey={examKey} own={own} />
    </>
  )
}

/** 自评 beside what machines mark, never in it. */
function Essays({ examKey, own }: { examKey: ExamKey; own: ReadonlyMap<string, Score> }) {
  const essays = satQuestions(examKey, own).filter(({ part }) => part.type === 'essay')
  if (essays.length === 0) return null
  const { score, full } = sumsOf(essays)
  const open = essays.filter(({ outcome }) => outcome === 'self').length
  return (
    <p className={clsx(common.sunken, common.warm, classes.warm)}>
      主观题自评 {marksText(score)}/{marksText(full)} 分，不计入得分和排名。
      {open > 0 && `还有 ${open} 题待自评：在解析里对照采分点评。`}
    </p>
  )
}

/** Why there are no marks yet, and when there will be. */
function NotOut({ waiting, error, outAt }: { waiting: boolean; error: Error | null; outAt: number | null }) {
  const [state = '', why] = waiting
    ? ['已交卷，待上传', '答卷已封存在这台设备上，联网后自动上传，不用再操作。']
    : error instanceof RefusedError
      ? ['待公布', `${wordsOf(error)}${outAt === null ? '' : `：${timeText(outAt)}`}。`]
      : error instanceof UnauthorizedError
        ? ['已上传', `${wordsOf(error)}。`]
        : ['已上传', '正在获取成绩；没有网络时，联网后再看。']
  return <Pending state={state}>{why}</Pending>
}
