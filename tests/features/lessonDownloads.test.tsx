// Ahead of time, as tests/support/app.tsx says.
import '#src/features/account/leave.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { CourseDetail } from '#src/contract/course.ts'
import { GroupDownload } from '#src/features/course/download/GroupDownload.tsx'
import { KeptCourses } from '#src/features/course/download/KeptCourses.tsx'
import { LessonDownload } from '#src/features/course/download/LessonDownload.tsx'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { giveUpLesson } from '#src/offline/downloads/lessons/lessonLeave.ts'
import { offline } from '#src/offline/index.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { FeedbackHost } from '#src/ui/feedback/FeedbackHost.tsx'
import { openApp, prepareDevice } from '#tests/support/app.tsx'
import { eventually } from '#tests/support/eventually.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, silence, type Wire } from '#tests/support/wire.ts'

const FILES = { '1.mp3': noise(1.5 * 1024 ** 2) }
let server: TestServer
let wire: Wire
let course: CourseDetail
let paid: CourseDetail
beforeAll(async () => {
  server = await startServer()
  await publishLessons(server, { L1: FILES, L2: FILES, L3: FILES })
  await publishLessons(server, { P1: FILES, P2: FILES }, { no: 'P', price: 100 })
  course = await server.call(contract.course.detail, { no: 'C' })
  paid = await server.call(contract.course.detail, { no: 'P' })
})
afterAll(() => server.close())
beforeEach(() => {
  wire = connect(server)
  prepareDevice()
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('probably')
})
afterEach(async () => {
  wire.fault = null
  await lessons.remove(['L1', 'L2', 'L3', 'P1', 'P2'])
  wire.restore()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A device that takes nothing more into this store. */
function noRoomIn(store: string) {
  const put = Reflect.get(IDBObjectStore.prototype, 'put')
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function refuse(this: IDBObjectStore, ...row) {
    if (this.name === store) throw new DOMException('full', 'QuotaExceededError')
    return Reflect.apply(put, this, row)
  })
}
const all = (of = course) => of.units.flatMap((unit) => unit.lessons)
const lesson = (at = 0, of = course) => {
  const found = all(of)[at]
  if (!found) throw new Error('no such lesson')
  return found
}
const show = (at = 0, of = course) =>
  render(
    <>
      <LessonDownload course={of} lesson={lesson(at, of)} />
      <FeedbackHost />
    </>,
  )
/** Its lessons are links, and it asks for their courses. */
const showKept = () => {
  const routeTree = createRootRoute({
    component: () => (
      <>
        <KeptCourses />
        <FeedbackHost />
      </>
    ),
  })
  render(
    <QueryClientProvider client={createQueryClient('anon')}>
      <RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() })} />
    </QueryClientProvider>,
  )
}
const button = (name: RegExp | string) => screen.findByRole('button', { name })
const press = async (name: RegExp | string) => userEvent.click(await button(name))
const answer = async (dialog: string, name: string) =>
  userEvent.click(within(await screen.findByRole('dialog', { name: dialog })).getByRole('button', { name }))
/** What becomes of files on their way. */
const files = (fault: Wire['fault']): void => {
  wire.fault = (sent, signal) => (sent.path.startsWith('/media/') ? (fault?.(sent, signal) ?? null) : null)
}
const onNetwork = (type: string | null) =>
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator), {
      connection: type === null ? undefined : Object.assign(new EventTarget(), { type }),
    }),
  )

describe('下载 of a lesson', () => {
  test('tells its size before, comes at a tap, and is removed when the student is sure', async () => {
    show()
    await press('下载 第1课，1.5 MB')
    // What it is, which a tap does not change.
    await userEvent.click(await screen.findByText('已下载'))
    expect(screen.queryByRole('button', { name: /已下载$/ })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
    await press('移除已下载的 第1课')
    const sure = await screen.findByRole('dialog', { name: '移除下载' })
    expect(sure.textContent).toContain('释放约 1.5 MB。学习进度和笔记都会保留')
    await answer('移除下载', '取消')
    await press('移除已下载的 第1课')
    await answer('移除下载', '移除')
    await button('下载 第1课，1.5 MB')
  })

  test('whoever stands on its button by key stands there still when the download has ended', async () => {
    show()
    const start = await button('下载 第1课，1.5 MB')
    start.focus()
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(await button('移除已下载的 第1课'))
  })

  test('shows how far it is, can be paused, goes on, and can be cancelled', async () => {
    files((sent, signal) => (sent.headers.range === 'bytes=0-1048575' ? silence(sent, signal) : null))
    show()
    await press(/^下载 第1课/)
    const progress = await screen.findByRole('progressbar', { name: '第1课 下载进度' })
    await eventually(() => expect(Number(progress.getAttribute('value'))).toBeCloseTo(1 / 3, 1))
    await screen.findByText('33%')
    await press('暂停下载 第1课')
    await screen.findByText(/^已暂停 \d+%$/)
    await press('继续下载 第1课')
    await button('暂停下载 第1课')
    await press('暂停下载 第1课')
    await press('取消下载 第1课')
    await button('下载 第1课，1.5 MB')
    expect(lessons.get().rows?.size).toBe(0)
  })

  test('without a network waits, and says that it goes on by itself', async () => {
    files(nobody)
    show()
    await press(/^下载 第1课/)
    await screen.findByText('网络不可用，恢复后自动继续', { selector: 'p' })
    wire.fault = null
    window.dispatchEvent(new Event('online'))
    await screen.findByText('已下载')
  })

  test('that the server refuses says why, and can be tried again or given up', async () => {
    show(1, paid)
    await press(/^下载 第2课/)
    await screen.findByText(/购买《P 课程》后可以学习这个课时/, { selector: 'p' })
    await press('继续下载 第2课')
    await screen.findByText(/购买《P 课程》后可以学习这个课时/, { selector: 'p' })
    await press('取消下载 第2课')
    await button(/^下载 第2课/)
  })

  test('on mobile data is asked about first, and never when the student has switched 仅 Wi-Fi off', async () => {
    onNetwork('cellular')
    show()
    await press(/^下载 第1课/)
    expect((await screen.findByRole('dialog', { name: '下载课时' })).textContent).toContain(
      '当前不是 Wi-Fi，下载需要约 1.5 MB 流量',
    )
    await answer('下载课时', '取消')
    expect(wire.sent).toEqual([])
    await press(/^下载 第1课/)
    await answer('下载课时', '现在下载')
    await screen.findByText('已下载')
    await lessons.remove(['L1'])
    packSettings.setWifiOnly(false)
    await press(/^下载 第1课/)
    await screen.findByText('已下载')
  })

  test('on a network of no known kind is asked about above 20 MB', async () => {
    onNetwork(null)
    const big = { ...lesson(), bytes: 21 * 1024 ** 2 }
    render(
      <>
        <LessonDownload course={course} lesson={big} />
        <LessonDownload course={course} lesson={lesson(1)} />
        <FeedbackHost />
      </>,
    )
    await press(/^下载 第1课/)
    expect((await screen.findByRole('dialog', { name: '下载课时' })).textContent).toContain(
      '下载需要约 21.0 MB，建议连接 Wi-Fi',
    )
    await answer('下载课时', '取消')
    await press(/^下载 第2课/)
    await screen.findByText('已下载')
  })

  test('that was interrupted on mobile data waits for Wi-Fi, or goes on when the student says so', async () => {
    files(silence)
    show()
    await press(/^下载 第1课/)
    await press('暂停下载 第1课')
    onNetwork('cellular')
    wire.fault = null
    await press('继续下载 第1课')
    await screen.findByText('连上 Wi-Fi 后自动下载', { selector: 'p' })
    await press('用流量下载 第1课')
    await screen.findByText('已下载')
  })

  test('that fills the device pauses and says what to do, also one that was here before and had to leave, and goes on when there is room', async () => {
    show()
    await lessons.start([{ lesson: 'L1', title: '第1课', course: 'C', courseTitle: 'C 课程', bytes: 1, free: true }])
    await screen.findByText('已下载')
    await giveUpLesson('anon')
    await screen.findByText('存储空间不足时已移除')
    const full = noRoomIn('parts')
    await press(/^下载 第1课/)
    await screen.findByText('存储空间不足，下载已暂停。请移除一些已下载的课时或离线包，再继续', { selector: 'p' })
    await eventually(() => expect(lessons.get().rows?.get('L1')).toMatchObject({ paused: true, full: true }))
    full.mockRestore()
    await press('继续下载 第1课')
    await screen.findByText('已下载')
  })

  test('whose right was not confirmed for seven days says so and what to do', async () => {
    const { uid, token } = await server.student()
    const until = server.clock.now + 86_400_000 * 365
    await server.db.insertInto('entitlement').values({ uid, kind: 'course', no: 'P', until }).execute()
    wire.fault = async ({ path, body }) =>
      path === '/pcapi/course/lesson' && body.no === 'P2'
        ? new Response(JSON.stringify(await server.ask(contract.course.lesson, { no: 'P2' }, token)))
        : null
    show(1, paid)
    await press(/^下载 第2课/)
    await screen.findByText('已下载')
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now + 8 * 86_400_000)
    wire.fault = nobody
    await lessons.open()
    await screen.findByText('超过 7 天没有联网确认购买，联网一次即可继续', { selector: 'p' })
  })
})

describe('下载 of a unit or a course', () => {
  test('tells its sum before, brings all that is missing, and is paused and goes on as one', async () => {
    await lessons.start([{ lesson: 'L1', title: '第1课', course: 'C', courseTitle: 'C 课程', bytes: 1, free: true }])
    await eventually(() => expect(lessons.get().rows?.get('L1')?.ready).toBeTruthy())
    files(silence)
    render(
      <>
        <GroupDownload course={course} lessons={all()} name="整门课程" />
        <FeedbackHost />
      </>,
    )
    await screen.findByText('其余 2 课时 · 3.0 MB')
    await press('下载整门课程')
    await screen.findByText('正在下载 1/3')
    await press('全部暂停')
    await screen.findByText('未下完 2 课时')
    wire.fault = null
    await press('全部继续')
    await screen.findByText('3 课时已下载')
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('已下载课程', () => {
  test('is empty at first, and says where lessons come from', async () => {
    showKept()
    await screen.findByText(/^还没有下载课时。在课程目录里点下载/)
  })

  test('lists by course what is on the phone with size and date, opens it, and removes one or all', async () => {
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator), {
        storage: { estimate: async () => ({ quota: 2 * 1024 ** 3, usage: 0 }), persist: async () => false },
      }),
    )
    const wanted = (at: number, of = course) => ({
      lesson: lesson(at, of).no,
      title: lesson(at, of).title,
      course: of.no,
      courseTitle: of.title,
      bytes: lesson(at, of).bytes,
      free: true,
    })
    await lessons.start([wanted(0), wanted(1), wanted(0, paid)])
    await eventually(() =>
      expect([...(lessons.get().rows?.values() ?? [])].map(({ ready }) => ready !== null)).toEqual([true, true, true]),
    )
    showKept()
    const own = within(await screen.findByRole('region', { name: 'C 课程' }))
    own.getByText('2 课时 · 3.0 MB')
    await screen.findByText('课时占用 4.5 MB')
    // No browser says how much is free, so nothing is promised.
    expect(screen.queryByText(/还可用/)).toBeNull()
    // As long as the list of the course and the player say.
    const second = await own.findByRole('link', { name: /^第2课 ?1:00 · 1\.5 MB · / })
    expect(second.getAttribute('href')).toBe('/course/course_audio/C/L2')
    await userEvent.click(own.getByRole('button', { name: '移除已下载的 第1课' }))
    await answer('移除下载', '移除')
    await own.findByText('1 课时 · 1.5 MB')
    await press('全部移除 C 课程')
    expect((await screen.findByRole('dialog', { name: '移除下载' })).textContent).toContain('“C 课程”的 1 课时')
    await answer('移除下载', '移除')
    await eventually(() => expect(screen.queryByRole('region', { name: 'C 课程' })).toBeNull())
    screen.getByRole('region', { name: 'P 课程' })
  })

  test('shows half ones with what they take, and pauses and continues all', async () => {
    files((sent, signal) => (sent.headers.range === 'bytes=0-1048575' ? silence(sent, signal) : null))
    showKept()
    await lessons.start([{ lesson: 'L1', title: '第1课', course: 'C', courseTitle: 'C 课程', bytes: 1, free: true }])
    await eventually(async () => expect((await lessons.taken()).bytes).toBe(0.75 * 1024 ** 2))
    await press('全部暂停')
    await screen.findByText('已暂停 50%')
    wire.fault = null
    await press('全部继续')
    await screen.findByText('已下载')
  })

  test('continues all, also those that there was no room to begin', async () => {
    const full = noRoomIn('lessons')
    render(
      <>
        <GroupDownload course={course} lessons={all()} name="整门课程" />
        <FeedbackHost />
      </>,
    )
    await press('下载整门课程')
    await screen.findByText('未下完 3 课时')
    full.mockRestore()
    await press('全部继续')
    await screen.findByText('3 课时已下载')
  })

  test('says which lesson made room for an answer, and offers it again', async () => {
    showKept()
    await lessons.start([{ lesson: 'L1', title: '第1课', course: 'C', courseTitle: 'C 课程', bytes: 1, free: true }])
    await screen.findByText('已下载')
    await giveUpLesson('anon')
    await screen.findByText('存储空间不足时已移除', { selector: 'p' })
    await press(/^下载 第1课/)
    await screen.findByText('已下载')
  })
})

test('logging out says which lessons leave, and they do', async () => {
  await lessons.start([{ lesson: 'L1', title: '第1课', course: 'C', courseTitle: 'C 课程', bytes: 1, free: true }])
  await eventually(() => expect(lessons.get().rows?.get('L1')?.ready).toBeTruthy())
  prepareDevice(await server.student())
  const app = await openApp('/user/my_userinfo')
  await press('退出登录')
  const asked = await screen.findByRole('dialog', { name: '退出登录' })
  expect(asked.textContent).toContain('已下载的 1 个课时（1.5 MB）会移除。')
  await userEvent.click(within(asked).getByRole('button', { name: '取消' }))
  // The rest of leaving is a navigation, which jsdom has none of.
  await offline.logout('keep')
  expect(await lessons.taken()).toEqual({ count: 0, whole: 0, bytes: 0 })
  app.close()
})
