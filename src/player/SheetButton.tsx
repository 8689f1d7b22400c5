import { IconLayoutGrid } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { Suspense, useState } from 'react'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { type PlayerState, summary } from './playerState.ts'
import classes from './Player.module.css'
import type { PlayerHandle } from './usePlayer.ts'

const AnswerSheet = optional(() => import('./AnswerSheet.tsx').then((m) => m.AnswerSheet))

/** Counts the questions of an exam that have an answer: nothing is marked yet. */
export const answeredOf = (state: PlayerState): number => state.items.length - summary(state).untouched

interface SheetButtonProps {
  player: PlayerHandle
  onHandIn: (() => void) | undefined
}

/** It opens 答题卡, and says where in the batch the student is, or how much of an exam is answered. */
export function SheetButton({ player: { state, dispatch }, onHandIn }: SheetButtonProps) {
  const [open, setOpen] = useState(false)
  const total = state.items.length
  const count = onHandIn ? `已答 ${answeredOf(state)}/${total}` : `${state.at + 1}/${total}`
  return (
    <>
      <button
        type="button"
        className={clsx(common.inline, common.fixed, common.figures, common.strong, classes.sheetButton)}
        onClick={() => setOpen(true)}
        aria-label={`答题卡，第${state.at + 1}题，共${total}题 ${count}`}
      >
        <IconLayoutGrid size={18} aria-hidden="true" />
        {count}
      </button>
      {open && (
        <Suspense>
          <AnswerSheet
            state={state}
            onClose={() => setOpen(false)}
            onPick={(at) => {
              setOpen(false)
              dispatch({ type: 'go', at })
            }}
            onHandIn={
              onHandIn &&
              (() => {
                setOpen(false)
                onHandIn()
              })
            }
          />
        </Suspense>
      )}
    </>
  )
}
