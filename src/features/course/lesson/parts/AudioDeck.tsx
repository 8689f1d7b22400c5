import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
  IconRewindBackward15,
  IconRewindForward15,
} from '@tabler/icons-react'
import { clsx } from 'clsx'
import { type ReactNode, type RefCallback, useId } from 'react'
import type { CourseDetail, LessonQuestion } from '#src/contract/course.ts'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { clockText } from '#src/domain/course/lengths.ts'
import unseen from '#src/ui/text/Unseen.module.css'
import { barKeys } from '../barKeys.ts'
import { QuestionMarks } from '../questions/QuestionMarks.tsx'
import { spokenLength } from '../lessons.ts'
import type { Track } from '../media/tracks.ts'
import { useLength, usePlays, useSecond } from '../media/useElement.ts'
import classes from './AudioDeck.module.css'
import { Media } from './Pieces.tsx'

interface AudioDeckProps {
  element: HTMLMediaElement | null
  title: string
  cover: CourseDetail['cover']
  /** How long the lesson is, as its list says; a file is longer or shorter by a part of a second. */
  seconds: number
  tracks: readonly Track[]
  questions: readonly LessonQuestion[]
  busy: boolean
  onElement: RefCallback<HTMLMediaElement>
  onSeek: (to: number) => void
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  /** Over the cover. */
  children: ReactNode
}

export const STEP_S = 15

/** An audio lesson: cover, place, and controls for a thumb that does not look. */
export function AudioDeck(props: AudioDeckProps) {
  const { element, title, cover, seconds, tracks, questions, busy, onElement, onSeek, onPrevious, onNext, children } =
    props
  const plays = usePlays(element)
  const at = useSecond(element)
  const toggle = () => {
    if (plays) element?.pause()
    else element?.play().catch(() => {})
  }
  return (
    <section className={clsx(common.stack, classes.deck)} aria-label="音频播放器" tabIndex={-1} data-stage>
      <Media as="audio" ref={onElement} title={title} tracks={tracks} />
      <div className={classes.cover}>
        <CoverPicture of={cover} className={classes.picture} loading="eager" />
        {children}
      </div>
      <Place element={element} seconds={seconds} questions={questions} onSeek={onSeek} />
      <div className={clsx(common.row, classes.keys)}>
        <IconButton aria-label="上一课时" disabled={!onPrevious} onClick={onPrevious ?? undefined}>
          <IconPlayerTrackPrevFilled size={26} />
        </IconButton>
        <IconButton aria-label="后退 15 秒" onClick={() => onSeek(at - STEP_S)}>
          <IconRewindBackward15 size={32} />
        </IconButton>
        <button
          type="button"
          className={classes.play}
          aria-label={plays ? '暂停' : '播放'}
          aria-busy={busy || undefined}
          onClick={toggle}
        >
          {plays ? <IconPlayerPauseFilled size={36} /> : <IconPlayerPlayFilled size={36} />}
        </button>
        <IconButton aria-label="前进 15 秒" onClick={() => onSeek(at + STEP_S)}>
          <IconRewindForward15 size={32} />
        </IconButton>
        <IconButton aria-label="下一课时" disabled={!onNext} onClick={onNext ?? undefined}>
          <IconPlayerTrackNextFilled size={26} />
        </IconButton>
      </div>
    </section>
  )
}

type PlaceProps = Pick<AudioDeckProps, 'element' | 'seconds' | 'questions' | 'onSeek'>
function Place({ element, seconds, questions, onSeek }: PlaceProps) {
  const at = useSecond(element)
  const length = useLength(element) || seconds
  const id = useId()
  return (
    <div className={clsx(common.caption, common.figures, classes.place)}>
      <label htmlFor={id} className={unseen.unseen}>
        播放进度
      </label>
      <input
        id={id}
        className={classes.bar}
        type="range"
        min={0}
        max={Math.max(1, Math.floor(length))}
        step={1}
        value={Math.min(at, length)}
        style={{ '--share': `${length > 0 ? (Math.min(at, length) / length) * 100 : 0}%` }}
        onKeyDown={barKeys(element, onSeek)}
        aria-valuetext={`${spokenLength(at)}，共 ${spokenLength(seconds)}`}
        onChange={(event) => onSeek(Number(event.currentTarget.value))}
      />
      <QuestionMarks questions={questions} seconds={length} />
      <span>{clockText(at)}</span>
      <span>{clockText(seconds)}</span>
    </div>
  )
}
