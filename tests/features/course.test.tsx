import '#src/features/course/CourseDetailPage.tsx'
import '#src/features/course/download/KeptCourses.tsx'
import '#src/features/course/CourseListPage.tsx'
import '#src/features/course/MyCoursesPage.tsx'
import '#src/features/course/lesson/LessonPage.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { offline } from '#src/offline/index.ts'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { writePackage } from '#server/course/store.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { giveMedia } from '#tests/support/mediaElement.ts'
import { giveVip, packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { tap } from '#tests/support/tap.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const FREE = {
  ...courseRow({
    no: 'FREE',
    units: [
      ['FREE_1', 'FREE_2'],
      ['FREE_3', 'FREE_4'],
    ],
  }),
  title: '函数入门',
  kind: 'video' as const,
  libraries: ['L'],
}
const PAID = {
  ...courseRow({ no: 'PAID', units: [['PAID_1', 'PAID_2']] }),
  title: '军政冲刺',
  price: 9_900,
  vip: true,
  days: 365,
  subject: 'politics',
  handouts: [{ title: '冲刺讲义', src: '/media/0123456789abcdef.pdf', bytes: 123_456 }],
}

const PACK = {
  no: 'PACK',
  title: '两门一起学',
  intro: '<p>先函数，后冲刺</p>',
  cover: FREE.cover,
  price: 7_900,
  vip: false,
  days: null,
  withdrawn: false,
  directions: [],
  areas: [],
  courses: ['FREE', 'PAID'],
}

const stage = setScreens(async (server) => {
  giveMedia()
  await importBank(server.db, server.mediaDir, bankJson())
  for (const row of [FREE, PAID]) await publishCourse(server, row)
  await server.db.transaction().execute((tx) => writePackage(tx, PACK))
})

const { open } = stage
const follow = async (name: string | RegExp) => userEvent.click(await screen.findByRole('link', { name }))
const watch = (lessonNo: string, to: number, courseNo = 'FREE') =>
  offline.add({ kind: 'watch', payload: { courseNo, lessonNo, watched: [[0, to]], position: to } })
const titles = () =>
  screen.getAllByRole('listitem').map((each) => within(each).getByText(/^(函数入门|军政冲刺|两门一起学)$/).textContent)

test('my courses are none at first, with the way to the list', async () => {
  prepareDevice(await stage.server.student())
  await open('/user/my_course')
  await screen.findByText('还没有购买或学过的课程')
  expect(screen.queryByRole('heading', { name: '已下载课程' })).toBeNull()
  await tap('去选课程')
  await expect.poll(() => window.location.pathname).toBe('/course/course_list')
})

describe('what is on this phone', () => {
  const wanted = { lesson: 'FREE_1', title: '第1课', course: 'FREE', courseTitle: '函数入门', bytes: 1, free: true }
  beforeEach(() => {
    // Its files never come: what is wanted is enough to be listed.
    stage.wire.fault = ({ path }) => (path.endsWith('course/lesson') ? new Response('', { status: 500 }) : null)
  })
  afterEach(() => lessons.remove(['FREE_1']))

  test('a visitor finds from the list, without a login and without a network', async () => {
    await open('/course/course_list?price=free')
    await lessons.start([wanted])
    await follow('已下载课程')
    await within(await screen.findByRole('region', { name: '函数入门' })).findByText('第1课')
    await tap('全部课程')
    await expect.poll(() => window.location.search).toBe('?price=free')
    stage.wire.fault = nobody
    await open('/course/course_list?kept=true')
    await within(await screen.findByRole('region', { name: '函数入门' })).findByText('第1课')
  })
  test('stands above the word that no course was bought yet', async () => {
    prepareDevice(await stage.server.student())
    await lessons.start([wanted])
    await open('/user/my_course')
    const kept = await screen.findByRole('heading', { name: '已下载课程' })
    const none = screen.getByText('还没有购买或学过的课程')
    expect(kept.compareDocumentPosition(none) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })
})

describe('the list', () => {
  test('has links, which open also in another tab and by the keyboard', async () => {
    await open('/course/course_list')
    const link = await screen.findByRole('link', { name: /函数入门/ })
    expect(link.getAttribute('href')).toBe('/course/course_detail/FREE')
    const pack = await screen.findByRole('link', { name: /两门一起学/ })
    expect(pack.getAttribute('href')).toBe('/course/course_package/PACK')
    link.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => window.location.pathname).toBe('/course/course_detail/FREE')
  })

  test('finds by subject, kind, price and words, and the address says what is looked for', async () => {
    await open('/course/course_list')
    await screen.findByText('函数入门')
    await expect.poll(titles).toEqual(['两门一起学', '函数入门', '军政冲刺'])
    await tap('政治')
    expect(titles()).toEqual(['军政冲刺'])
    await tap('全部')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '价格' }), '免费')
    expect(titles()).toEqual(['函数入门'])
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '形式' }), '音频')
    expect(screen.queryAllByRole('listitem')).toEqual([])
    expect(screen.getByText('没有找到符合条件的课程')).toBeTruthy()
    await expect.poll(() => window.location.search).toBe('?kind=audio&price=free')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '形式' }), '全部形式')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '价格' }), '全部价格')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '排序' }), '价格最高')
    expect(titles()).toEqual(['军政冲刺', '两门一起学', '函数入门'])
    await userEvent.type(screen.getByRole('textbox', { name: '搜索课程' }), '函数')
    // Not a list for each letter: the rows stand until the words do.
    expect(titles()).toEqual(['军政冲刺', '两门一起学', '函数入门'])
    await expect.poll(titles).toEqual(['函数入门'])
  })

  test('comes back with what was looked for', async () => {
    await open('/course/course_list?kind=audio&sort=dearest')
    await screen.findByText('军政冲刺')
    expect(titles()).toEqual(['军政冲刺'])
    expect(screen.getByRole('combobox', { name: '形式' })).toHaveProperty('value', 'audio')
  })

  test('without a network says so, and opens by itself when it is back', async () => {
    stage.wire.fault = nobody
    await open('/course/course_list')
    expect(await screen.findByText('此内容尚未下载，联网后可查看')).toBeTruthy()
  })
})

describe('a course', () => {
  test('that is free begins at its first lesson and says where it goes on', async () => {
    await open('/course/course_detail/FREE')
    expect(await screen.findByRole('heading', { level: 1, name: '函数入门' })).toBeTruthy()
    expect(await screen.findByRole('button', { name: '开始学习：第1课' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'L 章节题库' }).getAttribute('href')).toBe(
      `/question/library_study/L/20/${encodeURIComponent('L 章节题库')}`,
    )
    await watch('FREE_1', 60)
    await watch('FREE_2', 20)
    expect(await screen.findByRole('button', { name: '继续学习：第2课' })).toBeTruthy()
    expect(await screen.findByText('已学 33%，上次到 0:20')).toBeTruthy()
    expect(screen.getByText('学完 1/4 课时')).toBeTruthy()
    // Looked into, not watched.
    await watch('FREE_4', 5)
    await screen.findByText('已学 8%，上次到 0:05')
    expect(screen.getByRole('button', { name: '继续学习：第2课' })).toBeTruthy()
    await tap('继续学习：第2课')
    await expect.poll(() => window.location.pathname).toBe('/course/course_video/FREE/FREE_2/course')
  })

  test('that is sold says what it costs, and opens only what may be tried', async () => {
    await open('/course/course_detail/PAID')
    expect((await screen.findByText('购买后 365 天内有效，VIP 可用')).parentElement?.textContent).toContain(
      '价格 ¥99.00',
    )
    const [first, second] = within(screen.getByRole('region', { name: '目录' })).getAllByRole('link', {
      name: /^(未解锁 ?)?第/,
    })
    expect(first?.textContent).toContain('试听')
    expect(within(second ?? document.body).getByLabelText('未解锁')).toBeTruthy()
    await tap(/冲刺讲义/)
    const told = within(await screen.findByRole('dialog', { name: '讲义未解锁' }))
    told.getByText('购买课程后可以看《冲刺讲义》。已经购买的，请先登录。')
    const shown = vi.fn<() => void>()
    Element.prototype.scrollIntoView = shown
    await userEvent.click(told.getByRole('button', { name: '看看怎么购买' }))
    await expect
      .poll(() => shown.mock.contexts.map((each) => (each instanceof Element ? each.textContent : '')))
      .toEqual([expect.stringContaining('¥99.00')])
    await tap(/冲刺讲义/)
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '登录' }))
    await screen.findByRole('dialog', { name: /登录/ })
    await userEvent.keyboard('{Escape}')
    await tap('免费试听：第1课')
    await expect.poll(() => window.location.pathname).toBe('/course/course_audio/PAID/PAID_1')
  })

  test('that is withdrawn says so to others, and is whole to who has bought it', async () => {
    await publishCourse(stage.server, { ...PAID, withdrawn: true })
    try {
      await open('/course/course_detail/PAID')
      await screen.findByText('已下架，购买过的照常学习。')
      expect(screen.queryByRole('button', { name: /免费试/ })).toBeNull()
      expect(screen.queryByText(/99\.00/)).toBeNull()
      const who = await stage.server.student()
      await stage.server.db
        .insertInto('entitlement')
        .values({ uid: who.uid, kind: 'course', no: 'PAID', until: stage.server.clock.now + 86_400_000 })
        .execute()
      stage.close()
      prepareDevice(who)
      await open('/course/course_detail/PAID')
      await screen.findByRole('button', { name: /开始学习/ })
      await screen.findByText(/有效期至/)
      expect(screen.queryByText(/已下架/)).toBeNull()
      await open('/course/course_list')
      await screen.findByText('函数入门')
      expect(screen.queryByText('军政冲刺')).toBeNull()
    } finally {
      await publishCourse(stage.server, PAID)
    }
  })

  test('that is sold offers a visitor the login over a lesson that is not open, and stays at that lesson', async () => {
    await open('/course/course_audio/PAID/PAID_2')
    const card = within(await screen.findByRole('alert'))
    card.getByText(/^购买《军政冲刺》/)
    await userEvent.click(card.getByRole('button', { name: '登录' }))
    await screen.findByRole('dialog', { name: /登录/ })
    expect(window.location.pathname).toBe('/course/course_audio/PAID/PAID_2')
  })

  test('that is gone says so', async () => {
    await open('/course/course_detail/NONE')
    expect(await screen.findByText('课程不存在或已下架，请返回看看其他课程')).toBeTruthy()
  })
})

describe('a package', () => {
  test('says what it has and what it saves, and leads to its courses and what may be tried of them', async () => {
    await open('/course/course_list')
    await follow(/两门一起学/)
    await expect.poll(() => window.location.pathname).toBe('/course/course_package/PACK')
    expect(await screen.findByText('比单独购买省 ¥20.00')).toBeTruthy()
    expect(screen.getByText(/现在可以免费试看 2 课时/)).toBeTruthy()
    // Each of its courses says so many, and the whole as many as they do together.
    const lengths = screen.getAllByText(/^\d+ 分钟$/).map(({ textContent }) => Number.parseInt(textContent, 10))
    expect(lengths).toEqual([6, 4, 2])
    expect(screen.getAllByText('2:00')).toHaveLength(3)
    await tap('课程详情 军政冲刺')
    expect(await screen.findByRole('heading', { level: 1, name: '军政冲刺' })).toBeTruthy()
    await userEvent.click(await screen.findByRole('link', { name: '两门一起学' }))
    await expect.poll(() => window.location.pathname).toBe('/course/course_package/PACK')
  })
  test('compares its price with no course that cannot be bought alone', async () => {
    await publishCourse(stage.server, { ...PAID, withdrawn: true })
    try {
      await open('/course/course_package/PACK')
      await screen.findByRole('heading', { level: 1, name: '两门一起学' })
      expect(screen.queryByText(/比单独购买省/)).toBeNull()
    } finally {
      await publishCourse(stage.server, PAID)
    }
  })
  test('that is the student’s is studied from one course to the next', async () => {
    const student = await stage.server.student()
    const until = stage.server.clock.now + 86_400_000
    await stage.server.db
      .insertInto('entitlement')
      .values({ uid: student.uid, kind: 'package', no: 'PACK', until })
      .execute()
    prepareDevice(student)
    await open('/course/course_package/PACK')
    await screen.findByText(/^有效期至/)
    const [, second] = await screen.findAllByRole('link', { name: /^第2课/ })
    expect(second?.getAttribute('href')).toMatch(/\/FREE_4\/package$/)
    await userEvent.click(second ?? document.body)
    await expect.poll(() => window.location.pathname).toMatch(/\/FREE_4\/package$/)
  })
})

test('what VIP opens says so, until when, and is studied', async () => {
  await publishVip(stage.server, vipJson(packageJson('V', { unlocks: [{ kind: 'course', no: 'PAID' }] })))
  const student = await stage.server.student()
  await giveVip(stage.server, student.uid, 'V', stage.server.clock.now + 86_400_000)
  prepareDevice(student)
  await open('/course/course_detail/PAID')
  await screen.findByText(/^VIP 已解锁，有效期至/)
  await screen.findByRole('button', { name: /开始学习/ })
  await open('/course/course_list')
  await screen.findByText('VIP 已解锁')
})

describe('the way back', () => {
  test('of a lesson and of its course lead to what they were opened from, as it was left', async () => {
    await open('/course/course_list?price=free')
    await follow(/函数入门/)
    await tap(/^(开始|继续)学习：/)
    await expect.poll(() => window.location.pathname).toMatch(/\/FREE_\d\/course$/)
    const list = within(await screen.findByRole('navigation', { name: '课时目录' }))
    const [, , , last] = list.getAllByRole('link')
    await userEvent.click(last ?? document.body)
    await expect.poll(() => window.location.pathname).toMatch(/\/FREE_4\/course$/)
    await tap('函数入门')
    await tap('全部课程')
    await expect.poll(() => window.location.pathname + window.location.search).toBe('/course/course_list?price=free')
  })
  test('to all courses keeps what was looked for, also from elsewhere, until another direction is chosen', async () => {
    await open('/course/course_list?price=free')
    await follow(/函数入门/)
    await follow('两门一起学')
    await tap('全部课程')
    const address = () => window.location.pathname + window.location.search
    await expect.poll(address).toBe('/course/course_list?price=free')
    await open('/course/course_detail/PAID')
    await tap('全部课程')
    await expect.poll(address).toBe('/course/course_list?price=free')
    session.setChoice({ key: '0', name: '全国' }, { key: 'tg', name: '大学毕业生士兵提干' })
    await open('/course/course_detail/FREE')
    await tap('全部课程')
    await expect.poll(address).toBe('/course/course_list')
  })
  test('of one that was opened by its address opens the course, and the list', async () => {
    await open('/course/course_video/FREE/FREE_1/course')
    await tap('函数入门')
    await expect.poll(() => window.location.pathname).toBe('/course/course_detail/FREE')
    await tap('全部课程')
    await expect.poll(() => window.location.pathname).toBe('/course/course_list')
  })
})

describe('my courses', () => {
  test('are what I have begun, the last one first, by how far I am', async () => {
    prepareDevice(await stage.server.student())
    await watch('PAID_1', 30, 'PAID')
    for (const no of ['FREE_1', 'FREE_2', 'FREE_3', 'FREE_4']) await watch(no, 60)
    await open('/user/my_course')
    await screen.findByText('函数入门')
    expect(titles()).toEqual(['函数入门', '军政冲刺'])
    await tap('已学完')
    expect(titles()).toEqual(['函数入门'])
    await follow(/函数入门/)
    await screen.findByRole('button', { name: '重新学习：第1课' })
    window.history.back()
    await tap('学习中')
    expect(titles()).toEqual(['军政冲刺'])
    expect(screen.getByText('已学 25%')).toBeTruthy()
    await follow(/军政冲刺/)
    await expect.poll(() => window.location.pathname).toBe('/course/course_detail/PAID')
    window.history.back()
    expect((await screen.findByRole('button', { name: '学习中' })).getAttribute('aria-pressed')).toBe('true')
  })
})
