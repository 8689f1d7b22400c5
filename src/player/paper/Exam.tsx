import { clsx } from 'clsx'
import { IconFlag, IconFlagFilled } from '@tabler/icons-react'
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

export function HandInButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={clsx(common.note, pill.pill)} data-look="main" onClick={onClick}>
      交卷
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
}

/** Before handing in: what is blank and what was in doubt, each a tap away. */
export function HandInDialog(props: HandInDialogProps) {
  const { state, busy, onGo, onHandIn, onClose, outcome = '立即看结果和解析' } = props
  const places = (is: (item: Item) => boolean) => state.items.flatMap((item, at) => (is(item) ? [at] : []))
  const blank = places((item) => lookOf(state, item) === 'untouched')
  const essays = blank.some((at) => state.items[at]?.part.type === 'essay')
  const flagged = places(({ part }) => partState(state, part).flagged === true)
  return (
    <Dialog title="交卷" onClose={onClose} sheet>
      <p className={classes.outcome}>
        {blank.length === 0 ? '所有题都已作答。' : `还有 ${blank.length} 题未答。`}
        {essays && '空白的主观题计 0 分；纸上作答的，请先在作答框注明，以便交卷后自评。'}
        交卷后不能再改，{outcome}。
      </p>
      <Places name="未答" places={blank} onGo={onGo} />
      <Places name="存疑" places={flagged} onGo={onGo} />
      <div className={clsx(common.column, classes.actions)}>
        <Button busy={busy} onClick={onHandIn}>
          确定交卷
        </Button>
        <Button look="light" tone="plain" disabled={busy} onClick={onClose}>
          继续检查
        </Button>
      </div>
    </Dialog>
  )
}

function Places({ name, places, onGo }: { name: string; places: number[]; onGo: (at: number) => void }) {
  if (places.length === 0) return null
  return (
    <section aria-label={name}>
      <h3 className={common.subheading}>
        {name} {places.length} 题
      </h3>
      <ol className={player.sheet}>
        {places.map((at) => (
          <li key={at}>
            <button
              type="button"
              className={player.tile}
              aria-label={`第${at + 1}题，${name}`}
              onClick={() => onGo(at)}
            >
              {at + 1}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
