import { Dialog } from '#src/ui/Dialog.tsx'
import { type Item, type Look, lookOf, type PlayerState } from './player.ts'
import classes from './Player.module.css'

const LOOKS: Record<Look, { name: string; sign: string }> = {
  untouched: { name: '未答', sign: '' },
  started: { name: '作答中', sign: '…' },
  right: { name: '答对', sign: '✓' },
  partial: { name: '部分得分', sign: '½' },
  wrong: { name: '答错', sign: '✕' },
}

interface AnswerSheetProps {
  state: PlayerState
  onPick: (at: number) => void
  onClose: () => void
}

/** 答题卡: every question's state by colour, sign and name; a tap goes there. Those of one material are kept together. */
export function AnswerSheet({ state, onPick, onClose }: AnswerSheetProps) {
  return (
    <Dialog title="答题卡" onClose={onClose} sheet>
      {runsOf(state.items).map(({ from, items }) => {
        const label = items[0]?.material ? `材料题 ${from + 1}–${from + items.length}` : ''
        return (
          <section key={from} className={label && classes.group} aria-label={label || undefined}>
            {label && <h3>{label}</h3>}
            <ol className={classes.sheet}>
              {items.map((item, i) => (
                <Tile key={item.part.no} state={state} item={item} at={from + i} onPick={onPick} />
              ))}
            </ol>
          </section>
        )
      })}
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

interface TileProps extends Pick<AnswerSheetProps, 'state' | 'onPick'> {
  item: Item
  at: number
}

function Tile({ state, item, at, onPick }: TileProps) {
  const look = lookOf(state, item)
  const current = at === state.at
  return (
    <li>
      <button
        type="button"
        data-look={look}
        data-autofocus={current || undefined}
        aria-current={current}
        aria-label={`第${at + 1}题，${LOOKS[look].name}`}
        onClick={() => onPick(at)}
      >
        {at + 1}
        <small aria-hidden="true">{LOOKS[look].sign}</small>
      </button>
    </li>
  )
}

interface Run {
  /** Place of the first. */
  from: number
  items: Item[]
}

/** Neighbours of one material, and neighbours of none. */
function runsOf(items: readonly Item[]): Run[] {
  const runs: Run[] = []
  for (const [from, item] of items.entries()) {
    const run = runs.at(-1)
    if (run && run.items[0]?.material?.no === item.material?.no) run.items.push(item)
    else runs.push({ from, items: [item] })
  }
  return runs
}
