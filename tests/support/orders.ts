import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Input } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import type { Product } from '#src/contract/order.ts'
import { settleSome } from '#server/order/jobs.ts'
import type { Tables } from '#server/db/tables.ts'
import type { TestServer } from './server.ts'

export interface Buyer {
  uid: string
  token: string
}
type Wanted = Partial<Input<typeof contract.order.create>> & { products: Product[] }

export const bookOf = (no: string, quantity = 1, variant = `${no}_1`): Product => ({
  kind: 'book',
  no,
  quantity,
  variant,
})
export const vipOf = (no: string, duration = `${no}_month`, quantity = 1): Product => ({
  kind: 'vip',
  no,
  quantity,
  variant: duration,
})

/** What the page sends for what it has just seen. */
export async function wantedOf(server: TestServer, { token }: Buyer, { products, ...over }: Wanted) {
  const choices = { products, wallet: false, ...over }
  const quote = await server.call(contract.order.preview, choices, token)
  return { key: randomUUID(), remark: '', ...choices, coupon: quote.coupon, expect: quote.wallet + quote.due }
}
export async function order(server: TestServer, buyer: Buyer, wanted: Wanted) {
  return server.call(contract.order.create, await wantedOf(server, buyer, wanted), buyer.token)
}
export const detail = (server: TestServer, { token }: Buyer, id: string) =>
  server.call(contract.order.detail, { id }, token)

type Act = 'pay' | 'fail' | 'cancel'
/** What the student does on the sandbox's page. @param url as `order/pay` gave it */
export async function atSandbox(server: TestServer, url: string, act: Act): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await server.app.inject({ method: 'POST', url, headers, payload: `act=${act}` })
  if (answer.statusCode !== 303) throw new Error(`sandbox: HTTP ${answer.statusCode}`)
}
/** Begins a payment on a phone and gives the way to it. */
export async function begin(server: TestServer, { token }: Buyer, id: string): Promise<string> {
  const { way } = await server.call(contract.order.pay, { id, method: 'sandbox', device: 'phone' }, token)
  if (way?.kind !== 'go') throw new Error('no way to pay')
  return way.url
}
/** The number of the payment that this is the way to. */
export const paymentOf = (url: string): string => /\/pay\/sandbox\/(\w+)/.exec(url)?.[1] ?? ''
/** Pays another sum than was asked for. */
export async function payAnother(server: TestServer, url: string, amount: number): Promise<void> {
  const asked = server.db.updateTable('sandbox_payment').set({ amount }).where('id', '=', paymentOf(url))
  await asked.where('state', '=', 'open').execute()
  await atSandbox(server, url, 'pay')
}
/** Orders and pays, as one who changes nothing. */
export async function buy(server: TestServer, buyer: Buyer, wanted: Wanted): Promise<string> {
  const { id, state } = await order(server, buyer, wanted)
  if (state === 'pending') await atSandbox(server, await begin(server, buyer, id), 'pay')
  return id
}
export async function topUp(server: TestServer, { token }: Buyer, amount: number): Promise<void> {
  const wanted = { key: randomUUID(), amount, method: 'sandbox', device: 'phone' } as const
  const { way } = await server.call(contract.wallet.topUp, wanted, token)
  if (way.kind === 'go') await atSandbox(server, way.url, 'pay')
}

/** The jobs as main.ts runs them, until nothing is left to do now. */
export async function settleAll(server: TestServer): Promise<void> {
  while (await settleSome(server.desk, server.clock.now));
}

export const HALF_OFF: Tables['coupon'] = {
  no: 'C_half',
  title: '新人立减',
  off_kind: 'fen',
  off_value: 1000,
  off_most: null,
  threshold: 0,
  kinds: [],
  from_at: 0,
  until_at: Date.UTC(2030, 0, 1),
  withdrawn: false,
}
/** As an operator will hand it out. @returns the student's own number of it */
export async function giveCoupon(
  { db, clock }: TestServer,
  { uid }: Buyer,
  over: Partial<Tables['coupon']> = {},
): Promise<string> {
  const coupon = { ...HALF_OFF, ...over }
  await db
    .insertInto('coupon')
    .values(coupon)
    .onConflict((c) => c.doNothing())
    .execute()
  const id = `${coupon.no}_${randomUUID().slice(0, 8)}`
  await db
    .insertInto('coupon_owned')
    .values({ uid, id, coupon_no: coupon.no, at: clock.now, order_id: null, used_at: null })
    .execute()
  return id
}

/** Somebody waits for somebody in this database. */
export async function someoneWaits({ db }: TestServer): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return (rows[0]?.n ?? 0) > 0
}

/** What the accounts of a student come to, and that the wallet is what its entries say. */
export async function accounts({ db }: TestServer, uid: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('ledger_entry')
    .select(['account', (eb) => eb.fn.sum<string>('amount').as('sum')])
    .where('uid', '=', uid)
    .groupBy('account')
    .execute()
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]).filter(([, sum]) => sum !== 0))
}

/** An address in 长沙, as the student's default. */
export async function giveAddress(server: TestServer, { token }: Buyer): Promise<string> {
  const place = { province: '430000', city: '430100', district: '430105' }
  const typed = { name: '王小兵', mobile: '13800001111', detail: '德雅路109号' }
  const all = await server.call(contract.user.saveAddress, { newId: randomUUID(), ...place, ...typed }, token)
  return all[0]?.id ?? ''
}
