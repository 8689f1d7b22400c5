import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { OrderState, PayMethod, ShipTo, SoldKind } from '#src/contract/order.ts'
import type { Cover } from '#src/contract/scalar.ts'
import type { BookDetail, BookKind, BookPicture } from '#src/contract/store.ts'
import type { VipFeature, VipUnlock } from '#src/contract/vip.ts'

/** Money comes and goes through these. The wallet is no provider. */
export type ProviderName = Exclude<PayMethod, 'wallet'>
/** The kind of device a payment was begun on: a phone is sent to the provider's app, a desktop shows a code. */
export type PayDevice = 'phone' | 'desktop'

/** What is sold, and for what. Money is fen, times are epoch ms. */
export interface SaleTables {
  /** 图书: `rev` is the hash of what its file said, stock apart. */
  book: {
    no: string
    kind: BookKind
    title: string
    author: string
    intro: string
    details: JSONColumnType<BookDetail['details']>
    /** The cover first. */
    pictures: JSONColumnType<BookPicture[]>
    directions: string[]
    areas: string[]
    published_at: number
    withdrawn: boolean
    rev: string
    position: number
  }
  /**
   * 规格: what is ordered. Never deleted: orders will name it. `stock` is what can be sold now: receipts and cancelled orders add to
   * it, orders take from it. `gives` is a duration of VIP, by an activation code.
   */
  book_variant: {
    no: string
    book_no: string
    name: string
    price: number
    weight: number
    gives: string | null
    stock: Generated<number>
    sold: Generated<number>
    position: number
    retired: boolean
  }
  /** 入库单: each counts for its variant once, whatever file says it again. Negative: 报损. */
  stock_receipt: { variant_no: string; receipt: string; count: number; at: number }

  /** A line of the table that VIP packages are compared by; `free`: what it says of one who has none. */
  vip_feature: { no: string; name: string; free: ColumnType<VipFeature['has'], string, string>; position: number }
  vip_package: {
    no: string
    title: string
    summary: string
    intro: string
    /** What it says on each line, by the line's number; left out: it has not. */
    features: JSONColumnType<Record<string, VipFeature['has']>>
    unlocks: JSONColumnType<VipUnlock[]>
    directions: string[]
    areas: string[]
    withdrawn: boolean
    rev: string
    position: number
  }
  /** 时长: what is ordered. Never deleted. `days` null: until the student's exam day. */
  vip_duration: {
    no: string
    package_no: string
    name: string
    days: number | null
    price: number
    position: number
    retired: boolean
  }

  /** Kept by the ledger's own trigger: what its entries of account `wallet` come to. Its row is the lock on a student's money. */
  wallet: { uid: string; balance: Generated<number> }
  /**
   * 复式账: those of one `tx` come to nothing. `wallet` is the student's, `held` what we hold of theirs for an order, `sales` ours,
   * `outside:<provider>` a provider's. Only ever added to; `balance` is the wallet's after it.
   */
  ledger_entry: {
    uid: string
    tx: string
    account: string
    amount: number
    kind: string
    order_id: string | null
    balance: Generated<number | null>
    at: number
    seq: Generated<number>
  }
  coupon: {
    no: string
    title: string
    off_kind: 'fen' | 'percent'
    off_value: number
    off_most: number | null
    threshold: number
    kinds: SoldKind[]
    from_at: number
    until_at: number
    withdrawn: boolean
  }
  /** `order_id`: the order it is taken for. */
  coupon_owned: {
    uid: string
    id: string
    coupon_no: string
    at: number
    order_id: string | null
    used_at: number | null
  }
  /** 兑换码, known by keyed hash: of a coupon, or of a duration of VIP, with the `days` that it was made with. */
  redeem_code: {
    hash: string
    coupon_no: string | null
    duration_no: string | null
    days: number | null
    uses: number
    used: Generated<number>
    at: number
  }
  redemption: { hash: string; uid: string; at: number }
  /** Sums in fen: goods + freight - discount = wallet + due. Times in epoch ms. */
  orders: {
    uid: string
    id: string
    key: string
    state: OrderState
    created_at: number
    expires_at: number
    ships: boolean
    goods: number
    freight: number
    discount: number
    wallet: number
    due: number
    coupon_id: string | null
    address: JSONColumnType<ShipTo> | null
    remark: string
    parcel: JSONColumnType<{ carrier: string; number: string }> | null
    paid_at: number | null
    shipped_at: number | null
    completed_at: number | null
    cancelled_at: number | null
    refunded_at: number | null
    refund_asked_at: number | null
    refund_asked_in: OrderState | null
    refund_reason: string | null
    refund_approved_at: number | null
    refund_declined: string | null
  }
  /** As it was sold: `weight` in grams of what is shipped; `days` and `until` what it gives the right for. */
  order_line: {
    uid: string
    order_id: string
    at: number
    kind: SoldKind
    no: string
    variant: string | null
    title: string
    detail: string
    cover: JSONColumnType<Cover> | null
    price: number
    quantity: number
    weight: number | null
    days: number | null
    until: number | null
  }
  /**
   * What a provider was asked for; `order_id` null: a top-up, with its `key`. `ask_at`: when the provider is asked next. `differs`:
   * another sum `came`. `stranded_at`: since then its provider is not configured. Of what came, `returned` has gone back in
   * `refund_no` refunds, and `refund_amount` is on its way since `owed_at`.
   */
  payment: {
    id: string
    uid: string
    order_id: string | null
    key: string | null
    provider: ProviderName
    device: PayDevice
    amount: number
    state: Generated<'open' | 'paid' | 'closed' | 'differs'>
    came: number | null
    begun_at: number
    expires_at: number
    ref: string | null
    paid_at: number | null
    ask_at: number
    asked: Generated<number>
    stranded_at: number | null
    refund_state: 'due' | 'pending' | 'done' | null
    refund_at: Generated<number>
    refunded_at: number | null
    refund_no: Generated<number>
    refund_amount: Generated<number>
    returned: Generated<number>
    owed_at: number | null
    refund_failed_at: number | null
  }
  /** The sandbox's own book: nobody else reads it. */
  sandbox_payment: {
    id: string
    amount: number
    title: string
    state: Generated<'open' | 'paid' | 'closed'>
    expires_at: number
    paid_at: number | null
    refunded: Generated<number>
    refunds: Generated<string[]>
  }
}
