import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { pictureIdOf } from '#src/contract/login.ts'
import { readMessages } from '#server/login/messages.ts'
import { tc3Authorization } from '#server/outside/tc3.ts'
import { tencentSms } from '#server/outside/tencentSms.ts'
import { readPicture } from '#tests/support/login.ts'
import { listen } from '#tests/support/payKeys.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import {
  REQUEST_ID,
  standInTencentSms,
  TENCENT,
  type TencentFault,
  type TencentSmsServer,
} from '#tests/support/tencentSmsServer.ts'

const MINUTE = 60_000
const refused = (msg: string) => ({ status: 0, msg, data: null })
const UNSENT = refused('短信暂时发不出去，请过一会儿再试，或使用密码登录')
const SENT = { status: 1, msg: '验证码已发送到您的手机!', data: null }

let tencent: TencentSmsServer
let server: TestServer
const lines: string[] = []
const logger = { level: 'trace', stream: { write: (line: string) => void lines.push(line) } }
beforeAll(async () => {
  tencent = await standInTencentSms()
  server = await startServer({ sms: tencentSms({ ...TENCENT, api: tencent.api }), smsAnHour: 20, logger })
})
afterAll(async () => {
  await server.close()
  await tencent.stop()
})
const mobiles: string[] = ['13600000000']
function newMobile(): string {
  const mobile = String(13_600_000_001 + mobiles.length)
  mobiles.push(mobile)
  return mobile
}
const faults = () => lines.filter((line) => line.includes('"level":50'))
/** Whatever happened, none of these stands in any line of the log. */
function expectNoSecrets() {
  const log = lines.join('')
  expect(log).not.toMatch(new RegExp(String.raw`\b(${[...tencent.codes, ...mobiles].join('|')})\b`))
  for (const secret of [TENCENT.secretKey, 'Signature=', 'secret words']) expect(log).not.toContain(secret)
}
afterEach(() => {
  expectNoSecrets()
  tencent.fault(null)
  lines.length = 0
  server.clock.now += 48 * 60 * MINUTE
})

async function request(mobile: string, at = server) {
  const source = await at.call(contract.login.getImgVerifyCode, { mobile })
  const img_code = await readPicture(at.db, source)
  return at.ask(contract.login.sendCode, { mobile, img_code, picture: pictureIdOf(source) })
}
const lastCode = () => tencent.sent.at(-1)?.TemplateParamSet[0] ?? ''
const enter = (mobile: string, code: string) => server.ask(contract.login.mobileCodeLogin, { mobile, code })

/** Nobody listens there any more. */
async function closedPort(): Promise<string> {
  const { url, stop } = await listen(() => null)
  await stop()
  return url
}

describe('the signature of Tencent Cloud', () => {
  const body = String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`
  const headers = { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' }
  test.each([
    [
      '2019: type and host',
      'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
      headers,
      '72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    ],
    [
      'today: the action, too',
      '*'.repeat(32),
      { ...headers, 'x-tc-action': 'DescribeInstances' },
      '10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
    ],
  ])('is that of its own published example of %s', (_, secretKey, signed, signature) => {
    const said = tc3Authorization({
      secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      secretKey,
      service: 'cvm',
      headers: signed,
      body,
      timestamp: 1_551_113_065,
    })
    expect(said).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, ' +
        `SignedHeaders=${Object.keys(signed).join(';')}, Signature=${signature}`,
    )
  })
})

describe('a code by Tencent Cloud', () => {
  test('is sent with the operator’s signature and template to a mobile of the mainland, and logs in', async () => {
    const mobile = newMobile()
    expect(await request(mobile)).toEqual(SENT)
    const code = lastCode()
    expect(code).toMatch(/^\d{6}$/)
    expect(tencent.sent.at(-1)).toEqual({
      PhoneNumberSet: [`+86${mobile}`],
      SmsSdkAppId: TENCENT.appId,
      SignName: TENCENT.signName,
      TemplateId: TENCENT.templateId,
      TemplateParamSet: [code],
    })
    expect(await enter(mobile, code)).toMatchObject({ status: 1 })
  })

  test.each<[TencentFault, string, string]>([
    [{ status: 'LimitExceeded.PhoneNumberDailyLimit' }, '这个手机号今天收到的短信太多，请明天再试，或使用密码登录', ''],
    [
      { error: 'LimitExceeded.PhoneNumberSameContentDailyLimit' },
      '这个手机号今天收到的短信太多，请明天再试，或使用密码登录',
      '',
    ],
    [
      { status: 'LimitExceeded.PhoneNumberOneHourLimit' },
      '这个手机号刚收到的短信太多，请1小时后再试，或使用密码登录',
      '',
    ],
    [
      { status: 'LimitExceeded.DeliveryFrequencyLimit' },
      '这个手机号刚收到的短信太多，请1小时后再试，或使用密码登录',
      '',
    ],
    [{ status: 'LimitExceeded.PhoneNumberThirtySecondLimit' }, '验证码发送过于频繁，请60秒后再试', ''],
    [{ status: 'FailedOperation.PhoneNumberInBlacklist' }, '这个手机号收不到短信，请检查号码，或使用密码登录', ''],
    // These are our account's; the student can do nothing about them.
    [{ status: 'LimitExceeded.AppDailyLimit' }, UNSENT.msg, ''],
    [{ status: 'FailedOperation.InsufficientBalanceInSmsPackage' }, UNSENT.msg, ''],
    [{ error: 'UnauthorizedOperation.SmsSdkAppIdVerifyFail' }, UNSENT.msg, ''],
    [{ http: 403 }, UNSENT.msg, 'HTTP_403'],
  ])('refused with %j is told as “%s”, counts for nobody, and is in the log by its code', async (fault, msg, word) => {
    const mobile = newMobile()
    const { sent } = await readMessages(server.db, server.clock.now)
    tencent.fault(fault)
    // More than a mobile's ten a day, all within a minute.
    for (let i = 0; i < 12; i++) expect(await request(mobile)).toEqual(refused(msg))
    expect((await readMessages(server.db, server.clock.now)).sent).toBe(sent)
    expect(faults()).toHaveLength(12)
    expect(faults()[0]).toContain(word || Object.values(fault)[0])
    expect(faults()[0]).toContain(word ? 'tencent SendSms' : REQUEST_ID)
    tencent.fault(null)
    expect(await request(mobile)).toEqual(SENT)
  })

  test('that was refused leaves the code before it as good as it was', async () => {
    const mobile = newMobile()
    expect(await request(mobile)).toEqual(SENT)
    const code = lastCode()
    server.clock.now += MINUTE
    tencent.fault({ status: 'LimitExceeded.PhoneNumberOneHourLimit' })
    await request(mobile)
    expect(await enter(mobile, code)).toMatchObject({ status: 1 })
  })

  test.each<[string, TencentFault, string]>([
    ['without an answer of sense', { body: '<html>' }, 'tencent SendSms'],
    ['with an answer of another shape', { body: '{"Response":{"SendStatusSet":7}}' }, 'ANSWER_NOT_UNDERSTOOD'],
    ['with an error of HTTP', { http: 502 }, 'HTTP_502'],
    ['with the way to another address', 'elsewhere', 'tencent SendSms'],
  ])('answered %s was perhaps sent: it counts, but the next need not wait', async (_, fault, word) => {
    const mobile = newMobile()
    tencent.fault(fault)
    expect(await request(mobile)).toEqual(UNSENT)
    expect(faults().join('')).toContain(word)
    expect(await readMessages(server.db, server.clock.now)).toMatchObject({ sent: 1, failed: 1 })
    tencent.fault(null)
    expect(await request(mobile)).toEqual(SENT)
  })

  test('that Tencent does not answer in time is told so, and is good when it arrives after all', async () => {
    const sms = tencentSms({ ...TENCENT, api: tencent.api, callMs: 100 })
    const slow = await startServer({ sms, logger })
    try {
      const mobile = newMobile()
      tencent.fault('silent')
      expect(await request(mobile, slow)).toEqual(UNSENT)
      expect(faults().join('')).toContain('TIMEOUT')
      const code = lastCode()
      expect(await slow.ask(contract.login.mobileCodeLogin, { mobile, code })).toMatchObject({ status: 1 })
    } finally {
      await slow.close()
    }
  })

  test.each([
    ['signed with another key', { secretKey: 'mistyped' }, 'AuthFailure.SignatureFailure'],
    ['with nobody at its address', {}, 'ECONNREFUSED'],
  ])('%s is not sent, and the log says why', async (_, changes, word) => {
    const api = word === 'ECONNREFUSED' ? await closedPort() : tencent.api
    const sms = tencentSms({ ...TENCENT, api, ...changes })
    const misled = await startServer({ sms, logger })
    try {
      expect(await request(newMobile(), misled)).toEqual(UNSENT)
      expect(faults().join('')).toContain(word)
      expect(await readMessages(misled.db, misled.clock.now)).toEqual({ sent: 0, refused: 0, failed: 1 })
    } finally {
      await misled.close()
    }
  })
})
