import { clsx } from 'clsx'
import { IconChevronRight, IconFlag, IconFlagFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { type Item, lookOf, type PlayerState, partState } from '../playerState.ts'
import pill from '../Pill.module.css'
import player from '../Player.module.css'
import classes from './Exam.module.css'
import type { PlayerHandle } from '../usePlayer.ts'

/** 存疑, of the question on the screen. */
export function Flag({ player: { state, dispatch } }: { player: PlayerHandle }) {
  const part = state.items[state.at]?.part
  if (!part) return null
  const flagged = partState(state, part).flagged ?? false
  return (
    <button
      type="button"
      className={clsx(common.inline, common.note, pill.pill, pill.flag)}
      aria-pressed={flagged}
      onClick={() => dispatch({ type: 'flag', part })}
    >
      {flagged ? <IconFlagFilled size={18} aria-hidden="true" /> : <IconFlag size={18} aria-hidden="true" />}
      <span className={pill.flagName}>存疑</span>
    </button>
  )
}

interface HandInDialogProps {
  state: PlayerState
  /** It is being written. */
  busy: boolean
  onGo: (at: number) => void
  onHandIn: () => void
  onClose: () => void
  /** What handing in comes to. */
  outcome?: string | undefined
  /** It says how much time is left. */
  clock?: ReactNode
}

/** Before handing in: the time left, what is blank and what was in doubt, each a tap away. Whoever closes it goes on checking. */
export function HandInDialog(props: HandInDialogProps) {
  const { state, busy, onGo, onHandIn, onClose, outcome = '立即看结果和解析', clock } = props
  const places = (is: (item: Item) => boolean) => state.items.flatMap((item, at) => (is(item) ? [at] : []))
  const blank = places((item) => lookOf(state, item) === 'untouched')
  const essays = blank.some((at) => state.items[at]?.part.type === 'essay')
  const flagged = places(({ part }) => partState(state, part).flagged === true)
  return (
    <Dialog title="交卷" onClose={onClose} sheet>
      {clock && (
        <p className={clsx(common.row, classes.left)}>
          <span className={common.quiet}>剩余时间</span>
          {clock}
        </p>
      )}
      <p className={classes.outcome}>
        {blank.length === 0 ? '所有题都已作答。' : `还有 ${blank.length} 题未答。`}
        {essays && '空白的主观题计 0 分；纸上作答的，请先在作答框注明，以便交卷后自评。'}
        交卷后不能再改，{outcome}。
      </p>
      <Blanks items={state.items} places={blank} onGo={onGo} />
      <Flagged places={flagged} onGo={onGo} />
      <Actions checks={blank.length > 0} busy={busy} onHandIn={onHandIn} onClose={onClose} />
    </Dialog>
  )
}

interface ActionsProps extends Pick<HandInDialogProps, 'busy' | 'onHandIn' | 'onClose'> {
  /** There is something left to check, which then comes first. */
  checks: boolean
}

function Actions({ checks, busy, onHandIn, onClose }: ActionsProps) {
  const look = (first: boolean) => (first ? ({ look: 'filled' } as const) : ({ look: 'light', tone: 'plain' } as const))
  const ways = [
    <Button key="check" {...look(checks)} disabled={busy} onClick={onClose}>
      继续检查
    </Button>,
    <Button key="hand-in" {...look(!checks)} busy={busy} onClick={onHandIn}>
      确定交卷
    </Button>,
  ]
  return <div className={clsx(common.column, classes.actions)}>{checks ? ways : ways.reverse()}</div>
}

interface PlacesProps {
  places: readonly number[]
  onGo: (at: number) => void
}

/** Shows how many questions of each section have no answer; a tap goes to the first of them. A batch has no sections. */
function Blanks({ items, places, onGo }: PlacesProps & Pick<PlayerState, 'items'>) {
  const sections = new Map<number, { name: string; first: number; count: number }>()
  for (const at of places) {
    const { section, block = 0 } = items[at] ?? {}
    const key = section === undefined ? 0 : block
    const { first = at, count = 0 } = sections.get(key) ?? {}
    sections.set(key, { name: section ?? '本组', first, count: count + 1 })
  }
  if (sections.size === 0) return null
  return (
    <ul aria-label="未答" className={clsx(common.stack, classes.blanks)}>
      {[...sections].map(([key, { name, first, count }]) => (
        <li key={key}>
          <button
            type="button"
            className={clsx(common.sunken, common.row, classes.blank)}
            aria-label={`${name} 还有 ${count} 题未答，去第${first + 1}题`}
            onClick={() => onGo(first)}
          >
            <b className={clsx(common.grow, classes.name)}>{name}</b>
            <span className={clsx(common.fixed, common.figures)}>还有 {count} 题未答</span>
            <IconChevronRight size={18} className={common.fixed} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Flagged({ places, onGo }: PlacesProps) {
  if (places.length === 0) return null
  return (
    <section aria-label="存疑">
      <h3 className={common.subheading}>存疑 {places.length} 题</h3>
      <ol className={player.sheet}>
        {places.map((at) => (
          <li key={at}>
            <button
              type="button"
              className={player.tile}
              data-flagged
              aria-label={`第${at + 1}题，存疑`}
              onClick={() => onGo(at)}
            >
              {at + 1}
              <small className={player.sign} aria-hidden="true">
                ?
              </small>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
