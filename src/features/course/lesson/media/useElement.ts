import { useCallback, useSyncExternalStore } from 'react'

/** Something that an element says of itself, read again with each of these events. `read` gives what can be compared. */
export function useElement<T extends string | number | boolean>(
  element: HTMLMediaElement | null,
  events: readonly string[],
  read: (element: HTMLMediaElement) => T,
  without: T,
): T {
  const subscribe = useCallback(
    (tell: () => void) => {
      for (const type of events) element?.addEventListener(type, tell)
      return () => {
        for (const type of events) element?.removeEventListener(type, tell)
      }
    },
    [element, events],
  )
  return useSyncExternalStore(subscribe, () => (element ? read(element) : without))
}

const PLAYING = ['play', 'playing', 'pause', 'ended', 'emptied'] as const
const TIME = ['timeupdate', 'seeking', 'seeked', 'loadedmetadata', 'emptied'] as const
const LENGTH = ['durationchange', 'loadedmetadata', 'emptied'] as const
const ENDED = ['ended', 'seeking', 'playing', 'emptied'] as const

export const usePlays = (element: HTMLMediaElement | null): boolean =>
  useElement(element, PLAYING, ({ paused, ended }) => !paused && !ended, false)
/** Whole seconds, so that a screen is drawn once a second. */
export const useSecond = (element: HTMLMediaElement | null): number =>
  useElement(element, TIME, ({ currentTime }) => Math.floor(currentTime), 0)
/** 0 until it is known. */
export const useLength = (element: HTMLMediaElement | null): number =>
  useElement(element, LENGTH, ({ duration }) => (Number.isFinite(duration) ? duration : 0), 0)
export const useEnded = (element: HTMLMediaElement | null): boolean =>
  useElement(element, ENDED, ({ ended }) => ended, false)
