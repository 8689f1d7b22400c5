import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LessonMedia, Rendition } from '#src/contract/course.ts'
import type { Wish } from '#src/domain/course/quality.ts'
import type { KeptLesson } from '#src/features/course/lesson/media/doors.ts'
import { watchPrefs } from '#src/features/course/lesson/prefs.ts'
import { renditionOf } from '#src/features/course/lesson/media/rendition.ts'
import { LessonSource, type SourceState } from '#src/features/course/lesson/media/source.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'

const LINES = [720, 540, 360]
const HLS = 'application/vnd.apple.mpegurl'
const files: Rendition[] = LINES.map((lines, i) => ({ type: 'video/mp4', main: `${i}.mp4`, lines, files: [] }))
const variants = LINES.map((lines) => ({ type: 'video/mp4', lines, main: `1/${lines}/index.m3u8`, files: [] }))
const playlist: Rendition = { type: HLS, main: '1/main.m3u8', files: [], variants }
const lesson = (renditions: Rendition[]): LessonMedia => ({
  lesson: 'K1_1',
  course: 'K1',
  kind: 'video',
  rev: 'r1',
  base: '/media/lesson/s/K1_1/r1/',
  until: 0,
  rightUntil: null,
  renditions,
  subtitles: [],
})
const able = { canPlayType: () => 'maybe', mse: true }
const SMOOTH: Wish = { quality: 'smooth', lines: 360 }

let element: HTMLVideoElement
let state: SourceState
let source: LessonSource
let wish: Wish | null
let answer: LessonMedia
let kept: KeptLesson | null
beforeEach(() => {
  giveMedia()
  element = document.createElement('video')
  wish = kept = null
  answer = lesson(files)
  const doors = { ask: () => Promise.resolve(answer), wish: () => wish, kept: () => Promise.resolve(kept) }
  source = new LessonSource(element, doors, (next) => (state = next))
})
afterEach(() => {
  source.end()
  vi.unstubAllGlobals()
})
const comes = async (name: string) =>
  await expect.poll(() => element.getAttribute('src')).toBe(`/media/lesson/s/K1_1/r1/${name}`)

describe('the quality of a lesson', () => {
  test('is what is wished for, else the operator’s first; what failed here is passed over', () => {
    const of = (renditions: Rendition[], asked: Wish | null, ...failed: string[]) =>
      renditionOf(able, lesson(renditions), new Set(failed), asked)?.main
    expect(of(files, null)).toBe('0.mp4')
    expect(of(files, SMOOTH)).toBe('2.mp4')
    expect(of(files, SMOOTH, '2.mp4')).toBe('1.mp4')
    expect(of([playlist], null)).toBe('1/main.m3u8')
    expect(of([playlist], SMOOTH)).toBe('1/360/index.m3u8')
    expect(of([{ type: HLS, main: 'old.m3u8', files: [] }], SMOOTH)).toBe('old.m3u8')
  })

  test('changes at the same second, and plays on', async () => {
    source.open('K1_1', { at: 30, play: true })
    await comes('0.mp4')
    media.loaded(element, 1800)
    media.plays(element, 61)
    expect(state.choices.map(({ lines }) => lines)).toEqual([360, 540, 720])
    wish = SMOOTH
    source.choose()
    await comes('2.mp4')
    media.loaded(element, 1800)
    expect(element).toMatchObject({ currentTime: 61, paused: false })
    wish = null
    element.pause()
    source.choose()
    await comes('0.mp4')
    media.loaded(element, 1800)
    expect(element).toMatchObject({ currentTime: 61, paused: true })
  })

  test('of what is downloaded is that of the download: nothing else is asked for', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:kept', revokeObjectURL: () => {} }))
    const [rendition] = files
    const file = () => Promise.resolve(new Blob(['x']))
    if (rendition) kept = { opens: 'open', media: answer, rendition, file, mend: () => Promise.resolve() }
    wish = SMOOTH
    source.open('K1_1', { at: 0, play: false })
    await expect.poll(() => element.getAttribute('src')).toBe('blob:kept')
    media.loaded(element, 1800)
    source.choose()
    expect(element.getAttribute('src')).toBe('blob:kept')
    expect(state).toMatchObject({ choices: [], busy: false, trouble: null })
  })

  test('is remembered by the device, and 自动 is too', () => {
    expect(watchPrefs.quality()).toBeNull()
    watchPrefs.setQuality(SMOOTH)
    expect(watchPrefs.quality()).toEqual(SMOOTH)
    watchPrefs.setQuality(null)
    expect(watchPrefs.quality()).toBeNull()
  })
})
