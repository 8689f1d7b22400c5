import { createElement, type HTMLAttributes, type ReactNode, type Ref, type RefCallback } from 'react'
import type { Track } from '../media/tracks.ts'

interface PieceProps extends HTMLAttributes<HTMLElement> {
  slot?: string
  children?: ReactNode
  ref?: Ref<HTMLElement>
}

/** Elements of media-chrome; before its file has come they are empty boxes. */
export const Controller = (props: PieceProps) =>
  createElement('media-controller', {
    lang: 'zh-CN',
    // Keys are ours (keys.ts), and so is what is remembered.
    nohotkeys: '',
    novolumepref: '',
    nomutedpref: '',
    nosubtitleslangpref: '',
    ...props,
  })
export const ControlBar = (props: PieceProps) => createElement('media-control-bar', props)
export const PlayButton = (props: PieceProps) => createElement('media-play-button', props)
export const MuteButton = (props: PieceProps) => createElement('media-mute-button', props)
export const VolumeRange = (props: PieceProps) => createElement('media-volume-range', props)
export const TimeRange = (props: PieceProps) => createElement('media-time-range', props)
export const TimeDisplay = (props: PieceProps) => createElement('media-time-display', { notoggle: '', ...props })
export const PipButton = (props: PieceProps) => createElement('media-pip-button', props)
export const FullscreenButton = (props: PieceProps) => createElement('media-fullscreen-button', props)
export const Loading = (props: PieceProps) => createElement('media-loading-indicator', { noautohide: '', ...props })

interface MediaProps {
  as: 'audio' | 'video'
  title: string
  tracks: readonly Track[]
  ref: RefCallback<HTMLMediaElement>
  className?: string | undefined
  poster?: string
  controls?: boolean
}

/** What plays. Its subtitles come with the lesson, so their elements are not written down here. */
export const Media = ({ as, title, tracks, ...rest }: MediaProps) =>
  createElement(
    as,
    {
      'aria-label': title,
      preload: 'metadata',
      ...(as === 'video' && { slot: 'media', playsInline: true }),
      ...rest,
    },
    tracks.map(({ lang, label, src }) => <track key={src} kind="subtitles" srcLang={lang} label={label} src={src} />),
  )
