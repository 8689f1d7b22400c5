import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { PART_BYTES } from '#src/contract/course.ts'
import type { Activity } from '#src/offline/downloads/board.ts'
import { done } from '#src/offline/device/idb.ts'
import {
  createLessons,
  type Lessons,
  lessons as ownLessons,
  type LessonsParts,
} from '#src/offline/downloads/lessons/lessons.ts'
import { isHashed, type LessonRow, openMedia, type PieceRow } from '#src/offline/downloads/lessons/media.ts'
import { aborted } from '#tests/support/aborted.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { poorWire, type PoorWire } from '#tests/support/poorWire.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** Downloads over a line of TCP that breaks, from the server as it listens. */
const MB = 1024 ** 2
const FILE = noise(4.3 * MB)
let server: TestServer
let wire: PoorWire
let onDevice: Lessons[]
let requests: string[]
beforeAll(async () => {
  // This module's own tab would take part.
  ownLessons.close()
  server = await startServer()
  await publishLessons(server, { L1: { '1.mp3': FILE } })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
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
  const address = server.app.server.address()
  wire = await poorWire(typeof address === 'object' && address ? address.port : 0)
  onDevice = []
  requests = []
})
afterEach(async () => {
  for (const lessons of onDevice) lessons.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await wire.close()
})

const realParts = (): LessonsParts => ({
  db: openMedia(),
  owner: 'anon',
  locks: navigator.locks,
  course: (no) => server.call(contract.course.detail, { no }),
  player: async () => {},
  media: async (no) => {
    const media = await server.call(contract.course.lesson, { no })
    if (!isHashed(media)) throw new Error('no hashes')
    return media
  },
  playing: (no) => server.call(contract.course.lesson, { no, hashes: false }),
  rendition: ({ renditions }) => renditions[0],
  fetch: (src, init) => {
    requests.push(new Headers(init.headers).get('range') ?? '')
    return fetch(wire.url + src, init)
  },
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
const listed = (bytes = FILE.length) => ({
  lesson: 'L1',
  title: '第一讲',
  course: 'C',
  courseTitle: '课程',
  bytes,
  free: true,
})
const activityOf = (lessons: Lessons) => lessons.get().activities.get('L1')
const arrived = (lessons: Lessons) =>
  vi.waitFor(() => expect(lessons.get().rows?.get('L1')?.ready).toBeTruthy(), { timeout: 30_000 })
const becomes = (lessons: Lessons, at: Activity['at']) =>
  vi.waitFor(() => expect(activityOf(lessons)?.at).toBe(at), { timeout: 10_000 })
async function played(lessons: Lessons): Promise<Buffer | null> {
  const blob = await (await lessons.kept('L1'))?.file('1.mp3')
  return blob ? Buffer.from(await blob.arrayBuffer()) : null
}
async function rowsOf<Row>(store: string): Promise<Row[]> {
  const db = openMedia()
  const rows = await db.run([store], 'readonly', (tx) => done<Row[]>(tx.objectStore(store).getAll()))
  db.close()
  return rows
}

describe('a line that cuts', () => {
  test.each([
    [300, 30],
    [800, 16],
  ])('every %i KB brings the lesson for little more than it weighs, by at most %i requests', async (kb, most) => {
    wire.set({ cutAfter: kb * 1024, bytesPerSecond: 8 * MB })
    const lessons = openTab()
    const told = new Set<string>()
    lessons.subscribe(() => told.add(activityOf(lessons)?.at ?? ''))
    await lessons.start([listed()])
    await arrived(lessons)
    expect((await played(lessons))?.equals(FILE)).toBe(true)
    expect(wire.cuts()).toBeGreaterThan(2)
    expect(wire.brought() / FILE.length).toBeLessThan(1.3)
    expect(requests.length).toBeLessThanOrEqual(most)
    expect(told).toContain('unsteady')
    // It brings something: nobody is told that there is no network.
    expect(told).not.toContain('waiting')
    expect(await rowsOf('pieces')).toEqual([])
    expect(await rowsOf('spent')).toEqual([])
  })
  test('and is gone in the middle of a part, by a killed page too, goes on there after a restart', async () => {
    wire.set({ bytesPerSecond: 200 * 1024 })
    const phone = { db: openMedia(), dead: false }
    const killed = openTab({
      db: {
        ...phone.db,
        run: (...of) => (phone.dead ? Promise.reject(new Error('killed')) : phone.db.run(...of)),
      },
    })
    await killed.start([listed()])
    // What came is put down while its part is still on its way.
    await vi.waitFor(async () => expect((await rowsOf('pieces')).length).toBeGreaterThan(2), { timeout: 20_000 })
    phone.dead = true
    killed.close()
    const pieces = await rowsOf<PieceRow>('pieces')
    const kept = pieces.reduce((sum, { at, end }) => sum + end - at, 0)
    expect(await rowsOf('parts')).toEqual([])
    expect(kept).toBeGreaterThan(100 * 1024)

    wire.set({})
    requests = []
    const later = openTab()
    await later.open()
    expect(later.get().rows?.get('L1')?.share).toBeCloseTo(kept / PART_BYTES / 5, 5)
    await arrived(later)
    expect((await played(later))?.equals(FILE)).toBe(true)
    const asked = requests.map((range) => range.replace('bytes=', '').split('-').map(Number))
    expect(asked.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0)).toBe(FILE.length - kept)
    const begun = pieces.map(({ n, end }) => n * PART_BYTES + end)
    for (const n of new Set(pieces.map((piece) => piece.n))) {
      const end = Math.max(...begun.filter((at) => Math.floor((at - 1) / PART_BYTES) === n))
      expect(requests).toContain(`bytes=${end}-${(n + 1) * PART_BYTES - 1}`)
    }
    expect(await rowsOf('pieces')).toEqual([])
  })
})

/** What a version under way begins with: nothing has come of it, nobody fetches it. */
async function resting(): Promise<{ rev: string }> {
  const tab = openTab({ fetch: () => Promise.reject(new TypeError('Failed to fetch')), pause: untilStopped })
  await tab.start([listed()])
  await becomes(tab, 'waiting')
  tab.close()
  const [row] = await rowsOf<LessonRow>('lessons')
  return { rev: row?.next?.media.rev ?? '' }
}
const untilStopped: LessonsParts['pause'] = (_, signal) => aborted(signal)
async function putPiece(piece: Partial<PieceRow>): Promise<void> {
  const db = openMedia()
  const row = {
    owner: 'anon',
    lesson: 'L1',
    file: '1.mp3',
    n: 0,
    at: 0,
    end: 1000,
    data: new ArrayBuffer(1000),
    ...piece,
  }
  await db.run(['pieces'], 'readwrite', (tx) => done(tx.objectStore('pieces').put(row)))
  db.close()
}

describe('what came of a part', () => {
  test('that makes none with its hash is thrown away, and the part is fetched anew', async () => {
    await putPiece(await resting())
    requests = []
    const lessons = openTab()
    await lessons.open()
    await arrived(lessons)
    expect((await played(lessons))?.equals(FILE)).toBe(true)
    expect(requests.filter((range) => range.endsWith(`-${PART_BYTES - 1}`))).toEqual([
      `bytes=1000-${PART_BYTES - 1}`,
      `bytes=0-${PART_BYTES - 1}`,
    ])
  })

  test('of another version of the lesson is never put beside this one', async () => {
    await putPiece({ rev: 'before' })
    const lessons = openTab()
    await lessons.start([listed()])
    await arrived(lessons)
    expect(requests).toContain(`bytes=0-${PART_BYTES - 1}`)
    expect(await rowsOf('pieces')).toEqual([])
    expect((await played(lessons))?.equals(FILE)).toBe(true)
  })

  test('leaves when the download is cancelled', async () => {
    await putPiece(await resting())
    const lessons = openTab({ fetch: () => Promise.reject(new TypeError('Failed to fetch')), pause: untilStopped })
    await lessons.open()
    await lessons.cancel(['L1'])
    expect(await rowsOf('pieces')).toEqual([])
    expect(await rowsOf('spent')).toEqual([])
  })
})

describe('a line that costs more than the lesson weighs', () => {
  /** Every part comes whole, and damaged. */
  const damaged: LessonsParts['fetch'] = (_, init) => {
    const range = new Headers(init.headers).get('range') ?? ''
    requests.push(range)
    const [from = 0, to = 0] = range.replace('bytes=', '').split('-').map(Number)
    const headers = { 'content-range': `bytes ${from}-${to}/${FILE.length}` }
    return Promise.resolve(new Response(noise(to - from + 1), { status: 206, headers }))
  }
  const costly = async (parts: Partial<LessonsParts> = {}): Promise<Lessons> => {
    const lessons = openTab({ fetch: damaged, ...parts })
    await lessons.start([listed()], true)
    await becomes(lessons, 'costly')
    return lessons
  }

  test('twice over asks the student, also after a restart before anything is fetched, and goes on when they say so', async () => {
    const first = await costly()
    expect(activityOf(first)?.message).toMatch(/^网络不稳定，已用 (9|1\d).*MB 流量$/)
    first.close()
    requests = []
    const later = openTab()
    await later.open()
    await becomes(later, 'costly')
    expect(requests).toEqual([])
    await later.spend('L1')
    await arrived(later)
    expect((await played(later))?.equals(FILE)).toBe(true)
    expect(await rowsOf('spent')).toEqual([])
  })

  test.each([
    ['Wi-Fi', false, 8],
    ['mobile data', true, 4],
  ])('on %s asks again after as much again as it may', async (_, mobile, mb) => {
    const lessons = await costly({ metered: () => mobile, fetch: damaged })
    const before = requests.length
    await lessons.spend('L1')
    await vi.waitFor(() => expect(requests.length - before).toBeGreaterThan(mb * 0.8), { timeout: 10_000 })
    await becomes(lessons, 'costly')
    expect(requests.length - before).toBeLessThan(mb * 1.6 + 3)
  })
})
