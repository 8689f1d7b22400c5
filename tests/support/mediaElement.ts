import { fireEvent } from '@testing-library/react'

/** What a browser's element knows and jsdom's does not. */
interface Playing {
  at: number
  duration: number
  paused: boolean
  ended: boolean
  seeking: boolean
  readyState: number
  error: number | null
  /** It has played since it was loaded. */
  played: boolean
}
const states = new WeakMap<HTMLMediaElement, Playing>()
const stateOf = (element: HTMLMediaElement): Playing => {
  const known = states.get(element)
  if (known) return known
  const fresh = { at: 0, duration: Number.NaN, paused: true, ended: false, seeking: false, readyState: 0, error: null }
  const state = { ...fresh, played: false }
  states.set(element, state)
  return state
}
const tell = (element: HTMLMediaElement, ...types: string[]): void => {
  for (const type of types) fireEvent(element, new Event(type))
}
/** What a page does to an element is told after the page is done, as in a browser. */
const tellSoon = (element: HTMLMediaElement, ...types: string[]): void =>
  queueMicrotask(() => types.forEach((type) => element.dispatchEvent(new Event(type))))

/** A browser's part of a media element: it stands where it is put, and plays when a test says so (`media`). */
export function giveMedia(canPlay: (type: string) => boolean = () => true): void {
  const read = <T>(get: (state: Playing) => T, set?: (element: HTMLMediaElement, value: T) => void) => ({
    configurable: true,
    get(this: HTMLMediaElement) {
      return get(stateOf(this))
    },
    ...(set && {
      set(this: HTMLMediaElement, value: T) {
        set(this, value)
      },
    }),
  })
  Object.defineProperties(HTMLMediaElement.prototype, {
    currentTime: read(
      ({ at }) => at,
      (element, at) => moveTo(element, at),
    ),
    duration: read(({ duration }) => duration),
    paused: read(({ paused }) => paused),
    ended: read(({ ended }) => ended),
    seeking: read(({ seeking }) => seeking),
    readyState: read(({ readyState }) => readyState),
    error: read(({ error }) => (error === null ? null : { code: error })),
    played: read(({ played }) => ({ length: played ? 1 : 0 })),
    // As in Chrome; jsdom’s are lists that nobody can listen to.
    audioTracks: { configurable: true, value: undefined },
    videoTracks: { configurable: true, value: undefined },
    textTracks: {
      configurable: true,
      value: Object.assign(new EventTarget(), { length: 0, [Symbol.iterator]: () => [].values() }),
    },
    canPlayType: { configurable: true, value: (type: string) => (canPlay(type) ? 'probably' : '') },
    load: {
      configurable: true,
      value(this: HTMLMediaElement) {
        states.delete(this)
        tellSoon(this, 'emptied')
      },
    },
    play: {
      configurable: true,
      value(this: HTMLMediaElement) {
        const state = stateOf(this)
        Object.assign(state, { paused: false, ended: false })
        tellSoon(this, 'play', ...(state.readyState > 0 ? ['playing'] : []))
        return Promise.resolve()
      },
    },
    pause: {
      configurable: true,
      value(this: HTMLMediaElement) {
        const state = stateOf(this)
        if (state.paused) return
        state.paused = true
        tellSoon(this, 'pause')
      },
    },
  })
  if (!('MediaError' in globalThis))
    Object.assign(globalThis, { MediaError: { MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3 } })
}

function moveTo(element: HTMLMediaElement, at: number): void {
  const state = stateOf(element)
  Object.assign(state, { at, seeking: true, ended: false })
  tellSoon(element, 'seeking')
  queueMicrotask(() => (state.seeking = false))
  tellSoon(element, 'seeked', 'timeupdate')
}

/** What happens to an element from outside. */
export const media = {
  /** Its source has come. */
  loaded: (element: HTMLMediaElement, duration: number): void => {
    Object.assign(stateOf(element), {
      duration,
      readyState: 4,
      error: null,
      at: 0,
      paused: true,
      ended: false,
      played: false,
    })
    tell(element, 'durationchange', 'loadedmetadata')
  },
  /** It plays up to here, with an event each quarter of a second. */
  plays: (element: HTMLMediaElement, to: number): void => {
    const state = stateOf(element)
    state.played = true
    for (state.at += 0.25; state.at < to; state.at += 0.25) tell(element, 'timeupdate')
    state.at = to
    tell(element, 'timeupdate')
    if (to < state.duration) return
    Object.assign(state, { paused: true, ended: true })
    tell(element, 'pause', 'ended')
  },
  fails: (element: HTMLMediaElement, code: number): void => {
    stateOf(element).error = code
    tell(element, 'error')
  },
}
