import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { clockText } from '#src/domain/course/lengths.ts'
import type { LessonHit, NoteHit } from '#src/search/client.ts'
import common from '#src/ui/common.module.css'
import { keyOf } from '../said.ts'
import { HitOption } from './HitOption.tsx'
import { Line } from './HitLine.tsx'
import classes from './SearchHit.module.css'

interface LessonHitsProps<T> {
  hits: readonly T[]
  /** Returns the DOM id of the one at a place. */
  idOf: (place: number) => string
  /** The arrow keys stand at this place among them; negative: elsewhere. */
  active: number
  onOpen: (hit: LessonHit) => void
}

/** 课时笔记: what the student has written at moments of lessons. */
export const NoteHits = (props: LessonHitsProps<NoteHit>) => (
  <Moments {...props} title="课时笔记" keyOf={({ noteNo }) => noteNo}>
    {({ titles }) => titles.map((title, i) => <Line key={i} pieces={title} />)}
  </Moments>
)

/** 课程文稿: where lessons say it. */
export const SaidHits = (props: LessonHitsProps<LessonHit>) => (
  <Moments {...props} title="课程文稿" keyOf={keyOf}>
    {({ lesson, course }) => (
      <>
        <span>{lesson.title}</span>
        <span>{course.title}</span>
      </>
    )}
  </Moments>
)

interface MomentsProps<T> extends LessonHitsProps<T> {
  title: string
  keyOf: (hit: T) => string
  /** Tells lesson and course. */
  children: (hit: T) => ReactNode
}

function Moments<T extends LessonHit>({ hits, idOf, active, onOpen, title, keyOf: key, children }: MomentsProps<T>) {
  const heading = useId()
  if (hits.length === 0) return null
  return (
    <div role="group" aria-labelledby={heading} className={common.stack}>
      <h3 id={heading} className={classes.heading}>
        {title}
      </h3>
      {hits.map((hit, i) => (
        <HitOption key={key(hit)} id={idOf(i)} active={i === active} onOpen={() => onOpen(hit)}>
          <Line pieces={hit.pieces} className={classes.stem} />
          <span className={clsx(common.wrap, common.caption, classes.facts)}>
            <span>{clockText(hit.at)}</span>
            {children(hit)}
          </span>
        </HitOption>
      ))}
    </div>
  )
}
