import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { StudyMode } from '#src/domain/study/modes.ts'
import { useLastView } from '#src/session/lastView.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { type Opened, openPast } from './engine/open.ts'
import { PaperReport } from './PaperReport.tsx'
import { RecordReport } from './RecordReport.tsx'
import type { Reported } from './reported.ts'
import type { Sheet } from './engine/sheet.ts'
import type { SheetPolicy } from './engine/sheetPolicy.ts'
import { SittingView } from './SittingView.tsx'
import { useHandedIn } from './useProgress.ts'

interface SittingPageProps {
  policy: SheetPolicy
  asked: Pick<UseQueryResult<Sheet>, 'data' | 'error' | 'isPending' | 'refetch'>
  /** What there is to show, which may be nothing without the paper. */
  find: (sheet: Sheet | null) => Promise<Opened | null>
  /** Begins another sitting in this mode; true when this page is to show it. */
  onAgain: (mode: StudyMode) => Promise<boolean>
  onLeave: () => void
  /** Handed in, here or in another tab; left out, this page shows how it went. */
  onHandedIn?: (() => void) | undefined
  report: Reported
  /** The mark of syncing. */
  mark?: ReactNode
}

/** One sitting of a paper, from where it was left to how it went. */
export function SittingPage(props: SittingPageProps) {
  const { policy, asked, find, onAgain, onLeave, onHandedIn, report, mark } = props
  const { data: sheet, error, isPending, refetch } = asked
  const [opened, setOpened] = useState<Opened | null>(null)
  const [turn, setTurn] = useState(0)
  const handedIn = useHandedIn()
  useEffect(() => {
    if (isPending || opened) return
    let current = true
    void find(sheet ?? null).then((found) => {
      if (current) setOpened(found)
    })
    return () => {
      current = false
    }
  }, [isPending, sheet, find, opened])
  // The sitting itself takes over from a kept view, with its questions on the screen.
  const coming = opened ? opened.at === 'sitting' : isPending || sheet !== undefined
  useLastView(coming ? null : false)
  const again = (mode: StudyMode) => void onAgain(mode).then((here) => here && setOpened(null))
  const shared = { report, onLeave }
  if (opened?.at === 'record') return <RecordReport {...opened} {...shared} onAgain={() => again(opened.handed.mode)} />
  if (opened) {
    const { paper, sitting } = opened
    const handed = handedIn?.get(sitting.id) ?? null
    const showHanded = async () => {
      setOpened((await openPast(policy, paper, sitting.id)) ?? (await find(paper)))
      setTurn(turn + 1)
    }
    return (
      <SittingView
        // What was handed in is on disk, maybe by another tab: the player begins anew from it.
        key={`${sitting.id} ${turn}`}
        {...opened}
        policy={policy}
        mark={mark}
        renderReport={(acts) => (
          <PaperReport
            {...{ policy, paper, sitting, handed, ...shared, ...acts }}
            onAgain={() => again(sitting.mode)}
          />
        )}
        onLeave={onLeave}
        onHandedIn={onHandedIn ?? (() => void showHanded())}
      />
    )
  }
  if (isPending || sheet) return <Skeleton />
  return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
}
