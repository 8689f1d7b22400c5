import { IconX } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { HandInDialog } from '#src/player/paper/Exam.tsx'
import { firstUndone, isFinished, type Item, type PlayerState } from '#src/player/playerState.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import type { DeadOp } from '#src/offline/index.ts'
import { Countdown } from './Countdown.tsx'
import type { Reported } from './reported.ts'
import type { Sheet } from './sheet.ts'
import { handIn, handInAgain, keepElapsed, keepIn, type OpenedSitting, sittingKey } from './sitting.ts'
import { useAskedLeave } from './useAskedLeave.ts'
import { useClock } from './useClock.ts'
import { useAttempts } from './useProgress.ts'
import { PaperReport } from './PaperReport.tsx'
import { PaperScreen, type PaperScreenProps } from './PaperScreen.tsx'
import { RefusedHandIn } from './RefusedHandIn.tsx'

interface SittingViewProps extends OpenedSitting {
  sheet: Sheet
  report: Reported
  mark: ReactNode
  onAgain: () => void
  onLeave: () => void
  /** Here or in another tab. */
  onHandedIn: () => void
}
const NOT_KEPT = '本机存储写入失败，还没有交卷。答案都在这里，清理出空间后再交。'
type At = 'doing' | 'handing-in' | 'report' | Item[]

/** One sitting: the player, the hand-in, the report. */
export function SittingView(props: SittingViewProps) {
  const { sheet, sitting, state: initial, elapsedMs, report: reported, mark, onAgain, onLeave, onHandedIn } = props
  const [keep] = useState(() => keepIn(sheet, sitting))
  const player = usePlayer(initial, sittingKey(sitting.id, initial.mode), sheet.ref.of, keep)
  const { state, dispatch } = player
  const [at, setAt] = useState<At>(initial.mode === 'review' ? 'report' : 'doing')
  const attempt = useAttempts()?.get(sitting.id) ?? null
  useLastView(at === 'doing')
  const report = useCallback(() => setAt('report'), [])
  const go = (place: number) => {
    dispatch({ type: 'go', at: place })
    setAt('doing')
  }
  const { busy, write } = useHandIn(onHandedIn)
  const hand = () =>
    write(
      () => handIn(sheet, sitting, state),
      () => setAt('doing'),
    )
  const handAgain = (refused: DeadOp) => write(() => handInAgain(sheet, sitting, state, refused))
  const counted = sitting.mode !== 'recite'
  const timed = counted && initial.mode !== 'review' ? sheet.minutes : null
  const leftMs = useTimeLeft(sitting, timed, elapsedMs, hand)
  const running = leftMs !== null && leftMs > 0 && sitting.mode === 'exam' && at !== 'report'
  const leave = useAskedLeave(running, onLeave, '/testing/testing_analysis/')
  const end = () => {
    if (state.mode === 'exam') setAt('handing-in')
    else if (counted && state.mode === 'practice' && isFinished(state)) hand()
    else report()
  }
  const close = (
    <IconButton aria-label="退出练习" onClick={leave}>
      <IconX size={22} />
    </IconButton>
  )
  const shown = { sheet, mark, close, clock: leftMs === null ? null : <Countdown leftMs={leftMs} /> }
  if (Array.isArray(at)) return <Review {...shown} initial={{ ...state, items: at, at: 0 }} onEnd={report} />
  if (at === 'report')
    return (
      <PaperReport
        sheet={sheet}
        report={reported}
        state={state}
        attempt={attempt}
        refusal={<RefusedHandIn sittingId={sitting.id} busy={busy} onAgain={handAgain} />}
        onGo={go}
        onMore={() => {
          dispatch({ type: 'mode', mode: 'practice' })
          go(Math.max(0, firstUndone(state)))
        }}
        busy={busy}
        onEnd={counted ? hand : null}
        onReview={setAt}
        onAgain={onAgain}
        onLeave={onLeave}
      />
    )
  return (
    <>
      <PaperScreen {...shown} player={player} onEnd={end} />
      {at === 'handing-in' && (
        <HandInDialog state={state} busy={busy} onGo={go} onHandIn={hand} onClose={() => setAt('doing')} />
      )}
    </>
  )
}

/** By this device's clock, which told when the sitting began. */
const deviceNow = (): number => Date.now()

/** Ms left, handing in once when there are none; null where there is no clock. @param minutes null: no clock. */
function useTimeLeft(
  { id, mode, startedAt }: OpenedSitting['sitting'],
  minutes: number | null,
  keptMs: number,
  onOver: () => void,
): number | null {
  const timed = { id, startedAt, mode: mode === 'exam' ? mode : ('practice' as const) }
  const { elapsedMs } = useClock(timed, { keptMs, keep: minutes === null ? null : keepElapsed, now: deviceNow })
  const over = minutes !== null && elapsedMs >= minutes * 60_000
  const handIn = useRef(onOver)
  useEffect(() => {
    handIn.current = onOver
  })
  useEffect(() => {
    if (over) handIn.current()
  }, [over])
  return minutes === null ? null : minutes * 60_000 - elapsedMs
}

/** Hands in once, however often it is asked to. */
function useHandIn(onHandedIn: () => void) {
  const [busy, setBusy] = useState(false)
  const run = async (handingIn: () => Promise<void>, onFailed?: () => void): Promise<void> => {
    setBusy(true)
    try {
      await handingIn()
      onHandedIn()
    } catch {
      onFailed?.()
      void feedback.warn(NOT_KEPT)
    } finally {
      setBusy(false)
    }
  }
  return { busy, write: (...asked: Parameters<typeof run>) => void (busy || run(...asked)) }
}

/** Looks through some of the questions again: the sitting stays as it is. */
function Review({ initial, ...shown }: Omit<PaperScreenProps, 'player'> & { initial: PlayerState }) {
  return <PaperScreen {...shown} player={usePlayer(initial, null, shown.sheet.ref.of)} />
}
