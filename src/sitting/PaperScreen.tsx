import type { ReactNode } from 'react'
import { ClockContext } from '#src/player/clockContext.ts'
import { Flag } from '#src/player/paper/Exam.tsx'
import { Player } from '#src/player/Player.tsx'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import type { Policy, SatPaper } from './engine/policy.ts'
import classes from './Paper.module.css'
import { SectionLine } from '#src/player/paper/SectionLine.tsx'
import { useAtTop } from '#src/ui/list/useAtTop.ts'

export interface PaperScreenProps {
  policy: Pick<Policy<never, never>, 'of' | 'recites'>
  paper: SatPaper
  mark: ReactNode
  close: ReactNode
  player: PlayerHandle
  /** How much time is left. */
  clock?: ReactNode
  onEnd: () => void
}

/** The player with what a paper adds: section and marks, 存疑, 交卷. */
export function PaperScreen({ policy, paper, mark, close, player, clock, onEnd }: PaperScreenProps) {
  const { state } = player
  useAtTop()
  const isExam = state.mode === 'exam'
  return (
    <ClockContext value={clock}>
      <Player
        player={player}
        title={paper.title}
        onEnd={onEnd}
        close={close}
        clock={clock}
        aside={isExam && <Flag player={player} />}
        beside={<span className={classes.mark}>{mark}</span>}
        onHandIn={isExam ? onEnd : undefined}
        mayRecite={policy.recites}
        above={<SectionLine paper={paper} state={state} />}
        endLabel={isExam ? '交卷' : '查看结果'}
      />
    </ClockContext>
  )
}
