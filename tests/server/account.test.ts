import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const DAY = 86_400_000
const PASSWORD = 'the old password'
const { changeMobile, devices, endDevices, getUserInfo } = contract.user
const refused = (msg: string) => ({ status: 0, msg, data: null })
let numbers = 13_700_000_000
/** A mobile without an account. */
const freshMobile = () => String(++numbers)
async function withPassword() {
  const who = await server.student()
  await givePassword(server.db, who.uid, PASSWORD)
  return who
}
const whoAmI = (token: string) => server.ask(getUserInfo, {}, token)
/** Logs in with a code, as a browser that calls itself so. */
async function loginAs(mobile: string, agent: string): Promise<string> {
  const code = await requestCode(server, mobile)
  const response = await server.app.inject({
    method: 'POST',
    url: '/pcapi/login/mobileCodeLogin',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': agent },
    payload: new URLSearchParams({ mobile, code }).toString(),
  })
  server.clock.now += 60_000
  return response.json().data.token
}

describe('user/changeMobile', () => {
  test('takes the password and the code sent to the new mobile; uid, nickname and record stay', async () => {
    const { uid, token, mobile: old } = await withPassword()
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    expect(await server.ask(changeMobile, { mobile, mobileCode, oldPassword: PASSWORD }, token)).toMatchObject({
      status: 1,
      msg: '手机号已更换',
      data: { uid, mobile },
    })
    const { loginByPassword } = contract.login
    expect(await server.ask(loginByPassword, { mobile, password: PASSWORD })).toMatchObject({ data: { uid } })
    expect(await server.ask(loginByPassword, { mobile: old, password: PASSWORD })).toEqual(
      refused('账号或密码不正确，请重新输入'),
    )
  })

  test('takes a code sent to the old mobile as well; both codes end with it', async () => {
    const { token, mobile: old } = await server.student()
    const mobile = freshMobile()
    const [code, mobileCode] = [await requestCode(server, old), await requestCode(server, mobile)]
    expect(await server.ask(changeMobile, { mobile, mobileCode, code }, token)).toMatchObject({ status: 1 })
    const left = await server.db.selectFrom('sms_code').select('mobile').where('mobile', 'in', [old, mobile]).execute()
    expect(left).toEqual([])
  })

  test.each([
    ['no proof of the owner', {}, '请输入原密码，或用短信验证码验证'],
    ['a wrong password', { oldPassword: 'a guess' }, '原密码不正确，请重新输入，或用短信验证码验证'],
    ['a code that nobody sent', { code: '123456' }, '验证码不正确或已过期，请重新获取'],
  ])('%s changes nothing, and leaves the new mobile’s code as good as it was', async (_, proof, msg) => {
    const { token, mobile: old } = await withPassword()
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    expect(await server.ask(changeMobile, { mobile, mobileCode, ...proof }, token)).toEqual(refused(msg))
    expect(await server.call(getUserInfo, {}, token)).toMatchObject({ mobile: old })
    const right = { mobile, mobileCode, oldPassword: PASSWORD }
    expect(await server.ask(changeMobile, right, token)).toMatchObject({ status: 1 })
  })

  test('the code of one’s own mobile is none for the new one', async () => {
    const { token, mobile: old } = await withPassword()
    const mobileCode = await requestCode(server, old)
    const asked = { mobile: freshMobile(), mobileCode, oldPassword: PASSWORD }
    expect(await server.ask(changeMobile, asked, token)).toEqual(refused('新手机号的验证码不正确或已过期，请重新获取'))
  })

  test('whether another account has a mobile is told only to who received a code on it', async () => {
    const [me, other] = [await withPassword(), await server.student()]
    const guess = (mobile: string) =>
      server.ask(changeMobile, { mobile, mobileCode: '000000', oldPassword: PASSWORD }, me.token)
    expect(await guess(other.mobile)).toEqual(await guess(freshMobile()))
    const mobileCode = await requestCode(server, other.mobile)
    const held = { mobile: other.mobile, mobileCode, oldPassword: PASSWORD }
    expect(await server.ask(changeMobile, held, me.token)).toEqual(
      refused('这个手机号已绑定其他账号，请换一个手机号，或退出后用它登录'),
    )
    expect(await server.call(getUserInfo, {}, other.token)).toMatchObject({ mobile: other.mobile })
    expect(await server.call(getUserInfo, {}, me.token)).toMatchObject({ mobile: me.mobile })
  })

  test('of two students who take one mobile at the same moment one has it', async () => {
    const students = [await withPassword(), await withPassword()]
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    const envelopes = await Promise.all(
      students.map(({ token }) => server.ask(changeMobile, { mobile, mobileCode, oldPassword: PASSWORD }, token)),
    )
    expect(envelopes.filter(({ status }) => status === 1)).toHaveLength(1)
  })

  test('ends every other session, and this one goes on', async () => {
    const here = await withPassword()
    const there = await server.student(here.mobile)
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    await server.call(changeMobile, { mobile, mobileCode, oldPassword: PASSWORD }, here.token)
    expect([await whoAmI(here.token), await whoAmI(there.token)].map(({ status }) => status)).toEqual([1, 2])
  })

  test('guesses are counted: of the code five, of all there are ten an hour', async () => {
    const { token } = await withPassword()
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    const wrong = mobileCode === '000000' ? '000001' : '000000'
    const ask = (given: string) => server.ask(changeMobile, { mobile, mobileCode: given, oldPassword: PASSWORD }, token)
    for (let i = 0; i < 5; i++) await ask(wrong)
    expect(await ask(mobileCode)).toEqual(refused('新手机号的验证码不正确或已过期，请重新获取'))
    for (let i = 0; i < 4; i++) await ask(wrong)
    expect(await ask(wrong)).toEqual(refused('更换手机号过于频繁，请1小时后再试'))
  })

  test('guesses at a code count with those of logging in, however many accounts make them', async () => {
    const { token } = await withPassword()
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    const wrong = mobileCode === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i++) await server.ask(contract.login.mobileCodeLogin, { mobile, code: wrong })
    expect(await server.ask(changeMobile, { mobile, mobileCode, oldPassword: PASSWORD }, token)).toEqual(
      refused('新手机号的验证码不正确或已过期，请重新获取'),
    )
  })

  test('the mobile that one has, a wrong one and a missing code are told before anything is counted', async () => {
    const { token, mobile } = await withPassword()
    const ask = (given: string, mobileCode = '123456') =>
      server.ask(changeMobile, { mobile: given, mobileCode, oldPassword: PASSWORD }, token)
    expect(await ask(mobile)).toEqual(refused('新手机号与现在的手机号相同，请换一个'))
    expect(await ask('12345')).toEqual(refused('请输入合法的手机号'))
    expect(await ask(freshMobile(), ' ')).toEqual(refused('请输入验证码'))
  })
})

describe('devices', () => {
  const PHONE = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36'
  const COMPUTER =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36 Edg/130.0'

  test('are told by name, since when, last used on which day, this one first; nothing of a token', async () => {
    const mobile = freshMobile()
    const phone = await loginAs(mobile, PHONE)
    const since = server.clock.now - 60_000
    const computer = await loginAs(mobile, COMPUTER)
    server.clock.now += 2 * DAY
    await whoAmI(computer)
    const list = await server.call(devices, {}, phone)
    expect(list).toEqual([
      {
        id: expect.any(String),
        device: 'Android 手机 · Chrome',
        createdAt: since,
        seenAt: server.clock.now,
        current: true,
      },
      {
        id: expect.any(String),
        device: 'Windows 电脑 · Edge',
        createdAt: since + 60_000,
        seenAt: server.clock.now,
        current: false,
      },
    ])
    const hashes = await server.db.selectFrom('session').select('token_hash').execute()
    for (const { token_hash } of hashes) expect(JSON.stringify(list)).not.toContain(token_hash)
    expect((await server.call(devices, {}, computer))[0]?.device).toBe('Windows 电脑 · Edge')
  })

  test('one that is signed out has to log in again; the others, and other students’, go on', async () => {
    const me = await server.student()
    const [mine, other] = [await server.student(me.mobile), await server.student()]
    const [its] = await server.call(devices, {}, mine.token)
    const [others] = await server.call(devices, {}, other.token)
    await server.call(endDevices, { id: others?.id ?? '' }, me.token)
    expect(await server.call(endDevices, { id: its?.id ?? '' }, me.token)).toHaveLength(1)
    const states = await Promise.all([me, mine, other].map(({ token }) => whoAmI(token)))
    expect(states.map(({ status }) => status)).toEqual([1, 2, 1])
  })

  test('all others are signed out at once', async () => {
    const me = await server.student()
    const others = [await server.student(me.mobile), await server.student(me.mobile)]
    expect(await server.call(endDevices, {}, me.token)).toMatchObject([{ current: true }])
    const states = await Promise.all(others.map(({ token }) => whoAmI(token)))
    expect(states.map(({ status }) => status)).toEqual([2, 2])
  })

  test('whose login has run out are not told', async () => {
    const me = await server.student()
    server.clock.now += 31 * DAY
    const now = await server.student(me.mobile)
    expect(await server.call(devices, {}, now.token)).toHaveLength(1)
  })
})
