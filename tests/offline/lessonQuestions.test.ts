import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { LessonMedia } from '#src/contract/course.ts'
import { createLessons, type Lessons, lessons as ownLessons } from '#src/offline/downloads/lessons/lessons.ts'
import { purgeLessons } from '#src/offline/downloads/lessons/lessonLeave.ts'
import { picturesOf } from '#src/offline/downloads/lessons/lessonQuestions.ts'
import { isHashed, openMedia } from '#src/offline/downloads/lessons/media.ts'
import { LESSON_IMAGES } from '#src/offline/device/names.ts'
import { bankJson, checkBank } from '#tests/support/bank.ts'
import { writeChecked } from '#server/content/bank/import.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
let onDevice: Lessons[]
beforeAll(async () => {
  // This module's own tab would take part.
  ownLessons.close()
  server = await startServer()
  const bank = bankJson({ prefix: 'Q', chapters: 1, perChapter: 3 })
  const questions = bank.questions.map((each, i) =>
    i === 0 ? { ...each, stem: `${each.stem}<br><img src=one.svg width=320 height=200 alt="图">` } : each,
  )
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><circle r="9"/></svg>'
  const checked = await checkBank({ ...bank, questions }, { 'one.svg': svg })
  await writeChecked(server.db, [checked], server.mediaDir, true, { at: server.clock.now, by: 'operator' })
})
afterAll(() => server.close())
beforeEach(() => {
  indexedDB = new IDBFactory()
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('location', { href: 'http://lijian.test/' })
  wire = connect(server)
  onDevice = []
})
afterEach(() => {
  for (const lessons of onDevice) lessons.close()
  wire.restore()
  vi.unstubAllGlobals()
})

const publish = (...asked: { at: number; no: string }[]) => {
  const row = courseRow({ no: 'C', units: [['L1']] })
  const units = row.units.map((unit) => ({
    ...unit,
    lessons: unit.lessons.map((each) => ({ ...each, questions: asked, media: REAL })),
  }))
  return publishCourse(server, { ...row, units })
}
/** The bytes that `publishCourse` writes. */
const bytes = Buffer.alloc(1_000, 'rev_L1')
const REAL = {
  renditions: [
    {
      type: 'audio/mpeg',
      main: '1.mp3',
      files: [
        {
          name: '1.mp3',
          type: 'audio/mpeg',
          bytes: 1_000,
          parts: [await crypto.subtle.digest('SHA-256', bytes).then((hash) => Buffer.from(hash).toString('hex'))],
        },
      ],
    },
  ],
  subtitles: [],
}
const ask = async (no: string): Promise<LessonMedia> => {
  const media = await server.call(contract.course.lesson, { no })
  if (!isHashed(media)) throw new Error('the server gave no hashes')
  return media
}
function openTab(owner = 'anon'): Lessons {
  const lessons = createLessons({
    db: openMedia(),
    owner,
    locks: navigator.locks,
    course: (no) => server.call(contract.course.detail, { no }),
    player: async () => {},
    media: ask,
    playing: ask,
    rendition: ({ renditions }) => renditions[0],
    fetch: (src, init) => fetch(src, init),
    missingRoom: async () => 0,
    metered: () => false,
    pause: async () => {},
    random: () => 0.5,
    now: () => server.clock.now,
    seen: () => server.clock.now,
  })
  onDevice.push(lessons)
  return lessons
}
async function download(owner?: string): Promise<Lessons> {
  const lessons = openTab(owner)
  await lessons.start([{ lesson: 'L1', title: '课', course: 'C', courseTitle: '课程', bytes: 1_000, free: true }])
  await expect.poll(() => lessons.get().activities.size).toBe(0)
  expect(lessons.get().rows?.get('L1')?.ready).not.toBeNull()
  return lessons
}
const asked = async (lessons: Lessons) =>
  (await lessons.kept('L1'))?.media.questions?.map(({ at, question }) => `${at} ${question.no}`)
const pictures = async () => {
  const cache = await caches.open(LESSON_IMAGES)
  return (await cache.keys()).map(({ url }) => new URL(url).pathname)
}

describe('a downloaded lesson', () => {
  test('brings its questions and their pictures, and asks without a network', async () => {
    await publish({ at: 20, no: 'Q_q1' }, { at: 40, no: 'Q_q2' })
    await download()
    wire.fault = nobody
    const later = openTab()
    expect(await asked(later)).toEqual(['20 Q_q1', '40 Q_q2'])
    const kept = await pictures()
    expect(kept).toEqual(picturesOf((await later.kept('L1'))?.media.questions))
    expect(kept).toHaveLength(1)
  })

  test('is not whole without them: it goes on with the picture when there is a network again', async () => {
    await publish({ at: 20, no: 'Q_q1' })
    wire.fault = (sent, signal) => (sent.path.endsWith('.svg') ? nobody(sent, signal) : null)
    const lessons = openTab()
    await lessons.start([{ lesson: 'L1', title: '课', course: 'C', courseTitle: '课程', bytes: 1_000, free: true }])
    await expect.poll(() => wire.sent.some(({ path }) => path.endsWith('.svg'))).toBe(true)
    expect(lessons.get().rows?.get('L1')?.ready).toBeNull()
    wire.fault = null
    const later = openTab()
    await later.resume(['L1'])
    await expect.poll(() => asked(later)).toEqual(['20 Q_q1'])
    expect(await pictures()).toHaveLength(1)
  })

  test('asks what the server asks by now, once that is heard, and its files stay', async () => {
    await publish({ at: 20, no: 'Q_q2' })
    const lessons = await download()
    await publish({ at: 25, no: 'Q_q1' })
    const before = wire.sent.filter(({ path }) => path.startsWith('/media/lesson/')).length
    await lessons.heard(await ask('L1'))
    expect(await asked(lessons)).toEqual(['25 Q_q1'])
    expect(await pictures()).toHaveLength(1)
    await publish()
    await lessons.heard(await ask('L1'))
    expect(await asked(lessons)).toEqual([])
    expect(wire.sent.filter(({ path }) => path.startsWith('/media/lesson/'))).toHaveLength(before)
  })

  test('that was downloaded before lessons had questions plays, and asks nothing', async () => {
    await publish({ at: 20, no: 'Q_q2' })
    const lessons = await download()
    const row = lessons.get().rows?.get('L1')
    if (!row?.ready) throw new Error('it is whole')
    const { questions: _, ...media } = row.ready.media
    const db = openMedia()
    const { share: _share, ...stored } = row
    await db.run(['lessons'], 'readwrite', async (tx) => {
      tx.objectStore('lessons').put({ ...stored, ready: { ...row.ready, media } })
    })
    db.close()
    const kept = await openTab().kept('L1')
    expect(kept?.media.questions).toBeUndefined()
    expect(await kept?.file('1.mp3')).not.toBeNull()
  })

  test('takes its pictures with it when it is removed, and at the logout', async () => {
    await publish({ at: 20, no: 'Q_q1' })
    const lessons = await download()
    expect(await pictures()).toHaveLength(1)
    await lessons.remove(['L1'])
    expect(await pictures()).toEqual([])
    await download('u1')
    await download('u2')
    await purgeLessons('u1')
    expect(await pictures()).toHaveLength(1)
    await purgeLessons('u2')
    expect(await pictures()).toEqual([])
  })
})
