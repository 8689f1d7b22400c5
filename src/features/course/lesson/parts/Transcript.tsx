import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { Piece } from '#src/domain/text/searchText.ts'
import common from '#src/ui/common.module.css'
import { keepInSight } from '#src/ui/sight.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import type { SaidLine } from '#src/domain/course/transcript.ts'
import moments from '../../notes/Notes.module.css'
import page from '../Lesson.module.css'
import { useSecond } from '../media/useElement.ts'
import { useFinding } from '../useFinding.ts'
import classes from './Transcript.module.css'
import { TranscriptSearch } from './TranscriptSearch.tsx'

interface TranscriptProps {
  element: HTMLMediaElement | null
  lines: readonly SaidLine[]
  onSeek: (to: number) => void
}

/** 文稿: what is said, sentence by sentence. The one that is heard is marked; it, or what is looked for, is kept in sight. */
export function Transcript({ element, lines, onSeek }: TranscriptProps) {
  const second = useSecond(element)
  // They stand in order.
  const heard = lines.filter(({ at }) => at <= second + 0.5).length - 1
  const finding = useFinding(lines, heard)
  const box = useRef<HTMLOListElement>(null)
  const watched = finding.line ?? heard
  useEffect(() => {
    const list = box.current
    const own = list?.children[watched]
    if (list && own instanceof HTMLElement) keepInSight(list, own)
  }, [watched])
  if (lines.length === 0) return null
  return (
    <section aria-label="文稿">
      <h2 className={clsx(page.heading, classes.heading)}>文稿</h2>
      <TranscriptSearch finding={finding} line={lines[watched]?.text ?? ''} />
      <ol ref={box} className={clsx(common.card, classes.lines)}>
        {lines.map(({ at, text }, i) => (
          <li key={i} data-found={i === finding.line || undefined}>
            <button
              type="button"
              className={clsx(moments.moment, classes.line)}
              aria-current={i === heard ? 'true' : undefined}
              onClick={() => onSeek(at)}
            >
              <span className={clsx(common.caption, common.figures, classes.time)}>{clockText(at)}</span>
              <span>{finding.marked.get(i)?.map(toPiece) ?? text}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

const toPiece = ({ hit, text }: Piece, n: number) =>
  hit ? (
    <mark key={n} className={clsx(common.warm, common.strong, classes.hit)}>
      {text}
    </mark>
  ) : (
    text
  )
