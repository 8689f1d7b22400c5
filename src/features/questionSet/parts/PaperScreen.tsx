import { IconFlag, IconFlagFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Paper } from '#src/contract/questionSet.ts'
import { partState } from '#src/player/player.ts'
import { Player } from '#src/player/Player.tsx'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import classes from '../Paper.module.css'
import { SectionLine } from './SectionLine.tsx'
import { useAtTop } from './useAtTop.ts'

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
      {state.mode === 'exam' && (
        <button type="button" className={classes.handIn} onClick={onEnd}>
          交卷
        </button>
      )}
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

function Flag({ player: { state, dispatch } }: { player: PlayerHandle }) {
  const part = state.items[state.at]?.part
  if (!part) return null
  const flagged = partState(state, part).flagged ?? false
  return (
    <button
      type="button"
      className={classes.flag}
      aria-pressed={flagged}
      onClick={() => dispatch({ type: 'flag', part })}
    >
      {flagged ? <IconFlagFilled size={18} aria-hidden="true" /> : <IconFlag size={18} aria-hidden="true" />}
      <span>存疑</span>
    </button>
  )
}
