import { clsx } from 'clsx'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { onlineManager, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import type { ExamPaper } from '#src/contract/exam.ts'
import { allowedMs, resultsAt } from '#src/domain/paper/exam.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { offline } from '#src/offline/index.ts'
import { useOnlyTab } from '#src/offline/useOnlyTab.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { useLastView } from '#src/session/lastView.ts'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { Button } from '#src/ui/Button.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { PARTIAL_TEXTS } from '#src/sitting/texts.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { SittingView } from '#src/sitting/SittingView.tsx'
import { examPolicy } from './policy.ts'
import { examPaperQuery } from './queries.ts'
import { readSealed } from './sealed.ts'
import { beginExam, type ExamSitting, isHanded, type OpenedExam, openExam, tabOf } from './sitting.ts'
import classes from './Exams.module.css'

interface ExamStudyPageProps {
  no: string
  sittingId: string
  mode: ExamSitting['mode']
  onReport: () => void
  onLeave: () => void
  /** The mark of syncing. */
  mark: ReactNode
}

/** One sitting of an exam: what it means to begin, then the paper with its clock, until it is handed in. */
export function ExamStudyPage({ no, sittingId, mode, onReport, onLeave, mark }: ExamStudyPageProps) {
  const [opened, setOpened] = useState<OpenedExam | 'new' | null>(null)
  const tab = useOnlyTab(tabOf(sittingId))
  const here = tab.holder === 'here'
  useLastView(false)
  useEffect(() => {
    if (!here) return
    let current = true
    void offline.prepare()
    void openExam(no, sittingId).then((found) => {
      if (!current) return
      if (found === 'handed') onReport()
      else setOpened(found)
    })
    return () => {
      current = false
      // Taken back, it goes on with what the other tab has kept.
      setOpened(null)
    }
  }, [here, no, sittingId, onReport])
  if (tab.holder === 'elsewhere') return <Elsewhere onTake={tab.take} onLeave={onLeave} />
  if (!opened) return <Skeleton />
  if (opened === 'new')
    return (
      <Start
        no={no}
        mode={mode}
        onLeave={onLeave}
        onStart={async (paper) => setOpened(await beginExam(paper, sittingId, mode))}
      />
    )
  return <Running opened={opened} mark={mark} onReport={onReport} onLeave={onLeave} />
}

interface RunningProps extends Pick<ExamStudyPageProps, 'mark' | 'onReport' | 'onLeave'> {
  opened: OpenedExam
}

function Running({ opened, mark, onReport, onLeave }: RunningProps) {
  const { paper, sitting } = opened
  const online = useSyncExternalStore(onlineManager.subscribe.bind(onlineManager), () => onlineManager.isOnline())
  useEffect(
    () =>
      offline.onChange((changed) => {
        if (changed !== null && !changed.includes('exam')) return
        void offline.things('exam').then((known) => {
          if (isHanded(known.get(sitting.id), true)) onReport()
        })
      }),
    [onReport, sitting.id],
  )
  return (
    <SittingView
      {...opened}
      policy={examPolicy}
      mark={mark}
      outcome={outcomeOf(paper, online)}
      onHandedIn={onReport}
      onLeave={onLeave}
    />
  )
}

/** Says what follows the hand-in: only the server can give marks. */
function outcomeOf(paper: ExamPaper, online: boolean): string {
  const outAt = resultsAt(paper)
  if (outAt !== null) return `成绩和解析在 ${timeText(outAt)} 排名截止后公布`
  return online ? '交卷后就能看成绩和解析' : '答卷先封存在这台设备上，联网上传后才能看成绩和解析'
}

/** One tab at a time: two would write over each other's choices. */
function Elsewhere({ onTake, onLeave }: { onTake: () => void; onLeave: () => void }) {
  return (
    <section className={clsx(common.column, classes.page)}>
      <h1 className={common.title}>这场考试在另一个标签页里</h1>
      <p>两个标签页不能同时作答。在这里继续，会接着那边已保存的作答，那边停下；计时不受影响。</p>
      <div className={clsx(common.column, classes.actions)}>
        <Button onClick={onTake}>在这里继续</Button>
        <Button look="light" tone="plain" onClick={onLeave}>
          返回考试
        </Button>
      </div>
    </section>
  )
}

/** Whether a sealed copy of the paper is on this device. */
function useSealed(no: string): boolean {
  const [here, setHere] = useState(false)
  useEffect(() => void readSealed(no).then((kept) => setHere(kept !== null)), [no])
  return here
}

/** Everything is here but the key: far less than a paper has to come through. */
function KeyNeeded({ onRetry, onLeave }: { onRetry: () => void; onLeave: () => void }) {
  const again = useEffectEvent(onRetry)
  useEffect(() => onlineManager.subscribe((online) => online && again()), [])
  return (
    <section className={clsx(common.column, classes.page)} role="alert">
      <h1 className={common.title}>试卷已下载，开考时需联网解锁一次</h1>
      <p>解锁只用不到 1 KB 流量，网络恢复后自动打开。打开之后断网也能考完、交卷。</p>
      <div className={clsx(common.column, classes.actions)}>
        <Button onClick={onRetry}>重试</Button>
        <Button look="light" tone="plain" onClick={onLeave}>
          返回考试
        </Button>
      </div>
    </section>
  )
}

interface StartProps {
  no: string
  mode: ExamSitting['mode']
  onStart: (paper: ExamPaper) => Promise<void>
  onLeave: () => void
}

/** The only questions that can be partly right by a rule of the paper. */
const hasMultiple = ({ sections }: ExamPaper): boolean =>
  sections.some(({ entries }) =>
    entries.some(({ question }) =>
      (question.type === 'composite' ? question.parts : [question]).some(
        ({ type }) => type === 'multiple' || type === 'indefinite',
      ),
    ),
  )

/** Said before the clock runs. */
function Start({ no, mode, onStart, onLeave }: StartProps) {
  const { data: paper, error, isPending, refetch } = useQuery(examPaperQuery(no))
  const [busy, setBusy] = useState(false)
  const now = useServerNow(15_000)
  const sealed = useSealed(no)
  if (isPending) return <Skeleton />
  if (!paper && error instanceof OfflineError && sealed)
    return <KeyNeeded onRetry={() => void refetch()} onLeave={onLeave} />
  if (!paper) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  const start = async () => {
    setBusy(true)
    await onStart(paper).catch((error: unknown) => void feedback.warn(`${unkeptWords(error, '还没有开考')}。`))
    setBusy(false)
  }
  return (
    <section className={clsx(common.column, classes.page)} aria-labelledby="exam-start">
      <h1 id="exam-start" className={common.title}>
        {paper.title}
      </h1>
      <p>
        {paper.count} 题 · 满分 {marksText(paper.full)} 分 · {Math.floor(allowedMs(paper, now) / 60_000)} 分钟
      </p>
      <ul className={clsx(common.column, classes.rules)}>
        {mode === 'exam' ? (
          <li>真实模式：开考后，退出、断网或关机，计时都不会停；到时间自动交卷。</li>
        ) : (
          <li>练习模式：离开时暂停计时，回来接着考；成绩不计入排名，也算第一次作答，之后再考不计入排名。</li>
        )}
        {hasMultiple(paper) && <li>{PARTIAL_TEXTS[paper.partial]}。</li>}
        <li>每次选择立即保存。没有网络也能答完并交卷，联网后自动上传。</li>
        <li>交卷前不显示对错和解析；主观题交卷后对照采分点自评。</li>
      </ul>
      <div className={clsx(common.column, classes.actions)}>
        <Button busy={busy} onClick={() => void start()}>
          开始考试
        </Button>
        <Button look="light" tone="plain" onClick={onLeave}>
          暂不考试
        </Button>
      </div>
    </section>
  )
}
