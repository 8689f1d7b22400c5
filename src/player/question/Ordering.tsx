import { clsx } from 'clsx'
import { IconArrowDown, IconArrowUp, IconCheck, IconGripVertical, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { OrderQuestion } from '#src/contract/question.ts'
import { inOrder, letterOf } from '#src/domain/question/order.ts'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { RichText } from '#src/ui/text/RichText.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import type { AnswerProps } from './answerProps.ts'
import { useDragOrder } from './useDragOrder.ts'
import player from '../Player.module.css'
import classes from './Ordering.module.css'

const ROW = clsx(player.option, classes.row)
const MARK = { size: 16, stroke: 2.6, 'aria-hidden': true }

/** The options of a 排序题: moved by a finger, by arrows or by keys, and once it is marked in the right order. */
export function Ordering(props: AnswerProps<OrderQuestion>) {
  return props.shown ? <RightOrder {...props} /> : <OwnOrder {...props} />
}

const idsOf = ({ state }: AnswerProps<OrderQuestion>): readonly string[] =>
  state.response.kind === 'order' ? state.response.ids : []

function OwnOrder(props: AnswerProps<OrderQuestion>) {
  const { part, dispatch } = props
  const rows = inOrder(part.options, idsOf(props))
  const list = useRef<HTMLOListElement>(null)
  const refocus = useRefocus(list)
  const move = (from: number, to: number): void => {
    const ids = rows.map(({ id }) => id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    dispatch({ type: 'order', part, ids })
  }
  const { take, dragged, shiftOf } = useDragOrder(list, move)
  const byButton = (from: number, to: number, button: FocusedButton) => () => {
    refocus(rows[from]?.id ?? '', button)
    move(from, to)
  }
  const byKey = (at: number) => (event: KeyboardEvent) => {
    const to = placeFor(event.key, at, rows.length)
    if (to === null) return
    event.preventDefault()
    byButton(at, to, 'handle')()
  }
  return (
    <fieldset>
      <legend className={clsx(common.caption, player.hint)}>拖动左边的字母或点箭头，排成正确的顺序</legend>
      <ol ref={list} className={clsx(common.stack, classes.list)} data-dragging={dragged !== null || undefined}>
        {rows.map(({ id, html }, at) => {
          const letter = letterOf(part, id)
          const shift = shiftOf(at)
          return (
            <li
              key={id}
              className={ROW}
              data-id={id}
              data-dragged={dragged === at || undefined}
              style={shift === 0 ? undefined : { transform: `translateY(${shift}px)` }}
            >
              <button
                type="button"
                className={classes.handle}
                data-button="handle"
                data-drags
                aria-label={`${letter}，第 ${at + 1} 位，共 ${rows.length} 位，按上下键移动`}
                onPointerDown={take(at)}
                onKeyDown={byKey(at)}
              >
                <IconGripVertical size={18} aria-hidden="true" />
                <span className={player.letter}>{letter}</span>
              </button>
              <span className={player.optionText}>
                <RichText html={html} inline />
              </span>
              <IconButton
                aria-label={`上移 ${letter}`}
                data-button="up"
                disabled={at === 0}
                onClick={byButton(at, at - 1, 'up')}
              >
                <IconArrowUp size={20} aria-hidden="true" />
              </IconButton>
              <IconButton
                aria-label={`下移 ${letter}`}
                data-button="down"
                disabled={at === rows.length - 1}
                onClick={byButton(at, at + 1, 'down')}
              >
                <IconArrowDown size={20} aria-hidden="true" />
              </IconButton>
            </li>
          )
        })}
      </ol>
      <p aria-live="polite" className={unseen.unseen}>
        {idsOf(props).length > 0 && `现在的顺序：${rows.map(({ id }) => letterOf(part, id)).join('、')}`}
      </p>
    </fieldset>
  )
}

/** Returns where a key moves a row to; null: it moves none. */
function placeFor(key: string, at: number, count: number): number | null {
  const places: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 }
  const to = places[key]
  return to === undefined || to === at || to < 0 || to >= count ? null : to
}

type FocusedButton = 'handle' | 'up' | 'down'
/** A row that changes its place in the document loses the focus: it is given back to the button that moved it. */
function useRefocus(list: RefObject<HTMLElement | null>) {
  const wanted = useRef<{ id: string; button: FocusedButton } | null>(null)
  useEffect(() => {
    if (!wanted.current) return
    const { id, button } = wanted.current
    wanted.current = null
    const row = [...(list.current?.children ?? [])].find(
      (each) => each instanceof HTMLElement && each.dataset.id === id,
    )
    const own = row?.querySelector<HTMLButtonElement>(`[data-button=${button}]`)
    // At an end of the list its arrow is off.
    const target = own?.disabled ? row?.querySelector<HTMLButtonElement>('[data-button=handle]') : own
    target?.focus()
  })
  return (id: string, button: FocusedButton): void => {
    wanted.current = { id, button }
  }
}

function RightOrder(props: AnswerProps<OrderQuestion>) {
  const { part, mode } = props
  const own = mode === 'recite' ? [] : idsOf(props)
  return (
    <>
      <p className={clsx(common.caption, player.hint)}>正确的顺序</p>
      <ol className={common.stack} aria-label="正确的顺序">
        {inOrder(part.options, part.key).map(({ id, html }, at) => {
          const given = own.indexOf(id)
          const isRight = given === at
          return (
            <li key={id} className={player.option} data-look={isRight ? 'right' : 'plain'}>
              <span className={player.letter}>{letterOf(part, id)}</span>
              <span className={player.optionText}>
                <RichText html={html} inline />
              </span>
              {given !== -1 && (
                // The row stands where it belongs: only where it was put is wrong.
                <span className={player.optionNote} data-misplaced={!isRight || undefined}>
                  {isRight ? <IconCheck {...MARK} /> : <IconX {...MARK} />}
                  {isRight ? '位置对' : `你排在第 ${given + 1} 位`}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}
