import { createElement, type HTMLAttributes, type ReactNode, type Ref } from 'react'

interface PieceProps extends HTMLAttributes<HTMLElement> {
  slot?: string
  children?: ReactNode
  ref?: Ref<HTMLElement>
}

/** Elements of media-chrome; before its file has come they are empty boxes. */
export const Controller = (props: PieceProps & { fullscreenelement: string }) =>
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
export const TimeDisplay = (props: PieceProps) => createElement('media-time-display', { showduration: '', ...props })
export const PipButton = (props: PieceProps) => createElement('media-pip-button', props)
export const FullscreenButton = (props: PieceProps) => createElement('media-fullscreen-button', props)
export const Loading = (props: PieceProps) => createElement('media-loading-indicator', { noautohide: '', ...props })
