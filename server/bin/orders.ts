import { parseArgs } from 'node:util'
import { MAX_REASON, OrderState } from '#src/contract/order.ts'
import * as v from 'valibot'
import type { Db } from '#server/db/open.ts'
import { readEnvironment } from '#server/environment.ts'
import { Refusal } from '#server/http/handlers.ts'
import { listOrders, operate, type OperatorAct, payOutWallet } from '#server/order/operator.ts'
import { listTroubles, type Outcome, resolve } from '#server/order/troubles.ts'
import { withDatabase } from './database.ts'
import { STATES, toldOrder, toldTrouble, yuan } from './ordersTold.ts'
import { sayFailures, wrongUse } from './failures.ts'

sayFailures()

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

const { values, positionals } = parsed()
const [command = '', id = '', ...rest] = positionals
if (values.help || command === '') finish(values.help ? 0 : 2, HELP)
const env = readEnvironment(process.env)
if ('faults' in env) finish(2, env.faults.join('\n'))
const act = chosen()
if (!act) finish(2, HELP)
try {
  const { told, data } = await withDatabase(env, (db) => act(db, Date.now()))
  finish(0, values.json ? JSON.stringify(data) : told)
} catch (error) {
  if (error instanceof Refusal) finish(1, error.message)
  throw error
}

/** Null: wrong use. */
function chosen(): Act | null {
  if (values.reason !== undefined && (values.reason.trim() === '' || values.reason.length > MAX_REASON)) return null
  if (id === '') return command === 'list' ? list() : command === 'troubles' ? troubles : null
  const onOrder = orderAct()
  if (onOrder)
    return async (db, now) => {
      const state = await operate(db, id, onOrder, now)
      return { told: `订单 ${id}：${STATES[state]}`, data: { id, state } }
    }
  if (command === 'payout') return rest.length === 0 ? payOut : null
  const outcome = outcomeOf()
  if (!outcome) return null
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
  if (command !== 'resolve' || more !== undefined || values.reason === undefined) return null
  if (result === 'unpaid' || result === 'returned') return { kind: result }
  const amount = values.amount === undefined ? null : fenOf(values.amount)
  if (result !== 'paid' || !values.ref || amount === 0) return null
  return { kind: 'paid', ref: values.ref, amount }
}

/** Fen of an amount in yuan; 0 for anything else. */
function fenOf(text: string): number {
  const [, whole = '0', cents = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

function list(): Act | null {
  const state = v.safeParse(v.optional(OrderState), values.state)
  if (!state.success) return null
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

async function payOut(db: Db, now: number): Promise<Done> {
  const data = await payOutWallet(db, id, now)
  const { sum, payments, left } = data
  const rest_ = left > 0 ? `；还有 ${yuan(left)} 等前一次退还办完后再退` : ''
  return { told: `从 ${payments} 笔充值原路退回 ${yuan(sum)}${rest_}`, data }
}

function parsed() {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        state: text,
        reason: text,
        ref: text,
        amount: text,
        restock: flag,
        json: flag,
        help: { ...flag, short: 'h' },
      },
    })
  } catch (error) {
    return finish(2, `${wrongUse(error)}\n\n${HELP}`)
  }
}

function finish(code: number, message: string): never {
  ;(code === 0 ? console.log : console.error)(message)
  process.exit(code)
}
