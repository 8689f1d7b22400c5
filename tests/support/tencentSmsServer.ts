import { createHash, createHmac } from 'node:crypto'
import { type Asked, listen, type Said } from './payKeys.ts'

export const TENCENT = {
  secretId: 'AKIDexample',
  secretKey: 'a-secret-of-tests',
  appId: '1400006666',
  signName: '砺剑军考',
  templateId: '449739',
  region: 'ap-guangzhou',
}
export const REQUEST_ID = 'a0aabda6-cf91-4f3e-a81f-9198114a2279'

/** What it answers instead of sending: `status` of the number, `error` of the API, HTTP, something else, nothing, or too late. */
export type TencentFault =
  | { status: string }
  | { error: string }
  | { http: number }
  | { body: string }
  | 'silent'
  | 'elsewhere'

const json = (Response: object): Said => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ Response: { ...Response, RequestId: REQUEST_ID } }),
})
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Signs the request as it came, step by step as Tencent's documents say; no line of the product's own signer is used. */
function isSigned({ headers, body, path, method }: Asked): boolean {
  const said = /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^/]+)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, id, date = '', names = '', signature] = said.exec(headers.authorization ?? '') ?? []
  const at = Number(headers['x-tc-timestamp'])
  if (id !== TENCENT.secretId || date !== new Date(at * 1000).toISOString().slice(0, 10)) return false
  if (Math.abs(Date.now() / 1000 - at) > 300 || !/^content-type;host(;|$)/.test(names)) return false
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}\n`)
  const request = `${method}\n${path}\n\n${lines.join('')}\n${names}\n${sha256(body)}`
  const text = `TC3-HMAC-SHA256\n${at}\n${date}/sms/tc3_request\n${sha256(request)}`
  const key = hmac(hmac(hmac(`TC3${TENCENT.secretKey}`, date), 'sms'), 'tc3_request')
  return hmac(key, text).toString('hex') === signature
}

interface Message {
  PhoneNumberSet: string[]
  TemplateParamSet: string[]
}
export interface TencentSmsServer {
  api: string
  /** What it sent to a phone, the last one last. */
  sent: Message[]
  /** Every code that it was ever asked to send. */
  codes: string[]
  fault: (fault: TencentFault | null) => void
  stop: () => Promise<void>
}

const CALL = { 'x-tc-action': 'SendSms', 'x-tc-version': '2021-01-11', 'x-tc-region': TENCENT.region }
const refusal = (Code: string, Message = ''): Said => json({ Error: { Code, Message } })
const status = (Code: string, { PhoneNumberSet: [PhoneNumber] }: Message): Said =>
  json({ SendStatusSet: [{ Code, PhoneNumber, Message: '' }] })

/** Stands in for sms.tencentcloudapi.com: it sends only what is signed with the account's key. */
export async function standInTencentSms(): Promise<TencentSmsServer> {
  const sent: Message[] = []
  const codes: string[] = []
  let fault: TencentFault | null = null
  const { url, stop } = await listen((asked) => {
    const message: Message = JSON.parse(asked.body)
    codes.push(...message.TemplateParamSet)
    if (!isSigned(asked)) return refusal('AuthFailure.SignatureFailure', 'secret words')
    if (Object.entries(CALL).some(([name, value]) => asked.headers[name] !== value)) return refusal('InvalidAction')
    if (fault === null || fault === 'silent') sent.push(message)
    if (fault === null) return status('Ok', message)
    if (fault === 'silent') return null
    if (fault === 'elsewhere') return { status: 307, headers: { location: url }, body: '' }
    if ('status' in fault) return status(fault.status, message)
    if ('error' in fault) return refusal(fault.error, asked.body)
    return 'http' in fault ? { status: fault.http, body: asked.body } : { status: 200, body: fault.body }
  })
  return { api: url, sent, codes, fault: (next) => void (fault = next), stop }
}
