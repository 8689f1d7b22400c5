import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { CourseDetail } from '#src/contract/course.ts'
import {
  createLessons,
  type Lessons,
  lessons as ownLessons,
  type LessonsParts,
} from '#src/offline/downloads/lessons/lessons.ts'
import { isHashed, openMedia, updateOf } from '#src/offline/downloads/lessons/media.ts'
import { unanswered } from '#tests/support/aborted.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type LessonFiles, noise, publishLessons } from '#tests/support/lessons.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

const MB = 1024 ** 2
const OLD: LessonFiles = { '1.mp3': noise(1.2 * MB) }
const NEW: LessonFiles = { '1.mp3': noise(1.8 * MB) }
const NEWEST: LessonFiles = { '1.mp3': noise(0.5 * MB) }
const BYTES = (files: LessonFiles) => files['1.mp3']?.length

let server: TestServer
let wire: Wire
let tabs: Lessons[]
beforeAll(async () => {
  ownLessons.close()
  server = await startServer()
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
  tabs = []
  wire = connect(server)
  await publish(OLD)
})
afterEach(() => {
  for (const tab of tabs) tab.close()
  wire.restore()
  vi.unstubAllGlobals()
})

/** F is free, P is sold with its first lesson as 试看. */
async function publish(files: LessonFiles): Promise<void> {
  await publishLessons(server, { F1: files, F2: OLD }, { no: 'F' })
  await publishLessons(server, { P1: files, P2: files }, { no: 'P', price: 9_900 })
}
const partsOf = (owner: string, token: string): LessonsParts => ({
  db: openMedia(),
  owner,
  locks: navigator.locks,
  course: (no) => server.call(contract.course.detail, { no }, token),
  player: async () => {},
  media: async (no) => {
    const media = await server.call(contract.course.lesson, { no }, token)
    if (!isHashed(media)) throw new Error('no hashes')
    return media
  },
  playing: (no) => server.call(contract.course.lesson, { no, hashes: false }, token),
  rendition: ({ renditions }) => renditions[0],
  fetch: (src, init) => fetch(src, init),
  missingRoom: async () => 0,
  metered: () => false,
  pause: async () => {},
  random: () => 0.5,
  now: () => server.clock.now,
  seen: () => server.clock.now,
})
function open(owner = 'anon', token = '', over: Partial<LessonsParts> = {}): Lessons {
  const tab = createLessons({ ...partsOf(owner, token), ...over })
  tabs.push(tab)
  return tab
}
const wanted = (lesson: string, free = true) => {
  const course = lesson.slice(0, 1)
  return { lesson, title: lesson, course, courseTitle: course, bytes: 1, free }
}
const whole = (tab: Lessons, lesson: string) =>
  eventually(() => {
    expect(tab.get().rows?.get(lesson)?.ready).toBeTruthy()
    expect(tab.get().activities.has(lesson)).toBe(false)
  })
async function download(tab: Lessons, lesson: string, free = true): Promise<void> {
  await tab.start([wanted(lesson, free)])
  await whole(tab, lesson)
}
const detail = (lesson: string, token = ''): Promise<CourseDetail> =>
  server.call(contract.course.detail, { no: lesson.slice(0, 1) }, token)
/** What the update of a lesson weighs; null: it has none. */
const updateBytes = (tab: Lessons, lesson: string) => {
  const row = tab.get().rows?.get(lesson)
  return (row && updateOf(row)?.bytes) ?? null
}
const rev = (tab: Lessons, lesson: string) => tab.get().rows?.get(lesson)?.ready?.media.rev
const plays = async (tab: Lessons, lesson: string): Promise<number | undefined> =>
  (await (await tab.kept(lesson))?.file('1.mp3'))?.size
const untilKilled = (signal?: AbortSignal | null): Promise<never> => unanswered(signal)
async function buyer() {
  const who = await server.student()
  const until = server.clock.now + 30 * 86_400_000
  await server.db.insertInto('entitlement').values({ uid: who.uid, kind: 'course', no: 'P', until }).execute()
  return { owner: `u:${who.uid}`, token: who.token }
}

describe('a corrected lesson', () => {
  test.each([
    ['of a free course', 'F1', true, async () => ({ owner: 'anon', token: '' })],
    ['that may be tried', 'P1', true, async () => ({ owner: 'anon', token: '' })],
    ['that was bought', 'P2', false, buyer],
    ['that a visitor downloaded, seen by a student', 'F1', true, async () => ({ owner: 'u:1', token: '' })],
  ])(
    '%s is offered to whoever keeps the old one, as soon as its course has answered',
    async (_, lesson, free, come) => {
      const { owner, token } = await come()
      if (owner === 'u:1') await download(open(), lesson)
      const tab = open(owner, token)
      await tab.open()
      if (owner !== 'u:1') await download(tab, lesson, free)
      await tab.seenCourse(await detail(lesson, token))
      expect(updateBytes(tab, lesson)).toBeNull()
      await publish(NEW)
      await tab.seenCourse(await detail(lesson, token))
      expect(updateBytes(tab, lesson)).toBe(BYTES(NEW))
      expect(await plays(tab, lesson)).toBe(BYTES(OLD))
      await download(tab, lesson, free)
      await eventually(() => expect(updateBytes(tab, lesson)).toBeNull())
      expect(await plays(tab, lesson)).toBe(BYTES(NEW))
    },
  )

  test('is offered in the other tab too, and no lesson beside it is', async () => {
    const [tab, other] = [open(), open()]
    await download(tab, 'F1')
    await download(tab, 'F2')
    await publish(NEW)
    await tab.seenCourse(await detail('F1'))
    await eventually(() => expect(updateBytes(other, 'F1')).toBe(BYTES(NEW)))
    expect(updateBytes(other, 'F2')).toBeNull()
  })

  test('goes on after its update was killed in the middle; until it is whole the old one plays', async () => {
    const first = open()
    await download(first, 'F1')
    await publish(NEW)
    await first.seenCourse(await detail('F1'))
    first.close()
    let answers = 0
    const killed = open('anon', '', {
      fetch: (src, init) => (++answers > 1 ? untilKilled(init.signal) : fetch(src, init)),
    })
    await killed.start([wanted('F1')])
    await eventually(() => expect(answers).toBe(2))
    killed.close()
    const next = open()
    expect(await plays(next, 'F1')).toBe(BYTES(OLD))
    await next.open()
    await eventually(() => expect(updateBytes(next, 'F1')).toBeNull())
    expect(await plays(next, 'F1')).toBe(BYTES(NEW))
  })

  test('that was replaced again while it came is offered again', async () => {
    const tab = open()
    await download(tab, 'F1')
    await publish(NEW)
    await tab.seenCourse(await detail('F1'))
    const coming = (await detail('F1')).units[0]?.lessons[0]?.rev
    let replaced = false
    const other = open('anon', '', {
      fetch: async (src, init) => {
        const answer = await fetch(src, init)
        if (!replaced) {
          replaced = true
          await publish(NEWEST)
          await other.seenCourse(await detail('F1'))
        }
        return answer
      },
    })
    await other.start([wanted('F1')])
    await eventually(() => expect(rev(other, 'F1')).toBe(coming))
    expect(updateBytes(other, 'F1')).toBe(BYTES(NEWEST))
    expect(await plays(other, 'F1')).toBe(BYTES(NEW))
  })

  test('that plays while its update takes its place is not taken for damaged', async () => {
    const tab = open()
    await download(tab, 'F1')
    const playing = await tab.kept('F1')
    await publish(NEW)
    const coming = (await detail('F1')).units[0]?.lessons[0]?.rev
    await tab.start([wanted('F1')])
    await eventually(() => expect(rev(tab, 'F1')).toBe(coming))
    expect(await playing?.file('1.mp3')).toBeNull()
    expect(rev(tab, 'F1')).toBe(coming)
    expect(tab.get().rows?.get('F1')?.wanted).toBe(false)
  })
})

describe('an answer that is old', () => {
  test('because the service worker kept it offers nothing to whoever has the new lesson', async () => {
    const old = await detail('F1')
    await publish(NEW)
    const tab = open()
    await download(tab, 'F1')
    await tab.seenCourse(old)
    expect(updateBytes(tab, 'F1')).toBeNull()
    // Also after the new one was heard of, and not yet had.
    const fresh = await detail('F1')
    await publish(NEWEST)
    await tab.seenCourse(await detail('F1'))
    await tab.seenCourse(fresh)
    expect(updateBytes(tab, 'F1')).toBe(BYTES(NEWEST))
  })

  test('because it comes from before courses told it, or from a server of before, changes nothing', async () => {
    const tab = open()
    await download(tab, 'F1')
    await publish(NEW)
    const course = await detail('F1')
    const units = course.units.map((unit) => ({
      ...unit,
      lessons: unit.lessons.map((each) => ({ ...each, rev: undefined, edition: undefined })),
    }))
    await tab.seenCourse({ ...course, units })
    expect(updateBytes(tab, 'F1')).toBeNull()
  })

  test('but what was taken back is offered: it is the newer edition', async () => {
    await publish(NEW)
    const tab = open()
    await download(tab, 'F1')
    await publish(OLD)
    await tab.seenCourse(await detail('F1'))
    expect(updateBytes(tab, 'F1')).toBe(BYTES(OLD))
  })
})

describe('hashes', () => {
  test('are asked for by a download, and not when the right to a lesson is confirmed', async () => {
    const { owner, token } = await buyer()
    const asked: string[] = []
    const parts = partsOf(owner, token)
    const counted: Partial<LessonsParts> = {
      media: (no, signal) => (asked.push(`${no} with`), parts.media(no, signal)),
      playing: (no, signal) => (asked.push(`${no} without`), parts.playing(no, signal)),
    }
    const tab = open(owner, token, counted)
    await download(tab, 'P2', false)
    expect(asked).toEqual(['P2 with'])
    server.clock.now += 8 * 86_400_000
    await tab.kept('P2')
    expect(asked).toEqual(['P2 with', 'P2 without'])
  })
})
