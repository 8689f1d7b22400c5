import { useId } from 'react'
import { clockText } from '#src/domain/lengths.ts'
import type { SaidHit } from '#src/search/client.ts'
import { keyOf } from '../said.ts'
import { HitOption, type HitOptionProps } from './HitOption.tsx'
import { Line } from './HitLine.tsx'
import classes from './SearchHit.module.css'

interface SaidHitsProps {
  hits: readonly SaidHit[]
  /** Of the one at a place. */
  idOf: (place: number) => string
  /** Where the arrow keys stand among them; negative: elsewhere. */
  active: number
  onOpen: (hit: SaidHit) => void
}

/** 课程文稿: where lessons say it. */
export function SaidHits({ hits, idOf, active, onOpen }: SaidHitsProps) {
  const heading = useId()
  if (hits.length === 0) return null
  return (
    <div role="group" aria-labelledby={heading} className={classes.said}>
      <h3 id={heading}>课程文稿</h3>
      {hits.map((hit, i) => (
        <SaidLine key={keyOf(hit)} hit={hit} id={idOf(i)} active={i === active} onOpen={() => onOpen(hit)} />
      ))}
    </div>
  )
}

function SaidLine({
  hit: { pieces, at, lesson, course },
  ...option
}: { hit: SaidHit } & Omit<HitOptionProps, 'children'>) {
  return (
    <HitOption {...option}>
      <Line pieces={pieces} className={classes.stem} />
      <span className={classes.facts}>
        <span>{clockText(at)}</span>
        <span>{lesson.title}</span>
        <span>{course.title}</span>
      </span>
    </HitOption>
  )
}
