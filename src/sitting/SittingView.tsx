import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { HandInDialog } from '#src/player/paper/Exam.tsx'
import { firstUndone, isFinished, type Item, type PlayerState } from '#src/player/playerState.ts'
import { type PlayerHandle, usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { useBackCloses } from '#src/ui/dialog/useBackCloses.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Countdown } from './Countdown.tsx'
import { PaperScreen, type PaperScreenProps } from './PaperScreen.tsx'
import type { BaseSitting, OpenedSitting, Policy, SatPaper } from './engine/policy.ts'
import { answersKey } from './engine/sitting.ts'
import { fetchMedia } from './fetchMedia.ts'
import { useAskedLeave } from './useAskedLeave.ts'
import { useClock } from './useClock.ts'
import { useHandIn } from './useHandIn.ts'
import { countTime, useSendChoices } from './useSendChoices.ts'
import { useTimeUp } from './useTimeUp.ts'
import { useUntilOver } from './useUntilOver.ts'

/** A report shows this of its sitting, and can ask this of it. */
export interface ReportActs {
  state: PlayerState
  /** It is being handed in. */
  busy: boolean
  onGo: (at: number) => void
  /** Back to what is not done. */
  onMore: () => void
  onHandIn: () => void
  /** Looks through some of the questions again: the sitting stays as it is. */
  onReview: (items: Item[]) => void
}
interface SittingViewProps<P extends SatPaper, S extends BaseSitting> extends OpenedSitting<P, S> {
  policy: Policy<P, S>
  mark: ReactNode
  /** Shows how it went, or how far it has come; without it, another page does. */
  renderReport?: (acts: ReportActs) => ReactNode
  /** Tells in the dialog what follows the hand-in, unless the result is shown at once. */
  outcome?: string | undefined
  onLeave: () => void
  /** Called when this tab has handed in, or finds that another one has. */
  onHandedIn: () => void
}
type At = 'doing' | 'handing-in' | 'report' | Item[]

/** A paper while it is sat, until it is handed in: by the student, at zero, or in another tab. */
export function SittingView<P extends SatPaper, S extends BaseSitting>(props: SittingViewProps<P, S>) {
  const { policy, paper, sitting, state: initial, mark, renderReport, outcome, onLeave, onHandedIn } = props
  const [record] = useState(() => policy.marked.record(paper, sitting))
  const player = usePlayer(initial, answersKey(policy, sitting.id, initial.mode), policy.of, record)
  const { state } = player
  const { at, setAt, go, more } = useWalk(player)
  useLastView(policy.sealed === null && at === 'doing')
  useEffect(() => {
    // An exam waits for no tap: what it needs comes also where 省流模式 saves.
    if (policy.sealed !== null || !packSettings.saver()) fetchMedia(paper)
  }, [policy.sealed, paper])
  const isCounted = sitting.mode !== 'recite'
  const { leftMs, time, reread } = useClock(policy, props, isCounted && initial.mode !== 'review')
  // The question whether to hand in a ranked sitting stays on the screen: one more tap tries again.
  const onFailed = () => {
    if (!policy.ranked && state.mode !== 'review') setAt('doing')
  }
  const { busy, hand } = useHandIn({
    policy,
    paper,
    sitting,
    state,
    time,
    countTime: () => countTime(player),
    onHandedIn,
    onFailed,
  })
  useSendChoices(policy.marked, sitting, player, time)
  useTimeUp({ over: leftMs <= 0, time, reread, hand })
  const isTimed = leftMs < Number.POSITIVE_INFINITY
  const leave = useAskedLeave(runsOn(sitting, leftMs) && at !== 'report', onLeave, policy.reportPath)
  const untilOver = useUntilOver(player, time, policy.ranked)
  const toReport = () => setAt('report')
  const end = () => {
    if (state.mode === 'exam') setAt('handing-in')
    else if (isCounted && state.mode === 'practice' && isFinished(state)) hand()
    else toReport()
  }
  const close = (
    <IconButton aria-label={policy.leave} onClick={leave}>
      <IconX size={22} />
    </IconButton>
  )
  const shown = { policy, paper, mark, close, clock: isTimed && <Countdown leftMs={leftMs} /> }
  if (Array.isArray(at)) return <Review {...shown} initial={{ ...state, items: at, at: 0 }} onEnd={toReport} />
  if (at === 'report') return renderReport?.({ state, busy, onGo: go, onMore: more, onHandIn: hand, onReview: setAt })
  return (
    <>
      <PaperScreen {...shown} player={untilOver} onEnd={end} />
      {at === 'handing-in' && (
        <HandInDialog
          state={state}
          busy={busy}
          outcome={outcome}
          clock={shown.clock}
          onGo={go}
          onHandIn={hand}
          onClose={() => setAt('doing')}
        />
      )}
    </>
  )
}

/** Keeps which part of the sitting is on the screen. */
function useWalk({ state, dispatch }: PlayerHandle) {
  const [at, setAt] = useState<At>(state.mode === 'review' ? 'report' : 'doing')
  const go = (place: number) => {
    dispatch({ type: 'go', at: place })
    setAt('doing')
  }
  const more = () => {
    dispatch({ type: 'mode', mode: 'practice' })
    go(Math.max(0, firstUndone(state)))
  }
  return { at, setAt, go, more }
}

/** Returns true while the clock runs on though nobody looks. 练习 stops its own. */
const runsOn = ({ mode }: BaseSitting, leftMs: number): boolean =>
  mode === 'exam' && leftMs > 0 && leftMs < Number.POSITIVE_INFINITY

/** From the report and back to it, also by the phone's own way back. */
function Review({ initial, ...shown }: Omit<PaperScreenProps, 'player' | 'close'> & { initial: PlayerState }) {
  useBackCloses(shown.onEnd)
  const close = (
    <IconButton aria-label="返回报告" onClick={shown.onEnd}>
      <IconX size={22} />
    </IconButton>
  )
  return <PaperScreen {...shown} close={close} player={usePlayer(initial, null, shown.policy.of)} />
}
