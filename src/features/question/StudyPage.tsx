import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { firstUndone, isFinished, lookOf, type PlayerState } from '#src/player/player.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { newBatch, openBatch, startRound } from './batch.ts'
import { draftKey, dropBatch, type Pick } from './dealt.ts'
import type { SetupToolProps } from './parts/SetupTool.tsx'
import { StudySkeleton } from './parts/StudySkeleton.tsx'
import classes from './StudyPage.module.css'

const loadParts = () => import('./parts/later.ts')
const BatchSummary = lazy(() => loadParts().then((parts) => ({ default: parts.BatchSummary })))
const Done = lazy(() => loadParts().then((parts) => ({ default: parts.Done })))
// As the player's tools: where it cannot be had, studying goes on without it.
const SetupTool = lazy<ComponentType<SetupToolProps>>(async () => {
  const parts = await loadParts().catch(() => null)
  return { default: parts?.SetupTool ?? (() => null) }
})

interface StudyPageProps {
  /** A chapter at any level, or a library. */
  no: string
  /** Questions in a batch. */
  size: number
  title: string
  onLeave: () => void
  onSize: (size: number) => void
  /** The mark of syncing. */
  mark?: ReactNode
}
type Stage =
  | { at: 'loading' }
  | { at: 'failed'; error: unknown }
  | { at: 'done' }
  | { at: 'studying'; state: PlayerState; batch: number }

/** 章节练习: resumes the batch that was left, or deals the next undone questions. */
export function StudyPage({ no, size, title, onLeave, onSize, mark }: StudyPageProps) {
  const client = useQueryClient()
  const [stage, setStage] = useState<Stage>({ at: 'loading' })
  const show = useCallback((loading: Promise<PlayerState | null>) => {
    loading.then(
      (state) => setStage(state ? { at: 'studying', state, batch: Date.now() } : { at: 'done' }),
      (error: unknown) => setStage({ at: 'failed', error }),
    )
  }, [])
  const open = useCallback(() => show(openBatch(client, no, size)), [client, no, size, show])
  useEffect(open, [open])
  useLastView(stage.at === 'loading' || stage.at === 'studying' ? null : false)
  const deal = (pick: Pick) => {
    setStage({ at: 'loading' })
    const dealt = newBatch(client, no, size, pick)
    show(dealt)
    if (pick === 'wrong')
      void dealt.then(
        (state) => state ?? feedback.toast('没有上次做错的题'),
        () => {},
      )
  }
  const retry = () => {
    setStage({ at: 'loading' })
    open()
  }
  /** What was left is given up for a batch of the set-up as it is now. */
  const anew = (count: number | null) => {
    // Gone from the screen first: what leaves the screen is saved once more.
    flushSync(() => setStage({ at: 'loading' }))
    const then = () => (count === null || count === size ? open() : onSize(count))
    void dropBatch(no).then(then, then)
  }
  const close = (
    <IconButton aria-label="退出练习" onClick={onLeave}>
      <IconX size={22} />
    </IconButton>
  )
  if (stage.at === 'loading') return <StudySkeleton title={title} />
  if (stage.at === 'failed') return <ErrorCard error={stage.error} onRetry={retry} onLeave={onLeave} />
  if (stage.at === 'done')
    return (
      <Suspense>
        <Done
          no={no}
          onWrong={() => deal('wrong')}
          onRound={() => void startRound(no, Date.now()).then(() => deal('undone'))}
          onNew={anew}
          onLeave={onLeave}
        />
      </Suspense>
    )
  return (
    <Batch
      key={stage.batch}
      initial={stage.state}
      no={no}
      title={title}
      aside={
        <>
          <span className={classes.mark}>{mark}</span>
          {close}
        </>
      }
      onAgain={() => deal('undone')}
      onLeave={onLeave}
      onNew={anew}
    />
  )
}

interface BatchProps {
  initial: PlayerState
  no: string
  title: string
  aside: ReactNode
  onAgain: () => void
  onLeave: () => void
  onNew: (size: number | null) => void
}

function Batch({ initial, no, title, aside, onAgain, onLeave, onNew }: BatchProps) {
  const player = usePlayer(initial, draftKey(no))
  const { state, dispatch } = player
  const [at, setAt] = useState<'studying' | 'ended' | PlayerState>('studying')
  const [over, setOver] = useState(false)
  const timeUp = useCallback(() => setOver(true), [])
  const end = useCallback(() => {
    const { items, deal } = state
    // What was not begun when the time was up does not count as left.
    const begun = items.filter((item, i) => i === 0 || lookOf(state, item) !== 'untouched')
    if (over && deal) dispatch({ type: 'arrange', items: begun, deal })
    setAt('ended')
  }, [dispatch, over, state])
  useLastView(at === 'studying')
  // Needed at the end, when the network may be gone; not before the first question.
  useEffect(() => void loadParts().catch(() => {}), [])
  const tool = (
    <Suspense>
      <SetupTool no={no} state={state} onNew={onNew} onTimeUp={timeUp} />
    </Suspense>
  )
  if (at === 'studying')
    return <Player player={player} title={title} onEnd={end} aside={aside} tools={tool} over={over} />
  if (at !== 'ended') return <Review initial={at} title={title} aside={aside} onEnd={end} />
  const goOn = () => {
    dispatch({ type: 'mode', mode: 'practice' })
    dispatch({ type: 'go', at: Math.max(0, firstUndone(state)) })
    setAt('studying')
  }
  const finish = (then: () => void) => () => void dropBatch(no).then(then, then)
  return (
    <Suspense>
      <BatchSummary
        state={state}
        onBack={goOn}
        onAgain={finish(onAgain)}
        onLeave={isFinished(state) ? finish(onLeave) : onLeave}
        onReview={(items) => setAt({ ...state, items, at: 0, mode: 'practice' })}
      />
    </Suspense>
  )
}

/** Looks through marked questions again: nothing is recorded, and the batch that was left stays as it is. */
function Review({
  initial,
  title,
  aside,
  onEnd,
}: {
  initial: PlayerState
  title: string
  aside: ReactNode
  onEnd: () => void
}) {
  const player = usePlayer(initial, null)
  return <Player player={player} title={title} onEnd={onEnd} aside={aside} />
}
