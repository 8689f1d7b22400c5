import { clsx } from 'clsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ExamMode } from '#src/contract/sitting.ts'
import type { ExamDetail } from '#src/contract/exam.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { areResultsOut, examState, nextChange } from '#src/domain/paper/exam.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { Buy } from '#src/sale/Buy.tsx'
import { Badges } from '#src/ui/list/Badges.tsx'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { Entry } from './parts/Entry.tsx'
import { Fact } from './parts/Fact.tsx'
import { Ready, Sealed } from './parts/Sealed.tsx'
import { State } from './parts/State.tsx'
import { examQuery } from './queries.ts'
import { PARTIAL_TEXTS } from '#src/sitting/texts.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { dropSealed } from './sealed.ts'
import { KIND_NAMES, windowText } from './texts.ts'
import classes from './Exams.module.css'

const SECOND_MS = 1_000
const FAR_MS = 15_000
/** Nearer than this, seconds are told. */
const NEAR_MS = 3_600_000

interface ExamDetailPageProps {
  no: string
  onEnter: (exam: ExamDetail, sittingId: string, mode: ExamMode) => void
  onReport: (sittingId: string) => void
  onLeave: () => void
}

/** An exam: when and how long, what it is made of, and the way in. */
export function ExamDetailPage({ no, onEnter, onReport, onLeave }: ExamDetailPageProps) {
  const { data: exam, error, isPending, refetch } = useQuery(examQuery(no))
  const rough = useServerNow(FAR_MS)
  const state = exam && examState(exam, rough)
  useEffect(() => {
    if (state === 'over') void dropSealed(no)
  }, [no, state])
  const change = exam ? nextChange(exam, rough) : null
  const now = useServerNow(change !== null && change - rough < NEAR_MS ? SECOND_MS : FAR_MS)
  if (isPending) return <Skeleton />
  if (!exam) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  return (
    <div className={listing.page}>
      <BackButton onClick={onLeave}>全部考试</BackButton>
      <Badges kind={KIND_NAMES[exam.kind]} of={exam}>
        <State exam={exam} now={now} />
      </Badges>
      <h1 className={listing.pageTitle}>{exam.title}</h1>
      <Facts exam={exam} now={now} />
      {!exam.open && state !== 'over' && (
        <Buy
          label="报名"
          product={{ kind: 'exam', no, quantity: 1, variant: null }}
          sum={exam.price}
          {...(exam.vip && { without: 'VIP 可用' })}
          also="购买后回到这里报名。"
        />
      )}
      <Entry exam={exam} now={now} onEnter={(id, mode) => onEnter(exam, id, mode)} onReport={onReport} />
      {areResultsOut(exam, now) && <ToRank exam={exam} />}
      {exam.applied && examState(exam, now) === 'coming' && <Sealed exam={exam} />}
      {exam.applied && examState(exam, now) === 'running' && <Ready exam={exam} />}
      <div className={listing.intro}>
        <RichText html={exam.intro} />
      </div>
      <Sections exam={exam} />
    </div>
  )
}

const ToRank = ({ exam: { no, title, applyCount } }: { exam: ExamDetail }) => (
  <div className={clsx(common.wrap, classes.entry)}>
    <Link
      {...buttonLook({ look: 'light' })}
      to="/exam/exam_rank/$no/$name/$applyCount"
      params={{ no, name: title, applyCount: String(applyCount) }}
    >
      查看排名
    </Link>
  </div>
)

function Facts({ exam, now }: { exam: ExamDetail; now: number }) {
  const { window, minutes } = exam
  return (
    <dl className={clsx(common.stack, common.card, classes.facts)}>
      <Fact name="考试时间">{windowText(window, now)}</Fact>
      <Fact name="考试时长">
        {minutes} 分钟
        {window && `，${timeText(window.to - minutes * 60_000)} 前进入才能用满`}
      </Fact>
      <Fact name="题量与满分">
        {exam.count} 题，{marksText(exam.full)} 分
      </Fact>
      {exam.hasMultiple !== false && <Fact name="判分规则">{PARTIAL_TEXTS[exam.partial]}</Fact>}
      {exam.rankClosesAt !== null && (
        <Fact name="排名截止">
          {timeText(exam.rankClosesAt)} 前上传的首次作答计入排名
          {exam.window && '，成绩、解析和排名到时公布'}
        </Fact>
      )}
      {exam.applyCount > 0 && <Fact name="已报名">{exam.applyCount} 人</Fact>}
    </dl>
  )
}

function Sections({ exam }: { exam: ExamDetail }) {
  return (
    <section aria-labelledby="sections">
      <h2 id="sections" className={clsx(common.subheading, classes.heading)}>
        试卷结构
      </h2>
      <ol className={clsx(common.card, classes.lines)}>
        {exam.sections.map(({ title, note, count, full }) => (
          <li key={title} className={clsx(common.between, classes.line)}>
            <span className={common.column}>
              <b>{title}</b>
              {note && <small className={common.caption}>{note}</small>}
            </span>
            <span className={clsx(common.fixed, common.quiet, common.figures)}>
              {count} 题 · {marksText(full)} 分
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
