import { randomUUID } from 'node:crypto'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, LESSON_SECONDS, publishCourse } from '#tests/support/courses.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

/** 课时笔记, on the lesson's screen and in 我的笔记. */
let server: TestServer
let wire: Wire
let app: { close: () => void; path: () => string; kept: () => Promise<unknown> } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let courses = 0
let stopSync = (): void => {}
let no = ''
beforeAll(async () => {
  server = await startServer()
  Object.defineProperty(server.clock, 'now', { get: () => Date.now() })
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 1 }))
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
  no = `N${(courses += 1)}`
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
  await publishCourse(server, courseRow({ no, units: [[`${no}_1`, `${no}_2`]] }))
})
afterEach(async () => {
  app?.close()
  app = null
  const { offline } = await import('#src/offline/index.ts')
  for (const [noteNo, { at: _, opId: _op, ...note }] of await offline.things('lessonNote'))
    if (note.text !== '') await offline.add({ kind: 'lessonNote', payload: { noteNo, ...note, text: '' } })
  wire.restore()
  vi.restoreAllMocks()
})

const user = userEvent.setup()
const visit = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const open = (n = 1) => visit(`/course/course_audio/${no}/${no}_${n}`)
const tap = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }))
const field = (time: string) => screen.findByRole('textbox', { name: `${time} 的笔记` })
const panel = async () => within(await screen.findByRole('region', { name: '笔记' }))
const rows = async () => (await panel()).queryAllByRole('listitem').map(({ textContent }) => textContent)
async function playedTo(second: number, n = 1): Promise<HTMLMediaElement> {
  await expect.poll(() => document.querySelector('audio')?.getAttribute('src')).toContain(`/${no}_${n}/`)
  const element = document.querySelector('audio')
  if (!element) throw new Error('nothing plays here')
  media.loaded(element, LESSON_SECONDS)
  await element.play()
  media.plays(element, second)
  return element
}
/** Written as the student would have written it here. */
const write = async (second: number, text: string, n = 1) => {
  const { offline } = await import('#src/offline/index.ts')
  const lesson = { courseNo: no, lessonNo: `${no}_${n}`, ofKind: 'audio' as const }
  const titles: [string, string] = [`${no} 课程`, `第${n}课`]
  await offline.add({ kind: 'lessonNote', payload: { noteNo: randomUUID(), ...lesson, titles, second, text } })
}
const onServer = async () => {
  const call = { device: randomUUID(), owner: student.uid, proto: 1 as const, sentAt: Date.now(), cursor: 0, ops: [] }
  const { changes } = await server.call(contract.study.sync, call, student.token)
  return changes.flatMap((each) =>
    each.kind === 'lessonNote' && each.body.courseNo === no && each.body.text !== ''
      ? [[each.body.second, each.body.text]]
      : [],
  )
}

test('a note takes the moment at which it is begun; the lesson waits meanwhile and goes on, and a tap on its time leads back', async () => {
  await open()
  const audio = await playedTo(42.7)
  await tap('记笔记')
  expect(audio.paused).toBe(true)
  await user.type(await field('0:42'), '先受力分析')
  await user.click(screen.getByRole('button', { name: '保存' }))
  await expect.poll(rows).toEqual([expect.stringContaining('0:42先受力分析')])
  expect(audio.paused).toBe(false)
  media.plays(audio, 55)
  await tap(/^0:42\s*先受力分析$/)
  expect(audio.currentTime).toBe(42)
  await expect.poll(onServer).toEqual([[42, '先受力分析']])
})

test('who would rather go on listening while writing says so once', async () => {
  await open()
  const audio = await playedTo(5)
  await tap('记笔记')
  await user.click(screen.getByRole('switch', { name: '写时暂停' }))
  expect(audio.paused).toBe(false)
  await tap('取消')
  await tap('记笔记')
  expect(audio.paused).toBe(false)
  await user.click(screen.getByRole('switch', { name: '写时暂停' }))
  expect(audio.paused).toBe(true)
})

test('without a network all of it works by the keyboard, and goes up when there is one', async () => {
  await open()
  const audio = await playedTo(9)
  wire.fault = nobody
  const button = await screen.findByRole('button', { name: '记笔记' })
  button.focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(await field('0:09'))
  await user.keyboard('空格 k 不控制播放{Control>}{Enter}{/Control}')
  await expect.poll(rows).toEqual([expect.stringContaining('空格 k 不控制播放')])
  expect(document.activeElement).toBe(button)
  await user.click(await screen.findByRole('button', { name: '编辑 0:09 的笔记' }))
  await user.keyboard('，改')
  // What was typed does not leave by a key that is meant for something else.
  await user.keyboard('{Escape}')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await expect.poll(rows).toEqual([expect.stringContaining('空格 k 不控制播放，改')])
  expect(await onServer()).toEqual([])
  wire.fault = null
  const { offline } = await import('#src/offline/index.ts')
  await offline.syncNow()
  await expect.poll(onServer).toEqual([[9, '空格 k 不控制播放，改']])
  expect(audio.currentTime).toBe(9)
})

test('stand by their time, and a deleted one comes back when it was deleted by mistake', async () => {
  await write(30, '后面')
  await write(10, '前面')
  await write(20, '别的课时', 2)
  await open()
  await expect.poll(rows).toEqual([expect.stringContaining('前面'), expect.stringContaining('后面')])
  await tap('删除 0:10 的笔记')
  await expect.poll(rows).toEqual([expect.stringContaining('后面')])
  const { feedback } = await import('#src/ui/feedback/feedback.ts')
  await expect.poll(() => feedback.get().toasts.at(-1)?.action?.label).toBe('撤销')
  feedback.get().toasts.at(-1)?.action?.act()
  await expect.poll(rows).toEqual([expect.stringContaining('0:10前面'), expect.stringContaining('后面')])
})

test('what was being written when the page ended is there again, and more than there may be is not kept', async () => {
  await open()
  await playedTo(12)
  await tap('记笔记')
  await user.type(await field('0:12'), '写到一半')
  window.dispatchEvent(new Event('pagehide'))
  await open()
  const again = await field('0:12')
  expect(again).toHaveProperty('value', '写到一半')
  await user.click(again)
  await user.paste('长'.repeat(1_000))
  await screen.findByText(/1004\/1000，超出 4 字/)
  expect(screen.getByRole('button', { name: '保存' })).toHaveProperty('disabled', true)
  await tap('取消')
  await open()
  await panel()
  expect(screen.queryByRole('textbox', { name: '0:12 的笔记' })).toBeNull()
})

test('a device that cannot keep a note says so, and the words stay', async () => {
  await open()
  await playedTo(7)
  await tap('记笔记')
  await user.type(await field('0:07'), '别丢')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await user.click(screen.getByRole('button', { name: '保存' }))
  await screen.findByText(/^未保存：/)
  vi.restoreAllMocks()
  await user.click(screen.getByRole('button', { name: '保存' }))
  await expect.poll(rows).toEqual([expect.stringContaining('别丢')])
})

test('a locked lesson takes none, and shows what was written while it was open', async () => {
  await publishCourse(server, { ...courseRow({ no, units: [[`${no}_1`, `${no}_2`]] }), price: 100 })
  await write(3, '以前写的', 2)
  await open(2)
  await expect.poll(rows).toEqual([expect.stringContaining('以前写的')])
  expect(screen.queryByRole('button', { name: '记笔记' })).toBeNull()
})

test('我的笔记 shows them without a network, the newest first, finds them by words and titles, and opens one at its second', async () => {
  await open()
  await app?.kept()
  // Before anything is sent: the server dates what it has, and what waits stays where the device has put it.
  wire.fault = nobody
  await write(10, '动能定理')
  await write(20, '单位换算', 2)
  await visit('/user/my_note')
  await user.click(await screen.findByRole('radio', { name: '课时笔记' }))
  const list = within(await screen.findByRole('list', { name: '课时笔记' }))
  const shown = () => list.queryAllByRole('listitem').map(({ textContent }) => textContent)
  await expect
    .poll(shown)
    .toEqual([
      expect.stringMatching(`0:20单位换算${no} 课程第2课`),
      expect.stringMatching(`0:10动能定理${no} 课程第1课`),
    ])
  await user.type(screen.getByRole('searchbox'), '第1课 动能')
  await expect.poll(shown).toEqual([expect.stringContaining('动能定理')])
  wire.fault = null
  await user.click(screen.getByRole('link', { name: /动能定理/ }))
  await expect.poll(() => document.querySelector('audio')?.getAttribute('src')).toContain(`/${no}_1/`)
  const audio = document.querySelector('audio')
  if (audio) media.loaded(audio, LESSON_SECONDS)
  await expect.poll(() => audio?.currentTime).toBe(10)
})

test('我的笔记 says what to do while there are none', async () => {
  await visit('/user/my_note?of=lesson')
  await screen.findByRole('heading', { name: '还没有课时笔记' })
  expect(screen.getByRole('button', { name: '导出' })).toHaveProperty('disabled', true)
})
