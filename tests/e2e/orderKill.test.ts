import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Envelope } from '#src/contract/endpoint.ts'
import { encodeForm } from '#src/contract/wire.ts'
import { type Product, runProduct } from './product.ts'

const STUDENTS = 6
const DEATHS = 6
/** Answers between two deaths. */
const CALLS = { least: 15, most: 60 }
const COPIES = 40

let product: Product
beforeAll(async () => {
  product = await runProduct()
  await product.sql('update book_variant set stock = $1, sold = 0', [COPIES])
})
afterAll(() => product.close())

const faults: string[] = []
let answered = 0
let waiting: { at: number; go: () => void } | null = null
const afterCalls = (count: number): Promise<void> =>
  new Promise((go) => {
    waiting = { at: answered + count, go }
  })
function count(): void {
  answered++
  if (waiting && answered >= waiting.at) {
    const { go } = waiting
    waiting = null
    go()
  }
}

/** While the server is dead: until it is back. */
let running: Promise<void> = Promise.resolve()
async function dieOnce(): Promise<void> {
  let back = () => {}
  running = new Promise((go) => (back = go))
  await product.kill()
  await product.restart()
  // The limits on orders and payments an hour are another test's.
  await product.sql('delete from rate')
  back()
}

/** Null: nobody answered. */
async function post(path: string, token: string, fields: Record<string, unknown>): Promise<Envelope | null> {
  try {
    const answer = await fetch(product.url + path, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(encodeForm(fields)),
      redirect: 'manual',
    })
    if (answer.status >= 500) faults.push(`${path}: ${answer.status}`)
    count()
    return answer.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : null
  } catch {
    return null
  }
}
/** Until somebody answers: a page sends what it has not heard of again. */
async function call<T>(path: string, token: string, fields: Record<string, unknown>): Promise<T | null> {
  for (;;) {
    const envelope = await post(`/pcapi/${path}`, token, fields)
    if (envelope) return envelope.status === 1 ? (envelope.data as T) : null
    if (faults.length > 0) return null
    await running
  }
}

async function takeStudent(n: number): Promise<{ uid: string; token: string }> {
  const [uid, token, now] = [randomUUID(), randomBytes(32).toString('base64url'), Date.now()]
  await product.sql('insert into student (uid, mobile, nickname, created_at) values ($1, $2, $3, $4)', [
    uid,
    String(13_600_000_000 + n),
    '学员',
    now,
  ])
  await product.sql(
    `insert into session (token_hash, uid, created_at, expires_at, seen_at) values ($1, $2, $3, $4, $3)`,
    [createHash('sha256').update(token).digest('hex'), uid, now, now + 86_400_000],
  )
  const place = { province: '430000', city: '430100', district: '430105' }
  const typed = { name: '王小兵', mobile: '13800001111', detail: '德雅路109号' }
  await call('user/saveAddress', token, { newId: randomUUID(), ...place, ...typed })
  return { uid, token }
}

const GOODS = [
  { kind: 'book', no: 'B_mock', quantity: 1, variant: 'B_mock_math' },
  { kind: 'vip', no: 'V_practice', quantity: 1, variant: 'V_practice_month' },
] as const

/** Orders, pays, gives up and asks for money back, as chance has it, until it is over. */
async function shopping(token: string, over: () => boolean): Promise<void> {
  while (!over() && faults.length === 0) {
    const products = randomInt(3) === 0 ? [...GOODS] : [GOODS[randomInt(2)]]
    const quote = await call<{ wallet: number; due: number; coupon: string }>('order/preview', token, {
      products,
      wallet: true,
    })
    if (!quote) continue
    const expected = quote.wallet + quote.due
    const wanted = { key: randomUUID(), products, wallet: true, coupon: quote.coupon, remark: '', expect: expected }
    const made = await call<{ id: string; state: string }>('order/create', token, wanted)
    if (!made) continue
    const { id } = made
    const paid = await call<{ way: { url: string } | null }>('order/pay', token, {
      id,
      method: 'sandbox',
      device: 'phone',
    })
    if (paid?.way && randomInt(5) > 0) await post(paid.way.url, token, { act: randomInt(6) > 0 ? 'pay' : 'fail' })
    if (randomInt(3) === 0) await call('order/cancel', token, { id })
    else await call('order/state', token, { id })
    if (randomInt(4) === 0) {
      const topUp = { key: randomUUID(), amount: 3000, method: 'sandbox', device: 'phone' }
      const begun = await call<{ way: { url: string } }>('wallet/topUp', token, topUp)
      if (begun) await post(begun.way.url, token, { act: 'pay' })
    }
  }
}

const one = async (text: string): Promise<number> => Number((await product.sql<{ n: string }>(text))[0]?.n ?? 0)

test('the server is killed in the middle of everything, again and again: every fen, book and right is where it belongs', async () => {
  const students = await Promise.all(Array.from({ length: STUDENTS }, (_, n) => takeStudent(n)))
  let over = false
  const lives = students.map(({ token }) => shopping(token, () => over))
  for (let death = 0; death < DEATHS; death++) {
    await afterCalls(randomInt(CALLS.least, CALLS.most))
    await dieOnce()
  }
  over = true
  await Promise.all(lives)
  expect(faults).toEqual([])
  const pending = await product.sql<{ id: string; uid: string }>(`select id, uid from orders where state = 'pending'`)
  for (const { id, uid } of pending)
    await call('order/cancel', students.find((each) => each.uid === uid)?.token ?? '', { id })
  await expect
    .poll(
      () =>
        one(`select count(*) as n from payment where refund_state in ('due', 'pending')
      or (state = 'open' and id in (select id from sandbox_payment where state = 'paid'))`),
      { timeout: 60_000 },
    )
    .toBe(0)

  expect(await one(`select count(*) as n from orders where state <> 'cancelled'`)).toBeGreaterThan(DEATHS)
  expect(
    await one('select count(*) as n from (select tx from ledger_entry group by uid, tx having sum(amount) <> 0) x'),
  ).toBe(0)
  expect(
    await one(
      `select count(*) as n from (select uid from ledger_entry where account = 'held' group by uid having sum(amount) <> 0) x`,
    ),
  ).toBe(0)
  expect(
    await one(`select count(*) as n from wallet w where balance <> (select coalesce(sum(amount), 0) from ledger_entry e
    where e.uid = w.uid and e.account = 'wallet')`),
  ).toBe(0)
  // What the provider took is what we have booked of it, less what went back.
  expect(await one(`select coalesce(sum(amount), 0) as n from ledger_entry where account = 'outside:sandbox'`)).toBe(
    -(await one(`select coalesce(sum(amount - refunded), 0) as n from sandbox_payment where state = 'paid'`)),
  )
  const sold = `state in ('paid', 'shipped', 'completed')`
  expect(await one(`select coalesce(sum(wallet + due), 0) as n from orders where ${sold}`)).toBe(
    await one(`select coalesce(sum(amount), 0) as n from ledger_entry where account = 'sales'`),
  )
  expect(
    await one(
      `select count(*) as n from order_line l join orders o on o.id = l.order_id where ${sold} and l.kind = 'vip'`,
    ),
  ).toBe(await one('select count(*) as n from entitlement_grant where revoked_at is null'))
  const books = `select coalesce(sum(quantity), 0) as n from order_line l join orders o on o.id = l.order_id where ${sold} and l.kind = 'book'`
  expect(await one(`select stock as n from book_variant where no = 'B_mock_math'`)).toBe(COPIES - (await one(books)))
  expect(await one(`select sold as n from book_variant where no = 'B_mock_math'`)).toBe(await one(books))
}, 180_000)
