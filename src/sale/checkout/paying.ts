import type { PayMethod, PayWay } from '#src/contract/order.ts'
import { leaveDocument } from '#src/ui/dialog/sheetHistory.ts'

/** A phone goes to the provider; a computer shows a code for the phone. */
export const deviceNow = (): 'phone' | 'desktop' => (matchMedia('(pointer: coarse)').matches ? 'phone' : 'desktop')

export const METHOD_NAMES: Record<PayMethod, string> = {
  wallet: '钱包余额',
  sandbox: '沙箱支付（演示）',
  wechat: '微信支付',
  alipay: '支付宝',
}

/**
 * WeChat's own browser opens neither provider's page for phones: Alipay's never, WeChat Pay's only by another way of paying (0050).
 * On a computer it shows the code as any other does.
 */
export const isShutOut = (method: PayMethod | null): boolean =>
  (method === 'wechat' || method === 'alipay') && deviceNow() === 'phone' && /MicroMessenger/i.test(navigator.userAgent)

/**
 * The provider's page opens in a tab of its own, so that this one waits for the result. It must be opened in the very moment of the
 * tap: once an answer has come the browser would not let us. Null: there is nothing to open, or the browser does not let us.
 */
export function openTab(method: PayMethod): Window | null {
  if (method === 'wallet' || deviceNow() === 'desktop') return null
  const tab = window.open('', '_blank')
  // Whoever is there has no hold on us.
  if (tab) tab.opener = null
  return tab
}

/** Goes to the provider. */
export function follow(way: PayWay | null, tab: Window | null): void {
  if (way?.kind !== 'go') tab?.close()
  else if (tab) tab.location.replace(new URL(way.url, window.location.href).href)
  else leaveDocument(() => window.location.assign(way.url))
}
