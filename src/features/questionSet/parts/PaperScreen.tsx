import type { ReactNode } from 'react'
import type { Paper } from '#src/contract/questionSet.ts'
import { Flag, HandInButton } from '#src/player/Exam.tsx'
import { Player } from '#src/player/Player.tsx'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import classes from '../Paper.module.css'
import { SectionLine } from '#src/player/SectionLine.tsx'
import { useAtTop } from '#src/ui/useAtTop.ts'

export interface PaperScreenProps {
  paper: Paper
  title: string
  mark: ReactNode
  close: ReactNode
  player: PlayerHandle
  onEnd: () => void
}

/** The player with what a paper adds: section and marks, 存疑, 交卷. */
export function PaperScreen({ paper, title, mark, close, player, onEnd }: PaperScreenProps) {
  const { state } = player
  useAtTop()
  const aside = (
    <>
      {state.mode === 'exam' && <HandInButton onClick={onEnd} />}
      <span className={classes.mark}>{mark}</span>
      {close}
    </>
  )
  return (
    <Player
      player={player}
      title={title}
      onEnd={onEnd}
      aside={aside}
      tool={state.mode === 'exam' ? <Flag player={player} /> : state.mode === 'review' ? <></> : undefined}
      above={<SectionLine paper={paper} state={state} />}
      endLabel={state.mode === 'exam' ? '交卷' : '看结果'}
    />
  )
}
