import { randomUUID } from 'node:crypto'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { ThingChange } from '#src/contract/study.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { giveMedia } from '#tests/support/mediaElement.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

/** A course that is withdrawn, or whose access ends, while its student has it on a phone without a network. */
const DAY = 86_400_000
let server: TestServer
let wire: Wire
let app: { close: () => void; path: () => string } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let courses = 0
let stopSync = (): void => {}
let no = ''
beforeAll(async () => {
  server = await startServer()
  Object.defineProperty(server.clock, 'now', { get: () => Date.now() })
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 2 }))
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  giveMedia()
  const { offline } = await import('#src/offline/index.ts')
  await import('#src/features/course/lesson/LessonPage.tsx')
  // Before the sync begins: one that reaches nobody waits longer from try to try.
  wire = connect(server)
  stopSync = offline.start()
})
afterAll(() => {
  stopSync()
  return server.close()
})
beforeEach(async () => {
  wire = connect(server)
  globalThis.dispatchEvent(new Event('online'))
  no = `W${(courses += 1)}`
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('probably')
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
})

const visit = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const open = () => visit(`/course/course_audio/${no}/${no}_2`)
const engine = async () => (await import('#src/offline/index.ts')).offline
/** The course is this student's for so many days, and its second lesson is on this phone. */
async function kept(price: number): Promise<void> {
  const files = { '1.mp3': noise(1000) }
  await publishLessons(server, { [`${no}_1`]: files, [`${no}_2`]: files }, { no, price })
  const until = Date.now() + 30 * DAY
  await server.db.insertInto('entitlement').values({ uid: student.uid, kind: 'course', no, until }).execute()
  const { lessons } = await import('#src/offline/downloads/lessons/lessons.ts')
  const of = { course: no, courseTitle: `${no} 课程`, bytes: 1000, free: price === 0 }
  await lessons.start([{ lesson: `${no}_2`, title: '第2课', ...of }])
  await expect.poll(() => lessons.get().rows?.get(`${no}_2`)?.ready).toBeTruthy()
}
/** All that one does in a lesson. */
async function study(): Promise<void> {
  const offline = await engine()
  const of = { courseNo: no, lessonNo: `${no}_2` }
  await offline.add({ kind: 'watch', payload: { ...of, watched: [[0, 30]], position: 30 } })
  const titles: [string, string] = [`${no} 课程`, '第2课']
  const note = { noteNo: randomUUID(), ofKind: 'audio' as const, titles, second: 12, text: '离线写下的' }
  await offline.add({ kind: 'lessonNote', payload: { ...of, ...note } })
  const answer = { questionNo: 'L_q1', response: { kind: 'choice' as const, ids: ['A'] }, spentMs: 1, version: 1 }
  await offline.recordAnswer({ ...answer, from: 'lesson', right: false, place: placeIn('L') })
}
async function withdraw(): Promise<void> {
  await server.db.updateTable('course').set({ withdrawn: true }).where('no', '=', no).execute()
  await server.db
    .updateTable('entitlement')
    .set({ until: Date.now() - 1 })
    .where('uid', '=', student.uid)
    .where('no', '=', no)
    .execute()
}
/** What the account has of this lesson. */
async function onServer(): Promise<{ things: ThingChange['kind'][]; answered: string[] }> {
  const sync = { device: randomUUID(), owner: student.uid, proto: 1 as const, sentAt: Date.now(), cursor: 0, ops: [] }
  const { changes } = await server.call(contract.study.sync, sync, student.token)
  const things = changes.flatMap((each) =>
    (each.kind === 'lesson' || each.kind === 'lessonNote') && each.body.courseNo === no ? [each.kind] : [],
  )
  return {
    things: things.sort(),
    answered: changes.flatMap((each) => (each.kind === 'state' ? [each.state.questionNo] : [])),
  }
}
/** What was bought is over on this phone, too. */
async function endHere(): Promise<void> {
  const [{ createLessonStore }, { openMedia }] = await Promise.all([
    import('#src/offline/downloads/lessons/lessonStore.ts'),
    import('#src/offline/downloads/lessons/media.ts'),
  ])
  const db = openMedia()
  await createLessonStore(db, (await engine()).owner).confirm([`${no}_2`], Date.now() - 1, Date.now())
  db.close()
}

test.each([
  ['sold', 9_900],
  ['free', 0],
])('a course that was %s is studied on, and all that was done arrives', async (_, price) => {
  await kept(price)
  wire.fault = nobody
  await withdraw()
  await open()
  await screen.findByRole('heading', { level: 1, name: '第2课' })
  const { lessons } = await import('#src/offline/downloads/lessons/lessons.ts')
  expect(await lessons.kept(`${no}_2`)).toMatchObject({ opens: 'open' })
  await study()
  wire.fault = null
  const offline = await engine()
  await offline.syncNow()
  expect(await onServer()).toEqual({ things: ['lesson', 'lessonNote'], answered: ['L_q1'] })
  expect(await offline.dead()).toEqual([])
})

test('one whose access has ended says so without a network and with one; nothing is to be bought any more, and what was done is there', async () => {
  await kept(9_900)
  await study()
  await withdraw()
  await endHere()
  await open()
  const card = within(await screen.findByRole('alert'))
  await card.findByText(`《${no} 课程》已下架`)
  card.getByText('你的学习进度和笔记都还在。')
  await expect.poll(() => screen.queryAllByRole('button', { name: '看看怎么购买' })).toEqual([])
  screen.getByText('这门课已下架，不再开放。你的学习进度和笔记都还在。')
  await screen.findByText('离线写下的')

  wire.fault = nobody
  await open()
  const away = within(await screen.findByRole('alert'))
  away.getByText('课程有效期已过')
  away.getByText('这门课已下架，不能续费。你的学习进度和笔记都还在。')
  await userEvent.click(away.getByRole('button', { name: '返回课程' }))
  await expect.poll(() => app?.path()).toBe(`/course/course_detail/${no}`)
})
