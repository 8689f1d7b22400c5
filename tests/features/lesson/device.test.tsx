import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { standing } from '#src/features/course/lesson/parts/sight.ts'
import { useAwake } from '#src/features/course/lesson/useAwake.ts'
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
  ['in sight stays', { top: 100, height: 300 }, { top: 200, height: 44 }, 100],
  ['below comes to the middle', { top: 0, height: 300 }, { top: 400, height: 44 }, 272],
  ['above comes to the middle', { top: 500, height: 300 }, { top: 300, height: 44 }, 172],
  ['at the edge comes in', { top: 0, height: 300 }, { top: 250, height: 44 }, 122],
  ['the first stands at the top', { top: 90, height: 300 }, { top: 0, height: 44 }, 0],
])('a line that is %s', (_, list, part, top) => expect(standing(list, part)).toBe(top))

const COURSE = {
  no: 'K1',
  kind: 'audio',
  title: '课程',
  teacher: '教员',
  open: true,
  cover: { src: '/a.svg', width: 16, height: 9 },
  units: [
    { no: 'u1', title: '第一章', lessons: [{ no: 'K1_1', title: '第1课', seconds: 60, bytes: 1, trial: false }] },
  ],
} as unknown as CourseDetail
