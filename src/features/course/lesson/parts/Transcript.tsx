import { useEffect, useRef } from 'react'
import { keepInSight } from '#src/ui/sight.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import type { SaidLine } from '#src/domain/course/transcript.ts'
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
    <section className={classes.transcript} aria-label="文稿">
      <h2>文稿</h2>
      <TranscriptSearch finding={finding} line={lines[watched]?.text ?? ''} />
      <ol ref={box}>
        {lines.map(({ at, text }, i) => (
          <li key={i} data-found={i === finding.line || undefined}>
            <button type="button" aria-current={i === heard ? 'true' : undefined} onClick={() => onSeek(at)}>
              <span>{clockText(at)}</span>
              <span>
                {finding.marked
                  .get(i)
                  ?.map((piece, n) => (piece.hit ? <mark key={n}>{piece.text}</mark> : piece.text)) ?? text}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
