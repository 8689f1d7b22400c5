import { MAX_REASON, OrderState } from '#src/contract/order.ts'
import * as v from 'valibot'
import type { Db } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { listOrders, operate, type OperatorAct, payOutWallet } from '#server/order/operator.ts'
import { voidSandboxMoney } from '#server/order/sandboxMoney.ts'
import { listTroubles, type Outcome, resolve } from '#server/order/troubles.ts'
import { finish, misuse, readCommand, readSettings, refuse } from './commandLine.ts'
import { withDatabase } from './database.ts'
import { STATES, toldOrder, toldTrouble, yuan } from './ordersTold.ts'

const HELP = `用法：npm run orders -- <命令> [选项]

订单
  list [--state 状态]              等待处理的订单（待发货、退款申请），等得久的在前
                                  状态：pending paid shipped completed cancelled refunding refunded
  ship    订单号 快递公司 运单号      发货
  refund  订单号                    同意学生的退款申请
  refund  订单号 --reason 原因       主动退款：学生没有申请、已过期限、申请曾被拒绝或发不了货的订单；学生看到原因
                                  都会收回权益，款项原路退回（由运行中的服务完成）
                                  图书：没有发货的放回库存，已发货的不放；--restock 放回，--no-restock 不放
  decline 订单号 原因                不同意退款，订单回到申请前的状态，学生看到原因

款项
  troubles                        需要人工处理的款项，以及怎样处理
  return  支付单号                  金额不符的付款，原路退回付款人
  resolve 支付单号 结果 --reason 原因  在支付平台核对、处理之后，由你确认结果：
                                  paid     已付，同时写 --ref 平台交易号；金额不同时写 --amount 元
                                  unpaid   没有付
                                  returned 已经退回
  void-sandbox                    开始收款之后，作废以前的沙箱款项：沙箱充的余额清零，用它买的订单退掉、权益收回
  payout  手机号或订单号              退还这名学生的钱包余额：从最近的充值起，原路退回

选项
  --json   以 JSON 输出结果

重复执行不会多发、多退。操作记录见 npm run site -- show --log。
环境变量 DATA_DIR、DATABASE_URL 与服务端相同；服务运行时也可以使用。
退出码：0 成功，1 不能这样处理，2 用法不对。`
const LISTED = 200
/** What was done, in words and as data. */
interface Done {
  told: string
  data: unknown
}
type Act = (db: Db, now: number) => Promise<Done>

const text = { type: 'string' } as const
const options = { state: text, reason: text, ref: text, amount: text, restock: { type: 'boolean' } } as const
const { values, command, words, asJson } = readCommand(HELP, options)
const [id = '', ...rest] = words
const act = chosen()
const env = readSettings()
try {
  const { told, data } = await withDatabase(env, (db) => act(db, Date.now()))
  finish(0, asJson ? JSON.stringify(data) : told)
} catch (error) {
  if (error instanceof Refusal) refuse(error.message)
  throw error
}

function chosen(): Act {
  if (values.reason !== undefined && (values.reason.trim() === '' || values.reason.length > MAX_REASON))
    misuse(`--reason 写 1 到 ${MAX_REASON} 字`, command)
  if (command === 'list' || command === 'troubles' || command === 'void-sandbox') {
    if (id !== '') misuse(`多了 ${words.join('、')}`, command)
    return command === 'list' ? list() : command === 'troubles' ? troubles : voidSandbox
  }
  if (id === '') misuse(command === 'return' || command === 'resolve' ? '没有写支付单号' : '没有写订单号', command)
  const onOrder = orderAct()
  if (onOrder)
    return async (db, now) => {
      const state = await operate(db, id, onOrder, now)
      return { told: `订单 ${id}：${STATES[state]}`, data: { id, state } }
    }
  if (command === 'payout' && rest.length === 0) return payOut
  const outcome = outcomeOf() ?? misuse('少了、多了或写错了什么', command)
  const reason = values.reason ?? '金额不符'
  return async (db, now) => {
    await resolve(db, id, outcome, reason, now)
    return { told: `支付单 ${id}：已处理`, data: { id, outcome: outcome.kind } }
  }
}

/** Null: it is none. */
function orderAct(): OperatorAct | null {
  const [first = '', second = '', more] = rest
  const { restock, reason } = values
  if (more !== undefined) return null
  if (command === 'ship' && first && second) return { kind: 'ship', parcel: { carrier: first, number: second } }
  if (command === 'refund' && !first)
    return { kind: 'approve', ...(reason !== undefined && { reason }), ...(restock !== undefined && { restock }) }
  return command === 'decline' && first && !second ? { kind: 'decline', reason: first } : null
}

/** Null: it is none. */
function outcomeOf(): Outcome | null {
  const [result, more] = rest
  if (command === 'return' && result === undefined) return { kind: 'return' }
  if (command !== 'resolve' || more !== undefined) return null
  if (values.reason === undefined) misuse('要写 --reason 原因：在支付平台核对的结果', command)
  if (result === 'unpaid' || result === 'returned') return { kind: result }
  if (result !== 'paid') misuse(`没有结果 ${result ?? ''}：写 paid、unpaid 或 returned`, command)
  if (!values.ref) misuse('已付的要写 --ref 平台交易号', command)
  const amount = values.amount === undefined ? null : fenOf(values.amount)
  if (amount === 0) misuse(`--amount ${values.amount} 不是金额：写元，最多两位小数`, command)
  return { kind: 'paid', ref: values.ref, amount }
}

/** Fen of an amount in yuan; 0 for anything else. */
function fenOf(text: string): number {
  const [, whole = '0', cents = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

function list(): Act {
  const state = v.safeParse(v.optional(OrderState), values.state)
  if (!state.success) return misuse(`没有状态 ${values.state}`, command)
  const states = state.output ? [state.output] : []
  return async (db) => {
    const orders = await listOrders(db, states, LISTED)
    return { told: orders.map(toldOrder).join('\n\n') || '没有这样的订单', data: orders }
  }
}

async function troubles(db: Db, now: number): Promise<Done> {
  const all = await listTroubles(db, now)
  return { told: all.map(toldTrouble).join('\n\n') || '没有需要人工处理的款项', data: all }
}

async function voidSandbox(db: Db, now: number): Promise<Done> {
  const data = await voidSandboxMoney(db, now)
  const { students, sum, orders } = data
  const given = orders.length > 0 ? `，退掉 ${orders.length} 笔订单：${orders.join('、')}` : ''
  return {
    told: students > 0 ? `作废了 ${students} 名学生的沙箱款项 ${yuan(sum)}${given}` : '没有要作废的沙箱款项',
    data,
  }
}

async function payOut(db: Db, now: number): Promise<Done> {
  const data = await payOutWallet(db, id, now)
  const { sum, payments, left } = data
  const rest_ = left > 0 ? `；还有 ${yuan(left)} 等前一次退还办完后再退` : ''
  return { told: `从 ${payments} 笔充值原路退回 ${yuan(sum)}${rest_}`, data }
}
