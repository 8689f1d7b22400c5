import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import { CLOSING_WORD } from '#src/contract/user.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { makeCode, makeCoupon } from '#tests/support/coupons.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { bookOf, giveAddress, giveCoupon, order, topUp, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'
import { sitExam } from '#tests/support/sitExam.ts'

const MOBILE = '13977778888'
const NICKNAME = '谁也不认识的人'

let server: TestServer
let mine: Awaited<ReturnType<typeof ownThings>>
let stranger: { uid: string; token: string }
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'R', chapters: 1, perChapter: 4 }))
  await publishExam(server.db, examJson({ no: 'X', paper: [['R_q1', 'R_q2']] }))
  await publishVip(server, vipJson(packageJson('V')))
  await publishBooks(server, booksJson(bookJson('B', 9)))
  await makeCoupon(server, 'C')
  mine = await ownThings()
  stranger = await server.student()
})
afterAll(() => server.close())

/** A browser that takes messages. */
const browser = (name: string) => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
  p256dh: `B${'A'.repeat(86)}`,
  auth: 'A'.repeat(22),
})
/** One of everything that can be somebody's. */
async function ownThings() {
  const student = await server.student(MOBILE)
  const { token, uid } = student
  await server.call(contract.user.save, { nickname: NICKNAME }, token)
  const address = await giveAddress(server, student)
  const code = await makeCode(server, { coupon: 'C' })
  await server.call(contract.coupon.redeem, { code }, token)
  const coupon = await giveCoupon(server, student, { no: 'C_free' })
  await topUp(server, student, 5000)
  const key = randomUUID()
  const { id: top } = await server.call(
    contract.wallet.topUp,
    { key, amount: 1000, method: 'sandbox', device: 'desktop' },
    token,
  )
  const pending = await order(server, student, { products: [bookOf('B')], coupon: '' })
  const paid = await order(server, student, { products: [vipOf('V')], coupon: '', wallet: true })
  await server.call(contract.reminder.subscribe, browser('owner'), token)
  await server.call(contract.exam.apply, { no: 'X' }, token)
  const { rev } = await server.call(contract.exam.paper, { no: 'X' }, token)
  const attemptId = await sitExam(server, student, {
    no: 'X',
    rev,
    answers: { R_q1: 'B', R_q2: 'B' },
    begunAt: server.clock.now,
    tookMs: 600_000,
  })
  const devices = await server.call(contract.user.devices, {}, token)
  const device = devices[0]?.id ?? ''
  return { uid, token, device, address, code, coupon, key, top, pending: pending.id, paid: paid.id, rev, attemptId }
}
/** What no answer to anybody else may hold. */
const marks = () => {
  const { uid, device, address, coupon, top, pending, paid, attemptId } = mine
  return [uid, device, address, coupon, top, pending, paid, attemptId, MOBILE, NICKNAME, '王小兵', '德雅路109号']
}
/** All that the owner can see. */
const world = async () => {
  const { token } = mine
  const month = dateOf(dayOf(server.clock.now)).slice(0, 7)
  return JSON.stringify([
    await server.call(contract.order.list, { states: [] }, token),
    await server.call(contract.order.detail, { id: mine.pending }, token),
    await server.call(contract.order.detail, { id: mine.paid }, token),
    await server.call(contract.user.myAddress, {}, token),
    await server.call(contract.coupon.mine, {}, token),
    await server.call(contract.user.myWalletRecord, { month }, token),
    await server.call(contract.user.getUserInfo, {}, token),
    await server.call(contract.exam.report, { attemptId: mine.attemptId }, token),
    await server.call(contract.reminder.state, {}, token),
    await server.call(contract.consent.read, {}, token),
  ])
}

/**
 * `nobodys`: it takes nothing that is somebody's. `refused`: it is asked for something of the owner's, and refuses. `answered`: it
 * gives the asker what is the asker's, whatever of the owner's is named.
 */
type Probe = 'nobodys' | { refused: () => object } | { answered: () => object }
const id = (of: 'pending' | 'paid') => () => ({ id: mine[of] })
const goods = () => ({ products: [bookOf('B')], address: mine.address, coupon: mine.coupon, wallet: true })
const PROBES: Record<string, Probe> = {
  'config/getCosImgSig': { answered: () => ({ uid: mine.uid }) },
  'consent/read': { answered: () => ({ uid: mine.uid }) },
  'consent/answer': { answered: () => ({ agreed: {}, given: false, uid: mine.uid }) },
  'consent/choose': { answered: () => ({ kind: 'rankName', given: true, uid: mine.uid }) },
  'coupon/mine': { answered: () => ({}) },
  'coupon/redeem': { refused: () => ({ code: mine.code }) },
  'course/mine': { answered: () => ({}) },
  'exam/apply': { answered: () => ({ no: 'X' }) },
  'exam/key': { refused: () => ({ attemptId: mine.attemptId }) },
  'exam/open': { refused: () => ({ no: 'X', rev: mine.rev }) },
  'exam/paper': { refused: () => ({ no: 'X' }) },
  'exam/rank': { answered: () => ({ no: 'X' }) },
  'exam/report': { refused: () => ({ attemptId: mine.attemptId }) },
  'exam/sealed': { refused: () => ({ no: 'X' }) },
  'order/askRefund': { refused: () => ({ id: mine.paid, reason: '不要了' }) },
  'order/cancel': { refused: id('pending') },
  'order/create': { refused: () => ({ ...goods(), key: randomUUID(), expect: 0, remark: '' }) },
  'order/detail': { refused: id('paid') },
  'order/list': { answered: () => ({ states: [], cursor: mine.paid }) },
  'order/pay': { refused: () => ({ id: mine.pending, method: 'wallet', device: 'phone' }) },
  'order/preview': { answered: goods },
  'order/receive': { refused: id('paid') },
  'order/state': { refused: id('pending') },
  'question/some': { answered: () => ({ nos: ['R_q1', 'R_q2'] }) },
  'study/sync': {
    refused: () => ({
      device: randomUUID(),
      owner: mine.uid,
      proto: 1,
      sentAt: server.clock.now,
      cursor: 0,
      ops: [],
    }),
  },
  'reminder/state': { answered: () => ({ uid: mine.uid }) },
  'reminder/subscribe': { answered: () => ({ ...browser('stranger'), uid: mine.uid }) },
  'reminder/unsubscribe': { answered: () => ({ uid: mine.uid }) },
  'user/changeMobile': { refused: () => ({ mobile: MOBILE, mobileCode: '000000', code: '000000' }) },
  'user/close': { refused: () => ({ word: CLOSING_WORD, code: '000000', uid: mine.uid }) },
  'user/devices': { answered: () => ({ uid: mine.uid }) },
  'user/endDevices': { answered: () => ({ id: mine.device }) },
  'user/openMatters': { answered: () => ({ uid: mine.uid }) },
  'user/delAddress': { refused: () => ({ id: mine.address }) },
  'user/getUserInfo': { answered: () => ({ uid: mine.uid }) },
  'user/myAddress': { answered: () => ({ uid: mine.uid }) },
  'user/myWalletRecord': { answered: () => ({ month: dateOf(dayOf(server.clock.now)).slice(0, 7), cursor: mine.top }) },
  'user/save': { answered: () => ({ nickname: '别人', uid: mine.uid, mobile: MOBILE }) },
  'user/saveAddress': {
    refused: () => ({
      id: mine.address,
      name: '别人',
      mobile: '13800002222',
      province: '430000',
      city: '430100',
      district: '430105',
      detail: '改掉',
    }),
  },
  'vip/mine': { answered: () => ({ uid: mine.uid }) },
  'wallet/topUp': { answered: () => ({ key: mine.key, amount: 1000, method: 'sandbox', device: 'desktop' }) },
  'wallet/topUpState': { refused: () => ({ id: mine.top }) },
}
/** Content, and what one is by one's own token or mobile. */
const NOBODYS = `
  agreement/read config/getSite config/getPromise home/getNotice home/getHomeData
  course/list course/detail course/packages course/package course/lesson course/handout course/said
  exam/list exam/detail vip/list vip/detail store/list store/detail store/prices
  login/loginByPassword login/getImgVerifyCode login/sendCode login/mobileCodeLogin login/logout
  news/list news/search news/detail news/latest news/calendar news/seen
  question/libraryList question/chapter question/block question/stats question/pack question/blocks
  questionSet/list questionSet/detail questionSet/paper testing/list testing/detail testing/paper
  structural/getList structural/subjectList structural/getPoint structural/areaList point/getNames
`
  .trim()
  .split(/\s+/)
for (const path of NOBODYS) PROBES[path] = 'nobodys'

const endpoints: Endpoint[] = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
const inputOf = (path: string): object => {
  const probe = PROBES[path]
  if (probe === undefined || probe === 'nobodys') return {}
  return 'refused' in probe ? probe.refused() : probe.answered()
}

test('every endpoint of the contract is here, and nothing else', () => {
  expect(endpoints.map(({ path }) => path).toSorted()).toEqual(Object.keys(PROBES).toSorted())
})

describe('a stranger', () => {
  test('is refused whatever is another student’s, or has their own; nothing of the owner’s is told or changed', async () => {
    const before = await world()
    for (const endpoint of endpoints) {
      const probe = PROBES[endpoint.path]
      if (probe === undefined || probe === 'nobodys') continue
      // Applying opens what not having applied keeps shut: it is asked below.
      if (endpoint.path === 'exam/apply') continue
      const envelope = await server.ask(endpoint, inputOf(endpoint.path), stranger.token)
      const expected = 'refused' in probe ? 0 : 1
      const data = expected === 0 ? envelope.data : null
      expect([endpoint.path, envelope.status, envelope.msg, data]).toEqual([
        endpoint.path,
        expected,
        envelope.msg,
        null,
      ])
      const told = JSON.stringify(envelope)
      for (const mark of marks())
        expect([endpoint.path, told]).toEqual([endpoint.path, expect.not.stringContaining(mark)])
    }
    const applied = await server.ask(contract.exam.apply, { no: 'X' }, stranger.token)
    expect(applied).toMatchObject({ status: 1, data: { applyCount: 2 } })
    expect(await server.ask(contract.exam.key, { attemptId: mine.attemptId }, stranger.token)).toMatchObject({
      status: 0,
      data: null,
    })
    expect(await world()).toBe(before)
  })

  test('what the owner asks for in the same words is given: the probes name what there is', async () => {
    for (const path of ['order/detail', 'order/state', 'wallet/topUpState', 'exam/key', 'exam/report', 'exam/paper']) {
      const endpoint = endpoints.find((each) => each.path === path)
      if (!endpoint) throw new Error(path)
      const { status, msg } = await server.ask(endpoint, inputOf(path), mine.token)
      expect([path, status, msg]).toEqual([path, 1, msg])
    }
  })
})

test('without a token, or with one that is none, every endpoint of a student’s asks to log in', async () => {
  const closed = endpoints.filter(({ access }) => access === 'user')
  expect(closed.length).toBeGreaterThan(25)
  for (const endpoint of closed)
    for (const token of ['', 'a'.repeat(43)]) {
      const { status, data } = await server.ask(endpoint, inputOf(endpoint.path), token)
      expect([endpoint.path, status, data]).toEqual([endpoint.path, 2, null])
    }
})
