import * as v from 'valibot'

export const PAY_METHODS = ['wallet', 'sandbox', 'wechat', 'alipay'] as const
/** 钱包, 沙箱, 微信支付, 支付宝. */
export const PayMethod = v.picklist(PAY_METHODS)
export type PayMethod = v.InferOutput<typeof PayMethod>
