import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { type BookPart, countIn } from '#src/domain/study/errorBook.ts'
import type { Counters } from '#src/offline/index.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { NoMore } from '#src/ui/list/More.tsx'
import { clampFirst, Pager } from '#src/ui/list/Pager.tsx'
import { useUndo } from '#src/ui/feedback/writing.tsx'
import classes from './Book.module.css'
import { type Entry, readEntries } from './entries.ts'
import { BookRow } from './BookRow.tsx'
import { StudyLinks } from './StudyLinks.tsx'

/** Rows on the screen at a time: a slow phone draws them at once, however long the book is. */
const WINDOW = 20
/** After that there is still 移回 on the shelf. */
const UNDO_MS = 8_000

interface BookListProps {
  title: string
  rows: readonly Counters[]
  rule: number
  part: BookPart
  onBack: () => void
}

/** The questions of one group, a window of them at a time. */
export function BookList({ title, rows, rule, part, onBack }: BookListProps) {
  const [from, setFrom] = useState(0)
  const total = countIn(rows, part, rule)
  // What has left the group may have been its last window.
  const first = clampFirst(from, WINDOW, total)
  const entries = useEntries(rows, part, { rule, from: first })
  const heading = useRef<HTMLHeadingElement>(null)
  const undo = useUndo(UNDO_MS, () => focusOn(heading.current))
  const go = (to: number) => {
    setFrom(to)
    focusOn(heading.current)
    window.scrollTo({ top: 0 })
  }
  return (
    <section className={clsx(common.stack, classes.questions)} aria-labelledby="group">
      <BackButton onClick={onBack}>全部分组</BackButton>
      <div className={common.wrap}>
        <h2 id="group" ref={heading} tabIndex={-1} className={clsx(common.subheading, common.grow, classes.heading)}>
          {title} <b className={clsx(common.quiet, classes.count)}>{total} 题</b>
        </h2>
        {total > 0 && <StudyLinks part={part} name={title} />}
      </div>
      {total === 0 && (
        <Empty of="paper">
          <p>这一组没有题了。</p>
        </Empty>
      )}
      <ol start={first + 1} aria-busy={entries === null}>
        {entries?.map((entry) => (
          <BookRow key={entry.state.questionNo} entry={entry} rule={rule} onAct={undo.perform} />
        ))}
      </ol>
      <Pager first={first} size={WINDOW} total={total} onGo={go} />
      {total > WINDOW && first + WINDOW >= total && <NoMore />}
      {undo.bar}
    </section>
  )
}

/** Null until read. What is shown stays until what is newer has been read. */
function useEntries(
  rows: readonly Counters[],
  { phase, by, is }: BookPart,
  { rule, from }: { rule: number; from: number },
): readonly Entry[] | null {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null)
  useEffect(() => {
    let current = true
    void readEntries(rows, { phase, by, is }, { rule, from, size: WINDOW })
      // A device that cannot be read has none to show.
      .catch(() => [])
      .then((read) => current && setEntries(read))
    return () => {
      current = false
    }
  }, [rows, phase, by, is, rule, from])
  return entries
}
