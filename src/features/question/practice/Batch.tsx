import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import type { Source } from '#src/contract/study.ts'
import type { DraftKey } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { firstUndone, isFinished, lookOf, type PlayerState } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { type PlayerHandle, usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import classes from './StudyPage.module.css'
import type { SetupToolProps } from '../parts/SetupTool.tsx'
import { type BatchPart, NO_PARTS, partAt, usePartsDone, useRecordOf } from './batchPart.ts'

export const loadParts = () => import('../parts/afterFirst.ts')
const BatchSummary = lazy(() => loadParts().then((parts) => ({ default: parts.BatchSummary })))

const HandIn = optional(() => loadParts().then((parts) => parts.HandIn))
const Flag = optional(() => loadParts().then((parts) => parts.Flag))
const HandInButton = optional(() => loadParts().then((parts) => parts.HandInButton))
const SetupTool = optional(() => loadParts().then((parts) => parts.SetupTool))

interface BatchProps {
  initial: PlayerState
  /** What the batch is kept by. */
  draft: DraftKey<Snapshot>
  from: Source
  title: string
  aside: ReactNode
  /** What of it can be set up. */
  setup?: Pick<SetupToolProps, 'no' | 'ordered' | 'onNew'> | undefined
  /** Questions that come back though they were never wrong. */
  lapses?: ReadonlySet<string> | undefined
  /** Its questions are of several ways of studying: each answer is recorded as that of its part. */
  parts?: readonly BatchPart[] | undefined
  /** When all is answered. */
  onDone?: (() => void) | undefined
  onAgain: () => void
  onLeave: () => void
  wayBack?: string | undefined
  /** Shows what is on disk: another tab has handed it in. */
  onStale: () => void
}

type At = 'studying' | 'handing-in' | 'ended' | PlayerState

/** A batch from its first question to its summary. */
export function Batch(props: BatchProps) {
  const { initial, draft, from, title, aside, parts = NO_PARTS, onDone, onAgain, onLeave, onStale } = props
  const player = usePlayer(initial, draft, from, useRecordOf(parts))
  const { state, dispatch } = player
  const [at, setAt] = useState<At>(initial.mode === 'review' ? 'ended' : 'studying')
  const done = isFinished(state)
  useEffect(() => {
    if (done) onDone?.()
  }, [done, onDone])
  usePartsDone(state, parts)
  useLastView(at === 'studying')
  // Needed at the end, when the network may be gone; not before the first question.
  useEffect(() => void loadParts().catch(() => {}), [])
  const go = (place: number) => {
    dispatch({ type: 'go', at: place })
    setAt('studying')
  }
  if (at === 'studying' || at === 'handing-in')
    return (
      <>
        <Studying {...props} player={player} onEnd={setAt} />
        {at === 'handing-in' && (
          <Suspense>
            <HandIn
              player={player}
              from={from}
              onGo={go}
              onClose={() => setAt('studying')}
              onDone={() => setAt('ended')}
              onStale={onStale}
            />
          </Suspense>
        )}
      </>
    )
  if (at !== 'ended') return <Review initial={at} title={title} aside={aside} onEnd={() => setAt('ended')} />
  const goOn = () => {
    dispatch({ type: 'mode', mode: 'practice' })
    go(Math.max(0, firstUndone(state)))
  }
  const finish = (then: () => void) => () => void offline.dropDraft(draft).then(then, then)
  return (
    <Suspense fallback={<Skeleton />}>
      <BatchSummary
        state={state}
        from={from}
        parts={parts}
        onBack={goOn}
        onEssay={go}
        onAll={() => go(0)}
        onAgain={finish(onAgain)}
        wayBack={props.wayBack}
        onLeave={done ? finish(onLeave) : onLeave}
        onReview={(items) => setAt({ ...state, items, at: 0, mode: 'practice' })}
      />
    </Suspense>
  )
}

interface StudyingProps extends Pick<BatchProps, 'title' | 'aside' | 'setup' | 'lapses' | 'parts'> {
  player: PlayerHandle
  onEnd: (at: 'handing-in' | 'ended') => void
}

/** Its questions, until the last one or until the time is up. */
function Studying({ player, title, aside, setup, lapses, parts = NO_PARTS, onEnd }: StudyingProps) {
  const { state, dispatch } = player
  const part = partAt(state, parts)
  const [over, setOver] = useState(false)
  const timeUp = useCallback(() => setOver(true), [])
  const end = useCallback(() => {
    const { items, deal } = state
    // What was not begun when the time was up does not count as left.
    const begun = items.filter((item, i) => i === 0 || lookOf(state, item) !== 'untouched')
    if (over && deal) dispatch({ type: 'arrange', items: begun, deal })
    onEnd(state.mode === 'exam' ? 'handing-in' : 'ended')
  }, [dispatch, onEnd, over, state])
  const isChosen = Boolean(setup?.no && state.deal?.choice)
  const tool = setup && state.mode !== 'review' && (
    // Its row is there before what stands in it.
    <div className={clsx(common.row, common.grow, classes.setup)} data-chosen={isChosen || undefined}>
      <Suspense>
        <SetupTool {...setup} state={state} onTimeUp={timeUp} />
      </Suspense>
    </div>
  )
  const isLapse = lapses?.has(state.items[state.at]?.part.no ?? '')
  return (
    <Player
      player={player}
      title={part ? `${part.name} · ${title}` : title}
      onEnd={end}
      {...aroundOf(player, aside, end)}
      tools={tool}
      above={
        <>
          {part?.begins && <p className={clsx(common.strong, classes.partLine)}>{part.begins}</p>}
          {isLapse && <p className={clsx(common.small, classes.lapse)}>巩固：上次做对，防遗忘</p>}
        </>
      }
      over={over}
    />
  )
}

/** Beside the title and at the end, in this mode. */
const aroundOf = (player: PlayerHandle, aside: ReactNode, end: () => void) => {
  const { mode } = player.state
  if (mode === 'review') return { aside, tool: <></> }
  if (mode !== 'exam') return { aside }
  return {
    tool: (
      <Suspense>
        <Flag player={player} />
      </Suspense>
    ),
    aside: (
      <>
        <Suspense>
          <HandInButton onClick={end} />
        </Suspense>
        {aside}
      </>
    ),
    endLabel: '交卷',
  }
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
