import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Product, SoldKind } from '#src/contract/order.ts'
import { dateOf, dayOf, startOf } from '#src/domain/time/day.ts'
import { writePackage } from '#server/course/store.ts'
import { operate } from '#server/order/operator.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { opOf, syncAs } from '#tests/support/ops.ts'
import { bookOf, buy, detail, giveAddress, settleAll, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
const { course, exam, questionSet, order } = contract
type Who = Awaited<ReturnType<TestServer['student']>>
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'B', chapters: 1, perChapter: 20 }))
  const nos = Array.from({ length: 14 }, (_, n) => `B_q${n + 1}`)
  await publish(server.db, { ...setJson({ no: 'S', papers: [[nos]] }), price: 900 })
  await publish(server.db, setJson({ no: 'S_free', papers: [[nos]] }))
  await publishExam(server.db, { ...examJson({ no: 'X', paper: [nos] }), price: 900 })
  for (const no of ['C', 'C_in', 'C_gone'])
    await publishCourse(server, {
      ...courseRow({ no, units: [[`${no}_1`]] }),
      price: 900,
      days: no === 'C' ? 365 : null,
    })
  await server.db.updateTable('course').set({ withdrawn: true }).where('no', '=', 'C_gone').execute()
  await server.db.transaction().execute((tx) =>
    writePackage(tx, {
      no: 'P',
      title: '套餐',
      intro: '<p>更省</p>',
      cover: { src: '/media/0123456789abcdef.svg', width: 640, height: 360 },
      price: 950,
      vip: false,
      days: 180,
      withdrawn: false,
      directions: [],
      areas: [],
      courses: ['C_in'],
    }),
  )
  await publishVip(server, vipJson(packageJson('V')))
  await publishBooks(server, booksJson(bookJson('BOOK', 3)))
})
afterAll(() => server.close())

const one = (kind: SoldKind, no: string, over: Partial<Product> = {}): Product => ({
  kind,
  no,
  quantity: 1,
  variant: null,
  ...over,
})
const quoteOf = (product: Product, { token }: Who) =>
  server.call(order.preview, { products: [product], wallet: false }, token)

describe('what was bought is open in the same moment, and shut when it was given back', () => {
  const opens: [string, Product, (token: string) => Promise<{ open: boolean }>][] = [
    ['a course', one('course', 'C'), (token) => server.call(course.detail, { no: 'C' }, token)],
    ['a package', one('package', 'P'), (token) => server.call(course.package, { no: 'P' }, token)],
    ['a course of a package', one('package', 'P'), (token) => server.call(course.detail, { no: 'C_in' }, token)],
    ['a set', one('set', 'S'), (token) => server.call(questionSet.detail, { no: 'S' }, token)],
    ['an exam', one('exam', 'X'), (token) => server.call(exam.detail, { no: 'X' }, token)],
  ]
  test.each(opens)('%s', async (_, product, read) => {
    const student = await server.student()
    expect((await read(student.token)).open).toBe(false)
    const id = await buy(server, student, { products: [product] })
    expect((await detail(server, student, id)).state).toBe('completed')
    expect((await read(student.token)).open).toBe(true)
    await server.call(order.askRefund, { id, reason: '买错了' }, student.token)
    expect((await read(student.token)).open).toBe(true)
    await operate(server.db, id, { kind: 'approve', restock: false }, server.clock.now)
    await settleAll(server)
    expect((await detail(server, student, id)).state).toBe('refunded')
    expect((await read(student.token)).open).toBe(false)
  })

  test('an exam is applied for when it was bought, not before', async () => {
    const student = await server.student()
    expect((await server.ask(exam.apply, { no: 'X' }, student.token)).status).toBe(0)
    await buy(server, student, { products: [one('exam', 'X')] })
    expect((await server.ask(exam.apply, { no: 'X' }, student.token)).status).toBe(1)
  })

  test('a course of so many days ends then; bought again, so much later', async () => {
    const student = await server.student()
    const until = async () => (await server.call(course.detail, { no: 'C' }, student.token)).until
    await buy(server, student, { products: [one('course', 'C')] })
    expect(await until()).toBe(server.clock.now + 365 * DAY)
    expect((await quoteOf(one('course', 'C'), student)).lines[0]?.note).toBe('有效期 365 天，接在现有有效期之后')
    await buy(server, student, { products: [one('course', 'C')] })
    expect(await until()).toBe(server.clock.now + 730 * DAY)
  })
})

describe('what cannot be bought says why, and is not ordered', () => {
  test.each([
    ['is free', one('set', 'S_free'), '免费，不用购买'],
    ['is a library', one('library', 'B'), '题库免费使用，不用购买'],
    ['was withdrawn', one('course', 'C_gone'), '已下架，不再出售'],
    ['never was', one('exam', 'NONE'), '已下架，不再出售'],
    ['is a book that there is not', one('book', 'NONE', { variant: 'v' }), '已下架，不再出售'],
    ['is a book without its variant', one('book', 'BOOK'), '没有这个规格，请回到图书页重新选择'],
    ['is another book’s variant', one('book', 'BOOK', { variant: 'V_month' }), '没有这个规格，请回到图书页重新选择'],
    ['is a duration that there is not', vipOf('V', 'V_decade'), '没有这个时长，请回到会员页重新选择'],
    ['is digital, twice', one('set', 'S', { quantity: 2 }), '数字商品只需买 1 份'],
    ['is more than there are', bookOf('BOOK', 4), '库存只剩 3 件，请减少数量'],
    ['lasts until an exam day that is not set', vipOf('V', 'V_exam'), '请先在“我的资料”里设置考试日期'],
  ])('because it %s', async (_, product, why) => {
    const student = await server.student()
    await giveAddress(server, student)
    const quote = await quoteOf(product, student)
    expect(quote.lines).toMatchObject([{ shut: true, note: expect.stringContaining(why) }])
    const wanted = { products: [product], wallet: false, key: randomUUID(), coupon: '', expect: quote.due, remark: '' }
    expect(await server.ask(order.create, wanted, student.token)).toMatchObject({ status: 0, msg: quote.problem })
  })

  test('what there is in other variants is called by its name, and a withdrawn one stays withdrawn', async () => {
    const student = await server.student()
    const quote = await quoteOf(one('book', 'BOOK', { variant: 'none' }), student)
    const { title } = await server.call(contract.store.detail, { no: 'BOOK' }, student.token)
    expect(quote.lines[0]?.title).toBe(title)
    expect(quote.problem).toBe(`“${title}”没有这个规格，请回到图书页重新选择`)
    await server.db.updateTable('book').set({ withdrawn: true }).where('no', '=', 'BOOK').execute()
    const gone = await quoteOf(one('book', 'BOOK', { variant: 'none' }), student)
    await server.db.updateTable('book').set({ withdrawn: false }).where('no', '=', 'BOOK').execute()
    expect(gone.lines[0]?.note).toBe('已下架，不再出售')
  })

  test('because it is the student’s for good', async () => {
    const student = await server.student()
    await buy(server, student, { products: [one('set', 'S')] })
    expect((await quoteOf(one('set', 'S'), student)).problem).toBe('“S 仿真卷”已经永久拥有，不用再买')
  })
})

test('VIP until the exam lasts until that day is over, and is not sold twice for it', async () => {
  const student = await server.student()
  const day = dayOf(server.clock.now) + 40
  await syncAs(server, student, [
    opOf('setting', { name: 'examDate', value: dateOf(day) }, { seq: 1, at: server.clock.now }),
  ])
  await buy(server, student, { products: [vipOf('V', 'V_exam')] })
  const [mine] = await server.call(contract.vip.mine, {}, student.token)
  expect(mine?.until).toBe(startOf(day + 1))
  expect((await quoteOf(vipOf('V', 'V_exam'), student)).problem).toContain('已经开通到考试那天')
})

test('VIP until the exam is sold up to the exam day itself, and to nobody by the date of another student', async () => {
  const [student, other] = [await server.student(), await server.student()]
  const day = dayOf(server.clock.now) + 1
  await syncAs(server, student, [
    opOf('setting', { name: 'examDate', value: dateOf(day) }, { seq: 1, at: server.clock.now }),
  ])
  const problem = async (who: Who) => (await quoteOf(vipOf('V', 'V_exam'), who)).problem
  const UNSET = '“V会员”按考试日期开通，请先在“我的资料”里设置考试日期'
  expect([await problem(student), await problem(other)]).toEqual([null, UNSET])
  const before = server.clock.now
  try {
    server.clock.now = startOf(day + 1) - 1
    expect(await problem(student)).toBeNull()
    server.clock.now = startOf(day + 1)
    expect(await problem(student)).toBe(UNSET)
  } finally {
    server.clock.now = before
  }
})
