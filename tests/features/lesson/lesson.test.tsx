import { randomUUID } from 'node:crypto'
import { fireEvent, screen, within } from '@testing-library/react'
import type { QueryClient } from '@tanstack/react-query'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Span } from '#src/domain/course/watched.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, LESSON_SECONDS, publishCourse } from '#tests/support/courses.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publishTesting, testingJson } from '#tests/support/testings.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
let app: { close: () => void; path: () => string; queryClient: QueryClient } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let courses = 0
/** Of this device, by which the server’s clock is. */
let aheadMs = 0
let stopSync = (): void => {}
/** The course of a test, with lessons `<no>_1` … */
let no = ''
beforeAll(async () => {
  server = await startServer()
  // It goes on: ages of ops are taken from it.
  Object.defineProperty(server.clock, 'now', { get: () => Date.now() + aheadMs })
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 10 }))
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
  no = `K${(courses += 1)}`
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
})

const publish = (patch: object = {}) =>
  publishCourse(server, { ...courseRow({ no, units: [[`${no}_1`, `${no}_2`], [`${no}_3`]] }), ...patch })
const visit = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const open = (n = 1) => visit(`/course/course_audio/${no}/${no}_${n}`)
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const tap = async (name: string | RegExp) => userEvent.click(await button(name))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const element = () => {
  const found = document.querySelector<HTMLMediaElement>('audio, video')
  if (!found) throw new Error('nothing plays here')
  return found
}
const asked = () => wire.sent.filter(({ path }) => path.endsWith('course/lesson')).length
/** The lesson's file has come. */
async function loaded(n = 1, seconds = LESSON_SECONDS): Promise<HTMLMediaElement> {
  await expect.poll(() => element().getAttribute('src')).toContain(`/${no}_${n}/`)
  media.loaded(element(), seconds)
  return element()
}
/** It has come, and is played up to a second. */
async function playedTo(second: number, n = 1): Promise<HTMLMediaElement> {
  const audio = await loaded(n)
  await audio.play()
  media.plays(audio, second)
  return audio
}
/** What the server knows of a lesson, once it knows this place. */
const onServer = async (n: number, position: number) => {
  const { offline } = await import('#src/offline/index.ts')
  await offline.syncNow()
  const { changes } = await sync([])
  const thing = changes.findLast((each) => each.kind === 'lesson' && each.id === `${no}_${n}`)
  expect(thing).toMatchObject({ body: { position, courseNo: no } })
  return thing?.kind === 'lesson' ? thing.body.watched : []
}
const sync = (ops: object[]) =>
  server.call(
    contract.study.sync,
    { device: randomUUID(), owner: student.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops: ops as never },
    student.token,
  )
/** The student's other phone. */
const elsewhere = (n: number, watched: Span[], position: number) =>
  sync([
    {
      opId: randomUUID(),
      seq: 1,
      stream: `lesson:${no}_${n}`,
      kind: 'watch',
      v: 1,
      payload: { courseNo: no, lessonNo: `${no}_${n}`, watched, position },
      ctx: { sg_key: 'jg', area: '0', key: 'jg' },
      clientAt: server.clock.now,
    },
  ])

test('what is heard is told when it is paused; the list says how far, and it goes on there', async () => {
  await publish()
  await open()
  await heading('第1课')
  const audio = await loaded()
  expect(screen.queryByText(/^从 .* 继续$/)).toBeNull()
  await tap('播放')
  media.plays(audio, 30.4)
  await tap('暂停')
  await expect.poll(() => onServer(1, 30).catch(() => null)).toEqual([[0, 30]])
  const list = within(screen.getByRole('navigation', { name: '课时目录' }))
  await list.findByRole('link', { name: /第1课.*当前.*1:00.*已学 50%/ })

  await open()
  const again = await loaded()
  expect(again.currentTime).toBe(30)
  await screen.findByText('从 0:30 继续')
  await tap('从头播放')
  expect(again.currentTime).toBe(0)
  expect(again.paused).toBe(false)
  expect(screen.queryByText('从 0:30 继续')).toBeNull()
})

test('leaving in the middle keeps what was heard, and a lesson that was finished begins anew', async () => {
  await publish()
  await open()
  await playedTo(21)
  await tap(`${no} 课程`)
  await expect.poll(() => onServer(1, 21).catch(() => null)).toEqual([[0, 21]])
  await open()
  const again = await loaded()
  await again.play()
  media.plays(again, LESSON_SECONDS)
  await expect.poll(() => onServer(1, 60).catch(() => null)).toEqual([[0, 60]])
  await open()
  expect((await loaded()).currentTime).toBe(0)
  await screen.findByText('已学完')
})

describe('a lesson opened at a second', () => {
  const openAt = (t: number | string) => visit(`/course/course_audio/${no}/${no}_1?t=${t}`)
  test('stands there; the address asks for it once', async () => {
    await publish()
    await openAt(42)
    const audio = await loaded()
    expect(audio.currentTime).toBe(42)
    expect(screen.queryByText(/继续$/)).toBeNull()
    await expect.poll(() => app?.path()).toBe(`/course/course_audio/${no}/${no}_1`)
    expect(audio.currentTime).toBe(42)
  })
  test('that is its last stands there, one beyond its end at the end, and no second at all at its beginning', async () => {
    await publish()
    await openAt(LESSON_SECONDS - 1)
    expect((await loaded()).currentTime).toBe(LESSON_SECONDS - 1)
    await openAt(9_999)
    expect((await loaded()).currentTime).toBe(LESSON_SECONDS)
    await openAt('x%00')
    expect((await loaded()).currentTime).toBe(0)
  })
})

describe('after a lesson', () => {
  const finish = async (n: number) => {
    await open(n)
    await playedTo(LESSON_SECONDS, n)
    return screen.findByRole('region', { name: '本课时播放完毕' })
  }
  test('the next one comes by itself, if it is not stopped, and plays', async () => {
    await publish()
    const region = await finish(1)
    expect(document.activeElement).toBe(region)
    const card = within(region)
    card.getByText('下一课时：第2课')
    expect(card.getByRole('timer').textContent).toBe('5 秒后自动播放')
    await userEvent.click(card.getByRole('button', { name: '取消' }))
    expect(card.queryByRole('timer')).toBeNull()
    await userEvent.click(card.getByRole('button', { name: '播放下一课时' }))
    await heading('第2课')
    const audio = await loaded(2)
    // Not lost with the card.
    expect(document.activeElement).toBe(screen.getByRole('region', { name: '音频播放器' }))
    expect(audio.paused).toBe(false)
    expect(app?.path()).toBe(`/course/course_audio/${no}/${no}_2`)
  })
  test('nothing goes on where that is switched off, also the next time', async () => {
    await publish()
    await open()
    await userEvent.click(await screen.findByRole('switch', { name: '自动播放下一课时' }))
    const card = within(await finish(1))
    expect(card.queryByRole('timer')).toBeNull()
    card.getByRole('button', { name: '播放下一课时' })
  })
  test('nothing goes on when it was to be the last one before sleep', async () => {
    await publish()
    await open()
    await tap('定时关闭')
    await userEvent.click(await screen.findByRole('radio', { name: '播完本课时' }))
    await button('定时关闭：播完本课时')
    await playedTo(LESSON_SECONDS)
    await screen.findByText('下一课时：第2课')
    expect(screen.queryByRole('timer')).toBeNull()
    await button('定时关闭')
  })
  test('that ends its unit, the unit’s quiz is offered', async () => {
    await publish()
    await publishTesting(server.db, {
      ...testingJson({ no: `${no}_T`, paper: [['L_q1']] }),
      unit: { course: no, no: `${no}_u1` },
    })
    const card = within(await finish(2))
    await userEvent.click(card.getByRole('button', { name: '做单元测验' }))
    await expect.poll(() => app?.path()).toBe(`/testing/testing_detail/${no}_T/0`)
    // Begun and left, or handed in and read: it is the course's still.
    await tap('开始测评')
    await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
    await tap('退出练习')
    await expect.poll(() => app?.path()).toMatch(new RegExp(`^/testing/testing_detail/${no}_T/`))
    await tap('返回课程')
    await expect.poll(() => app?.path()).toBe(`/course/course_audio/${no}/${no}_2`)
  })
  test('that ends its unit, its quiz that was never opened says without a network what it takes, and leads back', async () => {
    await publish()
    await publishTesting(server.db, {
      ...testingJson({ no: `${no}_T`, paper: [['L_q1']] }),
      unit: { course: no, no: `${no}_u1` },
    })
    await visit(`/course/course_detail/${no}`)
    const quiz = await screen.findByRole('link', { name: new RegExp(`${no}_T 测验`) })
    await screen.findByText('下载的是课时。单元测验要另外联网打开一次，以后没有网络也能用。')
    wire.fault = nobody
    await userEvent.click(quiz)
    const card = within(await screen.findByRole('alert'))
    card.getByText('测评第一次打开要联网；打开过一次，没有网络也能做')
    await userEvent.click(card.getByRole('button', { name: '返回' }))
    await expect.poll(() => app?.path()).toBe(`/course/course_detail/${no}`)
    await heading(courseRow({ no, units: [] }).title)
    wire.fault = null
    await userEvent.click(await screen.findByRole('link', { name: new RegExp(`${no}_T 测验`) }))
    await button('开始测评')
    await expect.poll(() => app?.queryClient.isFetching()).toBe(0)
    wire.fault = nobody
    await tap('返回课程')
    await userEvent.click(await screen.findByRole('link', { name: new RegExp(`${no}_T 测验`) }))
    await tap('开始测评')
    await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
  })
  test('that may be tried, it is said what comes and how to get it', async () => {
    await publish({ price: 9_900 })
    await open()
    await screen.findByText(/共 3 课时，可试听 1 课时；其余 2 课时购买后学习/)
    await playedTo(LESSON_SECONDS)
    const card = within(await screen.findByRole('region', { name: '本课时播放完毕' }))
    card.getByText('试听到这里，后面还有 2 课时')
    await userEvent.click(card.getByRole('button', { name: '看看怎么购买' }))
    await expect.poll(() => app?.path()).toBe(`/course/course_detail/${no}`)
  })
})

test('arrows on the bar of where it stands move it by 5 s, also with the keys switched off', async () => {
  localStorage.setItem('jk-lesson-keys', 'off')
  await publish()
  await open()
  const audio = await loaded()
  const bar = await screen.findByRole('slider', { name: '播放进度' })
  bar.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(audio.currentTime).toBe(10)
  await userEvent.keyboard('{ArrowLeft}')
  expect(audio.currentTime).toBe(5)
})

describe('a lesson that does not play', () => {
  test('because it is not theirs says what to buy', async () => {
    await publish({ price: 9_900 })
    await open(2)
    const card = within(await screen.findByRole('alert'))
    card.getByText(`购买《${no} 课程》后可以学习这个课时`)
    await userEvent.click(card.getByRole('button', { name: '看看怎么购买' }))
    await expect.poll(() => app?.path()).toBe(`/course/course_detail/${no}`)
  })
  test('because the network went says where it stands, and goes on when asked to', async () => {
    await publish()
    await open()
    const audio = await playedTo(33)
    wire.fault = nobody
    media.fails(audio, 2)
    const card = within(await screen.findByRole('alert'))
    card.getByText(/已停在 0:33/)
    wire.fault = null
    const before = asked()
    await userEvent.click(card.getByRole('button', { name: '重试' }))
    await expect.poll(asked).toBe(before + 1)
    const again = await loaded()
    expect(again).toMatchObject({ currentTime: 33, paused: false })
    expect(screen.queryByRole('alert')).toBeNull()
  })
  test('because there is no network and it was not downloaded says so', async () => {
    await publish()
    await open()
    await loaded()
    app?.close()
    wire.fault = ({ path }, signal) => (path.endsWith('course/lesson') ? nobody({} as never, signal) : null)
    await open(2)
    await screen.findByText('没有网络，这个课时也没有下载')
  })
  test('because it left the course leads back to it', async () => {
    await publish()
    await open(9)
    await screen.findByText('这门课里没有这个课时')
    await tap('返回课程')
    await expect.poll(() => app?.path()).toBe(`/course/course_detail/${no}`)
  })
})

describe('another phone of the student', () => {
  const heard = async () => (await import('#src/offline/index.ts')).offline.syncNow()
  test('that has gone on is followed by one that has not begun', async () => {
    await publish()
    await open()
    const audio = await loaded()
    await elsewhere(1, [[0, 25]], 25)
    await heard()
    await screen.findByText('从 0:25 继续')
    expect(audio.currentTime).toBe(25)
  })
  test('is not followed by one that was opened at a second, but offered', async () => {
    await publish()
    await visit(`/course/course_audio/${no}/${no}_1?t=5`)
    const audio = await loaded()
    // A place that is known when the lesson is opened is no news.
    await expect.poll(() => audio.currentTime).toBe(5)
    await elsewhere(1, [[0, 25]], 25)
    await heard()
    await screen.findByText(/另一台设备/)
    expect(audio.currentTime).toBe(5)
  })
  test('never moves what plays, and is offered while it is paused', async () => {
    await publish()
    await open()
    const audio = await playedTo(10)
    aheadMs += 60_000
    await elsewhere(1, [[0, 40]], 40)
    await heard()
    expect(audio.currentTime).toBe(10)
    expect(screen.queryByText(/另一台设备/)).toBeNull()
    audio.pause()
    await heard()
    aheadMs += 60_000
    await elsewhere(1, [[40, 50]], 50)
    await heard()
    await screen.findByText('另一台设备看到 0:50')
    expect(audio.currentTime).toBe(10)
    await tap('去那里')
    expect(audio).toMatchObject({ currentTime: 50, paused: false })
  })
})

test('keys play, jump, change the speed that this course remembers, and are listed', async () => {
  await publish()
  await open()
  const audio = await loaded()
  await userEvent.keyboard('k')
  expect(audio.paused).toBe(false)
  await userEvent.keyboard('lll')
  expect(audio.currentTime).toBe(30)
  await userEvent.keyboard('{ArrowLeft}')
  expect(audio.currentTime).toBe(25)
  await userEvent.keyboard('9')
  expect(audio.currentTime).toBe(54)
  await userEvent.keyboard('>>')
  expect(audio.playbackRate).toBe(1.5)
  await button('倍速 1.5×')
  await userEvent.keyboard('m')
  expect(audio.muted).toBe(true)
  await userEvent.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: '键盘快捷键' })
  within(sheet).getByText('慢一档、快一档')
  await userEvent.keyboard('k')
  expect(audio.paused).toBe(false)
  await userEvent.click(within(sheet).getByRole('switch', { name: '使用快捷键' }))
  await userEvent.click(within(sheet).getByRole('button', { name: '关闭' }))
  await userEvent.keyboard('k')
  expect(audio.paused).toBe(false)
  await open(2)
  expect((await loaded(2)).playbackRate).toBe(1.5)
  await button('倍速 1.5×')
})

test.each([
  ['audio', '音频播放器'],
  ['video', '视频播放器'],
] as const)('a lesson is as long in its player as in its list: %s', async (kind, name) => {
  await publish({ kind })
  await visit(kind === 'audio' ? `/course/course_audio/${no}/${no}_1` : `/course/course_video/${no}/${no}_1/course`)
  await heading('第1课')
  // The list says 1:00: a file ends a part of a second earlier or later.
  await loaded(1, 59.4)
  const list = within(screen.getByRole('navigation', { name: '课时目录' }))
  expect((await list.findAllByRole('link'))[0]?.textContent).toContain('1:00')
  const player = await screen.findByLabelText(name)
  await expect.poll(() => player.textContent).toMatch(/1:00/)
  expect(player.textContent).not.toContain('0:59')
})

test('a lesson of the list is a link, so that it opens in a tab of its own; a plain click goes on with the same element', async () => {
  await publish()
  await open()
  await heading('第1课')
  const audio = await loaded()
  const second = within(screen.getByRole('navigation', { name: '课时目录' })).getByRole('link', { name: /第2课/ })
  expect(second.getAttribute('href')).toBe(`/course/course_audio/${no}/${no}_2`)
  fireEvent.click(second, { ctrlKey: true })
  await heading('第1课')
  second.focus()
  await userEvent.keyboard('{Enter}')
  await heading('第2课')
  expect(await loaded(2)).toBe(audio)
})

test('a picture has its controls, named in Chinese, and a way into every lesson', async () => {
  await publish({ kind: 'video' })
  await visit(`/course/course_video/${no}/${no}_1/course`)
  await heading('第1课')
  const video = await loaded()
  expect(video.tagName).toBe('VIDEO')
  await button('倍速，现在 1×')
  await expect.poll(() => screen.queryByRole('button', { name: '播放' })).not.toBeNull()
  await userEvent.click(
    within(screen.getByRole('navigation', { name: '课时目录' })).getByRole('link', { name: /第2课/ }),
  )
  await heading('第2课')
  expect((await loaded(2)).paused).toBe(false)
})

test('a picture without its controls has its speed below', async () => {
  await publish({ kind: 'video' })
  const known = customElements.get.bind(customElements)
  const without = vi
    .spyOn(customElements, 'get')
    .mockImplementation((name) => (name === 'media-controller' ? undefined : known(name)))
  try {
    await visit(`/course/course_video/${no}/${no}_1/course`)
    await tap('倍速 1×')
    await userEvent.click(await screen.findByRole('radio', { name: '1.5×' }))
    expect((await loaded()).playbackRate).toBe(1.5)
    expect(element().hasAttribute('controls')).toBe(true)
  } finally {
    without.mockRestore()
  }
})

test('another lesson ends the one that plays before anything else, and what was heard of it is kept', async () => {
  await publish()
  await open()
  const audio = await playedTo(12)
  const said: string[] = []
  for (const type of ['pause', 'emptied']) audio.addEventListener(type, () => said.push(type))
  await userEvent.click(
    within(screen.getByRole('navigation', { name: '课时目录' })).getByRole('link', { name: /第2课/ }),
  )
  await heading('第2课')
  await loaded(2)
  expect(said[0]).toBe('pause')
  await expect.poll(() => onServer(1, 12).catch(() => null)).toEqual([[0, 12]])
})

test.each(['course_video/K_9/K_9_1/other', 'course_audio/K-9/K_9_1'])('%s is no address', async (path) => {
  await visit(`/course/${path}`)
  await screen.findByText('抱歉，您访问的页面不存在。')
})

test('a downloaded lesson opens though nothing of its course is kept but what its download brought, also in a package', async () => {
  const kept = `${no}_1`
  await publishLessons(server, { [kept]: { '1.mp3': noise(2_000) }, [`${no}_2`]: { '1.mp3': noise(2_000) } }, { no })
  const { lessons } = await import('#src/offline/downloads/lessons/lessons.ts')
  const courseTitle = `${no} 课程`
  await lessons.start([{ lesson: kept, title: '第1课', course: no, courseTitle, bytes: 2_000, free: true }])
  await expect.poll(() => lessons.get().rows?.get(kept)?.ready ?? null).not.toBeNull()
  // What the worker kept has run out, or another direction was chosen.
  wire.fault = nobody
  await open()
  await heading('第1课')
  await button(courseTitle)
  await visit(`/course/course_video/PACKAGE/${kept}/package`)
  await heading('第1课')
  await visit(`/course/course_audio/${no}/${no}_9`)
  await screen.findByText(/联网后可查看/)
  wire.fault = null
  await lessons.remove([kept])
})
