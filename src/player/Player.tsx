import { IconChevronLeft, IconChevronRight, IconLayoutGrid } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { RichText } from '#src/ui/RichText.tsx'
import { keyText } from './Feedback.tsx'
import { Part, TYPE_NAMES } from './Part.tsx'
import { type Item, isFinished, partState, partsOf } from './player.ts'
import classes from './Player.module.css'
import { useKeys } from './useKeys.ts'
import { useSwipe } from './useSwipe.ts'
import type { PlayerHandle } from './usePlayer.ts'

const AnswerSheet = lazy(() => import('./AnswerSheet.tsx').then((module) => ({ default: module.AnswerSheet })))

interface PlayerProps {
  player: PlayerHandle
  title: string
  /** The student went on after the last question. */
  onEnd: () => void
  /** Beside the title: the way out, the mark of syncing. */
  aside?: ReactNode
}

/** One question at a time, with everything around it: progress, answer sheet, keys, swipes, spoken results. */
export function Player({ player, title, onEnd, aside }: PlayerProps) {
  const { state, dispatch } = player
  const [sheet, setSheet] = useState(false)
  const item = state.items[state.at]
  const last = state.at === state.items.length - 1
  const goNext = useCallback(
    () => (last ? onEnd() : dispatch({ type: 'go', at: state.at + 1 })),
    [dispatch, last, onEnd, state.at],
  )
  const goBack = useCallback(() => dispatch({ type: 'go', at: state.at - 1 }), [dispatch, state.at])
  useKeys(player, goNext)
  const swipe = useSwipe(goNext, goBack)
  const heading = useFocusOnMove(state.at)
  if (!item) return null
  return (
    <div className={classes.player}>
      <div className={classes.head}>
        <h1 ref={heading} tabIndex={-1}>
          <span className={classes.hidden}>
            第{state.at + 1}题，共{state.items.length}题，
          </span>
          <span className={classes.type}>{TYPE_NAMES[item.question.type]}</span>
          <span className={classes.title}>{title}</span>
        </h1>
        <ModeSwitch player={player} />
        {aside}
      </div>
      <div
        className={classes.progress}
        role="progressbar"
        aria-label="本组进度"
        aria-valuemin={0}
        aria-valuemax={state.items.length}
        aria-valuenow={state.at + 1}
      >
        <div style={{ width: `${((state.at + 1) / state.items.length) * 100}%` }} />
      </div>
      <div className={classes.stage} {...swipe}>
        <Question key={item.question.no} item={item} player={player} />
      </div>
      <Spoken item={item} player={player} />
      <nav className={classes.bar} aria-label="题目导航">
        <button type="button" disabled={state.at === 0} onClick={goBack}>
          <IconChevronLeft size={20} aria-hidden="true" />
          上一题
        </button>
        <button
          type="button"
          data-look="sheet"
          onClick={() => setSheet(true)}
          aria-label={`答题卡，第${state.at + 1}题，共${state.items.length}题`}
        >
          <IconLayoutGrid size={18} aria-hidden="true" />
          {state.at + 1}/{state.items.length}
        </button>
        <button type="button" data-look={last && isFinished(state) ? 'end' : undefined} onClick={goNext}>
          {last ? '看结果' : '下一题'}
          <IconChevronRight size={20} aria-hidden="true" />
        </button>
      </nav>
      {sheet && (
        <Suspense>
          <AnswerSheet
            state={state}
            onClose={() => setSheet(false)}
            onPick={(at) => {
              setSheet(false)
              dispatch({ type: 'go', at })
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function Question({ item, player }: { item: Item; player: PlayerHandle }) {
  const { question } = item
  const { state, dispatch, choose, confirm, unsaved } = player
  const parts = partsOf(question).map((part, i) => (
    <Part
      key={part.no}
      part={part}
      state={partState(state, part)}
      mode={state.mode}
      label={question.type === 'composite' ? `第${i + 1}小题` : ''}
      unsaved={unsaved.has(part.no)}
      dispatch={dispatch}
      choose={choose}
      confirm={confirm}
    />
  ))
  if (question.type !== 'composite') return <article className={classes.card}>{parts}</article>
  return (
    <article className={classes.composite}>
      <details className={classes.material} open>
        <summary>材料</summary>
        <RichText html={question.stem} />
      </details>
      <div className={classes.card}>{parts}</div>
    </article>
  )
}

function ModeSwitch({ player: { state, dispatch } }: { player: PlayerHandle }) {
  const recite = state.mode === 'recite'
  return (
    <button
      type="button"
      className={classes.mode}
      aria-pressed={recite}
      onClick={() => dispatch({ type: 'mode', mode: recite ? 'practice' : 'recite' })}
    >
      背题
    </button>
  )
}

/** The result of the answer that was just marked, for who cannot see it. */
function Spoken({ item, player }: { item: Item; player: PlayerHandle }) {
  const marked = partsOf(item.question).filter((part) => partState(player.state, part).right !== null)
  const part = marked.at(-1)
  const right = part && partState(player.state, part).right
  const key = part ? keyText(part) : ''
  return (
    <p role="status" className={classes.hidden}>
      {part && player.state.mode === 'practice' ? (right ? '回答正确' : `回答错误${key && `，正确答案 ${key}`}`) : ''}
    </p>
  )
}

/** A screen reader starts anew at the next question; the first one keeps the page's own focus. */
function useFocusOnMove(at: number) {
  const heading = useRef<HTMLHeadingElement>(null)
  const moved = useRef(at)
  useEffect(() => {
    if (moved.current === at) return
    moved.current = at
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [at])
  return heading
}
