import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, type RefObject, Suspense, useCallback, useRef, useState } from 'react'
import { type CompositeQuestion, TYPE_NAMES } from '#src/contract/question.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import unseen from '#src/ui/text/Unseen.module.css'
import { AfterMark } from './question/AfterMark.tsx'
import { Material } from './Material.tsx'
import type { NoteHandle } from './pane/PaneNote.tsx'
import { PlaceContext } from './pane/placeContext.ts'
import { Part } from './question/Part.tsx'
import { type Item, isFinished, isSealed, partState, type PlayerState } from './playerState.ts'
import actions from './Actions.module.css'
import pill from './Pill.module.css'
import classes from './Player.module.css'
import { answeredOf, SheetButton } from './SheetButton.tsx'
import { Spoken } from './question/Spoken.tsx'
import { useFocus } from './useFocus.ts'
import { useKeys } from './useKeys.ts'
import { useSwipe } from './useSwipe.ts'
import type { PlayerHandle } from './usePlayer.ts'

const Tools = optional(() => import('./tools/Tools.tsx').then((m) => m.Tools))
const BookPart = optional(() => import('./marks/BookPart.tsx').then((m) => m.BookPart))
const FirstHint = optional(() => import('./FirstHint.tsx').then((m) => m.FirstHint))
const Pane = optional(() => import('./pane/Pane.tsx').then((m) => m.Pane))

/** 答题卡, analysis and note stand beside the question; Player.module.css has the same. */
const WIDE = '(min-width: 1200px)'

interface PlayerProps {
  player: PlayerHandle
  title: string
  /** The student went on after the last question. */
  onEnd: () => void
  /** The way out. */
  close?: ReactNode
  /** It shows how much time was spent, or is left. */
  clock?: ReactNode
  /** 存疑 stands beside 答题卡. */
  aside?: ReactNode
  /** The mark of syncing stands beside the title. */
  beside?: ReactNode
  /** 交卷 of an exam, which ends the header and 答题卡, asks to hand in. Its header counts what is answered. */
  onHandIn?: (() => void) | undefined
  /** The answers may be looked at before the questions are done. */
  mayRecite?: boolean
  /** This screen adds these to 更多 (tools/Act.tsx). */
  more?: ReactNode
  /** Above the question: the section of a paper. */
  above?: ReactNode
  /** What going on after the last question is called. */
  endLabel?: string
  /** The batch is over after this question. */
  over?: boolean
}

/** One question at a time, with everything around it: progress, answer sheet, keys, swipes, spoken results. */
export function Player(props: PlayerProps) {
  const { player, onEnd, onHandIn, above, more, over = false, endLabel = '查看结果' } = props
  const { state, dispatch } = player
  const mayRecite = (props.mayRecite ?? true) && !isSealed(state.mode)
  const item = state.items[state.at]
  const total = state.items.length
  const last = over || state.at === total - 1
  const goNext = useCallback(
    () => (last ? onEnd() : dispatch({ type: 'go', at: state.at + 1 })),
    [dispatch, last, onEnd, state.at],
  )
  const goBack = useCallback(() => dispatch({ type: 'go', at: state.at - 1 }), [dispatch, state.at])
  useKeys(player, goNext)
  const swipe = useSwipe(goNext, goBack, state.at === 0)
  const { heading, onward } = useFocus(state)
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const paneNote = useRef<NoteHandle>(null)
  if (!item) return null
  return (
    <div className={classes.player} data-wide={isWide || undefined}>
      <div className={clsx(common.row, classes.head)} data-crowded={Boolean(onHandIn) || undefined}>
        {props.close}
        <Progress now={onHandIn ? answeredOf(state) : state.at + 1} total={total} />
        {!onHandIn && props.clock}
        <SheetButton player={player} onHandIn={onHandIn} />
        {props.aside}
        <div className={classes.more}>
          <Suspense>
            <Tools
              player={player}
              item={item}
              mayRecite={mayRecite}
              more={more}
              last={last}
              goNext={goNext}
              paneNote={paneNote}
            />
          </Suspense>
        </div>
        {/* 更多 keeps 存疑 out of its way: a thumb that misses one of them does not hit the other. */}
        {onHandIn && <HandInButton onClick={onHandIn} />}
      </div>
      <div
        className={clsx(common.row, classes.where)}
        data-wide={Boolean(item.material) || undefined}
        data-clock={Boolean(onHandIn) || undefined}
      >
        <h1 ref={heading} tabIndex={-1} className={clsx(common.row, common.grow, common.strong, classes.heading)}>
          <span className={unseen.unseen}>
            第{state.at + 1}题，共{total}题，
          </span>
          <span className={clsx(common.fixed, common.accent, classes.type)}>
            {TYPE_NAMES[namedType(item.material ?? item.part)]}
          </span>
          {onHandIn && (
            <span className={clsx(common.fixed, common.figures)} aria-hidden="true">
              第 {state.at + 1} 题
            </span>
          )}
          <span className={clsx(common.ellipsis, common.quiet, classes.title)}>{props.title}</span>
        </h1>
        {mayRecite && state.mode === 'recite' && <Reciting player={player} />}
        {onHandIn && props.clock}
        {props.beside}
      </div>
      <div className={classes.stage} {...swipe}>
        {above}
        <PlaceContext value={place}>
          <Question key={item.material?.no ?? item.part.no} item={item} player={player} />
        </PlaceContext>
        {state.at === 0 && state.mode === 'practice' && (
          <Suspense>
            <FirstHint onClosed={() => heading.current?.focus()} />
          </Suspense>
        )}
      </div>
      {isWide && (
        <div className={classes.pane}>
          <Suspense>
            <Pane player={player} item={item} place={setPlace} note={paneNote} />
          </Suspense>
        </div>
      )}
      <p role="status" className={unseen.unseen}>
        <Spoken key={item.part.no} part={item.part} state={partState(state, item.part)} />
      </p>
      <Bar player={player} last={last} onward={onward} goBack={goBack} goNext={goNext} endLabel={endLabel} />
    </div>
  )
}

function Progress({ now, total }: { now: number; total: number }) {
  return (
    <div
      className={classes.progress}
      role="progressbar"
      aria-label="本组进度"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={now}
    >
      <div className={classes.done} style={{ width: `${(now / total) * 100}%` }} />
    </div>
  )
}

function HandInButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={clsx(common.note, common.fixed, pill.pill)} data-look="main" onClick={onClick}>
      交卷
    </button>
  )
}

/** It says that answers are shown, and leads back to answering. */
const Reciting = ({ player: { dispatch } }: { player: PlayerHandle }) => (
  <button
    type="button"
    className={clsx(common.fixed, common.note, pill.pill)}
    aria-pressed
    onClick={() => dispatch({ type: 'mode', mode: 'practice' })}
  >
    背题
  </button>
)

const ACTION = clsx(common.inline, common.strong, actions.action)

interface BarProps {
  player: PlayerHandle
  last: boolean
  onward: RefObject<HTMLButtonElement | null>
  goBack: () => void
  goNext: () => void
  endLabel: string
}

function Bar({ player: { state }, last, onward, goBack, goNext, endLabel }: BarProps) {
  return (
    <nav className={clsx(common.row, actions.bar)} data-bottom-bar aria-label="题目导航">
      <button type="button" className={ACTION} disabled={state.at === 0} onClick={goBack}>
        <IconChevronLeft size={20} aria-hidden="true" />
        上一题
      </button>
      <button
        ref={onward}
        type="button"
        className={clsx(ACTION, actions.onward)}
        data-look={last && isFinished(state) ? 'end' : undefined}
        onClick={goNext}
      >
        {last ? endLabel : '下一题'}
        <IconChevronRight size={20} aria-hidden="true" />
      </button>
    </nav>
  )
}

/** A question alone, or below the material that it shares with its neighbours. */
function Question({ item: { part, material }, player }: { item: Item; player: PlayerHandle }) {
  const { state, dispatch, choose, confirm, unsaved } = player
  const own = partState(state, part)
  const answering = (
    <Part
      key={part.no}
      part={part}
      analysis={part.analysis || (material?.analysis ?? '')}
      state={own}
      mode={state.mode}
      label={
        material
          ? `第${material.parts.findIndex(({ no }) => no === part.no) + 1}小题，共${material.parts.length}小题`
          : ''
      }
      unsaved={unsaved.get(part.no) ?? null}
      dispatch={dispatch}
      choose={choose}
      confirm={confirm}
    />
  )
  const book = (own.right !== null || state.mode === 'recite') && (
    <AfterMark key={`book of ${part.no}`}>
      <Suspense>
        <BookPart part={part} marked={own.right !== null} />
      </Suspense>
    </AfterMark>
  )
  if (!material)
    return (
      <article className={clsx(common.stack, classes.card)}>
        {answering}
        {book}
      </article>
    )
  return (
    <article className={clsx(common.stack, classes.composite)}>
      <Material material={material} part={part} told={isTold(material, state)} />
      <div className={clsx(common.stack, classes.card)}>
        {answering}
        {book}
      </div>
    </article>
  )
}

/**
 * The analysis of a whole material, such as what was said in a recording, is told once none of its sub-questions here can be answered
 * by it any more. Where a sub-question has no analysis of its own, it is shown with that one.
 */
const isTold = ({ no, analysis }: CompositeQuestion, state: PlayerState): boolean =>
  analysis !== '' &&
  state.items.every(
    ({ part, material }) =>
      material?.no !== no ||
      (part.analysis !== '' && (state.mode === 'recite' || partState(state, part).right !== null)),
  )
