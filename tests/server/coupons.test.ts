import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { giveCoupons, importCoupons, makeActivationCodes, makeCouponCode } from '#server/bin/couponActs.ts'
import { readAll } from '#server/coupon/store.ts'
import { runCommand } from '#tests/support/command.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

// Each test starts several processes: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 })

const { mine, redeem } = contract.coupon
let server: TestServer
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-coupons-'))
beforeAll(async () => {
  server = await startServer()
  server.clock.now = Date.now()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = (bin: string, ...args: string[]) => runCommand(server, bin, args, { DATA_DIR: folder })
const coupons = (...args: string[]) => run('coupons', ...args)
const place = (name: string) => path.join(folder, name)
const COUPON = { no: 'C', title: '图书满减', off: { fen: 1000 }, from: '2026-01-01 00:00', until: '2030-01-01 00:00' }
const file = (...given: object[]) => {
  writeFileSync(place('coupons.json'), JSON.stringify({ format: 'lijian-coupons/1', coupons: given }))
  return place('coupons.json')
}
const list = async (token: string) => (await server.call(mine, {}, token)).coupons

describe('a file of coupons', () => {
  test('is checked without a change, then taken, and taken again as it is then', async () => {
    const one = file({ ...COUPON, threshold: 6000, kinds: ['book'] })
    expect(coupons('check', one)).toEqual({ status: 0, told: '优惠券 C：图书满减\n检查通过，未改动。\n' })
    expect(coupons('show').told).toContain('优惠券 0 种')
    expect(coupons('import', one).status).toBe(0)
    const student = await server.student()
    expect(coupons('give', 'C', student.mobile).told).toContain('“图书满减”：新发 1 张，0 人以前已发过')
    expect(coupons('give', 'C', '--all').status).toBe(0)
    const again = coupons('import', file({ ...COUPON, off: { percent: 10, most: 2000 }, threshold: 5000 }))
    expect(again.told).toContain('提醒')
    expect(again.told).toContain('已有 1 张在学生手里，改动对没用掉的也生效')
    expect(await list(student.token)).toMatchObject([
      { off: { kind: 'percent', value: 10, most: 2000 }, threshold: 5000, kinds: [], from: Date.UTC(2025, 11, 31, 16) },
    ])
    expect(coupons('show').told).toContain('C 图书满减：满 50 元减 10%，最多 20 元，全部商品')
    expect(run('site', 'show', '--log').told).toContain(`优惠券\n  C 发给 ${student.mobile}，新发 1 张`)
  })
  test.each([
    ['没有这种扣减', { off: { fen: 1000, percent: 10 } }, 'off 应写成'],
    ['扣减不是整数', { off: { fen: 9.5 } }, 'off'],
    ['不收钱的种类', { kinds: ['library'] }, 'kinds 只能有 course'],
    ['结束早于开始', { until: '2025-01-01 00:00' }, '结束时间要晚于开始时间'],
    ['写错的字段', { treshold: 100 }, '有不认识的字段'],
    ['编号', { no: 'C-1' }, '编号应为 1 到 40 位'],
  ])('%s：整个文件不改动', async (_, over, told) => {
    const both = file({ ...COUPON, no: 'C_good' }, { ...COUPON, no: 'C_bad', ...over })
    const { code, lines } = await importCoupons(server.db, both, false, server.clock.now)
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(/coupons[.[]1/)
    expect(lines.join('\n')).toContain(told)
    expect(lines.at(-1)).toBe('有错误，未改动。')
    expect((await readAll(server.db)).map(({ no }) => no)).not.toContain('C_good')
  })
})

describe('giving', () => {
  beforeAll(async () => {
    const late = { ...COUPON, no: 'C_late', until: '2026-01-02 00:00' }
    const given = file({ ...COUPON, no: 'C_now' }, late, { ...COUPON, no: 'C_stopped', withdrawn: true })
    expect((await importCoupons(server.db, given, false, server.clock.now)).code).toBe(0)
  })
  test.each([
    ['C_none', ['13900000000'], '没有编号为 C_none 的优惠券'],
    ['C_late', null, '优惠券 C_late 已过期'],
    ['C_stopped', null, '优惠券 C_stopped 已停发'],
    ['C_now', ['139'], '不是手机号：139'],
  ])('%s to %j is refused', async (no, mobiles, told) => {
    await expect(giveCoupons(server.db, no, mobiles, server.clock.now)).rejects.toThrow(told)
  })
  test('to one who has no account gives to nobody', async () => {
    const student = await server.student()
    const { status, told } = coupons('give', 'C_now', student.mobile, '13700000000')
    expect([status, told]).toEqual([1, '没有这些学生：13700000000\n有错误，未改动。\n'])
    expect(await list(student.token)).toEqual([])
  })
})

describe('codes', () => {
  test('are told once, work so often, and are nowhere in the log', async () => {
    const made = coupons('codes', 'C_now', '--uses', '1', '--code', 'junkao-2027')
    expect(made).toEqual({ status: 0, told: expect.stringContaining('\nJUNKAO2027\n') })
    expect(coupons('codes', 'C_now', '--uses', '1', '--code', 'JUNKAO2027').told).toContain('这个码已经用过')
    const [drawn] = /(\w{4}-){3}\w{4}/.exec(coupons('codes', 'C_now', '--uses', '2').told) ?? []
    const student = await server.student()
    for (const code of ['JUNKAO2027', drawn ?? ''])
      expect((await server.ask(redeem, { code }, student.token)).status).toBe(1)
    const { token } = await server.student()
    expect((await server.ask(redeem, { code: 'JUNKAO2027' }, token)).msg).toBe('来晚了，这个码已兑完，请换一个')
    expect(coupons('show').told).toContain('C_now：2 个，可兑 3 次，已兑 2 次')
    const log = run('site', 'show', '--log').told
    expect(log).toContain('兑换码\n  C_now 的兑换码，可兑 1 次')
    expect(log).not.toContain('JUNKAO2027')
  })
  test.each([
    [['C_now', '--uses', '0'], '--uses 应为 1 到'],
    [['C_now', '--uses', '5', '--code', '短'], '自定的码应为 6 到 12 位'],
  ])('%j are refused', async (args, told) => {
    const [no = '', , uses = '', , word] = args
    await expect(makeCouponCode(server.db, no, uses, word, server.clock.now)).rejects.toThrow(told)
  })
  test('of activation go into a new file, each for one student', async () => {
    const made = coupons('activation', 'V_month', '3', '--out', place('codes.csv'))
    expect(made.told).toContain('V会员 月卡：激活码 3 个，已写入')
    const rows = readFileSync(place('codes.csv'), 'utf8').trim().split('\r\n').slice(1)
    const codes = rows.map((row) => row.split(',')[1] ?? '')
    expect(new Set(codes).size).toBe(3)
    const { token } = await server.student()
    for (const [i, code] of codes.entries())
      expect(await server.call(redeem, { code }, token)).toMatchObject({
        until: server.clock.now + (i + 1) * 30 * 86_400_000,
      })
  })
  test('whose file is there already, or cannot be, are not made', async () => {
    const count = async () => (await server.db.selectFrom('redeem_code').select('hash').execute()).length
    const before = await count()
    writeFileSync(place('old.csv'), 'old')
    for (const [duration, many, out, why] of [
      ['V_month', '2', 'old.csv', '已经存在'],
      ['V_month', '2', 'none/codes.csv', '不能写入'],
      ['V_none', '2', 'new.csv', '没有编号为 V_none 的会员时长'],
      ['V_month', '10001', 'new.csv', '数量应为 1 到 10000'],
    ] as const)
      await expect(makeActivationCodes(server.db, duration, many, place(out), server.clock.now)).rejects.toThrow(why)
    expect(readFileSync(place('old.csv'), 'utf8')).toBe('old')
    expect(existsSync(place('new.csv'))).toBe(false)
    expect(await count()).toBe(before)
  })
  test.each([[['give', 'C']], [['codes', 'C']], [['activation', 'V_month', '2']], [['unknown']], [['show', 'x']]])(
    '%j is wrong use',
    (args) => {
      expect(coupons(...args)).toEqual({ status: 2, told: expect.stringContaining('用法') })
    },
  )
})
