import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { openDatabase } from '#server/db/open.ts'
import { claimRefund, isOwed } from '#server/order/store.ts'
import { administer, testDataDir } from '#tests/support/database.ts'

const database = `u_${randomUUID().replaceAll('-', '')}`
let socketFolder: string
beforeAll(async () => {
  ;({ socketFolder } = await startEmbedded(testDataDir))
  await administer(socketFolder, `create database ${database}`)
})
afterAll(() => administer(socketFolder, `drop database ${database} with (force)`))

test('refunds that were under way before they came in parts go on as they were, and those that are done stay done', async () => {
  const pool = new pg.Pool({ host: socketFolder, user: 'postgres', database })
  const before = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const { error } = await new Migrator({
    db: before,
    provider: { getMigrations: async () => migrations },
  }).migrateTo('0032-coupon-codes')
  expect(error).toBeUndefined()
  for (const [id, state, at] of [
    ['due', 'due', 5],
    ['pending', 'pending', 6],
    ['done', 'done', 0],
    ['paid', null, 0],
  ] as const)
    await sql`insert into payment (id, uid, order_id, provider, device, amount, state, begun_at, expires_at, paid_at, ask_at,
      refund_state, refund_at) values (${id}, 'u', 'o', 'wechat', 'phone', 4780, 'paid', 1, 2, 1, 1, ${state}, ${at})`.execute(
      before,
    )
  await before.destroy()

  const db = await openDatabase({ socketFolder, database }, () => {}, 2)
  try {
    const rows = await db
      .selectFrom('payment')
      .select(['id', 'refund_state', 'refund_no', 'refund_amount', 'returned', 'owed_at', 'came'])
      .orderBy('id')
      .execute()
    const none = { refund_no: 0, refund_amount: 0, returned: 0, owed_at: null, came: null }
    expect(rows).toEqual([
      { ...none, id: 'done', refund_state: 'done', refund_no: 1, returned: 4780 },
      { ...none, id: 'due', refund_state: 'due', refund_amount: 4780, owed_at: 5 },
      { ...none, id: 'paid', refund_state: null },
      { ...none, id: 'pending', refund_state: 'pending', refund_amount: 4780, owed_at: 6 },
    ])
    expect(rows.filter(isOwed).map(({ id }) => id)).toEqual(['due', 'pending'])
    expect(await claimRefund(db, ['wechat'], 9, 20)).toMatchObject({ id: 'due', refund_amount: 4780 })
  } finally {
    await db.destroy()
  }
})
