import { call } from '#src/api/client.ts'
import { address } from '#src/contract/address.ts'
import { consent } from '#src/contract/consent.ts'
import { coupon } from '#src/contract/coupon.ts'
import { order, type OrderLine } from '#src/contract/order.ts'
import { reminder } from '#src/contract/reminder.ts'
import { myWalletRecord } from '#src/contract/wallet.ts'
import { CONSENT_NAMES } from '#src/domain/app/agreements.ts'
import { COUPON_STATE_NAMES, goodsText, ORDER_STATE_NAMES, WALLET_KIND_NAMES } from '#src/domain/money/orderNames.ts'
import { regionName } from '#src/domain/address/regions.ts'
import { momentText, type OnlineName } from './exportTables.ts'

interface Asking {
  signal: AbortSignal
  /** So many rows have come. */
  tell: (rows: number) => void
}
interface Part<T> {
  columns: readonly string[]
  read: (asking: Asking) => Promise<T[]>
  /** A line of the table. */
  cells: (row: T) => string[]
  /** An entry of the whole file: sums in yuan, states in words. */
  entry: (row: T) => object
}
/** One part of what only the server has, in both forms. */
export interface OnlinePart {
  columns: readonly string[]
  lines: string[][]
  entries: object[]
}

/** 12.30, of fen. */
const yuan = (fen: number): string => (fen / 100).toFixed(2)
const moment = (at: number): string => new Date(at).toISOString()
/** A spreadsheet makes a rounded number of more than eleven digits, but a text of what a tab stands before. */
const digits = (text: string): string => (text === '' ? '' : `\t${text}`)

/** A list page by page, to its end. */
async function toEnd<T>(
  { signal, tell }: Asking,
  page: (cursor: { cursor?: string }) => Promise<{ rows: T[]; next: string | null }>,
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | null = null
  do {
    signal.throwIfAborted()
    const { rows, next } = await page(cursor === null ? {} : { cursor })
    all.push(...rows)
    tell(all.length)
    cursor = next
  } while (cursor !== null)
  return all
}
const part = <T>({ read, columns, cells, entry }: Part<T>) =>
  async function (asking: Asking): Promise<OnlinePart> {
    const rows = await read(asking)
    return { columns, lines: rows.map(cells), entries: rows.map(entry) }
  }

const lineText = ({ title, detail, quantity }: OrderLine): string =>
  `${title}${detail && ` ${detail}`}${quantity > 1 ? ` × ${quantity}` : ''}`

const orders = part({
  columns: [
    '订单编号',
    '状态',
    '下单时间',
    '商品',
    '商品金额（元）',
    '运费（元）',
    '优惠（元）',
    '钱包部分（元）',
    '其余部分（元）',
    '合计（元）',
  ],
  read: (asking) =>
    toEnd(asking, async (cursor) => {
      const { orders: rows, next } = await call(order.list, { states: [], ...cursor }, { signal: asking.signal })
      return { rows, next }
    }),
  cells: ({ id, state, createdAt, lines, goods, freight, discount, wallet, due }) => [
    digits(id),
    ORDER_STATE_NAMES[state],
    momentText(createdAt),
    lines.map(lineText).join('；'),
    ...[goods, freight, discount, wallet, due, wallet + due].map(yuan),
  ],
  entry: ({ id, state, createdAt, lines, goods, freight, discount, wallet, due }) => ({
    id,
    state: ORDER_STATE_NAMES[state],
    createdAt: moment(createdAt),
    lines: lines.map(({ kind, no, title, detail, price, quantity }) => ({
      kind,
      no,
      title,
      detail,
      price: yuan(price),
      quantity,
    })),
    goods: yuan(goods),
    freight: yuan(freight),
    discount: yuan(discount),
    wallet: yuan(wallet),
    due: yuan(due),
    total: yuan(wallet + due),
  }),
})

const walletRecords = part({
  columns: ['时间', '类型', '商品', '金额（元）', '余额（元）', '订单编号'],
  read: (asking) =>
    toEnd(asking, async (cursor) => {
      const { records: rows, next } = await call(myWalletRecord, cursor, { signal: asking.signal })
      return { rows, next }
    }),
  cells: ({ at, kind, goods, amount, balance, order: id }) => [
    momentText(at),
    WALLET_KIND_NAMES[kind],
    goods ? goodsText(goods) : '',
    yuan(amount),
    yuan(balance),
    digits(id ?? ''),
  ],
  entry: ({ id, at, kind, goods, amount, balance, order: of }) => ({
    id,
    at: moment(at),
    kind: WALLET_KIND_NAMES[kind],
    goods: goods && goodsText(goods),
    amount: yuan(amount),
    balance: yuan(balance),
    order: of,
  }),
})

const coupons = part({
  columns: ['优惠券', '状态', '减免', '门槛（元）', '开始', '到期', '订单编号'],
  read: async ({ signal }) => (await call(coupon.mine, {}, { signal })).coupons,
  cells: ({ title, state, off: { kind, value }, threshold, from, until, order: id }) => [
    title,
    COUPON_STATE_NAMES[state],
    kind === 'fen' ? `${yuan(value)} 元` : `${value}%`,
    yuan(threshold),
    momentText(from),
    momentText(until),
    digits(id ?? ''),
  ],
  entry: ({ state, off, threshold, from, until, ...rest }) => ({
    ...rest,
    state: COUPON_STATE_NAMES[state],
    off: off.kind === 'fen' ? { yuan: yuan(off.value) } : { percent: off.value, most: off.most && yuan(off.most) },
    threshold: yuan(threshold),
    from: moment(from),
    until: moment(until),
  }),
})

const addresses = part({
  columns: ['收件人', '手机号', '地区', '详细地址', '默认'],
  read: ({ signal }) => call(address.myAddress, {}, { signal }),
  cells: (each) => [each.name, each.mobile, regionName(each), each.detail, each.isDefault ? '是' : ''],
  entry: ({ name, mobile, detail, isDefault, ...place }) => ({
    name,
    mobile,
    region: regionName(place),
    detail,
    isDefault,
  }),
})

/** The address itself is left out: whoever has it and the keys could send messages there. */
const remindedDevices = part({
  columns: ['设备', '推送服务', '开启时间'],
  read: async ({ signal }) => (await call(reminder.state, {}, { signal })).devices,
  cells: ({ device, service, since }) => [device, service, momentText(since)],
  entry: ({ device, service, since }) => ({ device, service, since: moment(since) }),
})

const consents = part({
  columns: ['项目', '版本', '同意', '时间', '设备'],
  read: async ({ signal }) => (await call(consent.read, {}, { signal })).log,
  cells: ({ kind, version, given, at, device }) => [
    CONSENT_NAMES[kind],
    version === null ? '' : String(version),
    given ? '是' : '否',
    momentText(at),
    device,
  ],
  entry: ({ kind, version, given, at, device }) => ({
    name: CONSENT_NAMES[kind],
    version,
    given,
    at: moment(at),
    device,
  }),
})

/** Asks the server for the whole of it. */
export const ONLINE = { orders, walletRecords, coupons, addresses, remindedDevices, consents } satisfies Record<
  OnlineName,
  (asking: Asking) => Promise<OnlinePart>
>
