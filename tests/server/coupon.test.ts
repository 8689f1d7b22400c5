import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dateOf, dayOf, startOf } from '#src/domain/time/day.ts'
import { CODE_MISTYPED, codeText } from '#src/domain/money/couponCode.ts'
import { FOR_GOOD } from '#src/domain/money/rights.ts'
import { buildApp } from '#server/app.ts'
import { drawCode } from '#server/coupon/codes.ts'
import { makeCode, makeCoupon } from '#tests/support/coupons.ts'
import { opOf, syncAs } from '#tests/support/ops.ts'
import { giveCoupon, order, vipOf } from '#tests/support/orders.ts'
import { SITE, startServer, type TestServer } from '#tests/support/server.ts'
import { giveVip, packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
const { mine, redeem } = contract.coupon
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V'), packageJson('W')))
  await makeCoupon(server, 'C')
})
afterAll(() => server.close())

const list = async (token: string) => (await server.call(mine, {}, token)).coupons
const refused = (msg: string) => ({ status: 0, msg, data: null })
const UNKNOWN = refused('兑换码不存在或已被使用，请对照原文检查')
const usesOf = async () => {
  const rows = await server.db.selectFrom('redeem_code').select('used').execute()
  return rows.reduce((sum, { used }) => sum + used, 0)
}
const vipUntil = async (uid: string) =>
  (await server.db.selectFrom('entitlement').select('until').where('uid', '=', uid).executeTakeFirst())?.until

describe('coupons of a student', () => {
  test('stand with what they are good for, taken ones with their order, returned by its end', async () => {
    const student = await server.student()
    const half = await giveCoupon(server, student, { no: 'C_vip', kinds: ['vip'], threshold: 1000 })
    const over = await giveCoupon(server, student, { no: 'C_old', until_at: server.clock.now - 1 })
    const state = async () => (await list(student.token)).map(({ id, state, order }) => [id, state, order])
    expect((await list(student.token))[0]).toEqual({
      id: half,
      title: '新人立减',
      off: { kind: 'fen', value: 1000, most: null },
      threshold: 1000,
      kinds: ['vip'],
      from: 0,
      until: Date.UTC(2030, 0, 1),
      state: 'usable',
      order: null,
    })
    expect(await state()).toEqual([
      [half, 'usable', null],
      [over, 'over', null],
    ])
    const { id } = await order(server, student, { products: [vipOf('V')] })
    expect(await state()).toEqual([
      [half, 'used', id],
      [over, 'over', null],
    ])
    await server.call(contract.order.cancel, { id }, student.token)
    expect((await state())[0]).toEqual([half, 'usable', null])
  })
  test('come in the order in which they are wanted', async () => {
    const student = await server.student()
    const until = (days: number) => ({ no: `C_${days + 9}`, until_at: server.clock.now + days * DAY })
    for (const days of [5, -3, 2, 0]) await giveCoupon(server, student, until(days))
    expect((await list(student.token)).map(({ id }) => id.split('_')[1])).toEqual(['11', '14', '9', '6'])
  })
})

describe('a code of a coupon', () => {
  test('gives it, in whatever way it is typed, once to each student', async () => {
    const [one, two] = [await server.student(), await server.student()]
    const code = await makeCode(server, { coupon: 'C', uses: 5 })
    const given = { kind: 'coupon', title: '新人立减', until: Date.UTC(2030, 0, 1) }
    expect(await server.call(redeem, { code: codeText(code).toLowerCase() }, one.token)).toEqual(given)
    expect(await server.ask(redeem, { code }, one.token)).toEqual(refused('你已经兑换过这个码，请在下面的列表里查看'))
    expect(await server.call(redeem, { code }, two.token)).toEqual(given)
    expect(await list(one.token)).toMatchObject([{ title: '新人立减', state: 'usable' }])
    const quote = await server.call(contract.order.preview, { products: [vipOf('V')], wallet: false }, one.token)
    expect(quote.discount).toBe(1000)
  })
  test('sent many times at once by one student is one use', async () => {
    const student = await server.student()
    const code = await makeCode(server, { coupon: 'C', uses: 5 })
    const before = await usesOf()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => server.ask(redeem, { code }, student.token)))
    expect(answers.filter(({ status }) => status === 1)).toHaveLength(1)
    expect(await usesOf()).toBe(before + 1)
    expect(await list(student.token)).toHaveLength(1)
  })
  test('of one use, raced for by 200 students, gives one', async () => {
    const students = await Promise.all(Array.from({ length: 200 }, () => server.student()))
    const code = await makeCode(server, { coupon: 'C' })
    const answers = await Promise.all(students.map(({ token }) => server.ask(redeem, { code }, token)))
    expect(answers.filter(({ status }) => status === 1)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 1).map(({ msg }) => msg))).toEqual(
      new Set(['来晚了，这个码已兑完，请换一个']),
    )
    const owned = await Promise.all(students.map(({ token }) => list(token)))
    expect(owned.flat()).toHaveLength(1)
  })
  test('gives one more for each other code of the same coupon', async () => {
    const student = await server.student()
    for (const count of [1, 2]) {
      const code = await makeCode(server, { coupon: 'C' })
      expect(await server.ask(redeem, { code }, student.token)).toMatchObject({ status: 1 })
      expect(await list(student.token)).toHaveLength(count)
    }
  })
  test('is good until the moment when its coupon is over, and costs no use from then on', async () => {
    const student = await server.student()
    const until = server.clock.now + 1
    await makeCoupon(server, 'C_edge', { until })
    const [inTime, late] = [await makeCode(server, { coupon: 'C_edge' }), await makeCode(server, { coupon: 'C_edge' })]
    expect(await server.ask(redeem, { code: inTime }, student.token)).toMatchObject({ status: 1, data: { until } })
    const before = await usesOf()
    server.clock.now = until
    expect(await server.ask(redeem, { code: late }, student.token)).toEqual(refused('这个码已过期，请换一个'))
    expect(await usesOf()).toBe(before)
    expect(await list(student.token)).toMatchObject([{ state: 'over' }])
  })
  test.each([
    ['is over', { until: 1 }],
    ['was withdrawn', { withdrawn: true }],
  ])('that %s gives nothing', async (what, over) => {
    const no = `C_${what.length}`
    await makeCoupon(server, no, over)
    const student = await server.student()
    const code = await makeCode(server, { coupon: no })
    expect(await server.ask(redeem, { code }, student.token)).toEqual(refused('这个码已过期，请换一个'))
    expect(await list(student.token)).toEqual([])
  })
})

describe('an activation code', () => {
  test('opens VIP for its days, to one student; another is told as of a code that never was', async () => {
    const [one, two] = [await server.student(), await server.student()]
    const code = await makeCode(server, { duration: 'V_month', days: 30 })
    const both = await Promise.all([one, two].map(({ token }) => server.ask(redeem, { code }, token)))
    const until = server.clock.now + 30 * DAY
    expect(both.toSorted((a, b) => b.status - a.status)).toEqual([
      { status: 1, msg: '', data: { kind: 'vip', no: 'V', title: 'V会员', until } },
      UNKNOWN,
    ])
    expect([await vipUntil(one.uid), await vipUntil(two.uid)].filter(Boolean)).toEqual([until])
    expect(await server.ask(redeem, { code: drawCode() }, two.token)).toEqual(UNKNOWN)
  })
  test('extends what one has, by the days that it was made with', async () => {
    const student = await server.student()
    for (const code of [1, 2]) {
      const made = await makeCode(server, { duration: 'V_month', days: 31 })
      expect(await server.call(redeem, { code: made }, student.token)).toMatchObject({
        until: server.clock.now + code * 31 * DAY,
      })
    }
  })
  test('until the exam day needs one, and is not used up before; nor where it would give nothing', async () => {
    const student = await server.student()
    const code = await makeCode(server, { duration: 'V_exam' })
    const ask = () => server.ask(redeem, { code }, student.token)
    expect((await ask()).msg).toContain('请先在“我的资料”里设置考试日期')
    const day = dayOf(server.clock.now) + 99
    await syncAs(server, student, [
      opOf('setting', { name: 'examDate', value: dateOf(day) }, { seq: 1, at: server.clock.now }),
    ])
    await giveVip(server, student.uid, 'V', FOR_GOOD)
    expect((await ask()).msg).toBe('“V会员”的有效期已经更长，兑换不会延长；兑换码没有被使用，可以以后再兑换')
    await giveVip(server, student.uid, 'V', 0)
    expect(await ask()).toMatchObject({ status: 1, data: { until: startOf(day + 1) } })
    expect((await ask()).msg).toBe('你已经兑换过这个码，请在“我的会员”里查看')
  })
})

describe('guesses', () => {
  test('of which it is known that they are mistyped cost no try', async () => {
    const { token } = await server.student()
    const code = drawCode()
    const wrong = code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A')
    for (let i = 0; i < 12; i++)
      expect(await server.ask(redeem, { code: wrong }, token)).toEqual(refused(CODE_MISTYPED))
    expect(await server.ask(redeem, { code }, token)).toEqual(UNKNOWN)
  })
  test('are ten an hour, also when they come at once, and the right one is no exception', async () => {
    const { token } = await server.student()
    const right = await makeCode(server, { coupon: 'C' })
    const tries = await Promise.all(Array.from({ length: 15 }, () => server.ask(redeem, { code: drawCode() }, token)))
    expect(tries.filter(({ msg }) => msg === UNKNOWN.msg)).toHaveLength(10)
    expect(await server.ask(redeem, { code: right }, token)).toEqual(refused('兑换次数过多，请1小时后再试'))
    server.clock.now += 3_600_000
    expect((await server.ask(redeem, { code: right }, token)).status).toBe(1)
  })
  test('are counted alike by every server of the product, and by one that was started anew', async () => {
    const { token } = await server.student()
    const right = await makeCode(server, { coupon: 'C' })
    const { db, mediaDir, bucketDir } = server
    const sms = { sendCode: async () => {} }
    const start = () => buildApp({ db, sms, now: () => server.clock.now, site: SITE, mediaDir, bucketDir })
    const at = async (app: Awaited<ReturnType<typeof start>>, code: string, from = '203.0.113.9') => {
      const answer = await app.inject({
        method: 'POST',
        url: `/pcapi/${redeem.path}`,
        headers: {
          authorization: token,
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': from,
        },
        payload: new URLSearchParams({ code }).toString(),
      })
      return answer.json().msg
    }
    const two = [await start(), await start()] as const
    const tries = await Promise.all(Array.from({ length: 14 }, (_, i) => at(two[i % 2 === 0 ? 0 : 1], drawCode())))
    expect(tries.filter((msg) => msg === UNKNOWN.msg)).toHaveLength(10)
    await Promise.all(two.map((app) => app.close()))
    const again = await start()
    expect(await at(again, right)).toBe('兑换次数过多，请1小时后再试')
    // Another address makes no other student.
    expect(await at(again, right, '198.51.100.1')).toBe('兑换次数过多，请1小时后再试')
    await again.close()
  })
  test('by many accounts at one address are six hundred an hour', async () => {
    const { token } = await server.student()
    await server.db
      .insertInto('rate')
      .values({ key: 'redeem:ip:127.0.0.1', window_start: server.clock.now, hits: 600 })
      .onConflict((c) => c.column('key').doUpdateSet({ window_start: server.clock.now, hits: 600 }))
      .execute()
    expect(await server.ask(redeem, { code: drawCode() }, token)).toEqual(refused('兑换次数过多，请1小时后再试'))
    server.clock.now += 3_600_000
  })
  test('find nothing in the database: no code is kept in clear', async () => {
    const code = await makeCode(server, { coupon: 'C' }, 'JUNKAO2026')
    const rows = await server.db.selectFrom('redeem_code').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })
})

test('a stranger sees nothing of another student’s coupons, and cannot spend one', async () => {
  const [owner, stranger] = [await server.student(), await server.student()]
  const id = await giveCoupon(server, owner)
  expect(await list(stranger.token)).toEqual([])
  const wanted = { products: [vipOf('V')], wallet: false, coupon: id }
  const quote = await server.call(contract.order.preview, wanted, stranger.token)
  expect(quote).toMatchObject({ coupons: [], discount: 0, problem: '所选优惠券已经用掉，请重新选择' })
})
