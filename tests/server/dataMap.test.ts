import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { CLOSING_WORD } from '#src/contract/user.ts'
import { DEVICE_KEYS, orderKey, OWNER_KEYS, TAB_KEYS } from '#src/device/keys.ts'
import {
  apiCache,
  cacheDb,
  DOCUMENT_CACHE,
  DOCUMENT_DB,
  IMAGE_CACHE,
  LESSON_IMAGES,
  LOG_DB,
  MEDIA_DB,
  NOTED_CACHE,
  PACK_DB,
  PACK_IMAGES,
  PART_CACHE,
  RECORD_DB,
  ROOM_DB,
  WORKER_WRITES,
} from '#src/offline/device/names.ts'
import { DATA_KINDS, DEVICE_KINDS, NOT_PERSONAL } from '#server/agreement/dataMap.ts'
import { sweepPersonal } from '#server/agreement/retention.ts'
import { logChange } from '#server/config/store.ts'
import { allowed } from '#server/http/limits.ts'
import { operate } from '#server/order/operator.ts'
import { countViews, markSeen } from '#server/news/store.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { articleJson, newsJson, publishNews } from '#tests/support/news.ts'
import { bookOf, buy, giveAddress } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, publishBooks } from '#tests/support/shop.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'the old password'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishNews(server, newsJson({ articles: [articleJson('N1')] }))
  await publishBooks(server, booksJson(bookJson('B', 9)))
})
afterAll(() => server.close())

const columnsOf = (where: Readonly<Record<string, string>>): string[] =>
  Object.entries(where).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`))
const personal = DATA_KINDS.flatMap(({ where }) => columnsOf(where))

describe('the list of personal data', () => {
  test('has each column of the database once, as somebody’s or as nobody’s, and none that does not exist', async () => {
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = current_schema()`.execute(server.db)
    const listed = [...personal, ...columnsOf(NOT_PERSONAL)]
    expect(listed.toSorted()).toEqual(rows.map(({ column }) => column).toSorted())
  })

  test('calls no table with a student’s uid nobody’s', async () => {
    const { rows } = await sql<{ table: string }>`
      select table_name as table from information_schema.columns
      where table_schema = current_schema() and column_name in ('uid', 'mobile', 'nickname')`.execute(server.db)
    const tables = new Set(personal.map((column) => column.split('.')[0]))
    expect(rows.filter(({ table }) => !tables.has(table))).toEqual([])
  })
})

/** The sweep of the server empties these tables in time. */
const SWEPT = [
  'session',
  'ended_session',
  'known_device',
  'sms_code',
  'image_code',
  'security_event',
  'rate',
  'news_seen',
] as const
const left = async (): Promise<string[]> => {
  const found: string[] = []
  for (const table of SWEPT) {
    const row = await server.db
      .selectFrom(table)
      .select(sql`1`.as('one'))
      .limit(1)
      .executeTakeFirst()
    if (row) found.push(table)
  }
  return found
}

describe('what is kept for a time', () => {
  test('is gone when its time is over, whether or not its student comes back', async () => {
    const student = await server.student()
    const at = server.clock.now
    const code = await requestCode(server, student.mobile)
    const { token } = await server.call(contract.login.mobileCodeLogin, { mobile: student.mobile, code })
    await server.call(contract.user.endDevices, {}, token)
    server.clock.now += 60_000
    await requestCode(server, student.mobile)
    await server.call(contract.login.getImgVerifyCode, { mobile: student.mobile })
    await markSeen(server.db, 'N1', `u:${student.uid}`, at)
    await countViews(server.db)
    await allowed(server.db, { key: `upload:${student.uid}`, windowMs: 60_000, max: 1 }, at)
    await sweepPersonal(server.db, at)
    expect(await left()).toEqual([...SWEPT])
    await sweepPersonal(server.db, at + 3 * DAY_MS)
    expect(await left()).toEqual(['session', 'ended_session', 'known_device', 'security_event'])
    await sweepPersonal(server.db, at + 181 * DAY_MS)
    expect(await left()).toEqual(['known_device'])
    await sweepPersonal(server.db, at + 401 * DAY_MS)
    expect(await left()).toEqual([])
  })

  test('of trade, receivers leave three years after the account was closed, and what was paid stays', async () => {
    const REMARKS = ['1 放门卫', '2 放食堂']
    const students = [await server.student(), await server.student()]
    const ids: string[] = []
    for (const [i, student] of students.entries()) {
      await givePassword(server.db, student.uid, PASSWORD)
      await giveAddress(server, student)
      const id = await buy(server, student, { products: [bookOf('B')], remark: REMARKS[i] ?? '' })
      await operate(server.db, id, { kind: 'ship', parcel: { carrier: '邮政', number: 'EMS1' } }, server.clock.now)
      await server.call(contract.order.receive, { id }, student.token)
      ids.push(id)
    }
    const [gone] = students
    await server.call(contract.user.close, { word: CLOSING_WORD, oldPassword: PASSWORD }, gone?.token)
    const rows = () =>
      server.db
        .selectFrom('orders')
        .select([
          'remark',
          sql<boolean>`address is null`.as('nowhere'),
          sql<boolean>`parcel is null`.as('unsent'),
          'goods',
        ])
        .where('id', 'in', ids)
        .orderBy('remark')
        .execute()
    const kept = REMARKS.map((remark) => ({ remark, nowhere: false, unsent: false, goods: 2600 }))
    await sweepPersonal(server.db, server.clock.now + 3 * 365 * DAY_MS)
    expect(await rows()).toEqual(kept)
    await sweepPersonal(server.db, server.clock.now + 1097 * DAY_MS)
    expect(await rows()).toEqual([{ remark: '', nowhere: true, unsent: true, goods: 2600 }, kept[1]])
  })

  test('of the operator’s log, what was done to students leaves after three years, and what the site showed stays', async () => {
    const at = server.clock.now
    await server.db.transaction().execute(async (tx) => {
      await logChange(tx, 'users', 'somebody：改手机号', at)
      await logChange(tx, 'notice', '公告', at)
    })
    await sweepPersonal(server.db, at + 3 * 365 * DAY_MS)
    const logged = () => server.db.selectFrom('operator_log').select('what').orderBy('id').execute()
    expect(await logged()).toEqual(expect.arrayContaining([{ what: 'users' }, { what: 'notice' }]))
    await sweepPersonal(server.db, at + 1097 * DAY_MS)
    expect(await logged()).toEqual([{ what: 'notice' }])
  })
})

test('the list of what stays on a device has each name under which the app keeps something there', () => {
  const listed = DEVICE_KINDS.flatMap(({ stores }) => stores.split(' '))
  const ofOwners = Object.values(OWNER_KEYS).map((key) => key(''))
  const names = [
    ...Object.values(DEVICE_KEYS),
    ...ofOwners,
    ...Object.values(TAB_KEYS),
    orderKey('', '').replace(/:+$/, ':'),
    RECORD_DB,
    cacheDb(''),
    apiCache(''),
    IMAGE_CACHE,
    PART_CACHE,
    DOCUMENT_CACHE,
    DOCUMENT_DB,
    PACK_DB,
    PACK_IMAGES,
    MEDIA_DB,
    LESSON_IMAGES,
    ROOM_DB,
    LOG_DB,
    WORKER_WRITES,
    NOTED_CACHE,
  ].map(String)
  expect(listed.toSorted()).toEqual([...new Set(names)].toSorted())
})
