import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { changeSetting, writeSetting } from '#server/config/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { manyArticles, newsJson, publishNews } from '#tests/support/news.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('with no notice set, the text is empty, which is no banner', async () => {
  expect(await server.ask(contract.home.getNotice, {})).toEqual({ status: 1, msg: '', data: { text: '', at: null } })
})

test('a notice is shown to visitors and students until it is replaced or emptied', async () => {
  const { token } = await server.student()
  for (const text of ['系统将于周日维护', '维护 <b>推迟</b> "一周"\n请留意', '']) {
    await writeSetting(server.db, 'notice', text)
    expect(await server.call(contract.home.getNotice, {})).toEqual({ text, at: null })
    expect(await server.call(contract.home.getNotice, {}, token)).toEqual({ text, at: null })
  }
})

test('a notice says when the operator set it last; what else they changed has no say in it', async () => {
  for (const [text, at] of [
    ['周日维护', Date.UTC(2026, 10, 1)],
    ['改为周六维护', Date.UTC(2026, 10, 3)],
  ] as const) {
    await changeSetting(server.db, 'notice', () => text, at)
    await changeSetting(server.db, 'footer', () => JSON.stringify({ phone: String(at) }), at + 1_000)
    expect(await server.call(contract.home.getNotice, {})).toEqual({ text, at })
  }
  await server.db.deleteFrom('operator_log').execute()
  await server.db.deleteFrom('setting').execute()
})

test('an expired token does not close what is open to all', async () => {
  expect(await server.ask(contract.home.getNotice, {}, 'expired')).toMatchObject({ status: 1 })
})

describe('what is on', () => {
  const JG = { sg_key: 'jg', area: '11' }
  const home = (scope: Record<string, string> = JG, token = '') =>
    server.call(contract.home.getHomeData, {}, token, scope)
  const banner = {
    title: '甲',
    note: '',
    src: '/media/0123456789abcdef.svg',
    width: 1000,
    height: 400,
    link: '/question/library',
    from: null,
    until: null,
    directions: [],
    areas: [],
  }
  const setBanners = (...rows: Partial<Record<keyof typeof banner, unknown>>[]) =>
    writeSetting(server.db, 'banners', JSON.stringify(rows.map((row) => ({ ...banner, ...row }))))
  const titles = async (scope?: Record<string, string>) => (await home(scope)).banners.map(({ title }) => title)

  // What visitors are told is remembered for a minute.
  beforeEach(() => {
    server.clock.now += 60_000
  })

  test('is up to a minute old for visitors, and of the moment for students', async () => {
    const { token } = await server.student()
    const both = async () => [await titles(), (await home(JG, token)).banners.map(({ title }) => title)]
    expect(await both()).toEqual([[], []])
    await setBanners({ title: '新的' })
    expect(await both()).toEqual([[], ['新的']])
    server.clock.now += 60_000
    expect(await both()).toEqual([['新的'], ['新的']])
    await setBanners()
    server.clock.now += 60_000
  })
  test('is nothing where nothing was set or published', async () => {
    expect(await home()).toEqual({ banners: [], exams: [], courses: [], news: [], books: [], vip: [], examDays: [] })
  })

  test('banners come in their order, for their direction and area, within their time, and with nothing of their own', async () => {
    const { now } = server.clock
    await setBanners(
      { title: '各地' },
      { title: '军官', directions: ['jg'] },
      { title: '文职', directions: ['wz'] },
      { title: '北京', areas: ['11'] },
      { title: '山东', areas: ['37'] },
      { title: '明天', from: now + 1 },
      { title: '昨天', until: now },
      { title: '现在', from: now, until: now + 1 },
    )
    expect(await titles()).toEqual(['各地', '军官', '北京', '现在'])
    expect(await titles({ sg_key: 'wz', area: '0' })).toEqual(['各地', '文职', '北京', '山东', '现在'])
    expect(Object.keys((await home()).banners[0] ?? {}).sort()).toEqual(
      ['height', 'link', 'note', 'src', 'title', 'until', 'width'].sort(),
    )
    await setBanners()
  })

  test('exams are those that are not over, under way first, and no more than three', async () => {
    await importBank(server.db, server.mediaDir, bankJson({ prefix: 'H', chapters: 1, perChapter: 2 }))
    const time = (hours: number) =>
      new Date(server.clock.now + (hours + 8) * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
    const publish = (no: string, window: object) =>
      publishExam(server.db, { ...examJson({ no, paper: [['H_q1']] }), ...window })
    await publish('H_over', { startsAt: time(-5), endsAt: time(-1) })
    await publish('H_late', { startsAt: time(48), endsAt: time(52) })
    await publish('H_soon', { startsAt: time(24), endsAt: time(28) })
    await publish('H_always', {})
    await publish('H_now', { startsAt: time(-1), endsAt: time(3) })
    const { exams } = await home()
    expect(exams.map(({ no }) => no)).toEqual(['H_now', 'H_always', 'H_soon'])
    const { token } = await server.student()
    await server.call(contract.exam.apply, { no: 'H_now' }, token, JG)
    expect((await home(JG, token)).exams[0]).toMatchObject({ no: 'H_now', applied: true, applyCount: 1 })
    server.clock.now += 60_000
    expect((await home()).exams[0]).toMatchObject({ no: 'H_now', applied: false, applyCount: 1 })
  })

  test('courses are the first four of the direction, in the operator’s order', async () => {
    for (const n of [1, 2, 3, 4, 5, 6])
      await publishCourse(server, {
        ...courseRow({ no: `H_course${n}`, units: [[`H_lesson${n}`]] }),
        directions: n === 2 ? ['wz'] : [],
      })
    const { courses } = await home()
    expect(courses.map(({ no }) => no)).toEqual(['H_course1', 'H_course3', 'H_course4', 'H_course5'])
    expect(courses).toEqual((await server.call(contract.course.list, {}, '', JG)).slice(0, 4))
  })

  test('news are the newest five; the calendar tells the exams to come, today’s among them', async () => {
    const entry = (no: string, from: string, rest: object = {}) => ({
      no,
      title: `${no} 考试`,
      kind: 'exam' as const,
      from,
      source: '通知',
      ...rest,
    })
    await publishNews(
      server,
      newsJson({
        articles: manyArticles(7),
        calendar: [
          entry('C_far', '2027-06-20'),
          entry('C_past', '2026-11-20'),
          entry('C_now', '2026-11-20', { to: '2026-11-21' }),
          entry('C_today', '2026-11-21'),
          entry('C_apply', '2026-12-01', { kind: 'apply' }),
          entry('C_wz', '2026-12-02', { directions: ['wz_gg'] }),
          entry('C_next', '2026-12-12', { to: '2026-12-13' }),
        ],
      }),
    )
    const { news, examDays } = await home()
    expect(news.map(({ id }) => id)).toEqual(['A7', 'A6', 'A5', 'A4', 'A3'])
    expect(examDays).toEqual([
      { day: '2026-11-20', to: '2026-11-21', name: 'C_now 考试' },
      { day: '2026-11-21', to: '2026-11-21', name: 'C_today 考试' },
      { day: '2026-12-12', to: '2026-12-13', name: 'C_next 考试' },
    ])
  })
})
