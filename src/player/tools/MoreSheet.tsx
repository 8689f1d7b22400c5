import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { mayStrike } from '#src/domain/question/choice.ts'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { openPart, partState } from '../playerState.ts'
import type { PlayerHandle } from '../usePlayer.ts'
import { DoneContext } from './doneContext.ts'
import classes from './More.module.css'

interface MoreSheetProps {
  player: PlayerHandle
  onClose: () => void
  /** The acts that it offers (Act.tsx). */
  children: ReactNode
}

/** 更多: all that is not needed at every question, each with its name. */
export const MoreSheet = ({ player, onClose, children }: MoreSheetProps) => (
  <Dialog title="更多" sheet onClose={onClose}>
    <Strikes player={player} />
    <DoneContext value={onClose}>
      <div className={classes.acts}>{children}</div>
    </DoneContext>
  </Dialog>
)

/** 划掉 by its own buttons, for who cannot press long: the sheet stays until all is ruled out. */
function Strikes({ player: { state, dispatch } }: { player: PlayerHandle }) {
  const part = openPart(state)
  if (!part || state.mode === 'recite' || state.mode === 'review' || !mayStrike(part)) return null
  const { struck } = partState(state, part)
  return (
    <section className={clsx(common.sunken, classes.strikes)} aria-label="划掉选项">
      <p className={common.note}>划掉选项，长按选项也可以</p>
      <div className={clsx(common.wrap, classes.letters)}>
        {part.options.map(({ id }, index) => {
          const letter = String.fromCharCode(65 + index)
          return (
            <button
              key={id}
              type="button"
              className={classes.letter}
              aria-label={`划掉 ${letter}`}
              aria-pressed={struck?.includes(id) ?? false}
              onClick={() => dispatch({ type: 'strike', part, id })}
            >
              {letter}
            </button>
          )
        })}
      </div>
    </section>
  )
}
