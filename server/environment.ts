import * as v from 'valibot'
import { PRODUCT_NAME, type Site } from '#src/contract/config.ts'
import { type PayAccounts, readPay } from './outside/payEnvironment.ts'
import type { TencentAccount } from './outside/tencent.ts'
import type { TencentSmsAccount } from './outside/tencentSms.ts'

const optional = (fallback: string) => v.optional(v.string(), fallback)
const number = (name: string, min: number, max: number, fallback: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, `${name} 应为整数`),
      v.transform(Number),
      v.minValue(min, `${name} 不能小于 ${min}`),
      v.maxValue(max, `${name} 不能大于 ${max}`),
    ),
    String(fallback),
  )

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/
function isSafe(address: string): boolean {
  const url = URL.parse(address)
  return url === null || url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}
const shaped = (name: string, shape: RegExp, like: string) =>
  v.optional(v.pipe(v.string(), v.regex(shape, `${name} 应为${like}`)))

const REGION = /^[a-z]+(-[a-z0-9]+)+$/

/** A school of a few thousand logs in within a few days; more is somebody who spends the operator's money. */
export const SMS_AN_HOUR = 600

const Environment = v.object({
  PORT: number('PORT', 0, 65535, 8787),
  HOST: optional('127.0.0.1'),
  DATA_DIR: optional('./.data'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'DATABASE_URL 应以 postgres:// 开头'))),
  DEMO: v.optional(v.picklist(['0', '1'], 'DEMO 只能是 0 或 1'), '1'),
  PAY_SANDBOX: v.optional(v.picklist(['0', '1'], 'PAY_SANDBOX 只能是 0 或 1')),
  RETIRE_WORKER: v.optional(v.picklist(['0', '1'], 'RETIRE_WORKER 只能是 0 或 1'), '0'),
  MIN_VERSION: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,6}(\.\d{1,6}){2}$/, 'MIN_VERSION 应为版本号，如 1.2.0')),
    '0.0.0',
  ),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      'LOG_LEVEL 应为 fatal、error、warn、info、debug 或 silent',
    ),
    'warn',
  ),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.url('PUBLIC_URL 应为完整网址'),
      v.check(isSafe, 'PUBLIC_URL 应以 https:// 开头（只有本机地址可以是 http）：学生上传的图片要经过它'),
    ),
  ),
  SMS_PROVIDER: v.optional(
    v.picklist(['console', 'tencent'], 'SMS_PROVIDER 只能是 console（验证码打印在日志中）或 tencent（腾讯云短信）'),
    'console',
  ),
  TENCENT_SMS_SECRET_ID: shaped('TENCENT_SMS_SECRET_ID', /^[\w-]+$/, '腾讯云的 SecretId，不含空格'),
  TENCENT_SMS_SECRET_KEY: shaped('TENCENT_SMS_SECRET_KEY', /^[\w-]+$/, '腾讯云的 SecretKey，不含空格'),
  TENCENT_SMS_APP_ID: shaped('TENCENT_SMS_APP_ID', /^\d{6,20}$/, '短信应用的 SDK AppID（数字）'),
  TENCENT_SMS_SIGN_NAME: shaped('TENCENT_SMS_SIGN_NAME', /^[^\p{Cc}\s【】]{2,20}$/u, '审核通过的签名内容，不带【】'),
  TENCENT_SMS_TEMPLATE_ID: shaped('TENCENT_SMS_TEMPLATE_ID', /^\d{1,20}$/, '审核通过的正文模板 ID（数字）'),
  TENCENT_SMS_REGION: v.optional(
    v.pipe(v.string(), v.regex(REGION, 'TENCENT_SMS_REGION 应为地域代号，如 ap-guangzhou')),
    'ap-guangzhou',
  ),
  DISK_MIN_FREE_MB: number('DISK_MIN_FREE_MB', 0, 1_000_000, 100),
  SMS_PER_HOUR: number('SMS_PER_HOUR', 1, 1_000_000, SMS_AN_HOUR),
  PRODUCT_NAME: optional(PRODUCT_NAME),
  SITE_PHONE: optional(''),
  SITE_CHAT_ID: optional(''),
  SITE_ADDRESS: optional(''),
  SITE_COPYRIGHT: optional(''),
  SITE_FILING_NO: optional(''),
  SITE_COMPANY: optional(''),
  SITE_POLICE_NO: optional(''),
  SITE_TELECOM_NO: optional(''),
  SITE_PUBLICATION_NO: optional(''),
  SITE_LICENCE_NO: optional(''),
  SITE_BUCKET: v.optional(
    v.pipe(v.string(), v.regex(/^(https:\/\/[a-z0-9.-]+(:\d+)?)?$/, 'SITE_BUCKET 应为 https://域名，不带路径')),
    '',
  ),
  COS_BUCKET: shaped('COS_BUCKET', /^[a-z0-9][a-z0-9-]*-\d+$/, '“名称-APPID”，如 junkao-1250000000'),
  COS_REGION: shaped('COS_REGION', REGION, '地域代号，如 ap-guangzhou'),
  COS_SECRET_ID: shaped('COS_SECRET_ID', /^[\w-]+$/, '腾讯云的 SecretId，不含空格'),
  COS_SECRET_KEY: shaped('COS_SECRET_KEY', /^[\w-]+$/, '腾讯云的 SecretKey，不含空格'),
  COS_DOMAIN: shaped('COS_DOMAIN', /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, '域名，不带 https:// 和路径'),
})
export type Environment = v.InferOutput<typeof Environment> & { pay: PayAccounts }

/** Reads and checks the environment. Faults come all at once, each naming its variable, in Chinese. */
export function readEnvironment(values: Record<string, string | undefined>): Environment | { faults: string[] } {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = v.safeParse(Environment, given)
  const pay = readPay(given)
  const own = (parsed.issues ?? []).map((issue) => issue.message)
  const faults = [
    ...own,
    ...publicDemo(given),
    ...missingOfCos(given),
    ...missingOfSms(given),
    ...pay.faults,
    ...paidTwoWays(given, pay.accounts),
  ]
  return parsed.success && faults.length === 0 ? { ...parsed.output, pay: pay.accounts } : { faults }
}

type Reach = Partial<Record<'HOST' | 'PUBLIC_URL', string | undefined>>
/** Tells whether others than this machine can reach the server. */
export const isPublic = ({ HOST = '127.0.0.1', PUBLIC_URL }: Reach): boolean =>
  PUBLIC_URL !== undefined || !LOOPBACK.test(HOST)

/** Whoever forgets the variable must not give strangers an account whose password everybody knows. */
function publicDemo(given: Record<string, string | undefined>): string[] {
  return given.DEMO !== undefined || !isPublic(given)
    ? []
    : ['DEMO 没有写明：服务对外开放时，请设 DEMO=0（没有演示内容和演示账号），或 DEMO=1（任何人都能用演示账号登录）']
}

const takesMoney = ({ wechat, alipay }: PayAccounts): boolean => wechat !== undefined || alipay !== undefined

function paidTwoWays({ PAY_SANDBOX }: Record<string, unknown>, accounts: PayAccounts): string[] {
  return PAY_SANDBOX === '1' && takesMoney(accounts)
    ? ['PAY_SANDBOX=1 与微信支付、支付宝不能同时使用：沙箱付款不花钱。收款时请去掉 PAY_SANDBOX']
    : []
}

/** Tells whether students may pay at the sandbox, with money that is none: the demo does so, or the operator asks for it. */
export const hasSandbox = ({ PAY_SANDBOX, DEMO, pay }: Environment): boolean =>
  !takesMoney(pay) && (PAY_SANDBOX ?? DEMO) === '1'

const COS = ['COS_BUCKET', 'COS_REGION', 'COS_SECRET_ID', 'COS_SECRET_KEY'] as const
/** Half an account would be found out by the first student who uploads. */
function missingOfCos(given: Record<string, unknown>): string[] {
  const missing = COS.filter((name) => given[name] === undefined)
  if (missing.length === 0 || (missing.length === COS.length && given.COS_DOMAIN === undefined)) return []
  return missing.map((name) => `${name} 未设置：使用腾讯云存储时 ${COS.join('、')} 都要设置`)
}

/** Tencent's account, when there is one; else uploads go into the embedded bucket. */
export function cosOf(env: Environment): { cos?: TencentAccount } {
  const { COS_BUCKET, COS_REGION, COS_SECRET_ID, COS_SECRET_KEY, COS_DOMAIN } = env
  if (!COS_BUCKET || !COS_REGION || !COS_SECRET_ID || !COS_SECRET_KEY) return {}
  const account = { bucket: COS_BUCKET, region: COS_REGION, secretId: COS_SECRET_ID, secretKey: COS_SECRET_KEY }
  return { cos: { ...account, ...(COS_DOMAIN && { domain: COS_DOMAIN }) } }
}

const SMS = [
  'TENCENT_SMS_SECRET_ID',
  'TENCENT_SMS_SECRET_KEY',
  'TENCENT_SMS_APP_ID',
  'TENCENT_SMS_SIGN_NAME',
  'TENCENT_SMS_TEMPLATE_ID',
] as const
/** Half an account would be found out by the first student who logs in, and so would one that nobody has chosen. */
function missingOfSms(given: Record<string, unknown>): string[] {
  const missing = SMS.filter((name) => given[name] === undefined)
  if (given.SMS_PROVIDER === 'tencent')
    return missing.map((name) => `${name} 未设置：SMS_PROVIDER=tencent 时 ${SMS.join('、')} 都要设置`)
  return given.SMS_PROVIDER === undefined && missing.length < SMS.length
    ? ['SMS_PROVIDER 没有写明：已设置腾讯云短信，请设 SMS_PROVIDER=tencent；暂时不用它时设 SMS_PROVIDER=console']
    : []
}

/** The account that sends messages; null: they are printed in the server's log. */
export function smsAccountOf(env: Environment): TencentSmsAccount | null {
  const { SMS_PROVIDER, TENCENT_SMS_REGION: region } = env
  const [secretId, secretKey, appId, signName, templateId] = SMS.map((name) => env[name])
  if (SMS_PROVIDER !== 'tencent' || !secretId || !secretKey || !appId || !signName || !templateId) return null
  return { secretId, secretKey, appId, signName, templateId, region }
}

/** What the environment says of the footer; the operator's command may say otherwise. */
export const siteOf = (env: Environment): Site => ({
  phone: env.SITE_PHONE,
  chatId: env.SITE_CHAT_ID,
  address: env.SITE_ADDRESS,
  copyright: env.SITE_COPYRIGHT || `© ${new Date().getFullYear()} ${env.PRODUCT_NAME}`,
  filingNo: env.SITE_FILING_NO,
  company: env.SITE_COMPANY,
  policeNo: env.SITE_POLICE_NO,
  telecomNo: env.SITE_TELECOM_NO,
  publicationNo: env.SITE_PUBLICATION_NO,
  licenceNo: env.SITE_LICENCE_NO,
  ...(env.SITE_BUCKET && { bucket: env.SITE_BUCKET }),
})
