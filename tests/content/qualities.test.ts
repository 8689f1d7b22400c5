import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCourse } from '#server/content/publish/courseFile.ts'
import { courseFolder, first, withLessons } from '#tests/support/courses.ts'
import { makeLadder, weigh } from '#tests/support/ladder.ts'

const folder = courseFolder()
const ladder = path.join(folder, 'ladder')
let isReal = false
beforeAll(async () => void (isReal = await makeLadder(ladder)))

async function read(...media: string[]) {
  const lesson = { ...first, subtitles: [], media }
  const { course, findings } = await readCourse(path.join(folder, 'course.json'), withLessons(lesson))
  const faults = findings.filter(({ level }) => level === 'fault').map(({ reason }) => reason)
  return { faults, lesson: course?.units[0]?.lessons[0] }
}
const put = (name: string, ...lines: string[]): string => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), ['#EXTM3U', ...lines, ''].join('\n'))
  return name
}

describe('a playlist of several qualities', () => {
  test('keeps the files of each apart, and says what each weighs', async () => {
    const { faults, lesson } = await read('ladder/main.m3u8')
    expect(faults).toEqual([])
    expect(lesson?.media.sizes).toEqual([
      { quality: 'smooth', lines: 360, bytes: weigh(ladder, 360) },
      { quality: 'standard', lines: 540, bytes: weigh(ladder, 540) },
      { quality: 'high', lines: 720, bytes: weigh(ladder, 720) },
    ])
    const [rendition] = lesson?.media.renditions ?? []
    expect(rendition?.variants?.map(({ main, lines }) => [main, lines])).toEqual([
      ['1/720/index.m3u8', 720],
      ['1/540/index.m3u8', 540],
      ['1/360/index.m3u8', 360],
    ])
    for (const { main, files, type } of rendition?.variants ?? []) {
      const names = files.map((place) => rendition?.files[place]?.name ?? '')
      const below = path.posix.dirname(main)
      expect(names[0]).toBe(main)
      expect(names.every((name) => name.startsWith(`${below}/`))).toBe(true)
      expect(names.length).toBeGreaterThan(3)
      expect(type).toMatch(/^video\/mp4; codecs="vp09\..*opus"$/)
    }
  })

  test('of one height in two codecs is one quality: the device takes what it plays', async () => {
    const { lesson } = await read('list/main.m3u8')
    expect(lesson?.media.sizes).toEqual([])
    expect(lesson?.media.renditions[0]?.variants?.map(({ lines, type }) => [lines, type])).toEqual([
      [360, expect.stringContaining('vp09')],
      [360, expect.stringContaining('avc1')],
    ])
  })

  test('that are one by one in files are told apart by their pictures', async () => {
    const { lesson } = await read('第一课.webm', '第一课.mp4')
    expect(lesson?.media.renditions.map(({ lines }) => lines)).toEqual([360, 360])
    expect(lesson?.media.sizes).toEqual([])
  })

  test('that has no lines written, or sound alone among its pictures, is told by what its pieces are', async () => {
    const bare = put(
      'ladder/bare.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=1',
      '360/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="x,RESOLUTION=9x9"',
      '720/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="again"',
      '720/index.m3u8',
    )
    const { faults, lesson } = await read(bare)
    expect(faults).toEqual([])
    expect(lesson?.media.renditions[0]?.variants).toHaveLength(2)
    expect(lesson?.media.sizes).toHaveLength(isReal ? 2 : 0)
  })

  test('has as many as somebody can choose from, and each file is counted', async () => {
    const list = readFileSync(path.join(ladder, '360/index.m3u8'), 'utf8')
    const many = Array.from({ length: 30 }, (_, i) => {
      writeFileSync(path.join(ladder, `360/n${i}.m3u8`), list)
      return [`#EXT-X-STREAM-INF:BANDWIDTH=${i},RESOLUTION=16x${i + 9}`, `360/n${i}.m3u8`]
    })
    expect((await read(put('ladder/many.m3u8', ...many.flat()))).faults).toEqual([
      'ladder/many.m3u8 里有 30 种清晰度，最多 24 种，请只留几种再导出',
    ])
    // Lines that no picture has are not believed.
    const absurd = ['#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=99999999999x99999999999', '360/index.m3u8']
    const { lesson } = await read(put('ladder/absurd.m3u8', ...absurd))
    expect(lesson?.media.renditions[0]?.variants?.[0]?.lines ?? 0).toBeLessThan(10_000)
  })
})
