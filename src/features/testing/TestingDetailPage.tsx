import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import type { TestingDetail } from '#src/contract/testing.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { sharesOf } from '#src/domain/paper/testing.ts'
import { ModePicker } from '#src/sitting/ModePicker.tsx'
import { PastSittings } from '#src/sitting/PastSittings.tsx'
import { rememberedMode } from '#src/sitting/engine/chosenMode.ts'
import { minutesText, PARTIAL_TEXTS, scoreText } from '#src/sitting/texts.ts'
import { type Past, pastOf, type Progress, useProgress } from '#src/sitting/useProgress.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Badges } from '#src/ui/list/Badges.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { Advice } from './Advice.tsx'
import { testingPaperQuery, testingQuery } from './queries.ts'
import { isTestingMode, TESTING_MODES, type TestingMode } from './sheet.ts'
import { FREE, KIND_NAMES, timeOf } from './texts.ts'
import classes from './Testings.module.css'

interface TestingDetailPageProps {
  no: string
  /** The sitting whose result is shown; the last one, when it is none of this testing. */
  sittingId: string
  onStudy: (sitting: { id: string; mode: TestingMode; title: string }) => void
  onAnalysis: (id: string, title: string) => void
  onLeave: () => void
  /** What it was opened from, as the way back names it. */
  out: string
}

/** A testing: what it is, how it went, and the way in. */
export function TestingDetailPage({ no, sittingId, onStudy, onAnalysis, onLeave, out }: TestingDetailPageProps) {
  const { data: testing, error, isPending, refetch } = useQuery(testingQuery(no))
  const client = useQueryClient()
  const isHere = testing !== undefined
  useEffect(() => {
    // Who has seen this page can begin without a network; also who could not open it at first.
    if (isHere) void client.prefetchQuery(testingPaperQuery(no))
  }, [client, no, isHere])
  const progress = useProgress()
  if (isPending) return <Skeleton />
  if (!testing) {
    const away = '测评第一次打开要联网；打开过一次，没有网络也能做'
    return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} away={away} />
  }
  const { title } = testing
  const past = progress ? pastOf(progress, no) : []
  const shown = past.find(({ id }) => id === sittingId) ?? past[0]
  return (
    <div className={listing.page}>
      <BackButton onClick={onLeave}>{out}</BackButton>
      <Badges kind={KIND_NAMES[testing.kind]} of={FREE} />
      <h1 className={listing.pageTitle}>{title}</h1>
      <p className={clsx(listing.facts, classes.facts)}>
        <span>{testing.count} 题</span>
        <span>满分 {marksText(testing.full)} 分</span>
        <span>{timeOf(testing.minutes)}</span>
        {testing.hasMultiple !== false && <span>{PARTIAL_TEXTS[testing.partial]}</span>}
      </p>
      <div className={listing.intro}>
        <RichText html={testing.intro} />
      </div>
      {shown && <Result testing={testing} past={shown} onAnalysis={() => onAnalysis(shown.id, title)} />}
      {progress && <Entry testing={testing} progress={progress} onStudy={(id, mode) => onStudy({ id, mode, title })} />}
      {past.length > 0 && <PastSittings title={title} past={past} onPast={(id) => onAnalysis(id, title)} />}
    </div>
  )
}

interface EntryProps {
  testing: TestingDetail
  progress: Progress
  onStudy: (id: string, mode: TestingMode) => void
}

/** Goes on with what was left in the way that is chosen, else begins. */
function Entry({ testing: { no, minutes }, progress, onStudy }: EntryProps) {
  const left = progress.begun
    .filter(({ of, itemNo, handedIn }) => of === 'testing' && itemNo === no && !handedIn)
    .sort((a, b) => b.startedAt - a.startedAt)
  const [mode, setMode] = useState<TestingMode>(() => {
    const wanted = left[0]?.mode ?? rememberedMode()
    return isTestingMode(wanted) ? wanted : 'exam'
  })
  const open = left.find((each) => each.mode === mode)
  const start = pastOf(progress, no).length > 0 ? '再测一次' : '开始测评'
  return (
    <div className={clsx(common.stack, classes.entry)}>
      <ModePicker modes={TESTING_MODES} mode={mode} onMode={setMode} />
      {minutes !== null && (
        <p className={clsx(common.note, classes.hint)}>
          限时 {minutes} 分钟，时间到自动交卷。
          {mode === 'exam' ? '退出、断网或关机，计时都不会停。' : '离开时暂停计时。'}
        </p>
      )}
      {open && (
        <p className={clsx(common.note, classes.hint)}>
          上次没做完{open.total > 0 && `：已答 ${open.answered}/${open.total} 题`}
        </p>
      )}
      <Button onClick={() => onStudy(open?.id ?? uuidv7(), mode)}>{open ? '继续' : start}</Button>
    </div>
  )
}

interface ResultProps {
  testing: TestingDetail
  past: Past
  onAnalysis: () => void
}

/** 我的结果, with what it means by the guide as it is now. */
function Result({ testing, past, onAnalysis }: ResultProps) {
  // The marks of another paper say nothing of these sections.
  const sections = past.paper.rev === testing.rev ? sharesOf(testing.sections, past.marks) : null
  return (
    <section className={clsx(common.stack, common.card, classes.result)} aria-labelledby="my-result">
      <h2 id="my-result" className={common.subheading}>
        我的结果
      </h2>
      <p className={clsx(common.wrap, common.quiet, common.figures, classes.score)}>
        <strong className={clsx(common.accent, classes.points)}>{scoreText(past)}</strong>
        <span>
          答对 {past.right}/{past.total} 题 · 用时 {minutesText(past.spentMs)} · {timeText(past.handedAt)}
        </span>
      </p>
      <Advice guide={testing.guide} whole={past} sections={sections} />
      <Button look="light" onClick={onAnalysis}>
        查看解析
      </Button>
    </section>
  )
}
