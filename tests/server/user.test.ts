import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { getUserInfo, save } = contract.user
const OLD = 'the old password'
const NEW = 'the new password'
const COMMON = '这个密码太常见，容易被人猜中，请换一个'
async function withPassword() {
  const who = await server.student()
  await givePassword(server.db, who.uid, OLD)
  return who
}
const canLogIn = async (mobile: string, password: string): Promise<boolean> =>
  (await server.ask(contract.login.loginByPassword, { mobile, password })).status === 1

describe('user/getUserInfo', () => {
  test('answers exactly the four fields that the browser stores', async () => {
    const { uid, token, mobile } = await server.student()
    expect(await server.ask(getUserInfo, {}, token)).toEqual({
      status: 1,
      msg: '',
      data: { uid, portrait: '', nickname: `学员${mobile.slice(-4)}`, mobile },
    })
  })

  test('is for the token alone: fields that name another student change nothing', async () => {
    const [me, other] = [await server.student(), await server.student()]
    const named = { uid: other.uid, mobile: other.mobile, owner: other.uid, token: other.token }
    expect(await server.call(getUserInfo, {}, me.token, named)).toMatchObject({ uid: me.uid, mobile: me.mobile })
  })

  test.each([getUserInfo, save])('$path without a token is status 2', async (endpoint) => {
    expect(await server.ask(endpoint, {})).toEqual({ status: 2, msg: '登录已过期，请重新登录', data: null })
  })
})

describe('user/save', () => {
  test('changes the nickname, says so, and answers what is stored now', async () => {
    const { uid, token, mobile } = await server.student()
    const data = { uid, portrait: '', nickname: '战狼👨‍👩‍👧', mobile }
    expect(await server.ask(save, { nickname: '  战狼👨‍👩‍👧 ' }, token)).toEqual({ status: 1, msg: '保存成功', data })
    expect(await server.call(getUserInfo, {}, token)).toEqual(data)
  })

  test('leaves what is not given', async () => {
    const { token, mobile } = await withPassword()
    await server.call(save, { nickname: '先改名' }, token)
    await server.call(save, { password: NEW, oldPassword: OLD }, token)
    expect(await server.call(getUserInfo, {}, token)).toMatchObject({ nickname: '先改名' })
    await server.call(save, {}, token)
    await server.call(save, { nickname: '再改名' }, token)
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })

  test('a new password ends every other session of the student, and no one else’s', async () => {
    const { mobile, token } = await withPassword()
    const elsewhere = await server.student(mobile)
    const other = await server.student()
    await server.call(save, { password: NEW, oldPassword: OLD }, token)
    expect(await server.ask(contract.user.getUserInfo, {}, token)).toMatchObject({ status: 1 })
    expect(await server.ask(contract.user.getUserInfo, {}, elsewhere.token)).toMatchObject({ status: 2 })
    expect(await server.ask(contract.user.getUserInfo, {}, other.token)).toMatchObject({ status: 1 })
  })

  test('never answers the password, hashed or plain', async () => {
    const { token } = await withPassword()
    const envelope = await server.ask(save, { password: 'my-own-password', oldPassword: OLD }, token)
    expect(envelope.status).toBe(1)
    const text = JSON.stringify(envelope)
    expect(text).not.toContain('my-own-password')
    expect(text).not.toContain('argon2')
  })

  test.each([
    ['an empty nickname', { nickname: '' }, '请输入昵称'],
    ['a nickname of spaces', { nickname: '   ' }, '请输入昵称'],
    ['a nickname that nobody sees', { nickname: '\u200b\u200d' }, '请输入昵称'],
    [
      'a nickname that turns the line round',
      { nickname: '教官\u202Enimda' },
      '昵称里有看不见的控制字符，请删去后重新输入',
    ],
    ['a nickname that steers a terminal', { nickname: '\u001b[2J' }, '昵称里有看不见的控制字符，请删去后重新输入'],
    ['a nickname of 21 characters', { nickname: '长'.repeat(21) }, '昵称最多20个字'],
    ['a password of 7 characters', { password: '1234567' }, '密码至少8位'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, '密码最多128位'],
    ['a password that many have', { password: '12345678', oldPassword: OLD }, COMMON],
    ['one that many have, in capitals', { password: 'Password1', oldPassword: OLD }, COMMON],
  ])('%s is refused with what to do, and nothing is changed', async (_, fields, msg) => {
    const { uid, token } = await server.student()
    const before = await server.db.selectFrom('student').selectAll().where('uid', '=', uid).executeTakeFirst()
    expect(await server.ask(save, fields, token)).toEqual({ status: 0, msg, data: null })
    expect(await server.db.selectFrom('student').selectAll().where('uid', '=', uid).executeTakeFirst()).toEqual(before)
  })

  test('a password with one’s own mobile in it is refused, with a code as with the old one', async () => {
    const { token, mobile } = await server.student()
    const told = { status: 0, msg: '密码里不要有自己的手机号，容易被人猜中，请换一个', data: null }
    for (const proof of [{ oldPassword: OLD }, { code: '123456' }])
      expect(await server.ask(save, { password: `a${mobile}`, ...proof }, token)).toEqual(told)
  })

  test('one bad field keeps the good one from being saved', async () => {
    const { token } = await server.student()
    expect(await server.ask(save, { nickname: '不应保存', password: 'short' }, token)).toMatchObject({ status: 0 })
    expect(await server.call(getUserInfo, {}, token)).not.toMatchObject({ nickname: '不应保存' })
  })

  test('cannot change mobile or uid, nor anything of another student', async () => {
    const [me, other] = [await server.student(), await server.student()]
    const before = await server.call(getUserInfo, {}, other.token)
    const sneaked = { uid: other.uid, mobile: other.mobile, study_rev: '9' }
    const saved = await server.call(save, { nickname: '我' }, me.token, sneaked)
    expect(saved).toEqual({ uid: me.uid, mobile: me.mobile, portrait: '', nickname: '我' })
    expect(await server.call(getUserInfo, {}, other.token)).toEqual(before)
  })

  test('a nickname with markup is stored as text and comes back as it was', async () => {
    const { token } = await server.student()
    const nickname = "<b>'a'</b> & %00"
    expect(await server.call(save, { nickname }, token)).toMatchObject({ nickname })
  })

  test('a NUL in a nickname, which PostgreSQL cannot store, is left out', async () => {
    const { token } = await server.student()
    expect(await server.call(save, { nickname: 'a\u0000b' }, token)).toMatchObject({ nickname: 'ab' })
  })
})

describe('a new password needs a proof of who asks', () => {
  const refused = (msg: string) => ({ status: 0, msg, data: null })
  const WRONG = refused('原密码不正确，请重新输入，或用短信验证码验证')
  const CODE_WRONG = refused('验证码不正确或已过期，请重新获取')
  const TOO_MANY = refused('尝试次数过多，请15分钟后再试')
  const TOO_OFTEN = refused('修改密码过于频繁，请1小时后再试')

  test.each([
    ['no proof', {}, '请输入原密码，或用短信验证码验证'],
    ['an empty proof', { oldPassword: '', code: ' ' }, '请输入原密码，或用短信验证码验证'],
    ['a wrong old password', { oldPassword: `${OLD}x` }, WRONG.msg],
    ['a code that nobody sent', { code: '123456' }, CODE_WRONG.msg],
    ['a wrong old password beside a code', { oldPassword: 'guess', code: '123456' }, WRONG.msg],
  ])('%s: nothing is changed, the nickname neither, and no session ends', async (_, proof, msg) => {
    const { mobile, token } = await withPassword()
    const elsewhere = await server.student(mobile)
    expect(await server.ask(save, { nickname: '借来的手机', password: NEW, ...proof }, token)).toEqual(refused(msg))
    expect(await server.call(getUserInfo, {}, elsewhere.token)).not.toMatchObject({ nickname: '借来的手机' })
    expect(await canLogIn(mobile, OLD)).toBe(true)
  })

  test('the old password is good once: then the new one is the old', async () => {
    const { mobile, token } = await withPassword()
    const change = () => server.ask(save, { password: NEW, oldPassword: OLD }, token)
    expect(await change()).toMatchObject({ status: 1, msg: '保存成功' })
    expect(await change()).toEqual(WRONG)
    expect([await canLogIn(mobile, OLD), await canLogIn(mobile, NEW)]).toEqual([false, true])
  })

  test('who never set one is told to take a code, and sets it with that', async () => {
    const { mobile, token } = await server.student()
    const told = refused('还没有设置过密码，请用短信验证码验证')
    expect(await server.ask(save, { password: NEW, oldPassword: 'anything' }, token)).toEqual(told)
    const code = await requestCode(server, mobile)
    expect(await server.ask(save, { password: NEW, code: ` ${code} ` }, token)).toMatchObject({ status: 1 })
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })

  test('a forgotten one is replaced with a code, which works once', async () => {
    const { mobile, token } = await withPassword()
    const code = await requestCode(server, mobile)
    expect(await server.ask(save, { password: NEW, code }, token)).toMatchObject({ status: 1 })
    expect(await server.ask(save, { password: 'once more now', code }, token)).toEqual(CODE_WRONG)
    expect(await server.ask(contract.login.mobileCodeLogin, { mobile, code })).toEqual(CODE_WRONG)
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })

  test('another mobile’s code is no proof', async () => {
    const [me, other] = [await withPassword(), await withPassword()]
    const code = await requestCode(server, other.mobile)
    expect(await server.ask(save, { password: NEW, code }, me.token)).toEqual(CODE_WRONG)
    expect(await server.ask(save, { password: NEW, code }, other.token)).toMatchObject({ status: 1 })
  })

  test('five wrong tries end a code', async () => {
    const { mobile, token } = await withPassword()
    const code = await requestCode(server, mobile)
    const wrong = code === '000000' ? '000001' : '000000'
    const guesses = await Promise.all(
      Array.from({ length: 5 }, () => server.ask(save, { password: NEW, code: wrong }, token)),
    )
    expect(guesses).toEqual(Array.from({ length: 5 }, () => CODE_WRONG))
    expect(await server.ask(save, { password: NEW, code }, token)).toEqual(CODE_WRONG)
  })

  test('guesses that come at once are counted, and the right one behind them is not heard', async () => {
    const { mobile, token } = await withPassword()
    const guess = (i: number) => server.ask(save, { password: NEW, oldPassword: `guess ${i}` }, token)
    const guesses = await Promise.all(Array.from({ length: 16 }, (_, i) => guess(i)))
    expect(guesses.filter(({ msg }) => msg === WRONG.msg)).toHaveLength(10)
    expect(guesses.filter(({ msg }) => msg === TOO_OFTEN.msg)).toHaveLength(6)
    expect(await server.ask(save, { password: NEW, oldPassword: OLD }, token)).toEqual(TOO_OFTEN)
    // Logging in has tries of its own.
    expect(await server.ask(contract.login.loginByPassword, { mobile, password: OLD })).toMatchObject({ status: 1 })
    server.clock.now += 3_600_000
    expect(await server.ask(save, { password: NEW, oldPassword: OLD }, token)).toMatchObject({ status: 1 })
  })

  test('whoever guesses at logging in does not keep the student from it', async () => {
    const { mobile, token } = await withPassword()
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        server.ask(contract.login.loginByPassword, { mobile, password: `guess ${i}` }),
      ),
    )
    expect(await server.ask(contract.login.loginByPassword, { mobile, password: OLD })).toEqual(TOO_MANY)
    expect(await server.ask(save, { password: NEW, oldPassword: OLD }, token)).toMatchObject({ status: 1 })
  })

  test('of two changes at once, each with the right old password, one is done', async () => {
    const here = await withPassword()
    const there = await server.student(here.mobile)
    const envelopes = await Promise.all([
      server.ask(save, { password: 'chosen over here', oldPassword: OLD }, here.token),
      server.ask(save, { password: 'chosen over there', oldPassword: OLD }, there.token),
    ])
    expect(envelopes.filter(({ status }) => status === 1)).toHaveLength(1)
    const sessions = await Promise.all([here, there].map(({ token }) => server.ask(getUserInfo, {}, token)))
    expect(sessions.map(({ status }) => status)).toEqual(envelopes.map(({ status }) => (status === 1 ? 1 : 2)))
  })
})
