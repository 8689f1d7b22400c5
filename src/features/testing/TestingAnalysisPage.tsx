import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Guide } from '#src/contract/testing.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import { readBegun } from '#src/sitting/engine/drafts.ts'
import { openHanded, openPast } from '#src/sitting/engine/open.ts'
import type { Reported } from '#src/sitting/reported.ts'
import type { Sheet } from '#src/sitting/engine/sheet.ts'
import { SittingPage } from '#src/sitting/SittingPage.tsx'
import outcome from '#src/sitting/Outcome.module.css'
import { useHandedIn } from '#src/sitting/useProgress.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { Advice } from './Advice.tsx'
import { testingPolicy } from './policy.ts'
import { testingPaperQuery, testingQuery } from './queries.ts'
import { isTestingMode, sheetOf, type TestingMode } from './sheet.ts'
import { Drawing } from '#src/ui/Empty.tsx'

interface TestingAnalysisPageProps {
  no: string
  sittingId: string
  /** Shown until the testing's own is known. */
  title: string
  onAgain: (mode: TestingMode) => void
  /** The sitting is still open: back into it. */
  onContinue: (mode: TestingMode) => void
  onLeave: () => void
  /** The mark of syncing. */
  mark: ReactNode
}

const reportedBy = (guide: Guide | undefined): Reported => ({
  leave: '返回测评',
  section: '部分',
  ...(guide && { advise: adviseBy(guide) }),
})
const adviseBy = (guide: Guide): NonNullable<Reported['advise']> =>
  function advise(whole, sections) {
    return <Advice guide={guide} whole={whole} sections={sections} />
  }

/** How a sitting of a testing went: marks by section, what they mean, each question with its analysis. */
export function TestingAnalysisPage(props: TestingAnalysisPageProps) {
  const handedIn = useHandedIn()
  if (!handedIn) return <Skeleton />
  // One that comes from another device is shown as soon as it is here.
  return <Analysis key={String(handedIn.has(props.sittingId))} {...props} />
}

function Analysis({ no, sittingId, title, onAgain, onContinue, onLeave, mark }: TestingAnalysisPageProps) {
  const asked = useQuery({ ...testingPaperQuery(no), select: sheetOf })
  const { data: paper } = useQuery(testingPaperQuery(no))
  const { data: own } = useQuery(testingQuery(no))
  /** The way of a sitting that is not handed in; 'unknown': none on this device. */
  const [open, setOpen] = useState<TestingMode | 'unknown' | null>(null)
  const find = useCallback(
    async (sheet: Sheet | null) => {
      const past = await openPast(testingPolicy, sheet, sittingId)
      if (past || !sheet) return past
      const begun = (await readBegun()).find(({ id }) => id === sittingId)
      const mode = begun && isTestingMode(begun.mode) ? begun.mode : 'exam'
      // Its hand-in was refused: the record does not have it.
      const kept = await openHanded(testingPolicy, sheet, { id: sittingId, mode, startedAt: begun?.startedAt ?? 0 })
      if (kept) return { at: 'sitting' as const, ...kept }
      setOpen(begun ? mode : 'unknown')
      return null
    },
    [sittingId],
  )
  const guide = paper?.guide
  const report = useMemo(() => reportedBy(guide), [guide])
  if (open) return <NotHandedIn title={own?.title ?? title} open={open} onContinue={onContinue} onLeave={onLeave} />
  const again = async (mode: StudyMode) => {
    onAgain(isTestingMode(mode) ? mode : 'exam')
    return false
  }
  return <SittingPage policy={testingPolicy} {...{ asked, find, onLeave, report, mark }} onAgain={again} />
}

interface NotHandedInProps extends Pick<TestingAnalysisPageProps, 'title' | 'onContinue' | 'onLeave'> {
  open: TestingMode | 'unknown'
}

function NotHandedIn({ title, open, onContinue, onLeave }: NotHandedInProps) {
  return (
    <section className={clsx(common.stack, outcome.outcome)} aria-labelledby="missing">
      <Drawing of="paper" />
      <h1 id="missing" className={common.title}>
        {open === 'unknown' ? '这台设备上没有这次测评的记录' : '还没有交卷'}
      </h1>
      <p className={common.quiet}>{title}</p>
      <p className={clsx(common.quiet, outcome.why)}>
        {open === 'unknown'
          ? '在别的设备上做的，登录同一账号并联网同步后可以看。'
          : '交卷之后这里有得分、学习建议和解析。'}
      </p>
      {open !== 'unknown' && <Button onClick={() => onContinue(open)}>继续作答</Button>}
      <Button look="light" tone="plain" onClick={onLeave}>
        返回测评
      </Button>
    </section>
  )
}
