import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, Cover, EpochMs, No, OpId } from './scalar.ts'

export const PAY_METHODS = ['wallet', 'sandbox', 'wechat', 'alipay'] as const
/** 钱包, 沙箱, 微信支付, 支付宝. */
export const PayMethod = v.picklist(PAY_METHODS, '请选择支付方式')
export type PayMethod = v.InferOutput<typeof PayMethod>
/** Where the student is: a computer shows a code to scan, a phone goes to the provider. */
const Device = v.picklist(['phone', 'desktop'])

export const SOLD_KINDS = ['course', 'package', 'set', 'exam', 'vip', 'book', 'library'] as const
export const SoldKind = v.picklist(SOLD_KINDS, '商品类型不正确')
export type SoldKind = v.InferOutput<typeof SoldKind>

export const MAX_LINES = 20
/** Of one product. */
export const MAX_QUANTITY = 99
export const QUANTITY_MESSAGE = `一次最多买 ${MAX_QUANTITY} 件`
export const MAX_REMARK = 200
export const MAX_REASON = 200

/** What is asked for; `variant` is a variant of a book or a duration of VIP. */
const Product = v.object({
  kind: SoldKind,
  no: No,
  quantity: v.pipe(Count, v.minValue(1, '数量至少为 1'), v.maxValue(MAX_QUANTITY, QUANTITY_MESSAGE)),
  variant: v.nullable(No),
})
export type Product = v.InferOutput<typeof Product>
const Products = v.pipe(
  v.array(Product),
  v.minLength(1, '没有要买的商品'),
  v.maxLength(MAX_LINES, `一次最多买 ${MAX_LINES} 种商品`),
)

const line = {
  ...Product.entries,
  /** The same asked for twice is one line, whatever it comes to. */
  quantity: Count,
  title: v.string(),
  /** Of a variant or duration; '' for none. */
  detail: v.string(),
  cover: v.nullable(Cover),
  /** Fen, of one. */
  price: Count,
}
const Line = v.object(line)
export type OrderLine = v.InferOutput<typeof Line>

/** Where goods go, as it was when the order was made. */
const ShipTo = v.object({
  name: v.string(),
  mobile: v.string(),
  /** 省市区 and the rest. */
  text: v.string(),
})
export type ShipTo = v.InferOutput<typeof ShipTo>

/** Sums in fen: `goods + freight - discount = wallet + due`. */
const sums = {
  goods: Count,
  freight: Count,
  discount: Count,
  /** Of it from the wallet. */
  wallet: Count,
  /** What is left to pay. */
  due: Count,
}

const QuoteCoupon = v.object({
  id: No,
  title: v.string(),
  /** What it takes off this order, fen; 0 when it does not hold for it. */
  discount: Count,
  until: EpochMs,
  /** Why it does not hold; null: it does. */
  why: v.nullable(v.string()),
})
export type QuoteCoupon = v.InferOutput<typeof QuoteCoupon>

/** What an order would come to, now. */
const Quote = v.object({
  lines: v.array(
    v.object({
      ...line,
      /** How many there are; null: it is no matter of number. */
      stock: v.nullable(Count),
      /** What it means to buy it, or why it cannot be; '' for nothing. */
      note: v.string(),
      shut: v.boolean(),
    }),
  ),
  /** There are goods to ship. */
  ships: v.boolean(),
  /** The address that freight was reckoned for; null: there is none yet. */
  address: v.nullable(v.object({ id: OpId, ...ShipTo.entries })),
  ...sums,
  /** How freight comes about. */
  freightWhy: v.string(),
  coupons: v.array(QuoteCoupon),
  /** The one that is taken; '': none. */
  coupon: v.string(),
  /** Why this one. */
  couponWhy: v.string(),
  balance: Count,
  methods: v.array(PayMethod),
  /** What keeps it from being ordered; null: nothing. */
  problem: v.nullable(v.string()),
})
export type Quote = v.InferOutput<typeof Quote>

/** The choices of a quote. */
const Wanted = {
  products: Products,
  /** Absent: the default one. */
  address: v.optional(OpId),
  /** Absent: the best one; '': none. */
  coupon: v.optional(v.pipe(v.string(), v.regex(/^\w{0,64}$/, '优惠券不正确'))),
  /** Pay from the wallet what it holds. */
  wallet: v.boolean(),
}

export const ORDER_STATES = ['pending', 'paid', 'shipped', 'completed', 'cancelled', 'refunding', 'refunded'] as const
/** 待支付, 已支付 (of goods 待发货), 已发货, 已完成, 已取消, 退款中, 已退款. */
export const OrderState = v.picklist(ORDER_STATES)
export type OrderState = v.InferOutput<typeof OrderState>

const head = {
  id: No,
  state: OrderState,
  createdAt: EpochMs,
  /** Until then it can be paid. */
  expiresAt: EpochMs,
  ships: v.boolean(),
  lines: v.array(Line),
  ...sums,
}
export const OrderHead = v.object(head)
export type OrderHead = v.InferOutput<typeof OrderHead>
const Moment = v.nullable(EpochMs)
const OrderDetail = v.object({
  ...head,
  address: v.nullable(ShipTo),
  remark: v.string(),
  coupon: v.nullable(v.string()),
  parcel: v.nullable(v.object({ carrier: v.string(), number: v.string() })),
  paidAt: Moment,
  shippedAt: Moment,
  completedAt: Moment,
  cancelledAt: Moment,
  refundedAt: Moment,
  refund: v.nullable(
    v.object({
      askedAt: EpochMs,
      reason: v.string(),
      /** 同意退款. */
      approvedAt: Moment,
      /** Why it was not agreed to; '' otherwise. */
      declined: v.string(),
    }),
  ),
  /** By which it was paid, besides the wallet. */
  method: v.nullable(PayMethod),
  methods: v.array(PayMethod),
  balance: Count,
})
export type OrderDetail = v.InferOutput<typeof OrderDetail>

/** How the student pays: at an address to go to, or by a phone that scans this text as a code. */
export const PayWay = v.variant('kind', [
  v.object({ kind: v.literal('go'), url: v.string() }),
  v.object({ kind: v.literal('scan'), text: v.string() }),
])
export type PayWay = v.InferOutput<typeof PayWay>

const id = { id: No }
const own = { access: 'user', keep: 'nowhere' } as const
/** As it was seen last, to be looked at without a network. */
const seen = { access: 'user', keep: 'device' } as const

/** Nothing of this is queued: money needs the server. What was only looked at is kept. */
export const order = {
  /** Prices, freight, coupons and sums as the server has them now; nothing is taken. */
  preview: endpoint({ path: 'order/preview', ...own, input: v.object(Wanted), output: Quote }),
  /**
   * Takes stock, coupon and the wallet's part, once for each `key`. `expect` is what the student saw as the sum to be paid in
   * all, fen: an order that would come to another sum is refused. Never a price.
   */
  create: endpoint({
    path: 'order/create',
    ...own,
    input: v.object({
      ...Wanted,
      key: OpId,
      expect: Count,
      remark: v.pipe(v.string(), v.trim(), v.maxLength(MAX_REMARK, `备注最多 ${MAX_REMARK} 字`)),
    }),
    output: v.object({ ...id, state: OrderState }),
  }),
  /** Begins a payment; by the wallet it is done at once, and there is no way to go. */
  pay: endpoint({
    path: 'order/pay',
    ...own,
    input: v.object({ ...id, method: PayMethod, device: Device }),
    output: v.object({ state: OrderState, way: v.nullable(PayWay) }),
  }),
  /** Where it stands, after the provider was asked if that may tell more. */
  state: endpoint({
    path: 'order/state',
    ...own,
    input: v.object(id),
    /** `open`: a payment was begun that may still be paid. */
    output: v.object({ state: OrderState, open: v.boolean() }),
  }),
  detail: endpoint({ path: 'order/detail', ...seen, input: v.object(id), output: OrderDetail }),
  /** The newest first. */
  list: endpoint({
    path: 'order/list',
    ...seen,
    /** No states: all. */
    input: v.object({ states: v.array(OrderState), cursor: v.optional(No) }),
    output: v.object({ orders: v.array(OrderHead), next: v.nullable(No) }),
  }),
  cancel: endpoint({ path: 'order/cancel', ...own, input: v.object(id), output: OrderDetail }),
  /** 确认收货. */
  receive: endpoint({ path: 'order/receive', ...own, input: v.object(id), output: OrderDetail }),
  askRefund: endpoint({
    path: 'order/askRefund',
    ...own,
    input: v.object({
      ...id,
      reason: v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty('请填写退款原因'),
        v.maxLength(MAX_REASON, `原因最多 ${MAX_REASON} 字`),
      ),
    }),
    output: OrderDetail,
  }),
}
