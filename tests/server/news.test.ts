import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { NewsHead } from '#src/contract/news.ts'
import { countViews, sweepSeen } from '#server/news/store.ts'
import { articleJson, manyArticles, newsJson, publishNews } from '#tests/support/news.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { list, search, detail, latest, calendar, seen } = contract.news
const JG = { sg_key: 'jg', area: '11' }
const DAY = 86_400_000
const ids = (items: readonly NewsHead[]) => items.map(({ id }) => id)

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  // What is remembered for a minute is forgotten.
  server.clock.now += 60_000
  await server.db.deleteFrom('news_seen').execute()
  await server.db.deleteFrom('news').execute()
  await server.db.deleteFrom('calendar_entry').execute()
  await server.db.deleteFrom('rate').execute()
})
const publish = (...articles: ReturnType<typeof articleJson>[]) => publishNews(server, newsJson({ articles }))

describe('news', () => {
  test('are those of the direction and the area, of everybody, and of no day to come', async () => {
    await publish(
      articleJson('ALL'),
      articleJson('JG', { directions: ['jg'] }),
      articleJson('TG', { directions: ['tg'] }),
      articleJson('BJ', { areas: ['11'] }),
      articleJson('SH', { areas: ['31'] }),
      articleJson('SOON', { publishedAt: '2026-12-24 08:00' }),
    )
    const of = async (scope: Record<string, string>) => ids((await server.call(list, {}, '', scope)).items).sort()
    expect(await of(JG)).toEqual(['ALL', 'BJ', 'JG'])
    expect(await of({ sg_key: 'tg', area: '31' })).toEqual(['ALL', 'SH', 'TG'])
    expect(await of({ sg_key: 'tg', area: '0' })).toEqual(['ALL', 'BJ', 'SH', 'TG'])
    expect(ids((await server.call(latest, {}, '', JG)).items).sort()).toEqual(['ALL', 'BJ', 'JG'])
    expect(await server.ask(detail, { id: 'SOON' })).toMatchObject({
      status: 0,
      msg: '资讯不存在或已撤下，请返回看看其他资讯',
    })
    server.clock.now += 60 * DAY
    expect(await of(JG)).toContain('SOON')
    server.clock.now -= 60 * DAY
  })

  test('come by category; one that has nothing to show is not named', async () => {
    await publish(articleJson('P1'), articleJson('M1', { category: 'method', directions: ['tg'] }))
    const all = await server.call(list, {}, '', JG)
    expect(all.categories).toEqual([{ no: 'policy', name: '报考政策' }])
    const tg = { sg_key: 'tg', area: '0' }
    expect(ids((await server.call(list, { category: 'method' }, '', tg)).items)).toEqual(['M1'])
    expect(await server.call(list, { category: 'none' }, '', tg)).toMatchObject({ items: [], next: null })
  })

  test('by pages are each told once, also when new ones are published and one is withdrawn meanwhile', async () => {
    await publish(...manyArticles(45))
    const first = await server.call(list, {}, '', JG)
    expect(ids(first.items)).toEqual(Array.from({ length: 20 }, (_, i) => `A${45 - i}`))
    await publish(...manyArticles(3, 'NEW').map((each) => ({ ...each, publishedAt: '2026-11-20 09:00' })))
    await publish({ ...articleJson('A10'), withdrawn: true })
    const second = await server.call(list, { cursor: first.next ?? '' }, '', JG)
    const third = await server.call(list, { cursor: second.next ?? '' }, '', JG)
    const told = [...first.items, ...second.items, ...third.items]
    expect(ids(told)).toEqual(Array.from({ length: 45 }, (_, i) => `A${45 - i}`).filter((id) => id !== 'A10'))
    expect(third.next).toBeNull()
  })
  test('of one moment are told apart by their number, over the edge of a page, too', async () => {
    await publish(...manyArticles(25).map((each) => ({ ...each, publishedAt: '2026-11-01 09:00' })))
    const first = await server.call(list, {}, '', JG)
    const second = await server.call(list, { cursor: first.next ?? '' }, '', JG)
    expect(new Set([...ids(first.items), ...ids(second.items)]).size).toBe(25)
  })
  test.each(['', 'x', '1', '_A', '1_', '1_A;drop table news', '99999999999999999999_A'])(
    'with the broken cursor %j are refused',
    async (cursor) => expect(await server.ask(list, { cursor }, '', JG)).toMatchObject({ status: 0 }),
  )

  test('opened by their number have text and neighbours of the reader’s scope', async () => {
    await publish(
      articleJson('OLD', { publishedAt: '2026-10-01 09:00' }),
      articleJson('MID', { publishedAt: '2026-10-02 09:00', html: '<h2>一</h2><p>正文</p>' }),
      articleJson('TG', { publishedAt: '2026-10-03 09:00', directions: ['tg'] }),
      articleJson('TOP', { publishedAt: '2026-10-04 09:00' }),
    )
    expect(await server.call(detail, { id: 'MID' }, '', JG)).toMatchObject({
      html: '<h3>一</h3><p>正文</p>',
      newer: { id: 'TOP', title: 'TOP 标题' },
      older: { id: 'OLD' },
    })
    expect(await server.call(detail, { id: 'TOP' }, '', JG)).toMatchObject({ newer: null, older: { id: 'MID' } })
    // A link that somebody else has sent.
    expect(await server.call(detail, { id: 'TG' }, '', JG)).toMatchObject({
      newer: { id: 'TOP' },
      older: { id: 'MID' },
    })
  })
  test('opened from within a category have neighbours of that category, and in one that is none, none', async () => {
    await publish(
      articleJson('P1', { publishedAt: '2026-10-01 09:00' }),
      articleJson('M1', { publishedAt: '2026-10-02 09:00', category: 'method' }),
      articleJson('P2', { publishedAt: '2026-10-03 09:00' }),
      articleJson('M2', { publishedAt: '2026-10-04 09:00', category: 'method' }),
    )
    const beside = async (id: string, category?: string) => {
      const { newer, older } = await server.call(detail, { id, ...(category && { category }) }, '', JG)
      return [newer?.id, older?.id]
    }
    expect(await beside('P2')).toEqual(['M2', 'M1'])
    expect(await beside('P2', 'policy')).toEqual([undefined, 'P1'])
    expect(await beside('M1', 'method')).toEqual(['M2', undefined])
    expect(await beside('M1', 'none')).toEqual([undefined, undefined])
    expect(await server.ask(detail, { id: 'P2', category: `x' or true --` }, '', JG)).toMatchObject({ status: 0 })
  })

  test('that are withdrawn are gone from everywhere, and come back', async () => {
    await publish(articleJson('X'))
    await publish({ ...articleJson('X'), withdrawn: true })
    expect((await server.call(list, {}, '', JG)).items).toEqual([])
    expect((await server.call(latest, {}, '', JG)).items).toEqual([])
    expect((await server.call(search, { q: '正文' }, '', JG)).items).toEqual([])
    expect(await server.ask(detail, { id: 'X' }, '', JG)).toMatchObject({ status: 0 })
    await publish(articleJson('X'))
    expect(ids((await server.call(list, {}, '', JG)).items)).toEqual(['X'])
  })

  test('for reading without a network are the newest fifty, with their texts', async () => {
    await publish(...manyArticles(60))
    const { items, categories } = await server.call(latest, {}, '', JG)
    expect([items.length, items[0]?.id, items.at(-1)?.id]).toEqual([50, 'A60', 'A11'])
    expect(items[0]?.html).toBe('<p>A60 正文</p>')
    expect(categories).toHaveLength(1)
  })
  test('are up to a minute old there, for each scope by itself', async () => {
    const newest = async (scope: Record<string, string>) => (await server.call(latest, {}, '', scope)).items[0]?.id
    await publish(articleJson('FIRST'))
    expect(await newest(JG)).toBe('FIRST')
    await publish(articleJson('SECOND', { publishedAt: '2026-11-02 09:00' }))
    expect(await newest(JG)).toBe('FIRST')
    expect(await newest({ sg_key: 'jg', area: '31' })).toBe('SECOND')
    server.clock.now += 60_000
    expect(await newest(JG)).toBe('SECOND')
  })
})

describe('a search', () => {
  beforeEach(() =>
    publish(
      articleJson('T', { title: '背诵的节奏' }),
      articleJson('S', { summary: 'ＦＳＲＳ 复习' }),
      articleJson('B', { html: '<p>正确率 100% 不是目标，a_b 也不是</p>', category: 'method' }),
      articleJson('N', { html: '<p data-x="hidden">正确率 100 与 axb</p>' }),
    ),
  )
  test.each([
    ['in the title', '节奏', ['T']],
    ['in the summary, by whatever width and case', 'fsrs', ['S']],
    ['in the text', '不是目标', ['B']],
    ['every word, wherever', '目标 标题', ['B']],
    ['a percent sign is one', '100%', ['B']],
    ['and alone finds only itself', '%', ['B']],
    ['an underscore is one', 'a_b', ['B']],
    ['a backslash is one', '\\', []],
    ['a quotation mark is one', "' or 1=1 --", []],
    ['not in what is no text', 'hidden', []],
    ['nothing finds nothing', ' \u3000 ', []],
  ])('finds %s', async (_, q, found) => {
    expect(ids((await server.call(search, { q }, '', JG)).items)).toEqual(found)
  })
  test('stays within a category, and comes by pages', async () => {
    expect(ids((await server.call(search, { q: '正确率', category: 'policy' }, '', JG)).items)).toEqual(['N'])
    await publish(...manyArticles(30))
    const first = await server.call(search, { q: '正文' }, '', JG)
    expect(first.items).toHaveLength(20)
    const second = await server.call(search, { q: '正文', cursor: first.next ?? '' }, '', JG)
    expect(ids(second.items)).not.toEqual(expect.arrayContaining([first.items[0]?.id]))
  })
  test('looks in the newest five thousand of the scope', async () => {
    await publish(articleJson('OLDEST', { title: '最早的一篇', publishedAt: '2020-01-01 09:00' }))
    const found = async () => ids((await server.call(search, { q: '最早的一篇' }, '', JG)).items)
    const fill = (from: number, to: number, directions: string) =>
      sql`insert into news (no, category_no, kind, title, summary, source, published_at, html, searched, directions)
        select 'F' || i, 'policy', 'article', '', '', '', ${Date.UTC(2021, 0)}::bigint + i, '', '', ${directions}::text[]
        from generate_series(${from}::int, ${to}::int) i`.execute(server.db)
    // With the four of every test it is the five thousandth.
    await fill(1, 4_995, '{}')
    await fill(10_001, 10_100, '{tg}')
    expect(await found()).toEqual(['OLDEST'])
    await fill(5_000, 5_000, '{}')
    expect(await found()).toEqual([])
  })
  test('runs beside one other; twenty more wait, the next is told to come later, and nothing else waits', async () => {
    const ask = () => server.ask(search, { q: '节奏' }, '', JG)
    const searches = await server.db.transaction().execute(async (tx) => {
      await sql`lock table news in access exclusive mode`.execute(tx)
      const begun = Array.from({ length: 22 }, ask)
      expect(await ask()).toMatchObject({ status: 0, msg: '现在搜索的人太多，请过几秒再试' })
      expect(await server.ask(contract.home.getNotice, {})).toMatchObject({ status: 1 })
      return { begun }
    })
    const answers = await Promise.all(searches.begun)
    expect(answers.map(({ status }) => status)).toEqual(Array(22).fill(1))
    expect(await ask()).toMatchObject({ status: 1 })
  })
  test('that is too long is refused; too many in a minute are busy', async () => {
    expect(await server.ask(search, { q: '长'.repeat(51) }, '', JG)).toMatchObject({ msg: '搜索词最多50个字' })
    const now = server.clock.now
    await server.db.insertInto('rate').values({ key: 'news:search:127.0.0.1', window_start: now, hits: 600 }).execute()
    await expect(server.call(search, { q: '节奏' }, '', JG)).rejects.toThrow('HTTP 429')
  })
})

describe('readers', () => {
  const views = async (id = 'X') => {
    await countViews(server.db)
    return (await server.call(detail, { id }, '', JG)).views
  }
  const open = (visitor: string, token = '') => server.call(seen, { id: 'X', visitor }, token)
  beforeEach(() => publish(articleJson('X')))

  test('count once a day: a visitor by the device, a student on all of theirs', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    for (const visitor of [a, a, b]) await open(visitor)
    expect(await views()).toBe(2)
    const { token } = await server.student()
    await open(a, token)
    await open(b, token)
    expect(await views()).toBe(3)
    server.clock.now += DAY
    await open(a)
    expect(await views()).toBe(4)
    server.clock.now -= DAY
  })
  test('do not count twice when they are counted again or at once, and are forgotten', async () => {
    await open(randomUUID())
    await Promise.all([countViews(server.db), countViews(server.db)])
    expect(await views()).toBe(1)
    await sweepSeen(server.db, server.clock.now + 2 * DAY)
    expect(await server.db.selectFrom('news_seen').selectAll().execute()).toEqual([])
    expect(await views()).toBe(1)
  })
  test('from one address are not endless, and nobody is told', async () => {
    const { now } = server.clock
    await server.db.insertInto('rate').values({ key: 'news:seen:127.0.0.1', window_start: now, hits: 1_000 }).execute()
    await open(randomUUID())
    expect(await views()).toBe(0)
    // A student is who they are.
    const { token } = await server.student()
    await open(randomUUID(), token)
    expect(await views()).toBe(1)
  })
  test('of nothing are nobody; a device that gives no number is refused', async () => {
    await publish(articleJson('SOON', { publishedAt: '2026-12-24 08:00' }))
    for (const id of ['NONE', 'SOON'])
      expect(await server.ask(seen, { id, visitor: randomUUID() })).toMatchObject({ status: 1 })
    expect(await server.ask(seen, { id: 'X', visitor: 'me' })).toMatchObject({ status: 0 })
    expect(await server.db.selectFrom('news_seen').selectAll().execute()).toEqual([])
  })
})

test('the calendar has what is to come and what was lately, by day and for the scope', async () => {
  const entry = (no: string, from: string, rest = {}) => ({
    no,
    title: no,
    kind: 'exam' as const,
    from,
    source: '预计',
    ...rest,
  })
  await publishNews(
    server,
    newsJson({
      calendar: [
        entry('LATER', '2027-06-07', { to: '2027-06-09', note: '以当年官方公告为准' }),
        entry('SOON', '2026-12-01'),
        entry('OVER', '2026-10-01'),
        entry('LONG_AGO', '2026-01-01'),
        entry('TG', '2026-12-02', { directions: ['tg'] }),
        entry('GONE', '2026-12-03', { withdrawn: true }),
      ],
    }),
  )
  const told = await server.call(calendar, {}, '', JG)
  expect(told.map(({ no }) => no)).toEqual(['OVER', 'SOON', 'LATER'])
  expect(told[2]).toMatchObject({ from: '2027-06-07', to: '2027-06-09', note: '以当年官方公告为准' })
  expect(told[1]).toMatchObject({ from: '2026-12-01', to: '2026-12-01' })
})
