import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Attempt } from '#src/contract/attempt.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import { offline } from '#src/offline/index.ts'
import type { StudyMode } from '#src/player/modes.ts'
import { useLastView } from '#src/session/lastView.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { RecordReport } from './parts/RecordReport.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { SittingView } from './parts/SittingView.tsx'
import { paperQuery } from './queries.ts'
import { begin, chosenMode, type OpenedSitting, openPast, openSitting } from './sitting.ts'

interface PaperPageProps {
  no: string
  itemNo: string
  /** A sitting that was handed in, to be looked at; else the one that was left, or a new one. */
  past?: string | undefined
  onLeave: () => void
  /** From a past sitting to the new one. */
  onRestart: () => void
  /** The mark of syncing. */
  mark?: ReactNode
}
type Opened =
  | ({
      at: 'sitting'
      /** The paper as it was when the sitting began: a fresher one must not change it under the student's eyes. */
      paper: Paper
    } & OpenedSitting)
  /** Only its marks are on this device. */
  | { at: 'record'; attempt: Attempt; paper: Paper | null }

/** 套卷练习: goes on with the paper where it was left, in the mode that was chosen; or how a past sitting went. */
export function PaperPage({ no, itemNo, past, onLeave, onRestart, mark }: PaperPageProps) {
  const { data: paper, error, isPending, refetch } = useQuery(paperQuery(no, itemNo))
  const [opened, setOpened] = useState<Opened | null>(null)
  const [handed, setHanded] = useState(0)
  const settled = !isPending
  useEffect(() => {
    if (!settled || opened) return
    let current = true
    const show = (found: Opened | null) => {
      if (current) setOpened(found)
    }
    void open(paper ?? null, past).then(show)
    return () => {
      current = false
    }
  }, [settled, paper, past, opened])
  // The sitting itself takes over from a kept view, with its questions on the screen.
  const coming = opened ? opened.at === 'sitting' : isPending || paper !== undefined
  useLastView(coming ? null : false)
  const again = async (mode: StudyMode) => {
    await begin(no, itemNo, mode)
    if (past) onRestart()
    else setOpened(null)
  }
  if (opened?.at === 'record')
    return <RecordReport {...opened} onAgain={() => void again(opened.attempt.mode)} onLeave={onLeave} />
  if (opened) {
    const close = (
      <IconButton aria-label="退出练习" onClick={onLeave}>
        <IconX size={22} />
      </IconButton>
    )
    const { sitting } = opened
    const onHandedIn = async () => {
      setOpened(await open(opened.paper, sitting.id))
      setHanded(handed + 1)
    }
    return (
      <SittingView
        // What was handed in is on disk, maybe by another tab: the player begins anew from it.
        key={`${sitting.id} ${handed}`}
        {...opened}
        mark={mark}
        close={close}
        onLeave={onLeave}
        onAgain={() => void again(sitting.mode)}
        onHandedIn={() => void onHandedIn()}
      />
    )
  }
  if (isPending || paper) return <Skeleton />
  return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
}

/** Null: there is nothing to show without the paper. */
async function open(paper: Paper | null, past: string | undefined): Promise<Opened | null> {
  const attempts = await offline.things('attempt').catch(() => new Map<string, Attempt>())
  const attempt = past === undefined ? undefined : attempts.get(past)
  if (past !== undefined && attempt) {
    const kept = paper && (await openPast(paper, past, attempt))
    return paper && kept ? { at: 'sitting', paper, ...kept } : { at: 'record', attempt, paper }
  }
  if (!paper) return null
  const found = await openSitting(paper, await chosenMode(paper.no))
  const handedIn = attempts.get(found.sitting.id)
  // Another tab has handed it in; what it answered is not what this device has kept last.
  if (handedIn && found.state.mode !== 'review') return { at: 'record', attempt: handedIn, paper }
  return { at: 'sitting', paper, ...found }
}
