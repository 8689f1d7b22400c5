import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TYPE_NAMES } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { snippet } from '#src/search/text.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import { More } from '#src/ui/More.tsx'
import type { Marked } from '../marked.ts'
import classes from './Marked.module.css'

interface MarkedListProps {
  marked: Marked
  label: string
  placeOf: (state: StudyState) => string
  onOpen: (state: StudyState) => void
  /** What stands between the question and its facts. */
  renderBody?: (state: StudyState) => ReactNode
  renderActions: (state: StudyState) => ReactNode
}

/** A student's own questions: a tap on one studies from there. */
export function MarkedList({ marked, label, placeOf, onOpen, renderBody, renderActions }: MarkedListProps) {
  const { states, onMore } = marked
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {states.map((state) => (
          <li key={state.questionNo}>
            <button type="button" className={classes.stem} onClick={() => onOpen(state)}>
              <Stem state={state} marked={marked} />
            </button>
            {renderBody?.(state)}
            <p className={classes.facts}>
              <span>{TYPE_NAMES[state.type]}</span>
              <span>{standing(state)}</span>
              <span>{placeOf(state)}</span>
            </p>
            <div className={classes.actions}>{renderActions(state)}</div>
          </li>
        ))}
      </ul>
      {onMore && <More key={states.length} onMore={onMore} />}
    </>
  )
}

function Stem({ state: { questionNo }, marked: { texts, terms } }: { state: StudyState; marked: Marked }) {
  const text = texts.get(questionNo)
  if (text === undefined) return <span className={classes.waiting}>正在读取题目…</span>
  if (text === null) return <span className={classes.waiting}>题目不在本机，联网后重新打开这一页</span>
  return snippet(text.stem, terms).map((piece, i) => (piece.hit ? <mark key={i}>{piece.text}</mark> : piece.text))
}

const standing = ({ times, lastRight }: StudyState): string =>
  times === 0 ? '未做' : lastRight ? '上次做对' : '上次做错'

/** Why there is nothing to show, and what to do. */
export function Nothing({ marked, words, what, how }: { marked: Marked; words: string; what: string; how: string }) {
  if (marked.failed)
    return (
      <section className={classes.nothing} role="alert">
        <h2>本机的记录读不出来</h2>
        <p>请关闭其他标签页后重试；记录没有丢失。</p>
        <Button onClick={() => window.location.reload()}>重试</Button>
      </section>
    )
  if (words.trim() !== '')
    return (
      <section className={classes.nothing} role="status">
        <h2>没有找到</h2>
        <p>换一个更短的词，或清空搜索框。</p>
      </section>
    )
  return (
    <section className={classes.nothing}>
      <h2>{what}</h2>
      <p>{how}</p>
      <Link to="/question/library" {...buttonLook()}>
        去题库练题
      </Link>
    </section>
  )
}
