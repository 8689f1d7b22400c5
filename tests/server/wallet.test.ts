import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { atSandbox, order, topUp, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())

type Student = Awaited<ReturnType<TestServer['student']>>
const records = ({ token }: Student, input: { month?: string; cursor?: string } = {}) =>
  server.call(contract.user.myWalletRecord, input, token)
/** The first moment of a month in Beijing, epoch ms. */
const monthAt = (month: string) => Date.parse(`${month}-01T00:00:00+08:00`)

describe('the wallet by month', () => {
  test.each([
    ['within a year', '2026-11', '2026-12'],
    ['over the end of a year', '2026-12', '2027-01'],
    ['after the shortest month', '2027-02', '2027-03'],
  ])('has the first and the last moment of a month in Beijing in that month alone: %s', async (_, month, next) => {
    const start = monthAt(next)
    // What came at the last moment of a month, and at the first and a later one of the next.
    const came = [
      [start - 1, 1_000],
      [start, 2_000],
      [start + 86_400_000, 4_000],
    ] as const
    server.clock.now = start - 1
    const { mobile } = await server.student()
    for (const [at, amount] of came) {
      server.clock.now = at
      await topUp(server, await server.student(mobile), amount)
    }
    const student = await server.student(mobile)
    const { id } = await order(server, student, { products: [vipOf('V')], wallet: true })
    const shown = async (of: string | undefined) => {
      const {
        came: sum,
        went,
        records: rows,
        next: more,
      } = await records(student, of === undefined ? {} : { month: of })
      expect(more).toBeNull()
      return { came: sum, went, rows: rows.map(({ at, amount }) => [at, amount]) }
    }
    const last = { came: 1_000, went: 0, rows: [[start - 1, 1_000]] }
    const first = {
      came: 6_000,
      went: 1_990,
      rows: [
        [start + 86_400_000, -1_990],
        [start + 86_400_000, 4_000],
        [start, 2_000],
      ],
    }
    expect(await shown(month)).toEqual(last)
    expect(await shown(next)).toEqual(first)
    expect(await shown(undefined)).toEqual({ came: 7_000, went: 1_990, rows: [...first.rows, ...last.rows] })
    expect((await records(student)).records[0]).toMatchObject({ order: id, balance: 5_010 })
  })

  test('is told in pages, of which each sums up all that is asked for', async () => {
    server.clock.now = monthAt('2027-05') - 1
    const { mobile } = await server.student()
    await topUp(server, await server.student(mobile), 50_000)
    server.clock.now += 1
    const student = await server.student(mobile)
    for (let n = 0; n < 21; n++) await topUp(server, student, 100 + n)
    const input = { month: '2027-05' }
    const first = await records(student, input)
    expect(first.records.map(({ amount }) => amount)).toEqual(Array.from({ length: 20 }, (_, n) => 120 - n))
    expect(first.next).not.toBeNull()
    const second = await records(student, { ...input, cursor: first.next ?? '' })
    expect(second.records.map(({ amount }) => amount)).toEqual([100])
    expect(second.next).toBeNull()
    const sums = { came: 21 * 110, went: 0, balance: 50_000 + 21 * 110 }
    expect([first, second]).toMatchObject([sums, sums])
  })
})

describe('a top-up', () => {
  test('that is sent again is the same one, and comes into the wallet once', async () => {
    const student = await server.student()
    const wanted = { key: randomUUID(), amount: 1_000, method: 'sandbox', device: 'phone' } as const
    const [one, two] = await Promise.all([1, 2].map(() => server.call(contract.wallet.topUp, wanted, student.token)))
    expect(two).toEqual(one)
    for (let n = 0; n < 2; n++) if (one?.way.kind === 'go') await atSandbox(server, one.way.url, 'pay')
    expect(await records(student)).toMatchObject({ came: 1_000, balance: 1_000, records: [{ kind: 'topUp' }] })
  })
})
