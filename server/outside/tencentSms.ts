import * as v from 'valibot'
import { type Sms, SmsFault, type Unsent } from './sms.ts'
import { tc3Authorization } from './tc3.ts'

export interface TencentSmsAccount {
  secretId: string
  secretKey: string
  /** SmsSdkAppId of the application in Tencent's console. */
  appId: string
  /** The approved signature, without its brackets. */
  signName: string
  /** An approved template whose only variable is the code. */
  templateId: string
  region: string
  /** Where Tencent is: its own place, unless a test stands in for it. */
  api?: string
  callMs?: number
}

const API = 'https://sms.tencentcloudapi.com'
const ACTION = 'SendSms'
/** A student waits for it with a dialog open. */
const CALL_MS = 5_000

/** These are about one mobile; every other refusal is about our account or Tencent itself. */
const ABOUT_MOBILE: Record<string, Unsent> = {
  'LimitExceeded.PhoneNumberThirtySecondLimit': 'tooSoon',
  'LimitExceeded.PhoneNumberOneHourLimit': 'tooMany',
  'LimitExceeded.DeliveryFrequencyLimit': 'tooMany',
  'LimitExceeded.PhoneNumberDailyLimit': 'tooManyToday',
  'LimitExceeded.PhoneNumberSameContentDailyLimit': 'tooManyToday',
  'FailedOperation.PhoneNumberInBlacklist': 'notTaken',
  'InvalidParameterValue.IncorrectPhoneNumber': 'notTaken',
}
/** Nothing can have been sent where no connection was made. */
const UNREACHED = new Set('ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '))

const Answer = v.object({
  Response: v.object({
    RequestId: v.optional(v.string(), ''),
    Error: v.optional(v.object({ Code: v.string() })),
    SendStatusSet: v.optional(v.array(v.object({ Code: v.string() })), []),
  }),
})

/** Tencent's messages may quote the mobile; its code and the request's id do not, and are what its support asks for. */
function faultOf(reason: Unsent, code: string, requestId = ''): SmsFault {
  const plain = (text: string) => text.replaceAll(/[^\w.-]/g, '').slice(0, 100)
  return new SmsFault(reason, `tencent ${ACTION}: ${plain(code)}${requestId && `, RequestId ${plain(requestId)}`}`)
}

/** Tencent Cloud's SendSms of 2021-01-11, for mobiles of the mainland. */
export function tencentSms(account: TencentSmsAccount): Sms {
  return {
    async sendCode(mobile, code) {
      const answer = v.safeParse(Answer, await post(account, bodyOf(account, mobile, code)))
      if (!answer.success) throw faultOf('unknown', 'ANSWER_NOT_UNDERSTOOD')
      const { RequestId, Error: refused, SendStatusSet } = answer.output.Response
      const said = refused?.Code ?? SendStatusSet[0]?.Code ?? 'NO_STATUS'
      if (said !== 'Ok') throw faultOf(ABOUT_MOBILE[said] ?? 'failed', said, RequestId)
    },
  }
}

const bodyOf = ({ appId, signName, templateId }: TencentSmsAccount, mobile: string, code: string): string =>
  JSON.stringify({
    PhoneNumberSet: [`+86${mobile}`],
    SmsSdkAppId: appId,
    SignName: signName,
    TemplateId: templateId,
    TemplateParamSet: [code],
  })

/** Resolves with what Tencent answered, whatever it is. @throws SmsFault when there is no answer */
async function post(account: TencentSmsAccount, body: string): Promise<unknown> {
  const { secretId, secretKey, region, api = API, callMs = CALL_MS } = account
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    host: new URL(api).host,
    'x-tc-action': ACTION,
  }
  const authorization = tc3Authorization({ secretId, secretKey, service: 'sms', headers, body, timestamp })
  const { host: _, ...sent } = headers
  const more = { 'x-tc-version': '2021-01-11', 'x-tc-region': region, 'x-tc-timestamp': String(timestamp) }
  try {
    const response = await fetch(api, {
      method: 'POST',
      headers: { ...sent, ...more, authorization },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(callMs),
    })
    if (!response.ok) throw faultOf(response.status < 500 ? 'failed' : 'unknown', `HTTP_${response.status}`)
    return await response.json()
  } catch (error) {
    throw error instanceof SmsFault ? error : silence(error)
  }
}

/** The errors of fetch hold the request; only a word of them goes on. */
function silence(error: unknown): SmsFault {
  const { name, cause } = error instanceof Error ? error : new Error()
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : name
  return faultOf(UNREACHED.has(code) ? 'failed' : 'unknown', name === 'TimeoutError' ? 'TIMEOUT' : code)
}
