import { alipay } from './alipay.ts'
import type { PayProvider } from './pay.ts'
import type { PayAccounts } from './payEnvironment.ts'
import { wechatPay } from './wechat.ts'

/** The real ones that the operator has an account with; their libraries load with the first call. */
export function providersOf(env: { PUBLIC_URL?: string | undefined; pay: PayAccounts }): PayProvider[] {
  const { wechat, alipay: ali } = env.pay
  const publicUrl = env.PUBLIC_URL ?? ''
  return [
    ...(wechat
      ? [
          wechatPay({
            mchid: wechat.PAY_WECHAT_MCHID,
            appid: wechat.PAY_WECHAT_APPID,
            serial: wechat.PAY_WECHAT_SERIAL,
            privateKey: wechat.PAY_WECHAT_PRIVATE_KEY,
            apiV3Key: wechat.PAY_WECHAT_API_V3_KEY,
            publicKeyId: wechat.PAY_WECHAT_PUBLIC_KEY_ID,
            publicKey: wechat.PAY_WECHAT_PUBLIC_KEY,
            api: wechat.PAY_WECHAT_API,
            publicUrl,
          }),
        ]
      : []),
    ...(ali
      ? [
          alipay({
            appId: ali.PAY_ALIPAY_APP_ID,
            privateKey: ali.PAY_ALIPAY_PRIVATE_KEY,
            alipayPublicKey: ali.PAY_ALIPAY_PUBLIC_KEY,
            ...(ali.PAY_ALIPAY_SELLER_ID && { sellerId: ali.PAY_ALIPAY_SELLER_ID }),
            gateway: ali.PAY_ALIPAY_GATEWAY,
            scanProduct: ali.PAY_ALIPAY_SCAN_PRODUCT,
            publicUrl,
          }),
        ]
      : []),
  ]
}
