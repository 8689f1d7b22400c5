import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, observeCalls } from '#src/api/client.ts'
import { isCallError, OfflineError, RefusedError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import { endAllSessions } from '#server/login/store.ts'
import { contract } from '#src/contract/index.ts'
import { session } from '#src/session/session.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, endless, json, nobody, page, silence, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => {
  localStorage.clear()
  session.logout()
  session.setChoice({ key: '0', name: '全国' }, { key: 'jg', name: '军官' })
  wire = connect(server)
})
afterEach(() => wire.restore())

const notice = () => call(contract.home.getNotice, {})
const userinfo = () => call(contract.user.getUserInfo, {})
const failure = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => null,
    (error: unknown) => error,
  )
async function logIn(): Promise<{ uid: string; token: string }> {
  const student = await server.student()
  session.login(student.token, student.uid)
  return student
}
const ok = (data: unknown = null, msg = '') => json({ status: 1, msg, data })

describe('what is sent', () => {
  test('a POST to /pcapi, form-encoded, with sg_key, area and key besides the call’s own fields', async () => {
    await expect(
      call(contract.login.loginByPassword, { mobile: '13800000001', password: 'a&b=中文 +' }),
    ).rejects.toThrow(RefusedError)
    expect(wire.last()).toMatchObject({
      method: 'POST',
      path: '/pcapi/login/loginByPassword',
      query: {},
      body: { sg_key: 'jg', area: '0', key: 'jg', mobile: '13800000001', password: 'a&b=中文 +' },
    })
  })
  test('region and direction are those of the moment of the call', async () => {
    session.setChoice({ key: '37', name: '山东' }, { key: 'wz', name: '文职' })
    await notice()
    expect(wire.last().body).toEqual({ sg_key: 'wz', area: '37', key: 'wz' })
  })
  test('a direction’s list can be asked for another region than one’s own', async () => {
    await call(contract.structural.getList, { area: '37' })
    expect(wire.last().body).toEqual({ sg_key: 'jg', area: '37', key: 'jg' })
  })
  test('a visitor sends no token; a student sends the token as the authorization header', async () => {
    await notice()
    expect(wire.last().headers).not.toHaveProperty('authorization')
    const { token, uid } = await logIn()
    await expect(userinfo()).resolves.toMatchObject({ uid })
    expect(wire.last().headers).toMatchObject({ authorization: token, 'x-owner': `u:${uid}` })
  })
  test('authorization: false leaves the token out', async () => {
    const { token } = await logIn()
    await call(contract.home.getNotice, {}, { authorization: false })
    expect(wire.last().headers).not.toHaveProperty('authorization')
    // A refusal without the token says nothing about the token.
    await expect(call(contract.user.getUserInfo, {}, { authorization: false })).rejects.toThrow(UnauthorizedError)
    expect(session.get().token).toBe(token)
  })
  test('params go to the URL, headers to the headers, and a GET carries its fields in the URL', async () => {
    wire.fault = () => ok({ text: '' })
    await call(contract.home.getNotice, {}, { params: { page: '2' }, headers: { 'x-trace': 't1' } })
    expect(wire.last()).toMatchObject({ method: 'POST', query: { page: '2' }, headers: { 'x-trace': 't1' } })
    await call(contract.structural.getPoint, { subject: 'politics' }, { method: 'GET', params: { page: '2' } })
    expect(wire.last()).toMatchObject({
      method: 'GET',
      query: { area: '0', key: 'jg', page: '2', sg_key: 'jg', subject: 'politics' },
      body: {},
    })
    expect(Object.keys(wire.last().query)).toEqual(['area', 'key', 'sg_key', 'subject', 'page'])
  })
  test('what is no text travels as JSON, so that "5" and 5 stay different', async () => {
    wire.fault = () => ok()
    await call(contract.question.block, { no: '5', at: 5 })
    expect(wire.last().body).toMatchObject({ no: '5', at: '5' })
    await call(contract.study.sync, {
      device: '0190b2d0-0000-7000-8000-000000000000',
      owner: 'u',
      proto: 1,
      sentAt: 0,
      cursor: 0,
      ops: [],
    })
    expect(wire.last().body).toMatchObject({ ops: '[]', cursor: '0', owner: 'u' })
  })

  test('a long form travels gzipped, and the server reads it', async () => {
    const no = 'x'.repeat(3_000)
    await expect(call(contract.question.chapter, { no })).rejects.toThrow('编号不正确')
    expect(wire.last().headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(wire.last().body).toMatchObject({ no, area: '0' })
  })
})

describe('which failure comes from which answer', () => {
  const half = '{"status":1,"msg":"","data":{"te'
  test.each([
    ['nobody answers', nobody, OfflineError],
    ['a captive portal answers with its page', () => page(), OfflineError],
    ['half an answer comes', () => new Response(half), OfflineError],
    ['an empty answer comes', () => new Response(''), OfflineError],
    ['JSON comes that is no envelope', () => json(['free wifi']), OfflineError],
    ['an envelope comes with a status nobody agreed on', () => json({ status: 3, msg: '', data: null }), OfflineError],
    ['the server has a fault', () => page(500), ServerFaultError],
    ['a gateway is down', () => page(502), ServerFaultError],
    ['the body is too large', () => page(413), ServerFaultError],
    ['there are too many requests', () => json({}, 429), ServerFaultError],
    ['the path does not exist', () => page(404), ServerFaultError],
    ['the server refuses', () => json({ status: 0, msg: '验证码错误', data: null }), RefusedError],
    ['the server wants a login', () => json({ status: 2, msg: '请登录', data: null }), UnauthorizedError],
  ])('%s', async (_, fault, kind) => {
    wire.fault = fault
    const error = await failure(notice())
    expect(error).toBeInstanceOf(kind)
    expect(isCallError(error)).toBe(true)
  })
  test('done is the data and nothing else', async () => {
    wire.fault = () => json({ status: 1, msg: 'ok', data: { text: '公告' } })
    await expect(notice()).resolves.toEqual({ text: '公告' })
  })
  test('a refusal carries the server’s own words, a fault the words of the specification', async () => {
    wire.fault = () => json({ status: 0, msg: '验证码错误', data: null })
    await expect(notice()).rejects.toThrow('验证码错误')
    wire.fault = () => page(500)
    await expect(notice()).rejects.toThrow('服务器开小差了，稍后再试试!')
    wire.fault = () => json({ status: 2, msg: '', data: null })
    await expect(notice()).rejects.toThrow('请登录后查看')
    // Who was logged in on this device, and is not any more, is no visitor.
    session.login('old', 'u1')
    session.expire('old')
    await expect(notice()).rejects.toThrow('登录已过期，请重新登录')
  })
  test.each([
    ['2', 2000],
    ['', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
  ])('retry-after "%s" is %s ms', async (header, expected) => {
    wire.fault = () => new Response('', { status: 429, headers: { 'retry-after': header } })
    expect(await failure(notice())).toMatchObject({ status: 429, retryAfterMs: expected })
  })
  test('one failure is one request: the client itself never tries again', async () => {
    wire.fault = () => page(503)
    await failure(notice())
    wire.fault = nobody
    await failure(notice())
    expect(wire.sent).toHaveLength(2)
  })
})

describe('giving up', () => {
  afterEach(() => vi.useRealTimers())
  test('a server that never answers is offline after ten seconds, or after the time the call gives', async () => {
    vi.useFakeTimers()
    wire.fault = silence
    for (const [options, ms] of [
      [{}, 10_000],
      [{ timeoutMs: 3_000 }, 3_000],
    ] as const) {
      const ended = vi.fn<(error: unknown) => void>()
      void failure(call(contract.home.getNotice, {}, options)).then(ended)
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(ended).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(ended).toHaveBeenCalledWith(expect.any(OfflineError))
    }
  })
  test('a body that never ends is offline after the time, too', async () => {
    vi.useFakeTimers()
    wire.fault = endless
    const ended = vi.fn<(error: unknown) => void>()
    void failure(notice()).then(ended)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ended).toHaveBeenCalledWith(expect.any(OfflineError))
  })
  test('a call that its screen gives up ends as aborted, which is none of the four failures', async () => {
    wire.fault = silence
    const controller = new AbortController()
    const ending = failure(call(contract.home.getNotice, {}, { signal: controller.signal }))
    controller.abort()
    const error = await ending
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(isCallError(error)).toBe(false)
    await expect(call(contract.home.getNotice, {}, { signal: controller.signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
  })
})

describe('who is told', () => {
  const watch = () => {
    const told: string[] = []
    const stop = observeCalls({
      loading: (change) => told.push(`loading ${change}`),
      success: (msg) => told.push(`success ${msg}`),
      reached: (answered) => told.push(`reached ${answered}`),
      away: () => told.push('away'),
      ended: () => told.push('ended'),
    })
    return { told, stop }
  }
  test('loading opens and closes, also when the call fails or is aborted', async () => {
    const { told, stop } = watch()
    await call(contract.home.getNotice, {}, { loading: true })
    expect(told).toEqual(['loading 1', 'reached true', 'loading -1'])
    for (const fault of [() => page(500), nobody]) {
      told.length = 0
      wire.fault = fault
      await failure(call(contract.home.getNotice, {}, { loading: true }))
      expect(told.filter((each) => each.startsWith('loading'))).toEqual(['loading 1', 'loading -1'])
    }
    told.length = 0
    await failure(call(contract.home.getNotice, {}, { loading: true, signal: AbortSignal.abort() }))
    expect(told).toEqual(['loading 1', 'loading -1'])
    stop()
  })
  test('nothing is shown of a call that does not ask for it', async () => {
    const { told, stop } = watch()
    wire.fault = () => ok({ text: '' }, '已保存')
    await notice()
    expect(told).toEqual(['reached true'])
    stop()
  })
  test('success shows the server’s message, and none when there is none or it failed', async () => {
    const { told, stop } = watch()
    wire.fault = () => ok({ text: '' }, '已保存')
    await call(contract.home.getNotice, {}, { success: true })
    expect(told).toContain('success 已保存')
    told.length = 0
    wire.fault = () => ok({ text: '' })
    await call(contract.home.getNotice, {}, { success: true })
    wire.fault = () => json({ status: 0, msg: '不行', data: null })
    await failure(call(contract.home.getNotice, {}, { success: true }))
    expect(told.filter((each) => each.startsWith('success'))).toEqual([])
    stop()
  })
  test.each([
    ['an answer', () => ok({ text: '' }), ['reached true']],
    ['a refusal', () => json({ status: 0, msg: '', data: null }), ['reached true']],
    ['a fault', () => page(500), ['reached true']],
    ['a gateway before a server that starts', () => page(502), ['away']],
    ['a gateway while our server is down', () => page(503), ['away']],
    ['our busy server', () => new Response('Busy', { status: 503, headers: { 'retry-after': '2' } }), ['reached true']],
    ['a captive portal', () => page(), ['reached false']],
    ['nobody', nobody, ['reached false']],
  ])('%s says whether our server was reached', async (_, fault, expected) => {
    const { told, stop } = watch()
    wire.fault = fault
    await failure(notice())
    expect(told).toEqual(expected)
    stop()
  })
  test('who has stopped observing is told nothing more', async () => {
    const { told, stop } = watch()
    stop()
    await notice()
    expect(told).toEqual([])
  })
})

describe('a token that is no longer taken', () => {
  test('logs the student out and keeps the owner', async () => {
    const { uid } = await logIn()
    session.login('revoked', uid)
    const ended = vi.fn<() => void>()
    const stop = observeCalls({ ended })
    const errors = await Promise.all([failure(userinfo()), failure(userinfo())])
    expect(errors.every((error) => error instanceof UnauthorizedError)).toBe(true)
    expect(session.get().token).toBe('')
    expect(session.owner()).toBe(`u:${uid}`)
    expect(ended).not.toHaveBeenCalled()
    stop()
  })
  test('because it was ended elsewhere is told, once', async () => {
    const { uid, token } = await logIn()
    await server.db.transaction().execute((tx) => endAllSessions(tx, uid, server.clock.now))
    expect(session.get().token).toBe(token)
    const ended = vi.fn<() => void>()
    const stop = observeCalls({ ended })
    const errors = await Promise.all([failure(userinfo()), failure(userinfo())])
    expect(errors.map((error) => error instanceof UnauthorizedError && error.why)).toEqual(['ended', 'ended'])
    expect(session.get().token).toBe('')
    expect(ended).toHaveBeenCalledTimes(1)
    stop()
  })
  test('a late answer to the old token leaves the new login alone', async () => {
    const { uid, token } = await logIn()
    session.login('old', uid)
    wire.fault = async () => {
      session.login(token, uid)
      return json({ status: 2, msg: '', data: null })
    }
    await expect(userinfo()).rejects.toThrow(UnauthorizedError)
    expect(session.get().token).toBe(token)
  })
})

test('an answer that arrives after another student logged in reaches nobody, and does not log them out', async () => {
  await logIn()
  const other = await server.student()
  wire.fault = async () => {
    session.login(other.token, other.uid)
    return null
  }
  await expect(userinfo()).rejects.toThrow(UnauthorizedError)
  expect(session.get().token).toBe(other.token)
})
