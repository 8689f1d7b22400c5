import { describe, expect, test } from 'vitest'
import { bytesText } from '#src/domain/text/bytes.ts'
import { chapterAfter, chaptersWithin } from '#src/domain/question/chapters.ts'
import { addDay, dayOfAnswer } from '#src/domain/study/days.ts'
import { isPictureSource } from '#src/domain/text/html.ts'
import { goodsText } from '#src/domain/money/orderNames.ts'
import { pictureType } from '#src/domain/app/picture.ts'
import { readablePath } from '#src/domain/text/readablePath.ts'
import { storable } from '#src/domain/text/storable.ts'
import { saying } from '#src/domain/text/words.ts'

test.each([
  [0, '1 KB'],
  [1500, '1 KB'],
  [1600, '2 KB'],
  [100 * 1024 - 1, '100 KB'],
  [100 * 1024, '0.1 MB'],
  [1.5 * 1024 ** 2, '1.5 MB'],
  [99.94 * 1024 ** 2, '99.9 MB'],
  [100.4 * 1024 ** 2, '100 MB'],
  [999.9 * 1024 ** 2, '1000 MB'],
  [1000 * 1024 ** 2, '1.0 GB'],
  [2.5 * 1024 ** 3, '2.5 GB'],
])('%d bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))

test('a chapter has the chapters below it, and those below these, and no other', () => {
  const chapters = [
    { no: 'a', parent: null },
    { no: 'b', parent: null },
    { no: 'a1', parent: 'a' },
    { no: 'b1', parent: 'b' },
    { no: 'a11', parent: 'a1' },
  ]
  expect([...chaptersWithin('a', chapters)]).toEqual(['a', 'a1', 'a11'])
  expect([...chaptersWithin('b1', chapters)]).toEqual(['b1'])
})

test('after a chapter comes its sibling, else the next that holds questions itself, and never one without any', () => {
  const chapters = [
    { no: 'a', parent: null, total: 3 },
    { no: 'a1', parent: 'a', total: 1 },
    { no: 'a2', parent: 'a', total: 2 },
    { no: 'b', parent: null, total: 0 },
    { no: 'c', parent: null, total: 1 },
    { no: 'c1', parent: 'c', total: 1 },
  ]
  const after = (no: string) => chapterAfter(no, chapters)?.no
  expect(['a', 'a1', 'a2', 'c', 'c1', 'elsewhere'].map(after)).toEqual([
    'c',
    'a2',
    'c1',
    undefined,
    undefined,
    undefined,
  ])
})

test('a day is the sum of its answers, and one that is taken back leaves it as it was', () => {
  const [right, wrong] = [dayOfAnswer({ right: true, spentMs: 300 }), dayOfAnswer({ spentMs: 50 })]
  const both = addDay(addDay(undefined, right), wrong)
  expect(both).toEqual({ answered: 2, right: 1, spentMs: 350 })
  expect(addDay(both, right, -1)).toEqual(wrong)
  expect(wrong).toEqual({ answered: 1, right: 0, spentMs: 50 })
})

describe('a picture in a text', () => {
  const name = 'a0'.repeat(16)
  test.each([`/media/${name}.png`, `/media/${'f'.repeat(64)}.webp`, 'https://img.lijian.example/1.png'])(
    'may be %s',
    (src) => expect(isPictureSource(src)).toBe(true),
  )
  test.each([
    'data:image/png;base64,AA',
    `javascript:alert(1)//https://`,
    `http://img.lijian.example/1.png`,
    `/evil/media/${name}.png`,
    `/media/${name}.png?x`,
    '/media/a.png',
    `/media/${'g'.repeat(32)}.png`,
    `/media/${name}.p`,
    `/media/${name}.123`,
  ])('may not be %s', (src) => expect(isPictureSource(src)).toBe(false))
})

test.each([
  [[0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
  [[0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x45, 0x42, 0x50], 'image/webp'],
  // Sound in the same container.
  [[0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x41, 0x56, 0x45], null],
  [[1, 2, 3, 4, 5, 6, 7, 8, 0x57, 0x45, 0x42, 0x50], null],
  [[0xff, 0xd8], null],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a], null],
  [[], null],
])('a file that begins with %j is %s', (head, type) => expect(pictureType(Uint8Array.from(head))).toBe(type))

test('goods are called by the first of them, and how many they are', () => {
  expect(goodsText({ title: '口袋书', quantity: 1 })).toBe('口袋书')
  expect(goodsText({ title: '口袋书', quantity: 3 })).toBe('口袋书 等3件')
})

test.each([
  ['/question/library', '/question/library'],
  ['/a/%E7%AC%AC', '/a/%E7%AC%AC'],
  ['/%E0%A4%A', '/%25E0%25A4%25A'],
  ['/a/%', '/a/%25'],
])('the path %s is read as %s', (path, read) => expect(readablePath(path)).toBe(read))

test.each([
  ['加油\ud83d', '加油\ufffd'],
  ['\ude00加油', '\ufffd加油'],
  ['甲\0乙', '甲\ufffd乙'],
  ['加油😀', '加油😀'],
  ['\\u0000 \\\\ud83d \\', '\\u0000 \\\\ud83d \\'],
  ['\n\t"', '\n\t"'],
])('%j is stored as %j', (text, stored) => expect(JSON.parse(storable({ text }))).toEqual({ text: stored }))

describe('words that are looked for', () => {
  test('are all in the text, in any order, width and case', () => {
    expect(saying('数学 ABC')('ａｂｃ与数学')).toBe(true)
    expect(saying('数学 ABC')('数学')).toBe(false)
  })
  test('are anything while nothing is typed', () => {
    for (const said of ['', '   ', ' 数学  题 ']) expect(saying(said)('数学题')).toBe(true)
  })
  test.each(['ſ', 'ß'])('such as %s are found as they are typed', (sign) => expect(saying(sign)(sign)).toBe(true))
})
