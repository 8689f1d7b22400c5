import { useEffect, useRef } from 'react'
import { keepInSight } from '#src/ui/sight.ts'
import { clockText } from '#src/domain/lengths.ts'
import type { Cue } from '../tracks.ts'
import { useSecond } from '../useElement.ts'
import classes from './Transcript.module.css'

interface TranscriptProps {
  element: HTMLMediaElement | null
  cues: readonly Cue[]
  onSeek: (to: number) => void
}

/** 文稿: what is said, sentence by sentence; the one that is heard is marked and kept in sight. */
export function Transcript({ element, cues, onSeek }: TranscriptProps) {
  const at = useSecond(element)
  // They stand in order.
  const current = cues.filter(({ from }) => from <= at + 0.5).length - 1
  const box = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const list = box.current
    const own = list?.children[current]
    if (list && own instanceof HTMLElement) keepInSight(list, own)
  }, [current])
  if (cues.length === 0) return null
  return (
    <section className={classes.transcript} aria-label="文稿">
      <h2>文稿</h2>
      <ol ref={box}>
        {cues.map(({ from, text }, i) => (
          <li key={from}>
            <button type="button" aria-current={i === current ? 'true' : undefined} onClick={() => onSeek(from)}>
              <span>{clockText(from)}</span>
              {text}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
