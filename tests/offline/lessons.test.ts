import 'fake-indexeddb/auto'
import { Buffer } from 'node:buffer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError, RefusedError, ServerFaultError } from '#src/api/errors.ts'
import { contract } from '#src/contract/index.ts'
import { type LessonMedia, PART_BYTES } from '#src/contract/course.ts'
import { type Database, done, StorageError } from '#src/offline/device/idb.ts'
import {
  createLessons,
  type Lessons,
  lessons as ownLessons,
  type LessonsParts,
} from '#src/offline/downloads/lessons/lessons.ts'
import { freeHalfDownload } from '#src/offline/downloads/halfDownloads.ts'
import { giveUpLesson } from '#src/offline/downloads/lessons/lessonLeave.ts'
import {
  type LessonRow,
  openMedia,
  type PartRow,
  renditionFor,
  updateOf,
  type WantedLesson,
} from '#src/offline/downloads/lessons/media.ts'
import { MEDIA_DB } from '#src/offline/device/names.ts'
import { MARGIN_BYTES } from '#src/offline/device/room.ts'
import { goOnWithRoom } from '#src/offline/downloads/roomAgain.ts'
import { seenNow } from '#src/offline/device/highestTime.ts'
import { heardServer } from '#src/offline/device/serverClock.ts'
import { purgeCaches } from '#src/offline/device/storage.ts'
import { aborted, unanswered } from '#tests/support/aborted.ts'
import { dying } from '#tests/support/dying.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type LessonFiles, noise, publishLessons } from '#tests/support/lessons.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, page, type Wire } from '#tests/support/wire.ts'

const MB = 1024 ** 2
const DAY = 86_400_000
// A busy machine is slow, not wrong.

let server: TestServer
let wire: Wire
let onDevice: Lessons[]
/** Parts: two whole ones and a rest; subtitles in one. */
const FILES: LessonFiles = {
  '1.mp3': noise(2.5 * MB),
  'zh-CN.vtt': Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\n第一课\n'),
}
const PARTS = 4
const OTHER: LessonFiles = { '1.mp3': noise(1.2 * MB) }
beforeAll(async () => {
  // This module's own tab would take part.
  ownLessons.close()
  server = await startServer()
  await publishLessons(server, { P1: OTHER, P2: OTHER, P3: OTHER }, { no: 'P', price: 9900 })
})
afterAll(() => server.close())
beforeEach(async () => {
  indexedDB = new IDBFactory()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  server.clock.now = Date.UTC(2026, 10, 21, 4)
  await publishLessons(server, { L1: FILES, L2: OTHER, L3: OTHER })
  wire = connect(server)
  onDevice = []
})
afterEach(() => {
  for (const lessons of onDevice) lessons.close()
  wire.restore()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A network that takes a request and says nothing, until the page gives it up. */
const never: LessonsParts['fetch'] = (_, { signal }) => unanswered(signal)
const untilStopped: LessonsParts['pause'] = (_, signal) => aborted(signal)
const ask =
  (token = '') =>
  async (no: string): Promise<LessonMedia> => {
    const { status, msg, data } = await server.ask(contract.course.lesson, { no }, token)
    if (status !== 1) throw new RefusedError(msg)
    return data as LessonMedia
  }
const realParts = (): LessonsParts => ({
  db: openMedia(),
  owner: 'anon',
  locks: navigator.locks,
  course: (no) => server.call(contract.course.detail, { no }),
  player: async () => {},
  media: ask(),
  playing: ask(),
  rendition: ({ renditions }) => renditions[0],
  fetch: (src, init) => fetch(src, init),
  missingRoom: async () => 0,
  metered: () => false,
  pause: async () => {},
  random: () => 0.5,
  now: () => server.clock.now,
  seen: () => server.clock.now,
})
function openTab(parts: Partial<LessonsParts> = {}): Lessons {
  const lessons = createLessons({ ...realParts(), ...parts })
  onDevice.push(lessons)
  return lessons
}
const listed = (lesson: string, over: Partial<WantedLesson> = {}): WantedLesson => ({
  lesson,
  title: `${lesson} 的题目`,
  course: lesson.slice(0, -1) === 'P' ? 'P' : 'C',
  courseTitle: 'C 课程',
  bytes: 2.6 * MB,
  free: !lesson.startsWith('P'),
  ...over,
})
const rowOf = (lessons: Lessons, lesson = 'L1') => lessons.get().rows?.get(lesson)
const updated = (lessons: Lessons, lesson = 'L1') => {
  const row = rowOf(lessons, lesson)
  return row !== undefined && updateOf(row) !== null
}
const activityOf = (lessons: Lessons, lesson = 'L1') => lessons.get().activities.get(lesson)
/** Resolves when what this tab has begun has ended. */
const settled = async (lessons: Lessons): Promise<void> => {
  await expect.poll(() => lessons.get().activities.size).toBe(0)
}
async function download(nos = ['L1'], parts: Partial<LessonsParts> = {}): Promise<Lessons> {
  const lessons = openTab(parts)
  await lessons.start(nos.map((no) => listed(no)))
  await settled(lessons)
  return lessons
}
const readParts = async (): Promise<PartRow[]> => {
  const db = openMedia()
  const rows = await db.run(['parts'], 'readonly', (tx) => done<PartRow[]>(tx.objectStore('parts').getAll()))
  db.close()
  return rows
}
const partKeys = async () => (await readParts()).map(({ lesson, file, n }) => `${lesson}/${file}/${n}`)
const bytesOf = async (blob: Blob | null | undefined) => (blob ? Buffer.from(await blob.arrayBuffer()) : null)
/** Every file of a kept lesson as a player gets it. */
async function played(lessons: Lessons, lesson = 'L1'): Promise<Record<string, Buffer | null> | null> {
  const kept = await lessons.kept(lesson)
  if (!kept) return null
  const names = [...kept.rendition.files, ...kept.media.subtitles.map(({ file }) => file)].map(({ name }) => name)
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await bytesOf(await kept.file(name))])))
}
const same = (a: Record<string, Buffer | null> | null, b: LessonFiles) =>
  a !== null && Object.entries(b).every(([name, bytes]) => a[name]?.equals(bytes))
const ranges = () =>
  wire.sent.filter(({ path }) => path.startsWith('/media/lesson/')).map(({ headers }) => headers.range)

describe('a download', () => {
  test('brings every file of a lesson by parts, a few at once, and tells how far it is', async () => {
    const lessons = openTab()
    const parts: number[] = []
    let open = 0
    let most = 0
    wire.fault = async () => {
      most = Math.max(most, ++open)
      await Promise.resolve()
      open--
      return null
    }
    lessons.subscribe(() => parts.push(activityOf(lessons)?.part ?? -1))
    await lessons.start([listed('L1')])
    await settled(lessons)
    expect(same(await played(lessons), FILES)).toBe(true)
    expect(rowOf(lessons)).toMatchObject({ wanted: false, next: null, title: 'L1 的题目' })
    expect(await partKeys()).toHaveLength(PARTS)
    expect(new Set(ranges())).toEqual(
      new Set([
        'bytes=0-1048575',
        'bytes=1048576-2097151',
        `bytes=2097152-${2.5 * MB - 1}`,
        `bytes=0-${(FILES['zh-CN.vtt']?.length ?? 0) - 1}`,
      ]),
    )
    expect(ranges()).toHaveLength(PARTS)
    expect(most).toBe(3)
    const told = parts.filter((part) => part >= 0)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBe(1)
  })

  test('of a playlist brings it with all that it names, below their folders', async () => {
    const hls = { '1/main.m3u8': Buffer.from('#EXTM3U\n'), '1/a_0.ts': noise(300_000), '1/a_1.ts': noise(1.5 * MB) }
    await publishLessons(server, { H1: hls }, { no: 'H' })
    const lessons = await download(['H1'])
    expect(same(await played(lessons, 'H1'), hls)).toBe(true)
    expect((await lessons.kept('H1'))?.rendition.main).toBe('1/main.m3u8')
  })

  test('of several goes one after another in their order', async () => {
    const lessons = openTab()
    const order: string[] = []
    const real = realParts()
    const second = openTab({ media: (no, signal) => (order.push(no), real.media(no, signal)) })
    await second.start(['L3', 'L1', 'L2'].map((no) => listed(no)))
    await settled(second)
    expect(order).toEqual(['L3', 'L1', 'L2'])
    const addresses = wire.sent.map(({ path }) => path.split('/')[4]).filter((no) => no !== undefined)
    expect([...new Set(addresses)]).toEqual(['L3', 'L1', 'L2'])
    expect(addresses.lastIndexOf('L3')).toBeLessThan(addresses.indexOf('L1'))
    // The other tab hears of it a moment later.
    await expect
      .poll(() => ['L1', 'L2', 'L3'].map((no) => Boolean(rowOf(lessons, no)?.ready)))
      .toEqual([true, true, true])
  })

  /** A phone whose battery dies in the middle of a download. */
  function dyingAt(after: number): { parts: Partial<LessonsParts>; died: () => boolean } {
    const real = realParts()
    const { mortal, mortalDb, died } = dying(after)
    return {
      parts: {
        db: mortalDb(real.db),
        media: (no, signal) => mortal(() => real.media(no, signal)),
        fetch: (src, init) => mortal(() => real.fetch(src, init)),
      },
      died,
    }
  }

  test('that is killed at any point shows nothing half, and goes on with the parts that are not on the device yet', async () => {
    for (let after = 0; ; after++) {
      indexedDB = new IDBFactory()
      const phone = dyingAt(after)
      const first = openTab(phone.parts)
      await first.start([listed('L1')]).catch(() => {})
      await expect.poll(() => !['queued', 'running', 'waiting'].includes(activityOf(first)?.at ?? '')).toBe(true)
      first.close()
      if (!phone.died()) break
      const again = openTab()
      const found = await played(again)
      expect(found === null || same(found, FILES)).toBe(true)
      const kept = (await partKeys()).length
      wire.sent.length = 0
      await again.open()
      if (!rowOf(again)) await again.start([listed('L1')])
      await settled(again)
      expect(same(await played(again), FILES)).toBe(true)
      expect(ranges()).toHaveLength(PARTS - kept)
      again.close()
    }
  }, 120_000)

  test('asks again for a part that was damaged on its way, and never keeps it', async () => {
    let damaged = 0
    wire.fault = ({ path, headers }) =>
      path.endsWith('1.mp3') && headers.range === 'bytes=0-1048575' && damaged++ < 2
        ? new Response(noise(PART_BYTES), { status: 206 })
        : null
    const lessons = await download()
    expect(damaged).toBe(3)
    expect(same(await played(lessons), FILES)).toBe(true)
    expect(ranges()).toHaveLength(PARTS + 2)
  })

  test('that always comes damaged ends in words, and the next one has its turn', async () => {
    wire.fault = ({ path }) => (path.includes('/L1/') ? new Response(noise(10), { status: 206 }) : null)
    const lessons = openTab()
    await lessons.start([listed('L1'), listed('L2')])
    await expect.poll(() => rowOf(lessons, 'L2')?.ready).toBeTruthy()
    await expect.poll(() => activityOf(lessons)).toMatchObject({ at: 'failed', message: '下载的内容不完整，请重试' })
    expect((await partKeys()).every((key) => key.startsWith('L2/'))).toBe(true)
  })

  test.each([
    ['a portal’s page', () => page()],
    ['the whole file in the place of a part', () => new Response(FILES['1.mp3'])],
    ['more than was asked for', () => new Response(noise(PART_BYTES + 1), { status: 206 })],
    ['less than was asked for', () => new Response(noise(10), { status: 206 })],
    ['a fault', () => new Response('', { status: 503 })],
    ['nobody', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('waits when %s comes, and goes on by itself', async (_, answer) => {
    let faults = 3
    wire.fault = ({ path }) => (path.endsWith('1.mp3') && faults-- > 0 ? answer() : null)
    const lessons = await download()
    expect(same(await played(lessons), FILES)).toBe(true)
    expect(faults).toBeLessThan(0)
  })

  test('on a line that takes the request and then says nothing begins another one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let silent = true
    wire.fault = (sent, signal) => {
      if (!silent || !sent.path.endsWith('1.mp3')) return null
      silent = false
      return unanswered(signal)
    }
    const lessons = openTab()
    await lessons.start([listed('L1')])
    await eventually(() => expect(silent).toBe(false))
    await vi.advanceTimersByTimeAsync(20_000)
    await eventually(() => expect(rowOf(lessons)?.ready).toBeTruthy())
  })

  test('whose signed address ends on the way asks for a new one, and keeps what it has', async () => {
    let parts = 0
    wire.fault = ({ path }) => {
      // Longer than any address lasts.
      if (path.endsWith('1.mp3') && ++parts === 2) server.clock.now += DAY
      return null
    }
    let asked = 0
    const real = realParts()
    const lessons = await download(['L1'], { media: (no, signal) => (asked++, real.media(no, signal)) })
    expect(asked).toBe(2)
    expect(same(await played(lessons), FILES)).toBe(true)
  })

  test('asks for a new address before it uses one that has ended meanwhile, and trusts it though its own clock is ahead', async () => {
    const lessons = openTab({
      fetch: () => Promise.reject(new TypeError('Failed to fetch')),
      pause: untilStopped,
    })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('waiting')
    lessons.close()
    server.clock.now += DAY
    const later = openTab({ now: () => server.clock.now + 365 * DAY })
    await later.open()
    await settled(later)
    expect(rowOf(later)?.ready).toBeTruthy()
    expect(ranges()).toHaveLength(PARTS)
  })

  test('ends in words when addresses never work', async () => {
    wire.fault = ({ path }) => (path.startsWith('/media/') ? new Response('', { status: 403 }) : null)
    const lessons = openTab()
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('failed')
    expect(activityOf(lessons)?.message).toBe('下载没有完成，请重试')
  })

  test('takes the newer version when the lesson is replaced under it', async () => {
    const newer = { '1.mp3': noise(1.8 * MB) }
    let replaced = false
    wire.fault = async ({ path }) => {
      if (replaced || !path.endsWith('1.mp3')) return null
      replaced = true
      await publishLessons(server, { L1: newer, L2: OTHER, L3: OTHER })
      server.clock.now += DAY
      return null
    }
    const lessons = await download()
    expect(same(await played(lessons), newer)).toBe(true)
    expect(await partKeys()).toEqual(['L1/1.mp3/0', 'L1/1.mp3/1'])
  })

  test('refused by the server tells why, and goes on when it is theirs', async () => {
    const lessons = openTab()
    await lessons.start([listed('P2')])
    await expect.poll(() => activityOf(lessons, 'P2')?.at).toBe('failed')
    expect(activityOf(lessons, 'P2')?.message).toContain('购买')
    const { uid, token } = await server.student()
    const until = server.clock.now + DAY
    await server.db.insertInto('entitlement').values({ uid, kind: 'course', no: 'P', until }).execute()
    const theirs = openTab({ media: ask(token) })
    await theirs.open()
    await settled(theirs)
    expect(same(await played(theirs, 'P2'), OTHER)).toBe(true)
  })

  test('of a lesson in no format that the device plays says so', async () => {
    const lessons = openTab({ rendition: () => undefined })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.message).toBe('这台设备不能离线播放这个课时，请联网播放')
  })

  test('is kept as bytes where the browser fails to write Blobs', async () => {
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, row: unknown) {
      if (typeof row === 'object' && row !== null && 'data' in row && row.data instanceof Blob)
        throw new DOMException('Error preparing Blob/File data to be stored in object store', 'UnknownError')
      return put.call(this, row)
    })
    const lessons = await download()
    expect((await readParts()).every(({ data }) => data instanceof ArrayBuffer)).toBe(true)
    expect(same(await played(lessons), FILES)).toBe(true)
  })
})

describe('a student’s hand', () => {
  /** A tab whose second part does something first. */
  const interrupted = (act: (lessons: Lessons) => Promise<void>): Lessons => {
    let parts = 0
    const lessons = openTab({
      fetch: (src, init) => {
        if (++parts === 2) void act(lessons)
        return fetch(src, init)
      },
    })
    return lessons
  }

  test('pauses it, also after a restart, and lets it go on', async () => {
    const lessons = interrupted((tab) => tab.pause(['L1']))
    await lessons.start([listed('L1')])
    await expect.poll(() => rowOf(lessons)?.paused).toBe(true)
    await settled(lessons)
    expect(await lessons.kept('L1')).toBeNull()
    const kept = (await partKeys()).length
    const later = openTab()
    await later.open()
    expect(later.get().activities.size).toBe(0)
    wire.sent.length = 0
    await later.resume(['L1'])
    await settled(later)
    expect(ranges()).toHaveLength(PARTS - kept)
    expect(same(await played(later), FILES)).toBe(true)
  })

  test('cancels it, and leaves nothing behind', async () => {
    const lessons = interrupted((tab) => tab.cancel(['L1']))
    await lessons.start([listed('L1')])
    await expect.poll(() => lessons.get().rows?.size).toBe(0)
    await settled(lessons)
    expect(await readParts()).toEqual([])
  })

  test('removes a lesson, which frees its parts and no other’s', async () => {
    const lessons = await download(['L1', 'L2'])
    await lessons.remove(['L1'])
    expect((await partKeys()).every((key) => key.startsWith('L2/'))).toBe(true)
    expect(await lessons.kept('L1')).toBeNull()
    expect(same(await played(lessons, 'L2'), OTHER)).toBe(true)
    await lessons.remove(['L2'])
    expect(await readParts()).toEqual([])
  })

  test('updates a lesson: the old one plays until the new one is whole, and is what stays when it is cancelled', async () => {
    const lessons = await download()
    const newer = { '1.mp3': noise(1.8 * MB) }
    await publishLessons(server, { L1: newer, L2: OTHER, L3: OTHER })
    await lessons.heard(await server.call(contract.course.lesson, { no: 'L1', hashes: false }))
    expect(updated(lessons)).toBe(true)
    const seen: boolean[] = []
    const other = interrupted((tab) => tab.cancel(['L1']))
    await other.start([listed('L1')])
    await expect.poll(() => rowOf(other)?.wanted).toBe(false)
    await settled(other)
    expect(same(await played(other), FILES)).toBe(true)
    expect(await partKeys()).toHaveLength(PARTS)
    wire.fault = async ({ path }) => {
      if (path.endsWith('1.mp3')) seen.push(same(await played(lessons), FILES))
      return null
    }
    await lessons.start([listed('L1')])
    await settled(lessons)
    expect(seen).toEqual([true, true])
    expect(same(await played(lessons), newer)).toBe(true)
    expect(updated(lessons)).toBe(false)
    expect(await partKeys()).toHaveLength(2)
  })
})

describe('where it may not go on', () => {
  test('a device that fills up on the way says so, keeps what it has, and goes on when there is room', async () => {
    const real = realParts()
    let parts = 0
    let full = true
    const db: Database = {
      ...real.db,
      run: (stores, mode, body) =>
        real.db.run(stores, mode, async (tx) => {
          const result = await body(tx)
          const count = await done(tx.objectStore('parts').count())
          if (mode === 'readwrite' && full && count > 2) throw new DOMException('full', 'QuotaExceededError')
          parts = count
          return result
        }),
    }
    const lessons = openTab({ db })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('full')
    expect(await partKeys()).toHaveLength(2)
    expect(parts).toBe(2)
    full = false
    wire.sent.length = 0
    await lessons.resume(['L1'])
    await settled(lessons)
    expect(ranges()).toHaveLength(PARTS - 2)
    expect(same(await played(lessons), FILES)).toBe(true)
  })

  test('a device that fills up gives back the parts that came last until answers have room; no download goes on until the student says so', async () => {
    const real = realParts()
    let full = true
    const db: Database = {
      ...real.db,
      run: (stores, mode, body) =>
        real.db.run(stores, mode, async (tx) => {
          const result = await body(tx)
          const count = await done(tx.objectStore('parts').count())
          if (mode === 'readwrite' && full && count > 2) throw new DOMException('full', 'QuotaExceededError')
          return result
        }),
    }
    const missing = [1, 0]
    const lessons = openTab({ db, missingRoom: async () => missing.shift() ?? 0 })
    await lessons.start([listed('L1'), listed('L2')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('full')
    await expect.poll(() => lessons.get().activities.size).toBe(1)
    expect(await partKeys()).toHaveLength(1)
    // The bar shows what is still here, no more what was before.
    expect(activityOf(lessons)?.part).toBe(1 / PARTS)
    expect(rowOf(lessons)?.share).toBe(1 / PARTS)
    lessons.close()
    full = false
    wire.sent.length = 0
    const later = openTab()
    await later.open()
    expect(rowOf(later)).toMatchObject({ paused: true, full: true })
    expect(rowOf(later, 'L2')).toMatchObject({ paused: true, full: false })
    expect(ranges()).toEqual([])
    await later.resume(['L1'])
    await settled(later)
    expect(ranges()).toHaveLength(PARTS - 1)
    expect(same(await played(later), FILES)).toBe(true)
    expect(rowOf(later)).toMatchObject({ paused: false, full: false })
  })

  test('what rests because the device was full goes on when a lesson or a library was removed and there is room, in its order; what the student has paused does not', async () => {
    const real = realParts()
    let full = true
    const db: Database = {
      ...real.db,
      run: (stores, mode, body) =>
        real.db.run(stores, mode, async (tx) => {
          const result = await body(tx)
          const count = await done(tx.objectStore('parts').count())
          if (mode === 'readwrite' && full && count > 4) throw new DOMException('full', 'QuotaExceededError')
          return result
        }),
    }
    let lacks = 0
    const probed: number[] = []
    const missingRoom = async (bytes: number) => (probed.push(bytes), lacks)
    const lessons = await download(['L3'], { db, missingRoom })
    await lessons.start([listed('L1'), listed('L2'), listed('P1', { free: true })])
    await lessons.pause(['P1'])
    await expect.poll(() => activityOf(lessons)?.at).toBe('full')
    await expect.poll(() => lessons.get().activities.size).toBe(1)
    expect(rowOf(lessons)).toMatchObject({ paused: true, full: true })
    expect(rowOf(lessons, 'L2')).toMatchObject({ paused: true, full: false })
    full = false
    lacks = 1
    probed.length = 0
    await lessons.remove(['L3'])
    await expect.poll(() => probed.length).toBe(1)
    // For the rest of the first one, beside what is kept free for answers.
    expect(probed[0]).toBeGreaterThan(MARGIN_BYTES + MB / 2)
    expect(probed[0]).toBeLessThan(MARGIN_BYTES + 2.6 * MB)
    expect(rowOf(lessons)).toMatchObject({ paused: true, full: true })
    lacks = 0
    // As the page of libraries does it.
    await goOnWithRoom(missingRoom)
    await expect.poll(async () => same(await played(lessons, 'L2'), OTHER)).toBe(true)
    expect(same(await played(lessons), FILES)).toBe(true)
    expect(rowOf(lessons, 'P1')).toMatchObject({ wanted: true, paused: true })
    await settled(lessons)
  })

  test('an update that finds no room at its very end leaves the old lesson as it was, and takes its place when there is room', async () => {
    const old = await download()
    old.close()
    const newer = { '1.mp3': noise(1.8 * MB) }
    await publishLessons(server, { L1: newer, L2: OTHER, L3: OTHER })
    const real = realParts()
    let full = true
    const db: Database = {
      ...real.db,
      run: (stores, mode, body) =>
        real.db.run(stores, mode, async (tx) => {
          const result = await body(tx)
          const [row] = await done<LessonRow[]>(tx.objectStore('lessons').getAll())
          if (mode === 'readwrite' && full && row && !row.wanted) throw new DOMException('full', 'QuotaExceededError')
          return result
        }),
    }
    const lessons = openTab({ db })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('full')
    expect(same(await played(lessons), FILES)).toBe(true)
    full = false
    wire.sent.length = 0
    await lessons.resume(['L1'])
    await settled(lessons)
    expect(ranges()).toEqual([])
    expect(same(await played(lessons), newer)).toBe(true)
  })

  test('an answer takes the end of a half download before any lesson that is whole, and no more than it needs', async () => {
    const whole = await download(['L2'])
    whole.close()
    const first = openTab({
      fetch: (src, init) => (src.includes('zh-CN') ? Promise.reject(new TypeError('cut off')) : fetch(src, init)),
      pause: untilStopped,
    })
    await first.start([listed('L1')])
    await expect.poll(() => activityOf(first)?.at).toBe('waiting')
    expect(await freeHalfDownload('anon')).toBe(true)
    await expect.poll(() => activityOf(first)).toBeUndefined()
    expect((await partKeys()).every((key) => key.startsWith('L2/'))).toBe(true)
    const later = openTab()
    await later.open()
    expect(rowOf(later)).toMatchObject({ wanted: true, paused: true, full: true })
    expect(same(await played(later, 'L2'), OTHER)).toBe(true)
    expect(await freeHalfDownload('anon')).toBe(false)
  })

  test('on mobile data it waits for Wi-Fi, unless the student says otherwise', async () => {
    const lessons = openTab({
      metered: () => true,
      pause: untilStopped,
    })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('wifi')
    expect(ranges()).toEqual([])
    await lessons.resume(['L1'], true)
    await settled(lessons)
    expect(rowOf(lessons)?.ready).toBeTruthy()
  })

  test.each<[string, (lessons: Lessons) => Promise<void>]>([
    ['goes on', (lessons) => lessons.resume(['L1'])],
    ['is begun again', (lessons) => lessons.start([listed('L1')])],
  ])('one that may use mobile data may still do so when it %s after a pause', async (_, act) => {
    // Nobody connects to Wi-Fi: whoever waits for it here has failed.
    const mobile = { metered: () => true, pause: () => Promise.reject(new Error('waits for Wi-Fi')) }
    const first = openTab({ ...mobile, fetch: never })
    await first.start([listed('L1')], true)
    await expect.poll(() => activityOf(first)?.at).toBe('running')
    await first.pause(['L1'])
    first.close()
    const later = openTab(mobile)
    await later.open()
    await act(later)
    await settled(later)
    expect(same(await played(later), FILES)).toBe(true)
  })

  test('when Wi-Fi is lost on the way, it uses no mobile data', async () => {
    let mobile = false
    const lessons = openTab({
      metered: () => mobile,
      fetch: (src, init) => {
        mobile = true
        return fetch(src, init)
      },
      pause: untilStopped,
    })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('wifi')
    expect(ranges()).toHaveLength(1)
  })

  test('one that waits for Wi-Fi or for a server in trouble holds up no other, of this tab or another', async () => {
    const real = realParts()
    const first = openTab({
      metered: () => true,
      pause: untilStopped,
      media: (no, signal) => (no === 'L2' ? Promise.reject(new ServerFaultError(502, null)) : real.media(no, signal)),
    })
    await first.start([listed('L1')])
    await expect.poll(() => activityOf(first)?.at).toBe('wifi')
    await first.start([listed('L2'), listed('L3')], true)
    await expect.poll(() => rowOf(first, 'L3')?.ready).toBeTruthy()
    expect(activityOf(first)?.at).toBe('wifi')
    expect(activityOf(first, 'L2')?.at).toBe('waiting')
    const second = openTab()
    await second.start([listed('P1', { free: true })])
    await expect.poll(() => activityOf(second, 'P1')?.at).not.toBe('queued')
  })

  test('it waits longer and longer while nobody answers, and as long as the server says', async () => {
    const pauses: number[] = []
    const faults: Error[] = [0, 0, 0].map(() => new OfflineError('offline'))
    faults.push(new ServerFaultError(429, 30_000))
    const real = realParts()
    await download(['L1'], {
      media: async (no, signal) => {
        const fault = faults.shift()
        if (fault) throw fault
        return real.media(no, signal)
      },
      pause: async (ms) => void pauses.push(ms),
    })
    expect(pauses).toEqual([750, 1_500, 3_000, 30_000])
  })
})

describe('two tabs', () => {
  test('download one after another: each part is fetched once, and the other tells of it', async () => {
    const [one, two] = [openTab(), openTab()]
    await Promise.all([one.start([listed('L1')]), two.start([listed('L2')])])
    for (const tab of [one, two])
      await expect.poll(() => [rowOf(tab)?.ready, rowOf(tab, 'L2')?.ready].every(Boolean)).toBe(true)
    expect(ranges()).toHaveLength(PARTS + 2)
  })

  test('one goes on where the other was closed, and stops what the other one removes', async () => {
    const first = openTab({ fetch: never })
    await first.start([listed('L1')])
    await expect.poll(() => activityOf(first)?.at).toBe('running')
    const second = openTab()
    await second.open()
    expect(activityOf(second)?.at).toBe('queued')
    first.close()
    await expect.poll(() => rowOf(second)?.ready).toBeTruthy()
    const third = openTab({ fetch: never })
    await third.start([listed('L2')])
    await expect.poll(() => activityOf(third, 'L2')?.at).toBe('running')
    await second.remove(['L2'])
    await expect.poll(() => activityOf(third, 'L2')).toBeUndefined()
    expect((await partKeys()).every((key) => key.startsWith('L1/'))).toBe(true)
  })
})

describe('a student’s own', () => {
  test('lessons are shown to no other student of the phone, and are there when they are back', async () => {
    const first = await download(['L1'], { owner: 'u:1' })
    const second = openTab({ owner: 'u:2' })
    await second.open()
    expect(second.get().rows?.size).toBe(0)
    expect(await second.kept('L1')).toBeNull()
    expect(same(await played(first), FILES)).toBe(true)
  })

  test('lessons leave at logout, also one that is on its way; another student’s stay', async () => {
    await download(['L2'], { owner: 'u:2' })
    await download(['L2'], { owner: 'u:1' })
    let parts = 0
    const leaving = openTab({
      owner: 'u:1',
      fetch: async (src, init) => {
        const answer = await fetch(src, init)
        if (++parts === 2) await purgeCaches('u:1', Date.now())
        return answer
      },
    })
    await leaving.start([listed('L1')])
    await settled(leaving)
    expect(new Set((await readParts()).map(({ owner }) => owner))).toEqual(new Set(['u:2']))
    const back = openTab({ owner: 'u:1' })
    await back.open()
    expect(back.get().rows?.size).toBe(0)
  })

  test('lessons of a visitor, which anybody may have, stay with the phone, are shown to whoever logs in, and are theirs to remove', async () => {
    const visitor = await download(['L1', 'L2'])
    visitor.close()
    const student = openTab({ owner: 'u:1' })
    await student.open()
    expect([...(student.get().rows?.keys() ?? [])]).toEqual(['L1', 'L2'])
    expect(same(await played(student), FILES)).toBe(true)
    expect((await student.courseOf('L1', 'C'))?.no).toBe('C')
    expect(await student.taken()).toEqual({ count: 0, whole: 2, bytes: 0 })

    // Updated where it is, not beside it.
    await publishLessons(server, { L1: OTHER, L2: OTHER, L3: OTHER })
    await student.start([listed('L1'), listed('L3')])
    await settled(student)
    expect(same(await played(student), OTHER)).toBe(true)
    expect(new Set((await readParts()).map(({ owner, lesson }) => `${owner} ${lesson}`))).toEqual(
      new Set(['anon L1', 'anon L2', 'u:1 L3']),
    )
    await student.remove(['L2'])
    expect(new Set((await readParts()).map(({ lesson }) => lesson))).toEqual(new Set(['L1', 'L3']))
    student.close()

    await purgeCaches('u:1', Date.now())
    const another = openTab({ owner: 'u:2' })
    await another.open()
    expect([...(another.get().rows?.keys() ?? [])]).toEqual(['L1'])
    // It costs something now.
    await another.start([listed('L1', { free: false })])
    await settled(another)
    expect(new Set((await readParts()).map(({ owner }) => owner))).toEqual(new Set(['anon', 'u:2']))
    await another.remove(['L1'])
    expect(await readParts()).toEqual([])
  })

  test('lesson of which the device has lost a part plays no half, and is made whole by that part alone', async () => {
    const lessons = await download()
    const db = openMedia()
    const { rev } = (await readParts())[0] ?? { rev: '' }
    await db.run(['parts'], 'readwrite', (tx) => done(tx.objectStore('parts').delete(['anon', 'L1', rev, '1.mp3', 1])))
    db.close()
    wire.sent.length = 0
    const kept = await lessons.kept('L1')
    expect(await kept?.file('1.mp3')).toBeNull()
    await expect.poll(() => rowOf(lessons)?.ready).toBeTruthy()
    expect(ranges()).toEqual(['bytes=1048576-2097151'])
    expect(same(await played(lessons), FILES)).toBe(true)
  })
})

describe('the course of a lesson', () => {
  const courseNos = async () => {
    const db = openMedia()
    const keys = await db.run(['courses'], 'readonly', (tx) => done(tx.objectStore('courses').getAllKeys()))
    db.close()
    return keys
  }

  test('is on the device before the lesson is, without what only its own page shows', async () => {
    const lessons = await download()
    const course = await lessons.courseOf('L1', '')
    expect(course).toMatchObject({ no: 'C', title: 'C 课程', intro: '', aboutTeacher: '' })
    expect(course?.units.flatMap((unit) => unit.lessons.map(({ no }) => no))).toEqual(['L1', 'L2', 'L3'])
    // Of a lesson beside it, too.
    expect(await lessons.courseOf('L2', 'C')).toEqual(course)
    expect(await lessons.courseOf('P1', 'P')).toBeNull()
  })

  test('is as its page was seen last, and is not kept of what was never downloaded', async () => {
    const lessons = await download()
    const other = await server.call(contract.course.detail, { no: 'P' })
    const course = await server.call(contract.course.detail, { no: 'C' })
    await lessons.seenCourse({ ...course, title: '新的名字' })
    await lessons.seenCourse(other)
    expect((await lessons.courseOf('L1', 'C'))?.title).toBe('新的名字')
    expect(await courseNos()).toEqual([['anon', 'C']])
  })

  test('leaves with its last lesson', async () => {
    const lessons = await download(['L1', 'L2'])
    await lessons.remove(['L1'])
    expect(await courseNos()).toEqual([['anon', 'C']])
    await lessons.remove(['L2'])
    expect(await courseNos()).toEqual([])
    const halted = openTab({ fetch: never })
    await halted.start([listed('L1')])
    await expect.poll(courseNos).toEqual([['anon', 'C']])
    await halted.cancel(['L1'])
    expect(await courseNos()).toEqual([])
  })

  test('is not downloaded before what plays it is here: a lost network in between is waited for, a full device is told', async () => {
    const line = { fails: new TypeError('Failed to fetch') as Error | null }
    const asked: (readonly string[])[] = []
    const lessons = openTab({
      player: async (names) => {
        asked.push(names)
        if (line.fails) throw line.fails
      },
      pause: () => vi.waitFor(() => expect(line.fails).toBe(null)),
    })
    await lessons.start([listed('L1')])
    await expect.poll(() => activityOf(lessons)?.at).toBe('waiting')
    expect(rowOf(lessons, 'L1')).toMatchObject({ ready: null })
    line.fails = null
    await settled(lessons)
    expect(rowOf(lessons, 'L1')?.ready).not.toBe(null)
    expect(asked).toEqual([
      ['lesson', 'chrome'],
      ['lesson', 'chrome'],
    ])

    await lessons.start([listed('L2')])
    await settled(lessons)
    expect(asked).toHaveLength(2)

    const other = openTab({ player: () => Promise.reject(new DOMException('no room', 'QuotaExceededError')) })
    await other.start([listed('L3')])
    await expect.poll(() => activityOf(other, 'L3')?.at).toBe('full')
  })

  test('at each start what plays it is looked for, with a reader of playlists where it needs one', async () => {
    const player = vi.fn<LessonsParts['player']>(async () => {})
    await openTab({ player }).open()
    expect(player).not.toHaveBeenCalled()
    await download()
    await openTab({ player }).open()
    expect(player.mock.calls).toEqual([[['lesson', 'chrome']]])
    await publishLessons(server, { L1: { 'main.m3u8': noise(300), '1.ts': noise(2_000) } })
    await download()
    const away = vi.fn<LessonsParts['player']>(() => Promise.reject(new TypeError('Failed to fetch')))
    await openTab({ player: away }).open()
    expect(away.mock.calls).toEqual([[['lesson', 'chrome', 'hls']]])
  })

  test('comes at the next start for lessons of an earlier version, which stay', async () => {
    const first = await download()
    first.close()
    // As the version before this one left it.
    const { rows, parts } = await emptied()
    const db = await old((before) => {
      before.createObjectStore('lessons', { keyPath: ['owner', 'lesson'] })
      before.createObjectStore('parts', { keyPath: ['owner', 'lesson', 'rev', 'file', 'n'] })
    })
    const tx = db.transaction(['lessons', 'parts'], 'readwrite')
    for (const row of rows) tx.objectStore('lessons').put(row)
    for (const part of parts) tx.objectStore('parts').put(part)
    await new Promise((resolve) => (tx.oncomplete = resolve))
    db.close()

    const away = openTab({ course: () => Promise.reject(new OfflineError()) })
    await away.open()
    expect(await away.courseOf('L1', 'C')).toBeNull()
    const later = openTab()
    await later.open()
    expect((await later.courseOf('L1', 'C'))?.title).toBe('C 课程')
    expect(same(await played(later), FILES)).toBe(true)
  })

  const old = (upgrade: (db: IDBDatabase) => void): Promise<IDBDatabase> =>
    new Promise((resolve) => {
      indexedDB = new IDBFactory()
      const request = indexedDB.open(MEDIA_DB, 1)
      request.onupgradeneeded = () => upgrade(request.result)
      request.onsuccess = () => resolve(request.result)
    })
  async function emptied(): Promise<{ rows: unknown[]; parts: PartRow[] }> {
    const db = openMedia()
    const rows = await db.run(['lessons'], 'readonly', (tx) => done<unknown[]>(tx.objectStore('lessons').getAll()))
    db.close()
    return { rows, parts: await readParts() }
  }
})

describe('the right to a paid lesson', () => {
  const buy = async (days = 30) => {
    const who = await server.student()
    const until = server.clock.now + days * DAY
    await server.db.insertInto('entitlement').values({ uid: who.uid, kind: 'course', no: 'P', until }).execute()
    return { ...who, parts: { owner: `u:${who.uid}`, media: ask(who.token), playing: ask(who.token) } }
  }
  const opens = async (lessons: Lessons, lesson = 'P2') => (await lessons.kept(lesson))?.opens
  const noAnswer = () => Promise.reject(new OfflineError('offline'))
  const nobody = { media: noAnswer, playing: noAnswer }

  test('is believed for seven days, then asked for once for the whole course', async () => {
    const { parts } = await buy()
    await download(['P2', 'P3', 'P1'], parts)
    server.clock.now += 7 * DAY - 1
    const phone = openTab({ ...parts, ...nobody })
    await phone.open()
    expect(await opens(phone)).toBe('open')
    const kept = await phone.kept('P2')
    server.clock.now += 1
    expect(await opens(phone)).toBe('unconfirmed')
    expect(await kept?.file('1.mp3')).toBeNull()
    let asked = 0
    const online = openTab({ ...parts, playing: (no) => (asked++, parts.playing(no)) })
    await online.open()
    expect(asked).toBe(1)
    expect(await opens(online)).toBe('open')
    expect(await opens(online, 'P3')).toBe('open')
    await openTab({ ...parts, playing: (no) => (asked++, parts.playing(no)) }).open()
    expect(asked).toBe(1)
  })

  test('that was confirmed while the clock was ahead is asked for again when it is right', async () => {
    const { parts } = await buy(400)
    await download(['P2'], { ...parts, seen: () => server.clock.now + 365 * DAY })
    let asked = 0
    await openTab({ ...parts, playing: (no) => (asked++, parts.playing(no)) }).open()
    expect(asked).toBe(1)
  })

  test('that must be confirmed is waited for four seconds at most, on a line that says nothing', async () => {
    const { parts } = await buy()
    await download(['P2'], parts)
    server.clock.now += 8 * DAY
    const asked = Promise.withResolvers<void>()
    const phone = openTab({
      ...parts,
      playing: (_, signal) => {
        asked.resolve()
        return unanswered(signal, new OfflineError())
      },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let opened: string | undefined
    const opening = opens(phone).then((right) => (opened = right))
    await asked.promise
    await vi.advanceTimersByTimeAsync(3_999)
    expect(opened).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(await opening).toBe('unconfirmed')
  })

  test('ends when what was bought ends, and is not renewed by a server that refuses', async () => {
    const { parts } = await buy(3)
    await download(['P2'], parts)
    server.clock.now += 3 * DAY
    const phone = openTab(parts)
    await phone.open()
    expect(await opens(phone)).toBe('ended')
    await expect(parts.media('P2')).rejects.toThrow('已到期')
  })

  test('is not needed for 试看', async () => {
    const lessons = openTab()
    await lessons.start([listed('P1', { free: true })])
    await settled(lessons)
    server.clock.now += 365 * DAY
    expect(await opens(lessons, 'P1')).toBe('open')
  })

  test('does not last longer when the clock is set back, and a clock once ahead is forgiven by the server', () => {
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now)
    expect(seenNow()).toBe(now)
    clock.mockReturnValue(now + 8 * DAY)
    expect(seenNow()).toBe(now + 8 * DAY)
    clock.mockReturnValue(now)
    expect(seenNow()).toBe(now + 8 * DAY)
    heardServer(now)
    expect(seenNow()).toBe(now)
  })
})

describe('when an answer needs the room', () => {
  test('a lesson leaves and says so: another student’s first, then a half one, then the one used longest ago', async () => {
    await download(['L2'], { owner: 'u:2' })
    const lessons = await download(['L2', 'L3', 'L1'], { owner: 'u:1' })
    server.clock.now += 1_000
    await (await lessons.kept('L2'))?.file('1.mp3')
    const half = openTab({ owner: 'u:1', fetch: never })
    await publishLessons(server, { M1: OTHER }, { no: 'M' })
    let parts = 0
    const stuck = openTab({
      owner: 'u:1',
      fetch: (src, init) => (++parts > 1 ? never(src, init) : fetch(src, init)),
    })
    await stuck.start([listed('M1')])
    await expect.poll(async () => (await partKeys()).includes('M1/1.mp3/0')).toBe(true)
    const order: string[] = []
    for (let left = await giveUpLesson('u:1'); left; left = await giveUpLesson('u:1'))
      order.push(`${left.owner}/${left.lesson}`)
    expect(order).toEqual(['u:2/L2', 'u:1/M1', 'u:1/L3', 'u:1/L1', 'u:1/L2'])
    expect(await readParts()).toEqual([])
    await half.open()
    for (const tab of [lessons, half]) {
      await expect.poll(() => rowOf(tab)?.left).toBe(true)
      expect(await tab.kept('L1')).toBeNull()
    }
    await expect.poll(() => activityOf(stuck, 'M1')).toBeUndefined()
  })

  test('a lesson that has left can be downloaded again, and no longer says that it left', async () => {
    await download(['L1'])
    await giveUpLesson('anon')
    const lessons = await download(['L1'])
    expect(rowOf(lessons)).toMatchObject({ left: false, paused: false })
    expect(same(await played(lessons), FILES)).toBe(true)
  })

  test('downloads rest, or they would take it again', async () => {
    const stuck = openTab({ fetch: never })
    await stuck.start([listed('L2')])
    const lessons = await download(['L1'], { locks: null })
    await giveUpLesson('anon')
    await expect.poll(() => rowOf(lessons, 'L2')?.paused).toBe(true)
    await expect.poll(() => activityOf(stuck, 'L2')).toBeUndefined()
  })

  test('there is nothing to give up where nothing was downloaded', async () => {
    expect(await giveUpLesson('anon')).toBeNull()
  })
})

describe('what is downloaded of a lesson', () => {
  const [mp4, webm, hls] = ['video/mp4', 'video/webm', 'application/vnd.apple.mpegurl'].map((type) => ({
    type,
    main: type,
    files: [],
  }))
  const all = [hls, webm, mp4].flatMap((each) => each ?? [])
  test.each<[string, (type: string) => boolean, boolean, string | undefined]>([
    ['the first file that plays', () => true, true, 'video/webm'],
    ['another file, when the first does not', (type) => type === 'video/mp4', true, 'video/mp4'],
    ['a playlist only where script can feed it', (type) => !type.startsWith('video/'), true, hls?.type],
    ['else nothing', (type) => !type.startsWith('video/'), false, undefined],
  ])('is %s', (_, plays, feeds, type) => {
    expect(renditionFor({ renditions: all }, plays, feeds)?.type).toBe(type)
  })
})

test('a storage that fails says so, and a refusal is no storage’s', async () => {
  const real = realParts()
  const broken = openTab({ db: { ...real.db, run: () => Promise.reject(new StorageError('unavailable')) } })
  await broken.start([listed('L1')])
  expect(activityOf(broken)).toMatchObject({
    at: 'failed',
    message: '本地存储不可用，请检查浏览器是否允许保存网站数据',
  })
  const refused = openTab({ media: () => Promise.reject(new RefusedError('课时不存在或已下架，请返回课程重新打开')) })
  await refused.start([listed('L1')])
  await expect.poll(() => activityOf(refused)?.message).toBe('课时不存在或已下架，请返回课程重新打开')
})
