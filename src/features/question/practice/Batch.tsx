import { IconX } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import type { Source } from '#src/contract/study.ts'
import type { DraftKey } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { ClockContext } from '#src/player/clockContext.ts'
import { firstUndone, isFinished, lookOf, type PlayerState, resumed, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { type PlayerHandle, usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import common from '#src/ui/common.module.css'
import { useBackCloses } from '#src/ui/dialog/useBackCloses.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { optional } from '#src/ui/optional.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'
import classes from './StudyPage.module.css'
import type { NextChapterProps } from '../parts/NextChapter.tsx'
import type { BatchSetup } from '../parts/SetupActs.tsx'
import { type BatchPart, NO_PARTS, partAt, usePartsDone, useRecordOf } from './batchPart.ts'

export const loadParts = () => import('../parts/afterFirst.ts')
const BatchSummary = lazy(() => loadParts().then((parts) => ({ default: parts.BatchSummary })))

const HandIn = optional(() => loadParts().then((parts) => parts.HandIn))
const Flag = optional(() => loadParts().then((parts) => parts.Flag))
const BatchClock = optional(() => loadParts().then((parts) => parts.BatchClock))
const SetupActs = optional(() => loadParts().then((parts) => parts.SetupActs))
const BatchSetupSheet = optional(() => loadParts().then((parts) => parts.BatchSetupSheet))

interface BatchProps {
  initial: PlayerState
  /** What the batch is kept by. */
  draft: DraftKey<Snapshot>
  from: Source
  title: string
  /** The way out. */
  close: ReactNode
  /** It says how syncing goes. */
  mark: ReactNode
  /** Says what of the batch can be set up. */
  setup?: BatchSetup | undefined
  /** Questions that come back though they were never wrong. */
  lapses?: ReadonlySet<string> | undefined
  /** Its questions are of several ways of studying: each answer is recorded as that of its part. */
  parts?: readonly BatchPart[] | undefined
  /** When all is answered. */
  onDone?: (() => void) | undefined
  onAgain: () => void
  onLeave: () => void
  wayBack?: string | undefined
  next?: NextChapterProps | undefined
  /** Shows what is on disk: another tab has handed it in. */
  onStale: () => void
}

type At = 'studying' | 'handing-in' | 'ended' | PlayerState

/** A batch from its first question to its summary. */
export function Batch(props: BatchProps) {
  const { initial, draft, from, parts = NO_PARTS, onDone, onAgain, onLeave, onStale } = props
  const player = usePlayer(initial, draft, from, useRecordOf(parts))
  const { state, dispatch } = player
  const [at, setAt] = useState<At>(initial.mode === 'review' ? 'ended' : 'studying')
  const done = isFinished(state)
  useEffect(() => {
    if (done) onDone?.()
  }, [done, onDone])
  usePartsDone(state, parts)
  // The next start goes on at another question than a marked one: it must not be shown first, nor take a tap.
  useLastView(at === 'studying' && resumed(state) === state)
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
  if (at !== 'ended') return <LookBack {...props} initial={at} onEnd={() => setAt('ended')} />
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
        onRedo={(items) => setAt(start(items))}
        next={props.next && { ...props.next, onGo: (to) => finish(() => props.next?.onGo(to))() }}
      />
    </Suspense>
  )
}

interface StudyingProps extends Pick<BatchProps, 'title' | 'close' | 'mark' | 'setup' | 'lapses' | 'parts'> {
  player: PlayerHandle
  onEnd: (at: 'handing-in' | 'ended') => void
}

/** Its questions, until the last one or until the time is up. */
function Studying({ player, title, close, mark, setup, lapses, parts = NO_PARTS, onEnd }: StudyingProps) {
  // The summary that led here is longer than a phone.
  useAtTop()
  const { state, dispatch } = player
  const part = partAt(state, parts)
  const [over, setOver] = useState(false)
  const [setsUp, setSetsUp] = useState(false)
  const timeUp = useCallback(() => setOver(true), [])
  const end = useCallback(() => {
    const { items, deal } = state
    // What was not begun when the time was up does not count as left.
    const begun = items.filter((item, i) => i === 0 || lookOf(state, item) !== 'untouched')
    if (over && deal) dispatch({ type: 'arrange', items: begun, deal })
    onEnd(state.mode === 'exam' ? 'handing-in' : 'ended')
  }, [dispatch, onEnd, over, state])
  const mayBeSetUp = state.mode === 'review' ? undefined : setup
  const clock = <Clock player={player} onTimeUp={timeUp} />
  const isLapse = lapses?.has(state.items[state.at]?.part.no ?? '')
  return (
    // A writing page that covers the screen shows the same batch's time.
    <ClockContext value={clock}>
      <Player
        player={player}
        title={part ? `${part.name} · ${title}` : title}
        onEnd={end}
        close={close}
        clock={clock}
        {...aroundOf(player, mark, end)}
        more={
          mayBeSetUp && (
            <Suspense>
              <SetupActs {...mayBeSetUp} state={state} onOpen={() => setSetsUp(true)} />
            </Suspense>
          )
        }
        above={
          <>
            {part?.begins && <p className={clsx(common.strong, classes.partLine)}>{part.begins}</p>}
            {over && <p className={clsx(common.small, classes.above)}>时间到，答完这题就结束</p>}
            {isLapse && <p className={clsx(common.small, classes.above)}>巩固：上次做对，防遗忘</p>}
          </>
        }
        over={over}
      />
      {setsUp && mayBeSetUp && (
        <Suspense>
          <BatchSetupSheet {...mayBeSetUp} state={state} onClose={() => setSetsUp(false)} />
        </Suspense>
      )}
    </ClockContext>
  )
}

/** Looking through answered questions takes no time. */
const Clock = ({ player: { state, stopwatch }, onTimeUp }: { player: PlayerHandle; onTimeUp: () => void }) => (
  // Its place is there before it is.
  <div className={classes.clock}>
    <Suspense>
      {state.mode !== 'review' && state.mode !== 'recite' && (
        <BatchClock state={state} stopwatch={stopwatch} onTimeUp={onTimeUp} />
      )}
    </Suspense>
  </div>
)

/** Around the question in this mode. */
const aroundOf = (player: PlayerHandle, mark: ReactNode, end: () => void) => {
  if (player.state.mode !== 'exam') return { beside: mark }
  return {
    beside: mark,
    aside: (
      <Suspense>
        <Flag player={player} />
      </Suspense>
    ),
    onHandIn: end,
    endLabel: '交卷',
  }
}

type ReviewProps = Pick<BatchProps, 'initial' | 'from' | 'parts' | 'title' | 'close' | 'mark'> & { onEnd: () => void }

/** Shows marked questions again, asks the wrong ones once more, or shows one that was searched for: the batch that was left stays. */
export function Review({ initial, from, parts = NO_PARTS, title, close, mark, onEnd }: ReviewProps) {
  useAtTop()
  const player = usePlayer(initial, null, from, useRecordOf(parts))
  return <Player player={player} title={title} onEnd={onEnd} close={close} beside={mark} />
}

/** From the summary and back to it, also by the phone's own way back. */
function LookBack(props: ReviewProps) {
  useBackCloses(props.onEnd)
  const close = (
    <IconButton aria-label="返回小结" onClick={props.onEnd}>
      <IconX size={22} />
    </IconButton>
  )
  return <Review {...props} close={close} />
}
