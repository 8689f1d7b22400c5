import { expect, test } from 'vitest'
import type { Rendition, Variant } from '#src/contract/course.ts'
import {
  byQuality,
  choicesOf,
  pick,
  qualityText,
  sameWish,
  USUAL_WISH,
  type Wish,
  wishOf,
  wishText,
} from '#src/domain/course/quality.ts'

const file = (name: string, bytes: number) => ({ name, type: 'video/mp2t', bytes, parts: [] })
const mp4 = (lines: number | null, bytes: number, main = `${lines}.mp4`): Rendition => ({
  type: 'video/mp4',
  main,
  lines,
  files: [file(main, bytes)],
})
const sound = (main: string, bytes: number): Rendition => ({ ...mp4(null, bytes, main), type: 'audio/mp4' })
const variant = (lines: number | null, ...files: number[]): Variant => ({
  type: 'video/mp4',
  lines,
  main: `v${lines}-${files.join('')}.m3u8`,
  files,
})
const playlist = (...variants: Variant[]): Rendition => ({
  type: 'application/vnd.apple.mpegurl',
  main: 'main.m3u8',
  lines: null,
  files: [file('a.ts', 10), file('b.ts', 20), file('c.ts', 40)],
  variants,
})
const all = () => true
const told = (renditions: readonly Rendition[], plays: Parameters<typeof choicesOf>[1] = all) =>
  choicesOf(renditions, plays).map(({ quality, lines, bytes, rendition }) => [quality, lines, bytes, rendition.main])

test('pictures are named by their lines, and come the smallest first', () => {
  expect(told([mp4(720, 9), mp4(601, 8), mp4(600, 7), mp4(401, 6), mp4(400, 5), mp4(360, 4)])).toEqual([
    ['smooth', 360, 4, '360.mp4'],
    ['smooth', 400, 5, '400.mp4'],
    ['standard', 401, 6, '401.mp4'],
    ['standard', 600, 7, '600.mp4'],
    ['high', 601, 8, '601.mp4'],
    ['high', 720, 9, '720.mp4'],
  ])
})

test('of each height there is one: a file before a playlist, the operator’s first file, a playlist’s lightest', () => {
  const list = playlist(variant(540, 0, 2), variant(540, 0, 1), variant(360, 1, 7))
  expect(told([mp4(720, 9, 'first.mp4'), mp4(720, 3, 'second.mp4'), list, mp4(360, 4)])).toEqual([
    ['smooth', 360, 4, '360.mp4'],
    ['standard', 540, 30, 'v540-01.m3u8'],
    ['high', 720, 9, 'first.mp4'],
  ])
})

test('what a device does not play as a file may still play as pieces of a playlist, which then has its own files alone', () => {
  const plays = (type: string, as: 'file' | 'playlist') => type === 'video/mp4' && as === 'playlist'
  const [only, ...others] = choicesOf([mp4(720, 9), playlist(variant(360, 0, 2))], plays)
  expect(others).toEqual([])
  expect(only).toEqual({
    quality: 'smooth',
    lines: 360,
    bytes: 50,
    rendition: {
      type: 'application/vnd.apple.mpegurl',
      main: 'v360-02.m3u8',
      lines: 360,
      files: [file('a.ts', 10), file('c.ts', 40)],
    },
  })
})

test('a rendition carries the name of its quality only where there was something to choose from', () => {
  const named = (renditions: readonly Rendition[]) =>
    choicesOf(renditions, all).map(({ rendition }) => rendition.quality)
  expect(named([mp4(720, 9)])).toEqual([undefined])
  expect(named([mp4(720, 9), mp4(360, 4)])).toEqual(['smooth', 'high'])
})

test('pieces without pictures are ranked by their weight: the lightest, the middle one and the heaviest', () => {
  const voices = (...places: number[][]) => told([playlist(...places.map((files) => variant(null, ...files)))])
  expect(voices([2], [0], [1])).toEqual([
    ['smooth', null, 10, 'vnull-0.m3u8'],
    ['standard', null, 20, 'vnull-1.m3u8'],
    ['high', null, 40, 'vnull-2.m3u8'],
  ])
  expect(voices([0, 1, 2], [2], [1], [0, 1]).map(([quality, , bytes]) => [quality, bytes])).toEqual([
    ['smooth', 20],
    ['standard', 30],
    ['high', 70],
  ])
  expect(voices([2], [1]).map(([quality, , bytes]) => [quality, bytes])).toEqual([
    ['smooth', 20],
    ['high', 40],
  ])
  expect(voices([2])).toEqual([['smooth', null, 40, 'vnull-2.m3u8']])
  expect(told([sound('a.m4a', 3)])).toEqual([])
  expect(told([])).toEqual([])
})

test('pictures are chosen from where there are any, and a voice beside them is none', () => {
  expect(told([playlist(variant(null, 0), variant(360, 1))])).toEqual([['smooth', 360, 20, 'v360-1.m3u8']])
})

const wish = (quality: Wish['quality'], lines: number | null): Wish => ({ quality, lines })
const list = [wish('smooth', 240), wish('smooth', 360), wish('standard', 480), wish('standard', 540), wish('high', 720)]

test.each<[Wish, readonly Wish[], Wish | undefined]>([
  [wish('standard', 540), list, wish('standard', 540)],
  [wish('standard', 500), list, wish('standard', 480)],
  [wish('standard', 450), list, wish('standard', 480)],
  [wish('standard', null), list, wish('standard', 540)],
  [wish('high', 1080), list, wish('high', 720)],
  [wish('standard', 540), [wish('smooth', 360), wish('high', 720)], wish('smooth', 360)],
  [wish('high', 720), [wish('smooth', 240), wish('standard', 480)], wish('standard', 480)],
  [wish('smooth', 360), [wish('standard', 480), wish('high', 720)], wish('standard', 480)],
  [wish('standard', null), [wish('smooth', null), wish('high', null)], wish('smooth', null)],
  [wish('smooth', 360), [], undefined],
])('the wish %o among %o is answered with %o', (asked, among, found) => {
  expect(pick(among, asked)).toEqual(found)
})

test('a wish is remembered as text, and anything else is none', () => {
  for (const each of [...list, wish('high', null)]) expect(wishOf(wishText(each))).toEqual(each)
  expect(wishText(USUAL_WISH)).toBe('standard:540')
  for (const text of [
    null,
    '',
    'standard',
    'best:540',
    'standard:540p',
    'standard:123456',
    ' standard:540',
    'x standard:5',
  ])
    expect(wishOf(text)).toBeNull()
})

test('two wishes are the same with the same name and the same lines', () => {
  expect(sameWish(wish('high', 720), wish('high', 720))).toBe(true)
  expect(sameWish(wish('high', 720), wish('high', 1080))).toBe(false)
  expect(sameWish(wish('high', null), wish('smooth', null))).toBe(false)
  expect(sameWish(undefined, undefined)).toBe(true)
  expect(sameWish(wish('high', 720), undefined)).toBe(false)
  expect(sameWish(undefined, wish('high', 720))).toBe(false)
})

test('qualities are told by name and lines, and sorted by both', () => {
  expect(qualityText('video', wish('high', 720))).toBe('高清 720P')
  expect(qualityText('video', wish('smooth', null))).toBe('流畅')
  expect(qualityText('audio', wish('standard', null))).toBe('标准')
  expect(list.toReversed().toSorted(byQuality)).toEqual(list)
  expect([wish('smooth', 240), wish('smooth', null)].toSorted(byQuality)[0]).toEqual(wish('smooth', null))
})
