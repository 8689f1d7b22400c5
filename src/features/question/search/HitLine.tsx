import { holdGaps } from '#src/domain/text/gaps.ts'
import type { Piece } from '#src/domain/text/searchText.ts'
import classes from './SearchHit.module.css'

interface LineProps {
  pieces: Piece[]
  label?: string
  className?: string | undefined
}

/** A line of what was found, with the words that were asked for marked. */
export function Line({ pieces, label = '', className }: LineProps) {
  return (
    <span className={className}>
      {label}
      {pieces.map(({ text, hit }, i) =>
        hit ? (
          <mark key={i} className={classes.word}>
            {holdGaps(text)}
          </mark>
        ) : (
          holdGaps(text)
        ),
      )}
    </span>
  )
}
