import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { useLesson } from '#src/offline/useLessons.ts'

afterEach(() => vi.unstubAllGlobals())

test('what the download of one lesson does is drawn at that lesson alone', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  let draws = 0
  const other = renderHook(() => {
    draws += 1
    return useLesson('K1_2')
  })
  const own = renderHook(() => useLesson('K1_1'))
  await expect.poll(() => other.result.current).toEqual({ row: undefined, activity: undefined })
  const before = draws
  const wanted = { lesson: 'K1_1', title: '第1课', course: 'K1', courseTitle: '课程', bytes: 1, free: true }
  await lessons.start([wanted])
  await expect.poll(() => own.result.current?.activity).toBeDefined()
  expect(draws).toBe(before)
  await lessons.cancel(['K1_1'])
  await expect.poll(() => own.result.current).toEqual({ row: undefined, activity: undefined })
})
