import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useRef } from 'react'
import { TYPE_NAMES } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { snippet } from '#src/domain/text/searchText.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Empty, Lost } from '#src/ui/Empty.tsx'
import { NoMore } from '#src/ui/list/More.tsx'
import { reload } from '#src/ui/dialog/newPage.ts'
import { Pager } from '#src/ui/list/Pager.tsx'
import { focusOn } from '#src/player/useFocus.ts'
import { type Marked, WINDOW } from './marked.ts'
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
  const { states, first, total, texts, go } = marked
  const list = useRef<HTMLUListElement>(null)
  const onGo = (to: number) => {
    go(to)
    focusOn(list.current)
    window.scrollTo({ top: 0 })
  }
  return (
    <>
      <ul ref={list} tabIndex={-1} className={common.stack} aria-label={label}>
        {states.map((state, i) => (
          <li
            key={state.questionNo}
            className={clsx(common.card, classes.question)}
            aria-setsize={total}
            aria-posinset={first + i + 1}
          >
            <button type="button" className={classes.stem} onClick={() => onOpen(state)}>
              <Stem state={state} marked={marked} />
            </button>
            {renderBody?.(state)}
            <p className={clsx(common.wrap, common.caption, classes.facts)}>
              <span>{texts.get(state.questionNo)?.type ?? TYPE_NAMES[state.type]}</span>
              <span>{standing(state)}</span>
              <span>{placeOf(state)}</span>
            </p>
            <div className={clsx(common.wrap, classes.actions)}>{renderActions(state)}</div>
          </li>
        ))}
      </ul>
      <Pager first={first} size={WINDOW} total={total} onGo={onGo} />
      {total > WINDOW && first + WINDOW >= total && <NoMore />}
    </>
  )
}

function Stem({ state: { questionNo }, marked: { texts, terms } }: { state: StudyState; marked: Marked }) {
  const text = texts.get(questionNo)
  if (text === undefined) return <span className={common.quiet}>正在加载...</span>
  if (text === null) return <span className={common.quiet}>题目还没有下载，联网后重新打开这一页</span>
  return snippet(text.stem, terms).map((piece, i) =>
    piece.hit ? (
      <mark key={i} className={classes.word}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  )
}

const standing = ({ times, lastRight }: StudyState): string =>
  times === 0 ? '未做' : lastRight ? '上次做对' : '上次做错'

interface NothingProps {
  marked: Marked
  words: string
  of: 'star' | 'note'
  what: string
  how: string
}

/** Why there is nothing to show, and what to do. */
export function Nothing({ marked, words, of, what, how }: NothingProps) {
  if (marked.failed)
    return (
      <Lost title="暂时读不到学习记录" role="alert">
        <p>请关闭其他标签页后重试；记录没有丢失。</p>
        <Button onClick={reload}>重试</Button>
      </Lost>
    )
  if (words.trim() !== '')
    return (
      <Empty of="paper" title="没有找到" role="status">
        <p>换一个更短的词，或清空搜索框。</p>
      </Empty>
    )
  return (
    <Empty of={of} title={what}>
      <p>{how}</p>
      <Link to="/question/library" {...buttonLook()}>
        去题库练题
      </Link>
    </Empty>
  )
}
