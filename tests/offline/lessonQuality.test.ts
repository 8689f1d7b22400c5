import 'fake-indexeddb/auto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError, RefusedError } from '#src/api/errors.ts'
import { contract } from '#src/contract/index.ts'
import type { LessonMedia, LessonSize, Quality } from '#src/contract/course.ts'
import { choicesOf, pick, type Wish, wishOf, wishText } from '#src/domain/course/quality.ts'
import { freeHalfDownload } from '#src/offline/downloads/halfDownloads.ts'
import { type Database, done } from '#src/offline/device/idb.ts'
import {
  createLessons,
  type Lessons,
  lessons as ownLessons,
  type LessonsParts,
} from '#src/offline/downloads/lessons/lessons.ts'
import {
  type LessonRow,
  openMedia,
  type PartRow,
  renditionFor,
  type WantedLesson,
} from '#src/offline/downloads/lessons/media.ts'
import { takePublished } from '#server/bin/publishCommands.ts'
import { unanswered } from '#tests/support/aborted.ts'
import { courseFolder, courseJson, first, subtitles } from '#tests/support/courses.ts'
import { makeLadder, weigh } from '#tests/support/ladder.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

const folder = courseFolder()
const ladder = path.join(folder, 'ladder')
let server: TestServer
let wire: Wire
let onDevice: Lessons[]
/** What the course's page says can be chosen from. */
let sizes: readonly LessonSize[]

beforeAll(async () => {
  ownLessons.close()
  await makeLadder(ladder)
  server = await startServer()
  await publish('C', 0)
  await publish('P', 9900)
  writeFileSync(path.join(folder, 'said.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\n同学们好\n')
  await publish('S', 0, subtitles('said.vtt'))
  const { units } = await server.call(contract.course.detail, { no: 'C' })
  sizes = units[0]?.lessons[0]?.sizes ?? []
})
afterAll(() => server.close())
beforeEach(() => {
  indexedDB = new IDBFactory()
  wire = connect(server)
  onDevice = []
})
afterEach(() => {
  for (const lessons of onDevice) lessons.close()
  wire.restore()
  vi.restoreAllMocks()
})

async function publish(no: string, price: number, said: unknown[] = []): Promise<void> {
  const lesson = { ...first, no: `${no}_1`, trial: false, subtitles: said, media: ['ladder/main.m3u8'] }
  const units = [{ no: `${no}_u1`, title: '第一单元', lessons: [lesson] }]
  const file = path.join(folder, `${no}.json`)
  const json = { ...courseJson, no, price, subject: null, libraries: [], handouts: [], units }
  writeFileSync(file, JSON.stringify(json))
  const { lines } = await takePublished(server.db, 'import', [{ file, kind: 'course' }], false, server.mediaDir)
  expect(lines.join('\n')).toContain('错误 0')
}

const ask = async (no: string): Promise<LessonMedia> => {
  const { status, msg, data } = await server.ask(contract.course.lesson, { no })
  if (status !== 1) throw new RefusedError(msg)
  return data as LessonMedia
}
function openTab(parts: Partial<LessonsParts> = {}): Lessons {
  const lessons = createLessons({
    db: openMedia(),
    owner: 'anon',
    locks: navigator.locks,
    course: (no) => server.call(contract.course.detail, { no }),
    player: async () => {},
    media: ask,
    playing: ask,
    rendition: (media, wish) => renditionFor(media, () => true, true, wish),
    fetch: (src, init) => fetch(src, init),
    missingRoom: async () => 0,
    metered: () => false,
    pause: async () => {},
    random: () => 0.5,
    now: () => server.clock.now,
    seen: () => server.clock.now,
    ...parts,
  })
  onDevice.push(lessons)
  return lessons
}
const sizeOf = (quality: Quality): LessonSize => {
  const size = sizes.find((each) => each.quality === quality)
  if (!size) throw new Error(`there is no ${quality}`)
  return size
}
const wanted = (quality: Quality, lesson = 'C_1'): WantedLesson => {
  const { lines, bytes } = sizeOf(quality)
  const [course = ''] = lesson.split('_')
  const wish = { quality, lines }
  return { lesson, title: '第一课', course, courseTitle: '样课', bytes, wish, free: course !== 'P' }
}
const settled = async (lessons: Lessons): Promise<void> => {
  await expect.poll(() => lessons.get().activities.size).toBe(0)
}
async function download(lessons: Lessons, quality: Quality): Promise<void> {
  await lessons.start([wanted(quality)])
  await settled(lessons)
}
const parts = async (): Promise<PartRow[]> => {
  const db = openMedia()
  const rows = await db.run(['parts'], 'readonly', (tx) => done<PartRow[]>(tx.objectStore('parts').getAll()))
  db.close()
  return rows
}
/** Folders of the ladder of which something is on the device. */
const rungs = async () => [...new Set((await parts()).map(({ file }) => file.split('/').at(-2) ?? ''))].sort()
/** Bytes that the device has asked the server for. */
const asked = () =>
  wire.sent
    .filter(({ path: at }) => at.startsWith('/media/lesson/'))
    .map(({ headers }) => /^bytes=(\d+)-(\d+)$/.exec(headers['range'] ?? '') ?? [])
    .reduce((sum, [, from, to]) => sum + Number(to) - Number(from) + 1, 0)

describe('a lesson in several qualities', () => {
  test('is downloaded in the one that was chosen, at its weight alone, and plays with the wire cut', async () => {
    const lessons = openTab()
    await download(lessons, 'smooth')
    expect(asked()).toBe(sizeOf('smooth').bytes)
    expect(asked()).toBe(weigh(ladder, 360))
    wire.fault = nobody
    const kept = await lessons.kept('C_1')
    expect(kept?.rendition).toMatchObject({ main: '1/360/index.m3u8', quality: 'smooth', lines: 360 })
    for (const { name } of kept?.rendition.files ?? []) {
      const blob = await kept?.file(name)
      const own = readFileSync(path.join(ladder, name.slice('1/'.length)))
      expect(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer()).equals(own)).toBe(true)
    }
    // The list that plays names nothing that is not here.
    const list = await (await kept?.file('1/360/index.m3u8'))?.text()
    const names = list?.split('\n').filter((line) => line !== '' && !line.startsWith('#')) ?? []
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) expect(await kept?.file(`1/360/${name}`)).not.toBeNull()
    expect(await kept?.file('1/720/index.m3u8')).toBeNull()
  })

  test('changes to another: the old one plays until the new one is whole, and then leaves', async () => {
    const lessons = openTab()
    await download(lessons, 'smooth')
    const before = asked()
    let held = true
    const during: unknown[] = []
    wire.fault = async ({ path: at }) => {
      if (!held || !at.includes('/720/')) return null
      held = false
      during.push((await lessons.kept('C_1'))?.rendition.quality, lessons.get().rows?.get('C_1')?.share)
      return null
    }
    await download(lessons, 'high')
    expect(during).toEqual(['smooth', 0])
    expect((await lessons.kept('C_1'))?.rendition).toMatchObject({ main: '1/720/index.m3u8', quality: 'high' })
    expect(asked() - before).toBe(sizeOf('high').bytes)
    expect(await rungs()).toEqual(['720'])
  })

  test('whose change is cancelled stays as it was, and nothing of the other is left', async () => {
    const lessons = openTab()
    await download(lessons, 'smooth')
    const before = (await parts()).length
    const stuck = openTab({
      fetch: (src, init) => (src.includes('s01') || src.includes('_01') ? never(init.signal) : fetch(src, init)),
    })
    await stuck.start([wanted('high')])
    await expect.poll(async () => (await parts()).length).toBeGreaterThan(before)
    await stuck.cancel(['C_1'])
    expect(await rungs()).toEqual(['360'])
    expect((await stuck.kept('C_1'))?.rendition.quality).toBe('smooth')
    // What it loses later comes back in the quality that it has.
    const db = openMedia()
    const [lost] = await parts()
    await db.run(['parts'], 'readwrite', (tx) =>
      done(tx.objectStore('parts').delete(lost ? [lost.owner, lost.lesson, lost.rev, lost.file, lost.n] : [])),
    )
    db.close()
    server.clock.now += 86_400_000
    const other = openTab()
    await other.open()
    await other.mend('C_1', (await other.kept('C_1'))?.media.rev ?? '')
    await expect.poll(async () => (await other.kept('C_1'))?.rendition.quality).toBe('smooth')
    expect(await rungs()).toEqual(['360'])
  })

  test.each([
    [
      'gives back what came',
      async (lessons: Lessons) => {
        await expect.poll(() => lessons.get().activities.get('S_1')?.at).toBe('full')
      },
    ],
    // It may have given everything back already.
    ['gives way to an answer', () => freeHalfDownload('anon')],
  ])('whose change finds no room and %s plays as it was, with the subtitles that both have', async (_, full) => {
    const real = openMedia()
    let room = Infinity
    const db: Database = {
      ...real,
      run: (stores, mode, body) =>
        real.run(stores, mode, async (tx) => {
          const result = await body(tx)
          if (mode === 'readwrite' && (await done(tx.objectStore('parts').count())) > room)
            throw new DOMException('full', 'QuotaExceededError')
          return result
        }),
    }
    const missing = [Infinity, 0]
    const lessons = openTab({ db, missingRoom: async () => missing.shift() ?? 0 })
    await lessons.start([wanted('smooth', 'S_1')])
    await settled(lessons)
    const before = (await parts()).map(({ file }) => file)
    room = before.length + 3
    await lessons.start([wanted('high', 'S_1')])
    await expect.poll(async () => (await parts()).length).toBeGreaterThan(before.length)
    await full(lessons)
    await settled(lessons).catch(() => {})
    expect((await parts()).map(({ file }) => file)).toEqual(expect.arrayContaining(before))
    const kept = await lessons.kept('S_1')
    for (const { file } of kept?.media.subtitles ?? []) expect(await kept?.file(file.name)).not.toBeNull()
    expect(kept?.rendition.quality).toBe('smooth')
  })

  test('of which another is chosen on the way goes on with that one', async () => {
    const stuck = openTab({
      fetch: (src, init) => (src.includes('/720/') ? never(init.signal) : fetch(src, init)),
    })
    await stuck.start([wanted('high')])
    await expect.poll(() => stuck.get().activities.get('C_1')?.at).toBe('running')
    await stuck.start([wanted('standard')])
    await settled(stuck)
    expect((await stuck.kept('C_1'))?.rendition.quality).toBe('standard')
    expect(await rungs()).toEqual(['540'])
  })

  test('kept with all of them, before they were told apart, plays whole as it did', async () => {
    const whole = openTab({ rendition: ({ renditions }) => renditions[0] })
    const { wish: _, ...before } = wanted('smooth')
    await whole.start([before])
    await settled(whole)
    expect(asked()).toBeGreaterThan(sizeOf('smooth').bytes + sizeOf('standard').bytes + sizeOf('high').bytes)
    const lessons = openTab()
    wire.fault = nobody
    await lessons.open()
    const kept = await lessons.kept('C_1')
    expect(kept?.rendition.main).toBe('1/main.m3u8')
    for (const { name } of kept?.rendition.files ?? []) expect(await kept?.file(name)).not.toBeNull()
    wire.fault = null
    const spent = asked()
    // Who makes it smaller fetches nothing: it is here.
    await download(lessons, 'smooth')
    expect(asked()).toBe(spent)
    expect(await rungs()).toEqual(['360'])
  })

  test('that is not theirs is refused in every quality', async () => {
    const lessons = openTab()
    await lessons.start([wanted('smooth', 'P_1')])
    await expect.poll(() => lessons.get().activities.get('P_1')?.message).toContain('购买《样课》')
    expect(await parts()).toEqual([])
    const { base } = await ask('C_1')
    const other = base.replace('/C_1/', '/P_1/')
    expect((await fetch(`${other}1/360/index.m3u8`)).status).toBe(403)
  })

  test('without a network says so, and begins with the wish when it is back', async () => {
    let away = true
    const lessons = openTab({ media: (no) => (away ? Promise.reject(new OfflineError('')) : ask(no)) })
    const row = (): LessonRow | undefined => lessons.get().rows?.get('C_1')
    await lessons.start([wanted('standard')])
    await expect.poll(() => row()?.wish).toEqual({ quality: 'standard', lines: 540 })
    away = false
    await lessons.resume(['C_1'])
    await settled(lessons)
    expect(row()?.ready?.rendition.quality).toBe('standard')
  })
})

describe('a choice', () => {
  const of = (...lines: number[]) =>
    choicesOf(
      lines.map((each) => ({ type: 'video/mp4', main: `${each}.mp4`, lines: each, files: [] })),
      () => true,
    )
  test.each<[number[], Wish, number]>([
    [[360, 540, 720], { quality: 'standard', lines: 540 }, 540],
    [[360, 480, 720], { quality: 'standard', lines: 540 }, 480],
    [[360, 540, 720], { quality: 'standard', lines: 480 }, 540],
    [[360, 720], { quality: 'standard', lines: 540 }, 360],
    [[540, 720], { quality: 'smooth', lines: 360 }, 540],
    [[480, 720, 1080], { quality: 'high', lines: 720 }, 720],
    [[480, 720, 1080], { quality: 'high', lines: 1080 }, 1080],
    [[360, 540], { quality: 'high', lines: 720 }, 540],
  ])('among %j of %j is %i', (lines, wish, picked) => expect(pick(of(...lines), wish)?.lines).toBe(picked))

  test('has the names that people know, each height its own, a file before a playlist', () => {
    expect(of(720, 240, 1080, 480).map(({ quality, lines }) => [quality, lines])).toEqual([
      ['smooth', 240],
      ['standard', 480],
      ['high', 720],
      ['high', 1080],
    ])
    const variants = [360, 720].map((lines) => ({ type: 'video/mp4', lines, main: `${lines}.m3u8`, files: [] }))
    const hls = { type: 'application/vnd.apple.mpegurl', main: 'main.m3u8', files: [], variants }
    const file = { type: 'video/mp4', main: '720.mp4', lines: 720, files: [] }
    expect(choicesOf([hls, file], () => true).map(({ rendition }) => rendition.main)).toEqual(['360.m3u8', '720.mp4'])
    // What the device does not play is none.
    expect(choicesOf([hls, file], (_, as) => as === 'file').map(({ rendition }) => rendition.main)).toEqual(['720.mp4'])
    expect(choicesOf([{ ...file, lines: null }], () => true)).toEqual([])
  })

  test('of sound alone goes by weight', () => {
    const files = [10, 30, 20].map((bytes, i) => ({ name: `${i}`, type: '', bytes, parts: [] }))
    const variants = files.map(({ name }, i) => ({ type: 'audio/mp4', lines: null, main: name, files: [i] }))
    const hls = { type: 'application/vnd.apple.mpegurl', main: 'main.m3u8', files, variants }
    expect(choicesOf([hls], () => true).map(({ quality, bytes }) => [quality, bytes])).toEqual([
      ['smooth', 10],
      ['standard', 20],
      ['high', 30],
    ])
  })

  test('is remembered as text, and what is no choice is none', () => {
    for (const wish of [{ quality: 'high', lines: 720 } as const, { quality: 'smooth', lines: null } as const])
      expect(wishOf(wishText(wish))).toEqual(wish)
    for (const text of [null, '', 'best:720', 'high', 'high:x', 'high:9999999']) expect(wishOf(text)).toBeNull()
  })
})

/** A network that takes a request and says nothing. */
const never = (signal: AbortSignal | null | undefined): Promise<Response> => unanswered(signal)
