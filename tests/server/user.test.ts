import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { getUserInfo, save } = contract.user

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
    const data = { uid, portrait: '', nickname: '战狼🐺', mobile }
    expect(await server.ask(save, { nickname: '  战狼🐺 ' }, token)).toEqual({ status: 1, msg: '保存成功', data })
    expect(await server.call(getUserInfo, {}, token)).toEqual(data)
  })

  test('leaves what is not given', async () => {
    const { token, mobile } = await server.student()
    await server.call(save, { nickname: '先改名' }, token)
    await server.call(save, { password: 'then-a-password' }, token)
    expect(await server.call(getUserInfo, {}, token)).toMatchObject({ nickname: '先改名' })
    await server.call(save, {}, token)
    await server.call(save, { nickname: '再改名' }, token)
    expect(await server.call(contract.login.loginByPassword, { mobile, password: 'then-a-password' })).toBeDefined()
  })

  test('a new password ends every other session of the student, and no one else’s', async () => {
    const { mobile, token } = await server.student()
    const elsewhere = await server.student(mobile)
    const other = await server.student()
    await server.call(save, { password: 'a-better-password' }, token)
    expect(await server.ask(contract.user.getUserInfo, {}, token)).toMatchObject({ status: 1 })
    expect(await server.ask(contract.user.getUserInfo, {}, elsewhere.token)).toMatchObject({ status: 2 })
    expect(await server.ask(contract.user.getUserInfo, {}, other.token)).toMatchObject({ status: 1 })
  })

  test('never answers the password, hashed or plain', async () => {
    const { token } = await server.student()
    const text = JSON.stringify(await server.ask(save, { password: 'my-own-password' }, token))
    expect(text).not.toContain('my-own-password')
    expect(text).not.toContain('argon2')
  })

  test.each([
    ['an empty nickname', { nickname: '' }, '请输入昵称'],
    ['a nickname of spaces', { nickname: '   ' }, '请输入昵称'],
    ['a nickname of 21 characters', { nickname: '长'.repeat(21) }, '昵称最多20个字'],
    ['a password of 7 characters', { password: '1234567' }, '密码至少8位'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, '密码最多128位'],
  ])('%s is refused with what to do, and nothing is changed', async (_, fields, msg) => {
    const { uid, token } = await server.student()
    const before = await server.db.selectFrom('student').selectAll().where('uid', '=', uid).executeTakeFirst()
    expect(await server.ask(save, fields, token)).toEqual({ status: 0, msg, data: null })
    expect(await server.db.selectFrom('student').selectAll().where('uid', '=', uid).executeTakeFirst()).toEqual(before)
  })

  test('one bad field keeps the good one from being saved', async () => {
    const { token } = await server.student()
    expect(await server.ask(save, { nickname: '不应保存', password: 'short' }, token)).toMatchObject({ status: 0 })
    expect(await server.call(getUserInfo, {}, token)).not.toMatchObject({ nickname: '不应保存' })
  })

  test('cannot change mobile, portrait or uid, nor anything of another student', async () => {
    const [me, other] = [await server.student(), await server.student()]
    const before = await server.call(getUserInfo, {}, other.token)
    const sneaked = { uid: other.uid, mobile: other.mobile, portrait: 'https://evil.example/x.svg', study_rev: '9' }
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
