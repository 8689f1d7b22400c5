import type { OrderState } from '#src/contract/order.ts'
import { writeTime } from '#server/content/media/time.ts'
import type { Listed } from '#server/order/operator.ts'
import type { Trouble, TroubleKind } from '#server/order/troubles.ts'
import { plainLine } from './plainLine.ts'

/** Orders and payments in words, for `npm run orders`. */

export const STATES: Record<OrderState, string> = {
  pending: '待支付',
  paid: '待发货',
  shipped: '已发货',
  completed: '已完成',
  cancelled: '已取消',
  refunding: '退款中',
  refunded: '已退款',
}
const PROVIDERS: Record<Trouble['provider'], string> = { sandbox: '沙箱', wechat: '微信支付', alipay: '支付宝' }

/** Fen in words. */
export const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`

export function toldOrder(order: Listed): string {
  const { id, state, createdAt, lines, address, wallet, due, remark, refundReason, parcel } = order
  const at = new Date(createdAt).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' })
  return linesOf([
    `${id}  ${STATES[state]}  ${at}  ${yuan(wallet + due)}`,
    ...lines.map(({ title, detail, quantity }) => `  ${title}${detail && `（${detail}）`} × ${quantity}`),
    ...(address ? [`  ${address.name} ${address.mobile} ${address.text}`] : []),
    ...(parcel ? [`  ${parcel.carrier} ${parcel.number}`] : []),
    ...(remark ? [`  备注：${remark}`] : []),
    ...(state === 'refunding' && refundReason ? [`  退款原因：${refundReason}`] : []),
  ])
}

const KINDS: Record<TroubleKind, string> = {
  differs: '金额不符',
  unheard: '没有查到结果',
  unreturned: '没有退回',
  unreal: '沙箱付款，不是真钱',
}
const ACTS: Record<TroubleKind, (id: string) => string> = {
  differs: (id) => `return ${id}（原路退回），或在支付平台退回后 resolve ${id} returned --reason 原因`,
  unheard: (id) => `核对后 resolve ${id} paid --ref 平台交易号 --reason 原因，或 resolve ${id} unpaid --reason 原因`,
  unreturned: (id) => `在支付平台或线下退回后 resolve ${id} returned --reason 原因`,
  unreal: () => 'void-sandbox（作废全部沙箱款项，和用它买到的权益）',
}
const sums: Record<TroubleKind, (trouble: Trouble) => string> = {
  differs: ({ amount, came }) => `应付 ${yuan(amount)}，到账 ${yuan(came ?? 0)}`,
  unheard: ({ amount }) => `应付 ${yuan(amount)}`,
  unreturned: ({ owed }) => `应退 ${yuan(owed)}`,
  unreal: ({ amount }) => yuan(amount),
}

export function toldTrouble(trouble: Trouble): string {
  const { id, kind, provider, gone, order, mobile, ref, begunAt } = trouble
  return linesOf([
    `${id}  ${KINDS[kind]}  ${writeTime(begunAt)}  ${PROVIDERS[provider]}${gone ? '（已不在配置里）' : ''}`,
    `  ${order === null ? '钱包充值' : `订单 ${order}`}，${sums[kind](trouble)}，学生 ${mobile ?? '已注销'}`,
    ...(ref === null ? [] : [`  平台交易号 ${ref}`]),
    `  处理：${ACTS[kind](id)}`,
  ])
}

const linesOf = (lines: readonly string[]): string => lines.map(plainLine).join('\n')
