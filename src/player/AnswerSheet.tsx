import { Dialog } from '#src/ui/Dialog.tsx'
import { type ItemLook, lookOf, type PlayerState } from './player.ts'
import classes from './Player.module.css'

const LOOKS: Record<ItemLook, { name: string; sign: string }> = {
  untouched: { name: '未答', sign: '' },
  started: { name: '答了一部分', sign: '…' },
  right: { name: '答对', sign: '✓' },
  wrong: { name: '答错', sign: '✕' },
}

interface AnswerSheetProps {
  state: PlayerState
  onPick: (at: number) => void
  onClose: () => void
}

/** 答题卡: every question's state by colour, sign and name; a tap goes there. */
export function AnswerSheet({ state, onPick, onClose }: AnswerSheetProps) {
  return (
    <Dialog title="答题卡" onClose={onClose} sheet>
      <ol className={classes.sheet}>
        {state.items.map((item, at) => {
          const look = lookOf(state, item)
          return (
            <li key={item.question.no}>
              <button
                type="button"
                data-look={look}
                aria-current={at === state.at}
                aria-label={`第${at + 1}题，${LOOKS[look].name}`}
                onClick={() => onPick(at)}
              >
                {at + 1}
                <small aria-hidden="true">{LOOKS[look].sign}</small>
              </button>
            </li>
          )
        })}
      </ol>
      <p className={classes.legend}>
        {Object.entries(LOOKS).map(([look, { name, sign }]) => (
          <span key={look} data-look={look}>
            <i aria-hidden="true">{sign}</i>
            {name}
          </span>
        ))}
      </p>
    </Dialog>
  )
}
