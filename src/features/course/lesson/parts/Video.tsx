import { IconBadgeCc, IconBadgeCcFilled } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { type KeyboardEvent, type ReactNode, type RefCallback, useEffect, useRef } from 'react'
import common from '#src/ui/common.module.css'
import { clockText } from '#src/domain/course/lengths.ts'
import { QUALITY_OF } from '#src/domain/course/quality.ts'
import { speedText } from '../prefs.ts'
import type { LessonQuestion } from '#src/contract/course.ts'
import { QuestionMarks } from '../questions/QuestionMarks.tsx'
import type { Track } from '../media/tracks.ts'
import { ControlBar, Controller, FullscreenButton, Loading, Media, MuteButton, PipButton } from './Pieces.tsx'
import { PlayButton, TimeDisplay, TimeRange, VolumeRange } from './Pieces.tsx'
import classes from './Stage.module.css'

/** The look of each button on the bar, media-chrome's and ours. */
const KEY = clsx(common.fixed, classes.key)
const OWN_KEY = clsx(KEY, common.figures, common.strong, classes.own)

interface VideoProps {
  title: string
  /** How long the lesson is, as its list says; a file is longer or shorter by a part of a second. */
  seconds: number
  poster: string
  tracks: readonly Track[]
  questions: readonly LessonQuestion[]
  subtitles: boolean
  speed: number
  /** Its button shows this; null: there is nothing to choose. */
  quality: string | null
  onElement: RefCallback<HTMLMediaElement>
  /** Its own controls have come. */
  ready: boolean
  onSubtitles: () => void
  onSpeed: () => void
  onQuality: () => void
  /** A key on the bar that shows where it stands. */
  onBarKey: (event: KeyboardEvent) => void
  /** Something lies over the picture: its controls are out of reach. */
  covered: boolean
  /** Over the picture. */
  children: ReactNode
}

/** The picture with its controls. They come in a file of their own; until then, or without it, the browser's are there. */
export function Video(props: VideoProps) {
  const {
    title,
    seconds,
    poster,
    tracks,
    questions,
    subtitles,
    speed,
    quality,
    ready,
    onElement,
    onSubtitles,
    onSpeed,
    onQuality,
    onBarKey,
    covered,
    children,
  } = props
  const stage = useRef<HTMLDivElement>(null)
  const controller = useRef<HTMLElement>(null)
  // The attribute of that name is not observed (media-chrome 4): without this, what lies over the picture would not fill the screen with it.
  useEffect(() => {
    if (ready && controller.current) Object.assign(controller.current, { fullscreenElement: stage.current })
  }, [ready])
  return (
    <div ref={stage} className={classes.stage} tabIndex={-1} data-stage data-ready={ready || undefined}>
      <Controller
        ref={controller}
        className={clsx(classes.picture, classes.controller)}
        aria-label="视频播放器"
        inert={covered}
      >
        <Media
          as="video"
          ref={onElement}
          className={classes.picture}
          title={title}
          poster={poster}
          controls={!ready}
          tracks={tracks}
        />
        <Loading slot="centered-chrome" />
        <div className={classes.place}>
          <TimeRange className={classes.range} onKeyDown={onBarKey} />
          <QuestionMarks questions={questions} seconds={seconds} />
        </div>
        <ControlBar className={classes.bar}>
          <PlayButton className={KEY} />
          <TimeDisplay className={clsx(common.figures, classes.time)} />
          <span className={clsx(common.figures, classes.time, classes.length)}>/ {clockText(seconds)}</span>
          <MuteButton className={clsx(KEY, classes.wide)} />
          <VolumeRange className={classes.wide} />
          <span className={common.grow} />
          {tracks.length > 0 && (
            <button type="button" className={OWN_KEY} aria-label="字幕" aria-pressed={subtitles} onClick={onSubtitles}>
              {subtitles ? <IconBadgeCcFilled size={24} /> : <IconBadgeCc size={24} />}
            </button>
          )}
          <button type="button" className={OWN_KEY} aria-label={`倍速，现在 ${speedText(speed)}`} onClick={onSpeed}>
            {speedText(speed)}
          </button>
          {quality !== null && (
            // Elsewhere it stands below the picture.
            <button
              type="button"
              className={clsx(OWN_KEY, classes.full)}
              aria-label={`${QUALITY_OF.video}，现在 ${quality}`}
              onClick={onQuality}
            >
              {quality}
            </button>
          )}
          <PipButton className={KEY} />
          <FullscreenButton className={KEY} />
        </ControlBar>
      </Controller>
      {children}
    </div>
  )
}
