import { clsx } from 'clsx'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { type Item, type Look, lookOf, type Mode, type PlayerState, partState } from './playerState.ts'
import classes from './Player.module.css'

const LOOKS: Record<Look, { name: string; sign: string }> = {
  untouched: { name: '未答', sign: '○' },
  started: { name: '作答中', sign: '…' },
  right: { name: '答对', sign: '✓' },
  partial: { name: '部分得分', sign: '½' },
  wrong: { name: '答错', sign: '✕' },
}
/** Until it is handed in. */
const EXAM_LOOKS: typeof LOOKS = { ...LOOKS, started: { name: '已答', sign: '●' } }
const looksIn = (mode: Mode): typeof LOOKS => (mode === 'exam' ? EXAM_LOOKS : LOOKS)

interface AnswerSheetProps {
  state: PlayerState
  onPick: (at: number) => void
  onClose: () => void
  /** It asks whether to hand in; left out where there is nothing to hand in. */
  onHandIn?: (() => void) | undefined
}

/** 答题卡: every question's state by colour, sign and name; a tap goes there. Those of one material are kept together. */
export const AnswerSheet = ({ state, onPick, onClose, onHandIn }: AnswerSheetProps) => (
  <Dialog title="答题卡" onClose={onClose} sheet>
    <SheetList state={state} onPick={onPick} />
    {onHandIn && (
      <div className={clsx(common.stack, classes.sheetFoot)}>
        <Button onClick={onHandIn}>交卷</Button>
      </div>
    )}
  </Dialog>
)

/** Its list stands in 答题卡, and on wide screens beside the question. */
export function SheetList({ state, onPick }: Pick<AnswerSheetProps, 'state' | 'onPick'>) {
  return (
    <>
      <Legend state={state} />
      {runsOf(state.items).map(({ from, items }) => {
        const label = items[0]?.material
          ? `${TYPE_NAMES[namedType(items[0].material)]} ${from + 1}–${from + items.length}`
          : ''
        return (
          <section
            key={from}
            className={label && clsx(common.sunken, classes.group)}
            aria-label={label || items[0]?.section}
          >
            {items[0]?.section !== state.items[from - 1]?.section && (
              <h3 className={common.subheading}>{items[0]?.section}</h3>
            )}
            {label && <h3 className={common.caption}>{label}</h3>}
            <ol className={classes.sheet}>
              {items.map((item, i) => (
                <Tile key={item.part.no} state={state} item={item} at={from + i} onPick={onPick} />
              ))}
            </ol>
          </section>
        )
      })}
    </>
  )
}

/** Says what the colours and signs of the tiles mean, above however many there are. */
function Legend({ state }: Pick<AnswerSheetProps, 'state'>) {
  const isExam = state.mode === 'exam'
  const looks = Object.entries(looksIn(state.mode)).slice(0, isExam ? 2 : undefined)
  const marks: { name: string; sign: string; look?: string; flagged?: true; current?: true }[] = [
    ...looks.map(([look, each]) => ({ ...each, look })),
    ...(isExam ? [{ name: '存疑', sign: '?', flagged: true as const }] : []),
    { name: '当前题', sign: '', current: true },
  ]
  return (
    <ul className={clsx(common.wrap, common.caption, classes.legend)} aria-label="图例">
      {marks.map(({ name, sign, look, flagged, current }) => (
        <li key={name} className={common.inline}>
          <b
            className={clsx(classes.tile, classes.swatch)}
            data-look={look}
            data-flagged={flagged}
            data-current={current}
            aria-hidden="true"
          >
            {sign}
          </b>
          {name}
        </li>
      ))}
    </ul>
  )
}

interface TileProps extends Pick<AnswerSheetProps, 'state' | 'onPick'> {
  item: Item
  at: number
}

function Tile({ state, item, at, onPick }: TileProps) {
  const look = shownLook(state, item)
  const { name, sign } = looksIn(state.mode)[look]
  const flagged = state.mode === 'exam' && partState(state, item.part).flagged
  const current = at === state.at
  return (
    <li>
      <button
        type="button"
        className={classes.tile}
        data-look={look}
        data-flagged={flagged || undefined}
        data-current={current || undefined}
        data-autofocus={current || undefined}
        aria-current={current}
        aria-label={`第${at + 1}题，${name}${flagged ? '，存疑' : ''}`}
        onClick={() => onPick(at)}
      >
        {at + 1}
        <small className={classes.sign} aria-hidden="true">
          {sign + (flagged ? '?' : '')}
        </small>
      </button>
    </li>
  )
}

/** What was left blank earns nothing, and is not an answer that was wrong. */
function shownLook(state: PlayerState, item: Item): Look {
  const look = lookOf(state, item)
  return look === 'wrong' && !isAnswered(partState(state, item.part).response) ? 'untouched' : look
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
    const first = run?.items[0]
    if (run && first?.material?.no === item.material?.no && first?.section === item.section) run.items.push(item)
    else runs.push({ from, items: [item] })
  }
  return runs
}
