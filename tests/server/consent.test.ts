import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { PushSubscription } from '#src/contract/reminder.ts'
import { keepInForce, putInForce } from '#server/agreement/publish.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let mobiles = 13_300_000_000
const DAY_MS = 86_400_000
const PASSWORD = 'a good password'
const { consent, login, reminder } = contract

beforeAll(async () => {
  server = await startServer()
  await keepInForce(server.db, server.clock.now)
})
afterAll(() => server.close())

const consentsOf = (token: string) => server.call(consent.read, {}, token)
const rows = async (uid: string) =>
  (await server.db.selectFrom('consent').select('kind').where('uid', '=', uid).execute()).length
/** 用户协议 in its next version. */
const change = (words: string) =>
  putInForce(
    server.db,
    { kind: 'user', source: { title: '用户协议', html: `<p>${words}</p>` }, changes: words },
    server.clock.now,
  )

describe('who logs in', () => {
  test('has agreed to what they were shown: the version, when and on which device are kept', async () => {
    const mobile = String(++mobiles)
    const code = await requestCode(server, mobile)
    const response = await server.app.inject({
      method: 'POST',
      url: '/pcapi/login/mobileCodeLogin',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Mozilla/5.0 (Linux; Android 10) Chrome/120.0 Mobile',
      },
      payload: new URLSearchParams({ mobile, code, agreed: '{"user":1,"privacy":1}' }).toString(),
    })
    const { token } = response.json<{ data: { token: string } }>().data
    const { asks, on, log } = await consentsOf(token)
    expect({ asks, on }).toEqual({ asks: [], on: [] })
    const own = { version: 1, given: true, at: server.clock.now, device: 'Android 手机 · Chrome' }
    expect(log).toEqual([
      { kind: 'privacy', ...own },
      { kind: 'user', ...own },
    ])
  })

  test('with an app that has nothing to tick is let in, and asked for both', async () => {
    const mobile = String(++mobiles)
    const { token } = await server.call(login.mobileCodeLogin, { mobile, code: await requestCode(server, mobile) })
    expect(await consentsOf(token)).toEqual({
      asks: [
        { kind: 'user', version: 1, changes: '' },
        { kind: 'privacy', version: 1, changes: '' },
      ],
      on: [],
      log: [],
    })
  })

  test.each(['code', 'password'] as const)('by %s with a version that never was is let in nowhere', async (by) => {
    const { uid, mobile } = await server.student()
    await givePassword(server.db, uid, PASSWORD)
    const sessions = async () =>
      (await server.db.selectFrom('session').select('id').where('uid', '=', uid).execute()).length
    const [before, kept] = [await sessions(), await rows(uid)]
    const agreed = { user: 1, privacy: 99 }
    const answer =
      by === 'code'
        ? await server.ask(login.mobileCodeLogin, { mobile, code: await requestCode(server, mobile), agreed })
        : await server.ask(login.loginByPassword, { mobile, password: PASSWORD, agreed })
    expect(answer).toMatchObject({ status: 0, msg: '协议有了新版本，请重新打开这个页面再试' })
    expect(await sessions()).toBe(before)
    expect(await rows(uid)).toBe(kept)
  })
})

describe('a new version', () => {
  test('is asked for until it is agreed to; who declines is asked again, and an older one that was agreed to counts for itself', async () => {
    const { token } = await server.student()
    const asked = async () => (await consentsOf(token)).asks
    expect(await asked()).toEqual([])
    const version = (await change('增加了退款期限')) ?? 0
    const asks = [{ kind: 'user', version, changes: '增加了退款期限' }]
    expect(await asked()).toEqual(asks)
    const answer = (user: number, given: boolean) => server.call(consent.answer, { agreed: { user }, given }, token)
    expect((await answer(version, false)).asks).toEqual(asks)
    expect((await answer(version - 1, true)).asks).toEqual(asks)
    const { asks: left, log } = await answer(version, true)
    expect(left).toEqual([])
    expect(log.map(({ kind, version: of, given }) => [kind, of, given]).slice(0, 3)).toEqual([
      ['user', version, true],
      ['user', version - 1, true],
      ['user', version, false],
    ])
  })
})

describe('a choice', () => {
  test('is off at first; turned on or off twice it is written down once; it is the student’s alone', async () => {
    const [me, other] = [await server.student(), await server.student()]
    const before = await rows(me.uid)
    expect((await consentsOf(me.token)).on).toEqual([])
    const choose = (given: boolean) => server.call(consent.choose, { kind: 'rankName', given }, me.token)
    await choose(false)
    expect(await rows(me.uid)).toBe(before)
    expect((await choose(true)).on).toEqual(['rankName'])
    await choose(true)
    expect(await rows(me.uid)).toBe(before + 1)
    expect((await consentsOf(other.token)).on).toEqual([])
    server.clock.now += DAY_MS
    const { on, log } = await choose(false)
    expect(on).toEqual([])
    expect(log[0]).toMatchObject({ kind: 'rankName', version: null, given: false, at: server.clock.now })
  })

  const browser = (name: string): PushSubscription => ({
    endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
    p256dh: `B${'A'.repeat(86)}`,
    auth: 'A'.repeat(22),
  })
  const devices = async (token: string) => (await server.call(reminder.state, {}, token)).devices.length

  test('of messages is made by the device that gets them, and taken back for all of them at once', async () => {
    const [phone, other] = [await server.student(), await server.student()]
    const desk = await server.student(phone.mobile)
    await server.call(reminder.subscribe, browser('other'), other.token)
    expect(await server.ask(consent.choose, { kind: 'push', given: true }, phone.token)).toMatchObject({
      status: 0,
      msg: '请在要接收推送的设备上打开学习提醒',
    })
    await server.call(reminder.subscribe, browser('phone'), phone.token)
    await server.call(reminder.subscribe, browser('desk'), desk.token)
    expect((await consentsOf(phone.token)).on).toEqual(['push'])
    await server.call(consent.choose, { kind: 'push', given: false }, phone.token)
    expect([await devices(phone.token), await devices(desk.token), await devices(other.token)]).toEqual([0, 0, 1])
    expect((await consentsOf(desk.token)).on).toEqual([])
    expect((await consentsOf(other.token)).on).toEqual(['push'])
  })

  test('of messages is over with the last device that gets them', async () => {
    const phone = await server.student()
    const desk = await server.student(phone.mobile)
    await server.call(reminder.subscribe, browser('phone 2'), phone.token)
    await server.call(reminder.subscribe, browser('desk 2'), desk.token)
    await server.call(reminder.unsubscribe, {}, phone.token)
    expect((await consentsOf(phone.token)).on).toEqual(['push'])
    await server.call(reminder.unsubscribe, {}, desk.token)
    const { on, log } = await consentsOf(phone.token)
    expect(on).toEqual([])
    expect(log.filter(({ kind }) => kind === 'push').map(({ given }) => given)).toEqual([false, true])
  })
})
