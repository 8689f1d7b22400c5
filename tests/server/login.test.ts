import { createHook } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Envelope } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import { pictureIdOf } from '#src/contract/login.ts'
import { hashPassword } from '#server/login/argon2.ts'
import { sweepLogin } from '#server/login/store.ts'
import { resetStudent } from '#server/user/operator.ts'
import { drawText } from '#server/login/picture.ts'
import { givePassword, readPicture } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
// Another day, so that no test meets the counters of the one before it.
beforeEach(() => void (server.clock.now += 2 * DAY))

let last = 13_700_000_000
const mobileOf = (): string => String(++last)

/** Asks for a picture and reads in the database what stands on it, as an eye would. */
async function newPicture(mobile: string): Promise<{ code: string; id: string }> {
  const source = await server.call(contract.login.getImgVerifyCode, { mobile })
  return { code: await readPicture(server.db, source), id: pictureIdOf(source) }
}
const picture = async (mobile: string): Promise<string> => (await newPicture(mobile)).code
/** Without an id as earlier versions of the app do. */
const sendCode = (mobile: string, img_code: string, id = '') =>
  server.ask(contract.login.sendCode, { mobile, img_code, picture: id })
/** The way to an SMS code; the envelope of sendCode. */
const request = async (mobile: string) => sendCode(mobile, await picture(mobile))
async function codeOf(mobile: string): Promise<string> {
  expect(await request(mobile)).toMatchObject({ status: 1 })
  const code = server.codes.get(mobile)
  if (!code) throw new Error(`no code was sent to ${mobile}`)
  return code
}
const enter = (mobile: string, code: string) => server.ask(contract.login.mobileCodeLogin, { mobile, code })
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000')
const byPassword = (mobile: string, password: string) =>
  server.ask(contract.login.loginByPassword, { mobile, password })
async function withPassword(password: string) {
  const who = await server.student(mobileOf())
  await givePassword(server.db, who.uid, password)
  return who
}
const whoAmI = (token: string) => server.ask(contract.user.getUserInfo, {}, token)
const from = async (...asked: Parameters<typeof answerTo>): Promise<Envelope> => (await answerTo(...asked)).json()
function answerTo(ip: string, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return server.app.inject({
    method: 'POST',
    url: `/pcapi/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': ip, ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
}
const refused = (msg: string) => ({ status: 0, msg, data: null })

const CODE_WRONG = refused('验证码不正确或已过期，请重新获取')
const IMAGE_GONE = refused('图形验证码已过期，请重新获取')
const IMAGE_WRONG = refused('图形验证码不正确，请重新输入')
const TOO_MANY_WRONG = refused('图形验证码输错的次数过多，请15分钟后再试')
const TOO_SOON = refused('验证码发送过于频繁，请60秒后再试')
const TOO_MANY_FROM_HERE = refused('当前网络获取验证码过于频繁，请1小时后再试或使用密码登录')
const TOO_MANY_CODES = refused('今日验证码发送次数已达上限，请稍后再试或使用密码登录')
const TOO_MANY_TRIES = refused('尝试次数过多，请15分钟后再试')
const PASSWORD_WRONG = refused('账号或密码不正确，请重新输入')

describe('the image code', () => {
  test('is made of points, and no two of the same letters are alike: a script has no outlines to compare', async () => {
    const source = await server.call(contract.login.getImgVerifyCode, { mobile: mobileOf() })
    const [head, data = ''] = source.split(/[,#]/)
    expect(head).toBe('data:image/png;base64')
    const png = Buffer.from(data, 'base64')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([240, 88])
    expect(await readPicture(server.db, source)).toMatch(/^[a-z0-9]{4}$/)
    const [one, other] = await Promise.all([drawText('abcd'), drawText('abcd')])
    expect(one.equals(other)).toBe(false)
  })

  test('typed rightly, in capitals and with spaces around it, sends a code and says so', async () => {
    const mobile = mobileOf()
    const code = await picture(mobile)
    expect(await sendCode(mobile, ` ${code.toUpperCase()} `)).toEqual({
      status: 1,
      msg: '验证码已发送到您的手机!',
      data: null,
    })
    expect(server.codes.get(mobile)).toMatch(/^\d{6}$/)
  })

  test('typed wrongly sends nothing, and is used up: one picture, one try', async () => {
    const mobile = mobileOf()
    const { code, id } = await newPicture(mobile)
    expect(await sendCode(mobile, `${code}x`, id)).toEqual(IMAGE_WRONG)
    expect(await sendCode(mobile, code, id)).toEqual(IMAGE_GONE)
    expect(server.codes.has(mobile)).toBe(false)
  })

  test('stays good whatever others type or ask for with its mobile', async () => {
    const mobile = mobileOf()
    const mine = await newPicture(mobile)
    const others = await newPicture(mobile)
    expect(await sendCode(mobile, 'xxxx', others.id)).toEqual(IMAGE_WRONG)
    expect(await sendCode(mobile, 'xxxx', randomUUID())).toEqual(IMAGE_GONE)
    expect(await sendCode(mobile, 'xxxx')).toEqual(IMAGE_WRONG)
    expect(await sendCode(mobile, mine.code, mine.id)).toMatchObject({ status: 1 })
  })

  test('can be typed wrongly fifteen times in a quarter of an hour from one address, also at once, and elsewhere still', async () => {
    const mobile = mobileOf()
    const wrong = () => from('203.0.113.7', 'login/sendCode', { mobile, img_code: 'xxxx' })
    await picture(mobile)
    const envelopes = await Promise.all(Array.from({ length: 20 }, wrong))
    expect(envelopes.filter(({ msg }) => msg === IMAGE_WRONG.msg)).toHaveLength(15)
    const { code, id } = await newPicture(mobile)
    expect(await from('203.0.113.7', 'login/sendCode', { mobile, img_code: code, picture: id })).toEqual(TOO_MANY_WRONG)
    expect(await from('203.0.113.8', 'login/sendCode', { mobile, img_code: code, picture: id })).toMatchObject({
      status: 1,
    })
  })

  test('typed rightly is not counted among the wrong ones', async () => {
    for (let i = 0; i < 30; i++) {
      const mobile = mobileOf()
      const sent = async () => from('203.0.113.9', 'login/sendCode', { mobile, img_code: await picture(mobile) })
      expect((await sent()).status).toBe(1)
    }
    const rows = await server.db
      .selectFrom('rate')
      .select('hits')
      .where('key', '=', 'image:wrong:ip:203.0.113.9')
      .execute()
    expect(rows).toEqual([{ hits: 0 }])
  })

  test('works once', async () => {
    const mobile = mobileOf()
    const code = await picture(mobile)
    await sendCode(mobile, code)
    server.clock.now += MINUTE
    expect(await sendCode(mobile, code)).toEqual(IMAGE_GONE)
  })

  test('tried five times at once works once', async () => {
    const mobile = mobileOf()
    const code = await picture(mobile)
    const envelopes = await Promise.all(Array.from({ length: 5 }, () => sendCode(mobile, code)))
    expect(envelopes.filter(({ status }) => status === 1)).toHaveLength(1)
  })

  test('is dead after 5 minutes', async () => {
    const mobile = mobileOf()
    const early = await picture(mobile)
    server.clock.now += 5 * MINUTE - 1
    expect(await sendCode(mobile, early)).toMatchObject({ status: 1 })
    const late = await picture(mobile)
    server.clock.now += 5 * MINUTE
    expect(await sendCode(mobile, late)).toEqual(IMAGE_GONE)
  })

  test('of another mobile opens nothing, and stays good for its own', async () => {
    const [mine, other] = [mobileOf(), mobileOf()]
    const code = await picture(other)
    expect(await sendCode(mine, code)).toEqual(IMAGE_GONE)
    expect(server.codes.has(mine)).toBe(false)
    expect(await sendCode(other, code)).toMatchObject({ status: 1 })
  })

  test('is drawn at most 200 times an hour for one address', async () => {
    const ask = (ip: string) => from(ip, 'login/getImgVerifyCode', { mobile: '13700000000' })
    for (let i = 0; i < 200; i++) expect((await ask('203.0.113.1')).status).toBe(1)
    expect(await ask('203.0.113.1')).toEqual(refused('获取图形验证码过于频繁，请稍后再试'))
    expect((await ask('203.0.113.2')).status).toBe(1)
  })
})

describe('sending', () => {
  // The edge of a minute is where a counter by the wall clock would let two through.
  test.each([0, 1, 30_000, 59_999])(
    'waits 60 seconds per mobile, %i ms into a minute of the wall clock',
    async (ms) => {
      const mobile = mobileOf()
      server.clock.now += MINUTE - (server.clock.now % MINUTE) + ms
      expect(await request(mobile)).toMatchObject({ status: 1 })
      const first = server.codes.get(mobile)
      server.clock.now += 1
      expect(await request(mobile)).toEqual(TOO_SOON)
      server.clock.now += MINUTE - 2
      expect(await request(mobile)).toEqual(TOO_SOON)
      expect(server.codes.get(mobile)).toBe(first)
      server.clock.now += 1
      expect(await request(mobile)).toMatchObject({ status: 1 })
    },
  )

  test('of one mobile does not hold up another', async () => {
    expect(await request(mobileOf())).toMatchObject({ status: 1 })
    expect(await request(mobileOf())).toMatchObject({ status: 1 })
  })

  test('stops after 10 a day for one mobile, refusals not counted, and goes on the next day', async () => {
    const mobile = mobileOf()
    for (let i = 0; i < 10; i++) {
      expect(await request(mobile)).toMatchObject({ status: 1 })
      expect(await request(mobile)).toEqual(TOO_SOON)
      server.clock.now += 10 * MINUTE
    }
    expect(await request(mobile)).toEqual(TOO_MANY_CODES)
    expect(await request(mobileOf())).toMatchObject({ status: 1 })
    server.clock.now += DAY
    expect(await request(mobile)).toMatchObject({ status: 1 })
  })

  test('stops after 30 an hour for one address, whichever the mobiles', async () => {
    const send = async (ip: string) => {
      const mobile = mobileOf()
      return from(ip, 'login/sendCode', { mobile, img_code: await picture(mobile) })
    }
    for (let i = 0; i < 30; i++) expect((await send('198.51.100.1')).status).toBe(1)
    expect(await send('198.51.100.1')).toEqual(TOO_MANY_FROM_HERE)
    expect((await send('198.51.100.2')).status).toBe(1)
    server.clock.now += HOUR
    expect((await send('198.51.100.1')).status).toBe(1)
  })

  test('stops for everybody when the site’s messages of the hour are used up', async () => {
    const small = await startServer({ smsAnHour: 2 })
    try {
      const ask = async () => {
        const mobile = mobileOf()
        const source = await small.call(contract.login.getImgVerifyCode, { mobile })
        const input = { mobile, img_code: await readPicture(small.db, source), picture: pictureIdOf(source) }
        return small.ask(contract.login.sendCode, input)
      }
      expect((await ask()).status).toBe(1)
      expect((await ask()).status).toBe(1)
      expect(await ask()).toEqual(refused('短信暂时发不出去，请过一会儿再试，或使用密码登录'))
      expect(small.codes.size).toBe(2)
      small.clock.now += HOUR
      expect((await ask()).status).toBe(1)
    } finally {
      await small.close()
    }
  })

  test('keeps only a hash of the code', async () => {
    const mobile = mobileOf()
    const code = await codeOf(mobile)
    const row = await server.db
      .selectFrom('sms_code')
      .selectAll()
      .where('mobile', '=', mobile)
      .executeTakeFirstOrThrow()
    expect(row.code_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(row.code_hash).not.toContain(code)
  })
})

describe('login by code', () => {
  test('makes an account for an unknown mobile, and the same account the next time', async () => {
    const mobile = mobileOf()
    const first = await server.call(contract.login.mobileCodeLogin, { mobile, code: await codeOf(mobile) })
    expect((await whoAmI(first.token)).data).toEqual({
      uid: first.uid,
      portrait: '',
      nickname: `学员${mobile.slice(-4)}`,
      mobile,
    })
    server.clock.now += MINUTE
    const second = await server.call(contract.login.mobileCodeLogin, { mobile, code: await codeOf(mobile) })
    expect(second.uid).toBe(first.uid)
    expect(second.token).not.toBe(first.token)
  })

  test('answers token and uid and nothing else', async () => {
    const mobile = mobileOf()
    const envelope = await enter(mobile, await codeOf(mobile))
    expect(envelope).toEqual({ status: 1, msg: '', data: { token: expect.any(String), uid: expect.any(String) } })
  })

  test('takes a code once, also when it comes five times at once', async () => {
    const mobile = mobileOf()
    const code = await codeOf(mobile)
    const envelopes = await Promise.all(Array.from({ length: 5 }, () => enter(mobile, code)))
    expect(envelopes.filter(({ status }) => status === 1)).toHaveLength(1)
    expect(await enter(mobile, code)).toEqual(CODE_WRONG)
    const sessions = await sql<{ n: number }>`
      select count(*)::int as n from session join student using (uid) where mobile = ${mobile}`.execute(server.db)
    expect(sessions.rows).toEqual([{ n: 1 }])
  })

  test('takes a code for 5 minutes', async () => {
    const [early, late] = [mobileOf(), mobileOf()]
    const [earlyCode, lateCode] = [await codeOf(early), await codeOf(late)]
    server.clock.now += 5 * MINUTE - 1
    expect(await enter(early, earlyCode)).toMatchObject({ status: 1 })
    server.clock.now += 1
    expect(await enter(late, lateCode)).toEqual(CODE_WRONG)
  })

  test('forgives four wrong codes', async () => {
    const mobile = mobileOf()
    const code = await codeOf(mobile)
    for (let i = 0; i < 4; i++) expect(await enter(mobile, wrongCode(code))).toEqual(CODE_WRONG)
    expect(await enter(mobile, code)).toMatchObject({ status: 1 })
  })

  test('lets a code die with the fifth wrong one for whoever guesses, not for its owner, and the next code lives', async () => {
    const mobile = mobileOf()
    const first = await codeOf(mobile)
    const guess = (code: string) => from('192.0.2.5', 'login/mobileCodeLogin', { mobile, code })
    for (let i = 0; i < 6; i++) expect(await guess(wrongCode(first))).toEqual(CODE_WRONG)
    expect(await guess(first)).toEqual(CODE_WRONG)
    expect(await enter(mobile, first)).toMatchObject({ status: 1 })
    server.clock.now += MINUTE
    const code = await codeOf(mobile)
    for (let i = 0; i < 5; i++) expect(await enter(mobile, wrongCode(code))).toEqual(CODE_WRONG)
    expect(await enter(mobile, code)).toEqual(CODE_WRONG)
    server.clock.now += MINUTE
    expect(await enter(mobile, await codeOf(mobile))).toMatchObject({ status: 1 })
  })

  test('counts guesses that come at once', async () => {
    const mobile = mobileOf()
    const code = await codeOf(mobile)
    const guesses = Array.from({ length: 9 }, () => enter(mobile, wrongCode(code)))
    expect(await Promise.all(guesses)).toEqual(Array.from({ length: 9 }, () => CODE_WRONG))
    expect(await enter(mobile, code)).toEqual(CODE_WRONG)
    // Five were looked at; the other four came to a dead code.
    const row = await server.db.selectFrom('sms_code').select('wrong').where('mobile', '=', mobile).executeTakeFirst()
    expect(row).toEqual({ wrong: 5 })
  })

  test('does not take the code of another mobile', async () => {
    const [mine, other] = [mobileOf(), mobileOf()]
    const code = await codeOf(other)
    expect(await enter(mine, code)).toEqual(CODE_WRONG)
    expect(await enter(other, code)).toMatchObject({ status: 1 })
  })

  test('forgets the older code when a newer one is sent', async () => {
    const mobile = mobileOf()
    const first = await codeOf(mobile)
    server.clock.now += MINUTE
    const second = await codeOf(mobile)
    // Once in a million times they are the same.
    expect(await enter(mobile, first === second ? wrongCode(second) : first)).toEqual(CODE_WRONG)
    expect(await enter(mobile, second)).toMatchObject({ status: 1 })
  })

  test('gives two simultaneous first logins of one mobile one account', async () => {
    const mobile = mobileOf()
    const code = await codeOf(mobile)
    await Promise.all([enter(mobile, code), enter(mobile, code)])
    const rows = await server.db.selectFrom('student').select('uid').where('mobile', '=', mobile).execute()
    expect(rows).toHaveLength(1)
  })
})

describe('login by password', () => {
  test('takes the right one and gives the student of this mobile', async () => {
    const { mobile, uid } = await withPassword('军考 2026 必胜')
    const envelope = await byPassword(mobile, '军考 2026 必胜')
    expect(envelope).toEqual({ status: 1, msg: '', data: { token: expect.any(String), uid } })
  })

  test('says the same of a wrong password, an unknown mobile and an account without a password', async () => {
    const { mobile } = await withPassword('right-password')
    const byCodeOnly = await server.student(mobileOf())
    expect(await byPassword(mobile, 'wrong-password')).toEqual(PASSWORD_WRONG)
    expect(await byPassword(mobile, 'right-password ')).toEqual(PASSWORD_WRONG)
    expect(await byPassword(mobileOf(), 'right-password')).toEqual(PASSWORD_WRONG)
    expect(await byPassword(byCodeOnly.mobile, 'right-password')).toEqual(PASSWORD_WRONG)
  })

  test('works through a hash for all three, so that none can be told by its time', async () => {
    const { mobile } = await withPassword('right-password')
    const byCodeOnly = await server.student(mobileOf())
    await byPassword(mobileOf(), 'warm up: the decoy is hashed once per server')
    let native = 0
    // Argon2 is the only native module's work in a login, and a native module's work bears the name 'undefined'.
    const hook = createHook({ init: (_, type) => void (type === 'undefined' && native++) })
    const worked = async (attempt: () => Promise<unknown>) => {
      native = 0
      hook.enable()
      await attempt()
      hook.disable()
      return native
    }
    const right = await worked(() => byPassword(mobile, 'right-password'))
    expect(right).toBeGreaterThan(0)
    expect(await worked(() => byPassword(mobile, 'wrong-password'))).toBe(right)
    expect(await worked(() => byPassword(mobileOf(), 'wrong-password'))).toBe(right)
    expect(await worked(() => byPassword(byCodeOnly.mobile, 'wrong-password'))).toBe(right)
  })

  const tryAt = (ip: string, mobile: string, password: string, headers: Record<string, string> = {}) =>
    from(ip, 'login/loginByPassword', { mobile, password }, headers)

  test('stops guessing from one network at one mobile after 10 wrong ones, then refuses the right one there, for 15 minutes', async () => {
    const { mobile } = await withPassword('right-password')
    for (let i = 0; i < 10; i++) expect(await byPassword(mobile, `guess ${i}`)).toEqual(PASSWORD_WRONG)
    expect(await byPassword(mobile, 'right-password')).toEqual(TOO_MANY_TRIES)
    server.clock.now += 15 * MINUTE
    expect(await byPassword(mobile, 'right-password')).toMatchObject({ status: 1 })
  })

  test('of strangers’ guesses keeps nobody out who asks from elsewhere, or logs in by a code', async () => {
    const { mobile } = await withPassword('right-password')
    const code = await codeOf(mobile)
    for (let i = 0; i < 12; i++) await tryAt('192.0.2.66', mobile, `guess ${i}`)
    expect(await tryAt('192.0.2.66', mobile, 'right-password')).toEqual(TOO_MANY_TRIES)
    expect(await tryAt('192.0.2.67', mobile, 'right-password')).toMatchObject({ status: 1 })
    expect(await from('192.0.2.66', 'login/mobileCodeLogin', { mobile, code })).toMatchObject({ status: 1 })
  })

  test('knows the device of an earlier login, whose tries strangers everywhere cannot use up', async () => {
    const { mobile } = await withPassword('right-password')
    const first = await answerTo('192.0.2.1', 'login/loginByPassword', { mobile, password: 'right-password' })
    const [cookie] = first.cookies
    expect(cookie).toMatchObject({ name: 'device', path: '/pcapi/login', httpOnly: true, sameSite: 'Strict' })
    const known = { cookie: `device=${cookie?.value}` }
    for (let i = 0; i < 70; i++) await tryAt(`198.51.100.${i}`, mobile, `guess ${i}`)
    expect(await tryAt('192.0.2.1', mobile, 'right-password')).toEqual(TOO_MANY_TRIES)
    expect(await tryAt('192.0.2.1', mobile, 'right-password', { cookie: `device=${'A'.repeat(22)}` })).toEqual(
      TOO_MANY_TRIES,
    )
    expect(await tryAt('192.0.2.1', mobile, 'right-password', known)).toMatchObject({ status: 1 })
    // It is known for whom it has logged in, and guesses on it are counted, too.
    const { mobile: other } = await withPassword('right-password')
    for (let i = 0; i < 70; i++) await tryAt(`198.51.100.${i}`, other, `guess ${i}`)
    expect(await tryAt('192.0.2.1', other, 'right-password', known)).toEqual(TOO_MANY_TRIES)
    for (let i = 0; i < 10; i++) expect(await tryAt('192.0.2.1', mobile, 'wrong', known)).toEqual(PASSWORD_WRONG)
    expect(await tryAt('192.0.2.1', mobile, 'right-password', known)).toEqual(TOO_MANY_TRIES)
  })

  test('does not count right ones: a hundred students behind one address all log in', async () => {
    const { mobile } = await withPassword('right-password')
    for (let i = 0; i < 12; i++) expect(await tryAt('192.0.2.9', mobile, 'right-password')).toMatchObject({ status: 1 })
    const rows = await sql<{ hits: number }>`
      select hits from rate where key like ${`guess%${mobile}%`} or key = 'guesses:192.0.2.9'`.execute(server.db)
    expect(rows.rows.every(({ hits }) => hits === 0)).toBe(true)
  })

  test('counts guesses at one mobile that come at once', async () => {
    const mobile = mobileOf()
    const envelopes = await Promise.all(Array.from({ length: 16 }, (_, i) => byPassword(mobile, `guess ${i}`)))
    expect(envelopes.filter(({ msg }) => msg === TOO_MANY_TRIES.msg)).toHaveLength(6)
  })

  test('stops an address that tries one password at many mobiles after 200', async () => {
    const spray = (ip: string) => tryAt(ip, mobileOf(), '12345678')
    for (let i = 0; i < 4; i++) {
      const envelopes = await Promise.all(Array.from({ length: 50 }, () => spray('192.0.2.1')))
      expect(envelopes).toEqual(Array.from({ length: 50 }, () => PASSWORD_WRONG))
    }
    expect(await spray('192.0.2.1')).toEqual(TOO_MANY_TRIES)
    expect(await spray('192.0.2.2')).toEqual(PASSWORD_WRONG)
  })

  test('stores argon2id at the cost that OWASP asks for, salted', async () => {
    const [a, b] = [await withPassword('same password'), await withPassword('same password')]
    const rows = await server.db.selectFrom('student').select('password').where('uid', 'in', [a.uid, b.uid]).execute()
    const [one, two] = rows.map((row) => row.password ?? '')
    expect(one).not.toBe(two)
    for (const phc of [one, two, await hashPassword('same password')]) {
      const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc ?? '')
      expect(found, `stored: ${phc}`).not.toBeNull()
      const [memory, passes, lanes] = (found ?? []).slice(1, 4).map(Number)
      expect(memory).toBeGreaterThanOrEqual(19_456)
      expect(passes).toBeGreaterThanOrEqual(2)
      expect(lanes).toBe(1)
      expect(Buffer.from(found?.[4] ?? '', 'base64').length).toBeGreaterThanOrEqual(16)
      expect(Buffer.from(found?.[5] ?? '', 'base64').length).toBeGreaterThanOrEqual(32)
    }
  })

  test('is replaced by a new password at once', async () => {
    const { mobile, token } = await withPassword('the old one')
    await server.call(contract.user.save, { password: 'the new one', oldPassword: 'the old one' }, token)
    expect(await byPassword(mobile, 'the old one')).toEqual(PASSWORD_WRONG)
    expect(await byPassword(mobile, 'the new one')).toMatchObject({ status: 1 })
  })
})

describe('a session', () => {
  const isIn = async (token: string) => (await whoAmI(token)).status === 1

  test('that is used every day ends after ninety days', async () => {
    const { token } = await server.student(mobileOf())
    for (let day = 0; day < 89; day++) {
      server.clock.now += DAY
      expect(await isIn(token)).toBe(true)
    }
    server.clock.now += DAY
    expect(await whoAmI(token)).toEqual({ status: 2, msg: '登录已过期，请重新登录', data: null })
  })

  const ENDED = { status: 2, msg: '登录已在其他设备上被退出，请重新登录', data: { ended: true } }
  test('that was ended by a new password elsewhere says so to its device', async () => {
    const { mobile, token } = await withPassword('the old one')
    const other = await server.call(contract.login.loginByPassword, { mobile, password: 'the old one' })
    await server.call(contract.user.save, { password: 'the new one', oldPassword: 'the old one' }, other.token)
    expect(await whoAmI(token)).toEqual(ENDED)
    expect(await isIn(other.token)).toBe(true)
  })
  test('that was ended from the list of devices says so, each and all of them', async () => {
    const { mobile, token } = await withPassword('right-password')
    const [one, two] = [await byPassword(mobile, 'right-password'), await byPassword(mobile, 'right-password')].map(
      ({ data }) => (data as { token: string }).token,
    )
    const devices = await server.call(contract.user.devices, {}, one)
    const id = devices.find(({ current }) => current)?.id ?? ''
    await server.call(contract.user.endDevices, { id }, token)
    expect(await whoAmI(one ?? '')).toEqual(ENDED)
    expect(await isIn(two ?? '')).toBe(true)
    await server.call(contract.user.endDevices, {}, token)
    expect(await whoAmI(two ?? '')).toEqual(ENDED)
    expect(await isIn(token)).toBe(true)
  })
  test('that was ended by an operator, or with its account, says so', async () => {
    const [one, two] = [await withPassword('right-password'), await withPassword('right-password')]
    await resetStudent(server.db, one.uid, ['sessions'], server.clock.now)
    expect(await whoAmI(one.token)).toEqual(ENDED)
    const { token } = await server.student(two.mobile)
    await server.call(contract.user.close, { oldPassword: 'right-password', word: '注销' }, token)
    expect(await whoAmI(two.token)).toEqual(ENDED)
  })
  test('that its own device has ended, or that has run out, does not', async () => {
    const [one, two] = [await server.student(mobileOf()), await server.student(mobileOf())]
    await server.call(contract.login.logout, {}, one.token)
    expect(await whoAmI(one.token)).toMatchObject({ status: 2, data: null })
    server.clock.now += 31 * DAY
    await sweepLogin(server.db, server.clock.now)
    expect(await whoAmI(two.token)).toMatchObject({ status: 2, data: null })
  })
})

describe('what is typed badly', () => {
  const { loginByPassword, mobileCodeLogin, sendCode: send, getImgVerifyCode } = contract.login
  test.each([
    ['no account', loginByPassword, { mobile: '', password: 'x' }, '请输入账号'],
    ['an account of spaces', loginByPassword, { mobile: '  ', password: 'x' }, '请输入账号'],
    ['no password', loginByPassword, { mobile: '13700000000', password: '' }, '请输入密码'],
    ['a password longer than any', loginByPassword, { mobile: '1', password: 'x'.repeat(129) }, '请输入密码'],
    ['ten digits', mobileCodeLogin, { mobile: '1370000000', code: '1' }, '请输入合法的手机号'],
    ['twelve digits', getImgVerifyCode, { mobile: '137000000000' }, '请输入合法的手机号'],
    ['digits of another script', getImgVerifyCode, { mobile: '１３７００００００００' }, '请输入合法的手机号'],
    ['a line break after the mobile', getImgVerifyCode, { mobile: '13700000000\n' }, '请输入合法的手机号'],
    ['no code', mobileCodeLogin, { mobile: '13700000000', code: ' ' }, '请输入验证码'],
    ['no image code', send, { mobile: '13700000000', img_code: '' }, '请输入图形验证码'],
    [
      'a letter in the mobile, before an image code',
      send,
      { mobile: '1370000000a', img_code: 'abcd' },
      '请输入合法的手机号',
    ],
  ])('%s is told in the words of the form', async (_, endpoint, fields, msg) => {
    expect(await from('127.0.0.1', endpoint.path, fields)).toEqual(refused(msg))
  })

  test('a mobile that PostgreSQL cannot store is an unknown account, not a fault', async () => {
    expect(await byPassword('1370000\u00000000', 'x')).toMatchObject({ status: 0 })
  })
})

describe('the token', () => {
  const sessionOf = (token: string) =>
    server.db
      .selectFrom('session')
      .selectAll()
      .where('token_hash', '=', createHash('sha256').update(token).digest('hex'))
      .executeTakeFirst()
  async function login() {
    const mobile = mobileOf()
    return server.call(contract.login.mobileCodeLogin, { mobile, code: await codeOf(mobile) })
  }

  test('is 256 random bits, another each time', async () => {
    const { mobile } = await withPassword('right-password')
    const tokens = new Set<string>()
    for (let i = 0; i < 5; i++) {
      const { token } = await server.call(contract.login.loginByPassword, { mobile, password: 'right-password' })
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
      tokens.add(token)
    }
    expect(tokens.size).toBe(5)
  })

  test('stands nowhere in the database but as a hash', async () => {
    const { token, uid } = await login()
    expect(await sessionOf(token)).toMatchObject({ uid })
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(server.db)
    expect(tables.rows.length).toBeGreaterThan(10)
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ text: string }>`
        select t::text as text from ${sql.table(name)} t where position(${token} in t::text) > 0`.execute(server.db)
      expect(rows, `table ${name}`).toEqual([])
    }
  })

  test('its hash is no token', async () => {
    const { token } = await login()
    expect(await whoAmI(createHash('sha256').update(token).digest('hex'))).toMatchObject({ status: 2 })
  })

  test('ends after 30 days without use', async () => {
    const { token } = await login()
    server.clock.now += 30 * DAY - 1
    expect(await whoAmI(token)).toMatchObject({ status: 1 })
    server.clock.now += 30 * DAY
    expect(await whoAmI(token)).toEqual({ status: 2, msg: '登录已过期，请重新登录', data: null })
  })

  test('lives on while it is used', async () => {
    const { token } = await login()
    for (let i = 0; i < 3; i++) {
      server.clock.now += 29 * DAY
      expect(await whoAmI(token)).toMatchObject({ status: 1 })
    }
  })

  test('used many times a day is written once', async () => {
    const { token } = await login()
    const before = await sessionOf(token)
    server.clock.now += HOUR
    await whoAmI(token)
    expect(await sessionOf(token)).toEqual(before)
    server.clock.now += DAY
    await whoAmI(token)
    expect(await sessionOf(token)).toMatchObject({ expires_at: server.clock.now + 30 * DAY })
  })

  test('ends with logout, and only this one', async () => {
    const mobile = mobileOf()
    const phone = await server.call(contract.login.mobileCodeLogin, { mobile, code: await codeOf(mobile) })
    server.clock.now += MINUTE
    const desk = await server.call(contract.login.mobileCodeLogin, { mobile, code: await codeOf(mobile) })
    expect(await server.ask(contract.login.logout, {}, phone.token)).toEqual({ status: 1, msg: '', data: null })
    expect(await whoAmI(phone.token)).toMatchObject({ status: 2 })
    expect(await server.ask(contract.login.logout, {}, phone.token)).toMatchObject({ status: 2 })
    expect(await whoAmI(desk.token)).toMatchObject({ status: 1 })
    expect(await sessionOf(phone.token)).toBeUndefined()
  })

  test.each(['', ' ', 'x', 'Bearer x', "' or 1=1 --", '中'.repeat(3)])('%j is none: status 2', async (token) => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/pcapi/user/getUserInfo',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: Buffer.from(token).toString('latin1'),
      },
      payload: '',
    })
    expect(response.json()).toEqual({ status: 2, msg: '登录已过期，请重新登录', data: null })
  })

  test('swept away when it is over, with dead codes, while live ones stay', async () => {
    const old = await login()
    const oldMobile = mobileOf()
    await codeOf(oldMobile)
    server.clock.now += 30 * DAY
    const fresh = await login()
    const freshMobile = mobileOf()
    const code = await codeOf(freshMobile)
    await sweepLogin(server.db, server.clock.now)
    expect(await sessionOf(old.token)).toBeUndefined()
    expect(await whoAmI(fresh.token)).toMatchObject({ status: 1 })
    const left = await server.db.selectFrom('sms_code').select('mobile').execute()
    expect(left.map(({ mobile }) => mobile)).not.toContain(oldMobile)
    expect(await enter(freshMobile, code)).toMatchObject({ status: 1 })
  })
})
