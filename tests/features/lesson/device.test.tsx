import { renderHook } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { standing } from '#src/ui/sight.ts'
import { useLandscape } from '#src/features/course/lesson/useLandscape.ts'
import { useAwake } from '#src/features/course/lesson/watch/useAwake.ts'
import { useMediaSession } from '#src/features/course/lesson/useMediaSession.ts'
import { placed } from '#src/features/course/lesson/lessons.ts'
import type { CourseDetail } from '#src/contract/course.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'

/** What a phone gives besides the page: its screen, its lock screen. */
afterEach(() => vi.unstubAllGlobals())

test('the screen is held by one lock, however often the page is hidden and seen, and let go', async () => {
  const locks: { released: boolean; release: () => Promise<void> }[] = []
  const request = () => {
    const lock = { released: false, release: () => Promise.resolve(void (lock.released = true)) }
    locks.push(lock)
    return Promise.resolve(lock)
  }
  const held = () => locks.filter(({ released }) => !released).length
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { wakeLock: { request } }))
  const { unmount } = renderHook(() => useAwake(true))
  document.dispatchEvent(new Event('visibilitychange'))
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(held).toBe(1)
  // The browser takes it back while the page is hidden.
  await locks[0]?.release()
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(held).toBe(1)
  expect(locks).toHaveLength(2)
  unmount()
  await expect.poll(held).toBe(0)
})

test('the lock screen tells what plays and where, and nothing any more once the lesson is left', () => {
  giveMedia()
  let position: MediaPositionState | undefined
  const session = {
    metadata: null as { title: string } | null,
    setPositionState: (next?: MediaPositionState) => (position = next),
    setActionHandler: () => {},
  }
  vi.stubGlobal(
    'MediaMetadata',
    class {
      title: string
      constructor({ title }: { title: string }) {
        this.title = title
      }
    },
  )
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaSession: session }))
  const lesson = placed([COURSE], true)[0]
  if (!lesson) throw new Error('no lesson')
  const element = document.createElement('audio')
  const { unmount } = renderHook(() =>
    useMediaSession(element, lesson, { seek: () => {}, step: 15, previous: null, next: null }),
  )
  media.loaded(element, 60)
  element.currentTime = 20
  element.dispatchEvent(new Event('seeked'))
  expect(session.metadata?.title).toBe('第1课')
  expect(position).toMatchObject({ duration: 60, position: 20 })
  element.dispatchEvent(new Event('emptied'))
  expect(position).toBeUndefined()
  element.dispatchEvent(new Event('seeked'))
  expect(position).toMatchObject({ position: 20 })
  unmount()
  expect(session.metadata).toBeNull()
  expect(position).toBeUndefined()
})

test.each([
  ['in sight stays', { at: 100, size: 300 }, { at: 200, size: 44 }, 100],
  ['below comes to the middle', { at: 0, size: 300 }, { at: 400, size: 44 }, 272],
  ['above comes to the middle', { at: 500, size: 300 }, { at: 300, size: 44 }, 172],
  ['at the edge comes in', { at: 0, size: 300 }, { at: 250, size: 44 }, 122],
  ['the first stands at the top', { at: 90, size: 300 }, { at: 0, size: 44 }, 0],
])('a line that is %s', (_, list, part, top) => expect(standing(list, part)).toBe(top))

const COURSE: CourseDetail = {
  no: 'K1',
  title: '课程',
  kind: 'audio',
  subject: null,
  cover: { src: '/a.svg', width: 16, height: 9 },
  teacher: '教员',
  aboutTeacher: '',
  intro: '',
  price: 0,
  byVip: false,
  vip: false,
  days: null,
  at: 0,
  seconds: 60,
  trials: 0,
  open: true,
  withdrawn: false,
  until: null,
  lessons: ['K1_1'],
  libraries: [],
  handouts: [],
  packages: [],
  units: [
    {
      no: 'u1',
      title: '第一章',
      lessons: [{ no: 'K1_1', title: '第1课', seconds: 60, bytes: 1, trial: false, subtitles: false }],
    },
  ],
}

describe('in full screen', () => {
  /** A phone that notes how its screen is held. @param no it refuses to be turned */
  function phone({ no = false } = {}) {
    const said: string[] = []
    const lock = (to: string) => {
      said.push(to)
      return no ? Promise.reject(new DOMException('no', 'NotSupportedError')) : Promise.resolve()
    }
    vi.stubGlobal('screen', { orientation: { type: 'portrait-primary', lock, unlock: () => void said.push('free') } })
    return said
  }
  const film = (width: number, height: number) => {
    const element = document.createElement('video')
    const shape = (w: number, h: number) =>
      Object.defineProperties(element, {
        videoWidth: { configurable: true, value: w },
        videoHeight: { configurable: true, value: h },
      })
    shape(width, height)
    return { element, shape }
  }
  const show = (element: Element | null) => {
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: element })
    document.dispatchEvent(new Event('fullscreenchange'))
  }
  afterEach(() => void Reflect.deleteProperty(document, 'fullscreenElement'))
  const stage = (element: Element) => {
    const box = document.createElement('div')
    box.append(element)
    return box
  }

  test('a picture that is wider than high turns the phone, once, and gives it back at the end', () => {
    const said = phone()
    const { element } = film(1280, 720)
    renderHook(() => useLandscape(element))
    expect(said).toEqual([])
    show(stage(element))
    element.dispatchEvent(new Event('loadedmetadata'))
    expect(said).toEqual(['landscape'])
    show(null)
    show(null)
    expect(said).toEqual(['landscape', 'free'])
  })
  test('one that is higher than wide turns nothing, nor does what is not this picture', () => {
    const said = phone()
    const { element } = film(720, 1280)
    renderHook(() => useLandscape(element))
    show(stage(element))
    show(document.createElement('div'))
    expect(said).toEqual([])
  })
  test('the next lesson of another shape turns it again, and leaving the lesson gives it back', () => {
    const said = phone()
    const { element, shape } = film(720, 1280)
    const { unmount } = renderHook(() => useLandscape(element))
    show(stage(element))
    shape(1280, 720)
    element.dispatchEvent(new Event('resize'))
    shape(720, 1280)
    element.dispatchEvent(new Event('loadedmetadata'))
    shape(1280, 720)
    element.dispatchEvent(new Event('resize'))
    expect(said).toEqual(['landscape', 'free', 'landscape'])
    unmount()
    expect(said.at(-1)).toBe('free')
  })
  test('a screen that will not be turned, or cannot be, is left as it is', async () => {
    const said = phone({ no: true })
    const { element } = film(1280, 720)
    renderHook(() => useLandscape(element))
    show(stage(element))
    await Promise.resolve()
    expect(said).toEqual(['landscape'])
    vi.stubGlobal('screen', {})
    renderHook(() => useLandscape(film(1280, 720).element))
    show(stage(element))
  })
})
