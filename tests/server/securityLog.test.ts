import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { KEPT_DAYS, logEvent, readEvents, sweepEvents } from '#server/security/store.ts'
import { maskMobile } from '#src/domain/text/text.ts'
import { resetStudent } from '#server/user/operator.ts'
import { runCommand } from '#tests/support/command.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Commands are processes: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 })

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const PASSWORD = 'the old password'
const NEXT = 'quite-another-1'

let server: TestServer
const lines: string[] = []
beforeAll(async () => {
  server = await startServer({
    smsAnHour: 40,
    logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now += 2 * DAY
  await server.db.deleteFrom('security_event').execute()
})

async function withPassword() {
  const who = await server.student()
  await givePassword(server.db, who.uid, PASSWORD)
  return who
}
/** `kind detail`, of a day, the first one first. */
const events = async (mobile?: string) =>
  (await readEvents(server.db, server.clock.now - DAY, 1000, mobile)).toReversed()
const kinds = async () => (await events()).map(({ kind, detail }) => `${kind} ${detail}`.trim())
const from = async (ip: string, path: string, fields: Record<string, string>) =>
  server.app.inject({
    method: 'POST',
    url: `/pcapi/${path}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': ip,
      'user-agent': 'Mozilla/5.0 (Linux; Android 14) Mobile Chrome/130\u001b[2J',
    },
    payload: new URLSearchParams(fields).toString(),
  })
const run = (...args: string[]) => runCommand(server, 'users', args)

describe('the log of security events', () => {
  test('has who failed to log in, by password and by code, with the network and a masked mobile', async () => {
    const me = await withPassword()
    for (let i = 0; i < 3; i++)
      await from('203.0.113.7', 'login/loginByPassword', { mobile: me.mobile, password: `guess-${i}` })
    await from('2001:db8:1:2:3:4:5:6', 'login/mobileCodeLogin', { mobile: '13500000000', code: '123456' })
    expect(await events()).toEqual([
      {
        at: server.clock.now,
        lastAt: server.clock.now,
        times: 3,
        kind: 'passwordRefused',
        uid: me.uid,
        mobile: maskMobile(me.mobile),
        network: '203.0.113.7',
        detail: '',
      },
      expect.objectContaining({
        kind: 'codeRefused',
        uid: null,
        mobile: '135****0000',
        network: '2001:db8:1:2::/64',
        times: 1,
      }),
    ])
  })

  test('has each limit once a window, however often it is hit', async () => {
    const me = await withPassword()
    const guess = () => from('203.0.113.8', 'login/loginByPassword', { mobile: me.mobile, password: 'a guess' })
    for (let i = 0; i < 14; i++) await guess()
    const limited = async () => (await events()).filter(({ kind }) => kind === 'limited')
    expect(await limited()).toEqual([expect.objectContaining({ detail: '密码登录', times: 1, uid: me.uid })])
    server.clock.now += 15 * MINUTE
    for (let i = 0; i < 12; i++) await guess()
    expect(await limited()).toHaveLength(2)
  })

  test('has the limits of messages: for a mobile, and the budget of the site', async () => {
    const { mobile } = await server.student()
    await requestCode(server, mobile)
    await requestCode(server, mobile).catch(() => {})
    const small = await startServer({ smsAnHour: 1 })
    try {
      await requestCode(small, mobile)
      for (const other of ['13500000001', '13500000002']) await requestCode(small, other).catch(() => {})
      expect(await readEvents(small.db, 0, 10)).toEqual([
        expect.objectContaining({ kind: 'limited', detail: '短信：全站一小时', mobile: '135****0001' }),
      ])
    } finally {
      await small.close()
    }
    expect(await kinds()).toEqual(['limited 短信：同一手机号一分钟'])
  })

  test('has devices that are new to a student, and not those that they have used', async () => {
    const me = await withPassword()
    const login = (cookie: Record<string, string> = {}) =>
      server.app.inject({
        method: 'POST',
        url: '/pcapi/login/loginByPassword',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'iPhone\u001b[2J', ...cookie },
        payload: new URLSearchParams({ mobile: me.mobile, password: PASSWORD }).toString(),
      })
    const first = await login()
    const { value = '' } = first.cookies.find(({ name }) => name === 'device') ?? {}
    server.clock.now += 15 * MINUTE
    await login({ cookie: `device=${value}` })
    expect(await kinds()).toEqual(['newDevice iPhone'])
    server.clock.now += 15 * MINUTE
    await login()
    expect(await kinds()).toEqual(['newDevice iPhone', 'newDevice iPhone'])
  })

  test('has what a student changes of their account, and proofs that were wrong', async () => {
    const me = await server.student()
    const { save, changeMobile, endDevices, close } = contract.user
    await server.call(save, { password: PASSWORD, code: await requestCode(server, me.mobile) }, me.token)
    await server.ask(save, { password: NEXT, oldPassword: 'a guess' }, me.token)
    await server.call(save, { password: NEXT, oldPassword: PASSWORD }, me.token)
    const mobile = '13500000009'
    await server.ask(changeMobile, { mobile, mobileCode: '123456', oldPassword: NEXT }, me.token)
    const mobileCode = await requestCode(server, mobile)
    await server.call(changeMobile, { mobile, mobileCode, oldPassword: NEXT }, me.token)
    await server.call(endDevices, {}, me.token)
    await server.ask(close, { word: '注销', code: '123456' }, me.token)
    expect(await kinds()).toEqual([
      'passwordSet',
      'proofRefused 原密码',
      'passwordChanged',
      'proofRefused 新手机号的验证码',
      'mobileChanged 新手机号 135****0009',
      'devicesEnded 其他所有设备',
      'proofRefused 短信验证码',
    ])
    // Whoever lost the account to another mobile asks with the old one.
    expect((await events(me.mobile)).map(({ kind }) => kind)).toContain('mobileChanged')
    expect(await events(mobile)).toHaveLength(7)
    const ofOthers = server.db.selectFrom('security_event').selectAll().where('uid', 'is distinct from', me.uid)
    expect(await ofOthers.execute()).toEqual([])
  })

  test('has a change only if it was made', async () => {
    const [me, other] = [await withPassword(), await server.student()]
    const mobileCode = await requestCode(server, other.mobile)
    const change = { mobile: other.mobile, mobileCode, oldPassword: PASSWORD }
    expect(await server.ask(contract.user.changeMobile, change, me.token)).toMatchObject({ status: 0 })
    expect(await kinds()).toEqual([])
  })

  test('has that an account was closed, and nobody’s uid afterwards; what was before it stays, masked', async () => {
    const me = await withPassword()
    await server.ask(contract.user.close, { word: '注销', oldPassword: 'a guess' }, me.token)
    expect((await events())[0]).toMatchObject({ uid: me.uid })
    await server.call(contract.user.close, { word: '注销', oldPassword: PASSWORD }, me.token)
    const masked = { uid: null, mobile: maskMobile(me.mobile) }
    expect(await events()).toEqual([
      expect.objectContaining({ kind: 'proofRefused', ...masked }),
      expect.objectContaining({ kind: 'closed', ...masked }),
    ])
  })

  test('has what an operator resets', async () => {
    const me = await withPassword()
    await resetStudent(server.db, me.uid, ['password', 'limits'], server.clock.now)
    expect(await kinds()).toEqual(['passwordReset 管理员操作', 'limitsLifted 管理员操作'])
  })

  test('is not filled by a flood: of one network so many, of all together so many, and changes nevertheless', async () => {
    const me = await server.student()
    const flood = (ip: string, n: number) =>
      logEvent(server.db, 'codeRefused', {
        mobile: `137${String(n).padStart(8, '0')}`,
        ip,
        now: server.clock.now,
      })
    for (let n = 0; n < 40; n++) await flood('203.0.113.1', n)
    expect(await events()).toHaveLength(30)
    for (let n = 0; n < 400; n++) await flood(`198.51.100.${n}`, n)
    expect(await events()).toHaveLength(300)
    await logEvent(server.db, 'passwordChanged', { ...me, ip: '203.0.113.1', now: server.clock.now })
    expect((await events()).at(-1)).toMatchObject({ kind: 'passwordChanged' })
    server.clock.now += 60 * MINUTE
    await flood('203.0.113.1', 1)
    expect((await events()).at(-1)).toMatchObject({ kind: 'codeRefused' })
  })

  test(`is kept for ${KEPT_DAYS} days`, async () => {
    const who = { mobile: '13500000000', ip: '203.0.113.1', now: server.clock.now }
    await logEvent(server.db, 'codeRefused', who)
    await sweepEvents(server.db, server.clock.now + KEPT_DAYS * DAY)
    expect(await events()).toHaveLength(1)
    await sweepEvents(server.db, server.clock.now + KEPT_DAYS * DAY + 1)
    expect(await events()).toEqual([])
  })

  test('has no code, no password and no whole mobile, and no more has the server’s own log', async () => {
    const me = await server.student()
    const code = await requestCode(server, me.mobile)
    const wrong = code === '000000' ? '000001' : '000000'
    await server.ask(contract.login.mobileCodeLogin, { mobile: me.mobile, code: wrong })
    await server.call(contract.user.save, { password: PASSWORD, code }, me.token)
    await server.ask(contract.user.save, { password: NEXT, oldPassword: 'a wrong guess' }, me.token)
    const rows = await server.db.selectFrom('security_event').selectAll().execute()
    expect(rows).toHaveLength(3)
    for (const text of [JSON.stringify(rows), lines.join('')]) {
      expect(text).not.toMatch(new RegExp(String.raw`\b(${code}|${wrong}|${me.mobile})\b`))
      for (const secret of [PASSWORD, NEXT, 'a wrong guess', me.token]) expect(text).not.toContain(secret)
    }
  })

  test('a code that cannot be sent or kept stands in no line of the server’s log', async () => {
    const seen: string[] = []
    const tried: string[] = []
    const logger = { level: 'trace', stream: { write: (line: string) => void seen.push(line) } }
    const sendCode = async (_: string, code: string) => {
      tried.push(code)
      throw new Error('the provider broke')
    }
    const broken = await startServer({ sms: { sendCode }, logger })
    try {
      await expect(requestCode(broken, '13500000003')).rejects.toThrow('HTTP 500')
      expect(tried).toHaveLength(1)
      expect(seen.join('')).toContain('the provider broke')
      expect(seen.join('')).not.toMatch(new RegExp(String.raw`\b(${tried[0]}|13500000003)\b`))
    } finally {
      await broken.close()
    }
  })
})

describe('npm run users -- log', () => {
  test('tells events of a mobile or of all, the last one first, and lets none of them steer the terminal', async () => {
    const now = Date.now()
    const me = await server.student()
    await logEvent(server.db, 'passwordRefused', { mobile: me.mobile, ip: '203.0.113.7', now: now - 2 * MINUTE })
    await logEvent(server.db, 'passwordRefused', { mobile: me.mobile, ip: '203.0.113.7', now: now - MINUTE })
    await logEvent(server.db, 'codeRefused', { mobile: '13500000000', ip: '\u009b2J\u001b[31m', now })
    await logEvent(server.db, 'closed', { mobile: '13500000007', ip: '203.0.113.9', now: now - 8 * DAY })
    const { status, told } = run('log')
    expect(status).toBe(0)
    expect(told.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    const shown = told.trim().split('\n')
    expect(shown).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}验证码登录失败 {2}135\*{4}0000/),
      expect.stringMatching(
        new RegExp(
          `密码登录失败 ×2（到 .*）  ${maskMobile(me.mobile).replaceAll('*', String.raw`\*`)}  203.0.113.7  ${me.uid}$`,
        ),
      ),
    ])
    expect(run('log', '--mobile', me.mobile).told.trim()).toBe(shown[1])
    expect(run('log', '--mobile', '13511111111')).toMatchObject({ status: 0, told: '没有记录\n' })
    const all = run('log', '--days', '180', '--json').told
    expect(all.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect((JSON.parse(all) as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'codeRefused',
      'passwordRefused',
      'closed',
    ])
  })

  test.each([
    [['log', 'a']],
    [['log', '--days', '0']],
    [['log', '--days', '181']],
    [['log', '--days', 'week']],
    [['log', '--mobile', '1380000']],
    [['log', '--password']],
    [['find', 'a', '--days', '3']],
  ])('called as %j says how it is used', (args) => {
    const { status, told } = run(...args)
    expect(status).toBe(2)
    expect(told).toContain('用法：npm run users')
  })
})
