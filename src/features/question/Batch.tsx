import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import type { Source } from '#src/contract/study.ts'
import { firstUndone, isFinished, lookOf, type PlayerState } from '#src/player/player.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { optional } from '#src/ui/optional.ts'
import { dropBatch } from './dealt.ts'
import type { SetupToolProps } from './parts/SetupTool.tsx'

export const loadParts = () => import('./parts/later.ts')
const BatchSummary = lazy(() => loadParts().then((parts) => ({ default: parts.BatchSummary })))

const SetupTool = optional(() => loadParts().then((parts) => parts.SetupTool))

interface BatchProps {
  initial: PlayerState
  /** What the batch is kept by. */
  draft: string
  from: Source
  title: string
  aside: ReactNode
  /** Of a chapter, whose batches can be set up. */
  setup?: Pick<SetupToolProps, 'no' | 'onNew'>
  /** When all is answered. */
  onDone?: (() => void) | undefined
  onAgain: () => void
  onLeave: () => void
}

/** A batch from its first question to its summary. */
export function Batch({ initial, draft, from, title, aside, setup, onDone, onAgain, onLeave }: BatchProps) {
  const player = usePlayer(initial, draft, from)
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
  const done = isFinished(state)
  useEffect(() => {
    if (done) onDone?.()
  }, [done, onDone])
  useLastView(at === 'studying')
  // Needed at the end, when the network may be gone; not before the first question.
  useEffect(() => void loadParts().catch(() => {}), [])
  const tool = setup && (
    <Suspense>
      <SetupTool {...setup} state={state} onTimeUp={timeUp} />
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
  const finish = (then: () => void) => () => void dropBatch(draft).then(then, then)
  return (
    <Suspense>
      <BatchSummary
        state={state}
        from={from}
        onBack={goOn}
        onAgain={finish(onAgain)}
        onLeave={done ? finish(onLeave) : onLeave}
        onReview={(items) => setAt({ ...state, items, at: 0, mode: 'practice' })}
      />
    </Suspense>
  )
}

/** Marked questions again, or one that was searched for: the batch that was left stays as it is. */
export function Review({
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
  const player = usePlayer(initial, null, 'library')
  return <Player player={player} title={title} onEnd={onEnd} aside={aside} />
}
