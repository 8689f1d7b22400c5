import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { PayMethod, PayWay } from './order.ts'
import { Count, EpochMs, No, OpId } from './scalar.ts'

/** Fen. */
export const TOP_UP = { least: 100, most: 500_000 } as const

export const WALLET_KINDS = ['topUp', 'pay', 'release', 'refund', 'payOut'] as const
/** 充值, 订单支付, 订单取消退回, 退款, 余额退还. */
const WalletKind = v.picklist(WALLET_KINDS)
export type WalletKind = v.InferOutput<typeof WalletKind>

const Record = v.object({
  id: No,
  kind: WalletKind,
  at: EpochMs,
  /** Fen; below 0: it went. */
  amount: v.pipe(v.number(), v.safeInteger()),
  /** After it. */
  balance: Count,
  order: v.nullable(No),
  /** Of that order: what its first line is called, and how many things it is of in all. */
  goods: v.nullable(v.object({ title: v.string(), quantity: Count })),
})
export type WalletRecord = v.InferOutput<typeof Record>

/** Of a calendar month in Beijing, or without one of all time; the newest first. */
export const myWalletRecord = endpoint({
  path: 'user/myWalletRecord',
  access: 'user',
  keep: 'device',
  input: v.object({
    month: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份不正确'))),
    cursor: v.optional(No),
  }),
  output: v.object({
    balance: Count,
    /** The wallet pays nothing until the operator has voided what was paid at the sandbox, which is no provider any more. */
    frozen: v.optional(v.boolean(), false),
    /** Fen, of all that is asked for. */
    came: Count,
    went: Count,
    records: v.array(Record),
    next: v.nullable(No),
    methods: v.array(PayMethod),
  }),
})

/** `differs`: another sum came than was asked for; it is not in the wallet, and goes back. */
const TopUpState = v.picklist(['open', 'paid', 'closed', 'differs'])

export const wallet = {
  /** 充值: once for each `key`. */
  topUp: endpoint({
    path: 'wallet/topUp',
    access: 'user',
    keep: 'nowhere',
    input: v.object({
      key: OpId,
      amount: v.pipe(
        Count,
        v.minValue(TOP_UP.least, `充值金额至少 ${TOP_UP.least / 100} 元`),
        v.maxValue(TOP_UP.most, `单次最多充值 ${TOP_UP.most / 100} 元`),
      ),
      method: PayMethod,
      device: v.picklist(['phone', 'desktop']),
    }),
    output: v.object({ id: No, way: PayWay }),
  }),
  topUpState: endpoint({
    path: 'wallet/topUpState',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ id: No }),
    output: v.object({ state: TopUpState, balance: Count }),
  }),
}
