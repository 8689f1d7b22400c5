import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { importDemo } from '#server/demo/demo.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import {
  bookJson,
  booksJson,
  giveVip,
  packageJson,
  publishBooks,
  publishVip,
  sell,
  variantJson,
  vipJson,
} from '#tests/support/shop.ts'

const { store, vip } = contract
const JG = { sg_key: 'jg', area: '11' }
const DAY = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(
    server,
    vipJson(
      packageJson('V'),
      packageJson('TG', { directions: ['tg'] }),
      packageJson('GONE', { withdrawn: true }),
      packageJson('PLAIN', { features: {} }),
    ),
  )
  await publishBooks(
    server,
    booksJson(
      bookJson('ALL', 10),
      bookJson('NORTH', 5, { areas: ['11'], directions: ['jg'] }),
      bookJson('SOUTH', 5, { areas: ['44'] }),
      bookJson('TGBOOK', 5, { directions: ['tg'] }),
      bookJson('OFF', 5, { withdrawn: true }),
      bookJson('TWO', 0, {
        variants: [
          { no: 'TWO_a', name: '平装', price: 3000, weight: 300, stock: [{ receipt: 'R1', count: 2 }] },
          { no: 'TWO_b', name: '平装＋激活码', price: 2500, weight: 300, gives: 'V_month' },
        ],
      }),
    ),
  )
})
afterAll(() => server.close())

const nos = (rows: readonly { no: string }[]) => rows.map(({ no }) => no)

describe('books', () => {
  test('a list has what is for the direction and area and not withdrawn, with the price that it begins at and all that is left', async () => {
    const books = await server.call(store.list, {}, '', JG)
    expect(nos(books)).toEqual(['ALL', 'NORTH', 'TWO'])
    expect(books[2]).toEqual({
      no: 'TWO',
      title: 'TWO 手册',
      author: '本站自编',
      kind: 'handbook',
      cover: { name: '封面', src: expect.stringMatching(/^\/media\/[a-f0-9]{32}\.svg$/), width: 600, height: 800 },
      at: Date.UTC(2026, 8, 1, 1),
      from: 2500,
      stock: 2,
      sold: 0,
    })
    expect(nos(await server.call(store.list, {}, '', { sg_key: 'tg', area: '0' }))).toEqual([
      'ALL',
      'SOUTH',
      'TGBOOK',
      'TWO',
    ])
  })

  test('a detail says what is in it and how it is sold; one that is withdrawn, or never was, is refused', async () => {
    const book = await server.call(store.detail, { no: 'TWO' })
    expect(book.pictures.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['封面', 600, 800],
      ['目录', 300, 400],
    ])
    expect(book).toMatchObject({ intro: '<p>按考点编排。</p>', details: [{ name: '页数', value: '208 页' }] })
    expect(book.variants).toEqual([
      { no: 'TWO_a', name: '平装', price: 3000, stock: 2, weight: 300, gives: null },
      { no: 'TWO_b', name: '平装＋激活码', price: 2500, stock: 0, weight: 300, gives: { title: 'V会员', days: 30 } },
    ])
    const gone = { status: 0, msg: '图书不存在或已下架，请返回看看其他图书' }
    expect(await server.ask(store.detail, { no: 'OFF' })).toMatchObject(gone)
    expect(await server.ask(store.detail, { no: 'NONE' })).toMatchObject(gone)
  })

  test('what was sold is gone from what is left, and is counted also when its variant is sold no more', async () => {
    await publishBooks(server, booksJson(bookJson('SOLD', 10)))
    await sell(server, 'SOLD_1', 4)
    await publishBooks(server, booksJson(bookJson('SOLD', 0, { variants: [variantJson('SOLD_2')] })))
    const book = await server.call(store.detail, { no: 'SOLD' })
    expect([nos(book.variants), book.stock, book.sold]).toEqual([['SOLD_2'], 0, 4])
  })

  test('prices of now are told of whatever is sold under the numbers, and of nothing else', async () => {
    const prices = await server.call(store.prices, {
      nos: ['TWO', 'TWO_a', 'TWO_b', 'OFF', 'OFF_1', 'SOLD_1', 'V', 'V_exam', 'GONE', 'GONE_month', 'NONE'],
    })
    expect(new Map(prices.map(({ no, price, stock }) => [no, [price, stock]]))).toEqual(
      new Map([
        ['TWO', [2500, 2]],
        ['TWO_a', [3000, 2]],
        ['TWO_b', [2500, 0]],
        ['V', [1990, null]],
        ['V_exam', [12_800, null]],
      ]),
    )
    expect(await server.call(store.prices, { nos: [] })).toEqual([])
    const many = Array.from({ length: 501 }, (_, i) => `N${i}`)
    expect(await server.ask(store.prices, { nos: many })).toMatchObject({ status: 0 })
    expect(await server.ask(store.prices, { nos: ["'; drop table book --"] })).toMatchObject({
      status: 0,
      msg: '编号不正确',
    })
  })
})

describe('VIP packages', () => {
  test('are compared by the same lines, also with who has none', async () => {
    const { free, packages } = await server.call(vip.list, {}, '', JG)
    expect(nos(packages)).toEqual(['V', 'PLAIN'])
    expect(free).toEqual([
      { name: '章节练习', has: true },
      { name: 'VIP 题集', has: '试做10题' },
    ])
    expect(packages.map(({ features }) => features.map(({ has }) => has))).toEqual([
      [false, true],
      [false, false],
    ])
    expect(packages[0]).toMatchObject({ from: 1990, open: false, until: null })
  })

  test('say how much of each kind there is now for the direction and area: nothing is promised that is not there', async () => {
    await publishVip(server, vipJson(packageJson('KINDS', { unlocks: [{ kind: 'course' }, { kind: 'exam' }] })))
    const counts = async (scope: object) =>
      (await server.call(vip.detail, { no: 'KINDS' }, '', { ...JG, ...scope })).unlocks.map(({ count }) => count)
    expect(await counts({})).toEqual([0, 0])
    const course = (no: string, rest: object) =>
      publishCourse(server, { ...courseRow({ no, units: [[`${no}_1`]] }), price: 9_900, vip: true, ...rest })
    await course('ANY', {})
    await course('NORTH_C', { areas: ['11'] })
    await course('TG_C', { directions: ['tg'] })
    await course('PAID', { vip: false })
    expect(await counts({})).toEqual([2, 0])
    expect(await counts({ area: '44' })).toEqual([1, 0])
    await publishVip(server, vipJson(packageJson('KINDS', { withdrawn: true })))
  })

  test('say what they open and for how long', async () => {
    const found = await server.call(vip.detail, { no: 'V' })
    expect(found.unlocks).toEqual([{ kind: 'set', no: null, title: '', count: 0 }])
    expect(found.durations).toEqual([
      { no: 'V_month', name: '月卡', days: 30, price: 1990 },
      { no: 'V_exam', name: '到考', days: null, price: 12_800 },
    ])
    const gone = { status: 0, msg: '会员功能包不存在或已下架，请返回看看其他会员' }
    expect(await server.ask(vip.detail, { no: 'GONE' })).toMatchObject(gone)
    expect(await server.ask(vip.detail, { no: 'ALL' })).toMatchObject(gone)
  })

  test('are this student’s until their end, and nobody else’s', async () => {
    const [one, other] = [await server.student(), await server.student()]
    const until = server.clock.now + DAY
    await giveVip(server, one.uid, 'V', until)
    const seen = async (token: string) => {
      const { packages } = await server.call(vip.list, {}, token, JG)
      const { open, until: end } = await server.call(vip.detail, { no: 'V' }, token)
      expect(packages.find(({ no }) => no === 'V')).toMatchObject({ open, until: end })
      return [open, end]
    }
    expect(await seen(one.token)).toEqual([true, until])
    expect(await seen(other.token)).toEqual([false, null])
    expect(await seen('')).toEqual([false, null])
    const before = server.clock.now
    server.clock.now = until
    expect(await seen(one.token)).toEqual([false, null])
    server.clock.now = before
  })

  test('that one has, or had, are told of any direction and also when they are sold no more; a visitor has none', async () => {
    const { uid, token } = await server.student()
    const { now } = server.clock
    await giveVip(server, uid, 'GONE', now + DAY)
    await giveVip(server, uid, 'TG', now - DAY)
    await giveVip(server, uid, 'V', 8_640_000_000_000_000)
    expect(await server.call(vip.mine, {}, token, JG)).toMatchObject([
      { no: 'V', open: true, until: null, sold: true },
      { no: 'GONE', title: 'GONE会员', open: true, until: now + DAY, sold: false },
      { no: 'TG', open: false, until: now - DAY, sold: true },
    ])
    expect(await server.ask(vip.mine, {})).toMatchObject({ status: 2 })
  })
})

test('the demo has eight books with covers and three packages, all said to be samples', async () => {
  const other = await startServer()
  try {
    await importDemo(other.db, { mediaDir: other.mediaDir, say: () => {} })
    const all = await other.db.selectFrom('book').select('no').execute()
    expect(all).toHaveLength(8)
    for (const { no } of all) {
      const book = await other.call(store.detail, { no })
      expect(book.intro).toContain('演示商品')
      expect(book.pictures.length).toBeGreaterThanOrEqual(2)
      for (const { src, width, height } of book.pictures) {
        expect([width, height]).toEqual([600, 800])
        expect((await other.app.inject(src)).statusCode).toBe(200)
      }
    }
    const { packages, free } = await other.call(vip.list, {}, '', JG)
    expect(nos(packages)).toEqual(['V_practice', 'V_mock', 'V_all'])
    for (const { features } of packages) expect(features).toHaveLength(free.length)
    // Nobody is sold what everybody has.
    const everybody = free.flatMap(({ has }, i) => (has === true ? [i] : []))
    expect(everybody).not.toEqual([])
    for (const { features } of packages)
      expect(everybody.map((i) => features[i]?.has)).toEqual(everybody.map(() => true))
  } finally {
    await other.close()
  }
})
