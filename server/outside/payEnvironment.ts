import * as v from 'valibot'
import { isPair, privateKey, publicKey } from './keys.ts'

const text = (name: string, form: RegExp, what: string) => v.pipe(v.string(), v.regex(form, `${name} 应为${what}`))
/** A test's stand-in answers on this machine; money never goes unencrypted anywhere else. */
const SAFE = /^(https:\/\/|http:\/\/127\.0\.0\.1:)/
const address = (name: string, fallback: string) =>
  v.optional(v.pipe(v.string(), v.url(`${name} 应为完整网址`), v.regex(SAFE, `${name} 应以 https:// 开头`)), fallback)

/** Names what is missing, which else would be said in English and of no variable. */
const missing = (title: string) => (issue: v.ObjectIssue) => {
  const key = issue.path?.at(-1)?.key
  return `${title}只配置了一部分，还缺少 ${String(key)}`
}

const WECHAT = '微信支付'
const Wechat = v.pipe(
  v.object(
    {
      PAY_WECHAT_MCHID: text('PAY_WECHAT_MCHID', /^\d{6,32}$/, '商户号（数字）'),
      PAY_WECHAT_APPID: text('PAY_WECHAT_APPID', /^wx[0-9a-zA-Z]{6,30}$/, '以 wx 开头的 AppID'),
      PAY_WECHAT_SERIAL: text('PAY_WECHAT_SERIAL', /^[0-9A-F]{16,64}$/, '商户 API 证书序列号（大写十六进制）'),
      PAY_WECHAT_PRIVATE_KEY: privateKey('PAY_WECHAT_PRIVATE_KEY', '商户 API 私钥'),
      PAY_WECHAT_API_V3_KEY: text('PAY_WECHAT_API_V3_KEY', /^[0-9A-Za-z]{32}$/, ' APIv3 密钥（32 位字母和数字）'),
      PAY_WECHAT_PUBLIC_KEY_ID: text(
        'PAY_WECHAT_PUBLIC_KEY_ID',
        /^(PUB_KEY_ID_\d+|[0-9A-F]{16,64})$/,
        '微信支付公钥 ID（以 PUB_KEY_ID_ 开头）或平台证书序列号',
      ),
      PAY_WECHAT_PUBLIC_KEY: publicKey('PAY_WECHAT_PUBLIC_KEY', '微信支付公钥'),
      PAY_WECHAT_API: address('PAY_WECHAT_API', 'https://api.mch.weixin.qq.com'),
    },
    missing(WECHAT),
  ),
  v.check(
    (all) => !isPair(all.PAY_WECHAT_PRIVATE_KEY, all.PAY_WECHAT_PUBLIC_KEY),
    'PAY_WECHAT_PUBLIC_KEY 是商户自己的公钥，应填微信支付公钥',
  ),
  v.check(
    (all) => all.PAY_WECHAT_PUBLIC_KEY_ID !== all.PAY_WECHAT_SERIAL,
    'PAY_WECHAT_PUBLIC_KEY_ID 是商户证书的序列号，应填微信支付公钥 ID',
  ),
)

const ALIPAY = '支付宝'
/** 订单码支付, and the two that 当面付 is signed for. */
const SCAN_PRODUCTS = ['QR_CODE_OFFLINE', 'FACE_TO_FACE_PAYMENT', 'OFFLINE_PAYMENT'] as const
const Alipay = v.pipe(
  v.object(
    {
      PAY_ALIPAY_APP_ID: text('PAY_ALIPAY_APP_ID', /^\d{8,32}$/, '应用 APPID（数字）'),
      PAY_ALIPAY_PRIVATE_KEY: privateKey('PAY_ALIPAY_PRIVATE_KEY', '应用私钥'),
      PAY_ALIPAY_PUBLIC_KEY: publicKey('PAY_ALIPAY_PUBLIC_KEY', '支付宝公钥'),
      PAY_ALIPAY_SELLER_ID: v.optional(
        text('PAY_ALIPAY_SELLER_ID', /^2088\d{12}$/, '收款账号 PID，2088 开头的 16 位数字'),
      ),
      PAY_ALIPAY_GATEWAY: address('PAY_ALIPAY_GATEWAY', 'https://openapi.alipay.com/gateway.do'),
      PAY_ALIPAY_SCAN_PRODUCT: v.optional(
        v.picklist(SCAN_PRODUCTS, `PAY_ALIPAY_SCAN_PRODUCT 应为 ${SCAN_PRODUCTS.join('、')} 之一`),
        'QR_CODE_OFFLINE',
      ),
    },
    missing(ALIPAY),
  ),
  v.check(
    (all) => !isPair(all.PAY_ALIPAY_PRIVATE_KEY, all.PAY_ALIPAY_PUBLIC_KEY),
    'PAY_ALIPAY_PUBLIC_KEY 是应用公钥，应填支付宝公钥',
  ),
)

export const PAY_VARIABLES: readonly string[] = [Wechat, Alipay].flatMap(({ entries }) => Object.keys(entries))

export interface PayAccounts {
  wechat?: v.InferOutput<typeof Wechat>
  alipay?: v.InferOutput<typeof Alipay>
}

type Given = Record<string, string | undefined>
const begun = (given: Given, prefix: string) => Object.keys(given).some((name) => name.startsWith(prefix))

/** Both need to reach us from outside, and bring the student back. */
function urlFaults(url: string | undefined): string[] {
  if (!url) return ['配置了微信支付或支付宝，还缺少 PUBLIC_URL：通知和付款后的返回都需要它']
  return url.startsWith('https://') ? [] : ['配置了微信支付或支付宝，PUBLIC_URL 应以 https:// 开头']
}

/** What the operator has entered of payment; all of it or none. `given` has no empty values. */
export function readPay(given: Given): { accounts: PayAccounts; faults: string[] } {
  const wechat = begun(given, 'PAY_WECHAT_') ? v.safeParse(Wechat, given) : null
  const alipay = begun(given, 'PAY_ALIPAY_') ? v.safeParse(Alipay, given) : null
  const faults = [wechat, alipay].flatMap((read) => read?.issues?.map(({ message }) => message) ?? [])
  if (wechat || alipay) faults.push(...urlFaults(given.PUBLIC_URL))
  return {
    faults,
    accounts: {
      ...(wechat?.success && { wechat: wechat.output }),
      ...(alipay?.success && { alipay: alipay.output }),
    },
  }
}
