import { type ReactNode, useCallback, useState } from 'react'
import type { Paper } from '#src/contract/questionSet.ts'
import { HandInDialog } from '#src/player/Exam.tsx'
import { firstUndone, isFinished, type Item, type PlayerState } from '#src/player/player.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { useLastView } from '#src/session/lastView.ts'
import { feedback } from '#src/ui/feedback.ts'
import type { DeadOp } from '#src/offline/index.ts'
import { handIn, handInAgain, keepIn, type OpenedSitting, sittingKey } from '../sitting.ts'
import { useAttempts } from '../useProgress.ts'
import { PaperReport } from './PaperReport.tsx'
import { PaperScreen, type PaperScreenProps } from './PaperScreen.tsx'
import { RefusedHandIn } from './RefusedHandIn.tsx'

interface SittingViewProps extends OpenedSitting {
  paper: Paper
  mark: ReactNode
  close: ReactNode
  onAgain: () => void
  onLeave: () => void
  /** Here or in another tab. */
  onHandedIn: () => void
}
const NOT_KEPT = '本机存储写入失败，还没有交卷。答案都在这里，清理出空间后再交。'
type At = 'doing' | 'handing-in' | 'report' | Item[]

/** One sitting: the player, the hand-in, the report. */
export function SittingView({
  paper,
  sitting,
  state: initial,
  mark,
  close,
  onAgain,
  onLeave,
  onHandedIn,
}: SittingViewProps) {
  const [keep] = useState(() => keepIn(paper, sitting))
  const player = usePlayer(initial, sittingKey(sitting.id, initial.mode), 'set', keep)
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
      () => handIn(paper, sitting, state),
      () => setAt('doing'),
    )
  const handAgain = (refused: DeadOp) => write(() => handInAgain(paper, sitting, state, refused))
  const counted = sitting.mode !== 'recite'
  const end = () => {
    if (state.mode === 'exam') setAt('handing-in')
    else if (counted && state.mode === 'practice' && isFinished(state)) hand()
    else report()
  }
  const shown = { paper, mark, close, title: paper.title }
  if (Array.isArray(at)) return <Review {...shown} initial={{ ...state, items: at, at: 0 }} onEnd={report} />
  if (at === 'report')
    return (
      <PaperReport
        paper={paper}
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
  return <PaperScreen {...shown} player={usePlayer(initial, null, 'set')} />
}
