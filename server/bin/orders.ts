import { parseArgs } from 'node:util'
import { OrderState } from '#src/contract/order.ts'
import * as v from 'valibot'
import { readEnvironment } from '#server/environment.ts'
import { Refusal } from '#server/http/handlers.ts'
import { type Listed, listOrders, operate, type OperatorAct } from '#server/order/operator.ts'
import { withDatabase } from './database.ts'

const HELP = `用法：npm run orders -- <命令> [选项]

命令
  list [--state 状态]            等待处理的订单（待发货、退款申请），等得久的在前
                                状态：pending paid shipped completed cancelled refunding refunded
  ship    订单号 快递公司 运单号    发货
  refund  订单号 [--restock]      同意退款：收回权益，款项原路退回（由运行中的服务完成）；--restock 图书放回库存
  decline 订单号 原因              不同意退款，订单回到申请前的状态，学生看到原因

选项
  --json   以 JSON 输出结果

环境变量 DATA_DIR、DATABASE_URL 与服务端相同；服务运行时也可以使用。
退出码：0 成功，1 该订单不能这样处理，2 用法不对。`
const STATES: Record<OrderState, string> = {
  pending: '待支付',
  paid: '待发货',
  shipped: '已发货',
  completed: '已完成',
  cancelled: '已取消',
  refunding: '退款中',
  refunded: '已退款',
}
const LISTED = 200

const { values, positionals } = parsed()
const [command, id, ...rest] = positionals
if (values.help || !command) finish(values.help ? 0 : 2, HELP)
const env = readEnvironment(process.env)
if ('faults' in env) finish(2, env.faults.join('\n'))
if (command === 'list' && id === undefined) {
  const state = v.safeParse(v.optional(OrderState), values.state)
  if (!state.success) finish(2, HELP)
  const orders = await withDatabase(env, (db) => listOrders(db, state.output ? [state.output] : [], LISTED))
  finish(0, values.json ? JSON.stringify(orders) : orders.map(told).join('\n\n') || '没有这样的订单')
}
const act = asked()
if (!act || id === undefined) finish(2, HELP)
try {
  const state = await withDatabase(env, (db) => operate(db, id, act, Date.now()))
  finish(0, values.json ? JSON.stringify({ id, state }) : `订单 ${id}：${STATES[state]}`)
} catch (error) {
  if (error instanceof Refusal) finish(1, error.message)
  throw error
}

/** Null: wrong use. */
function asked(): OperatorAct | null {
  const [first = '', second = '', more] = rest
  if (more !== undefined) return null
  if (command === 'ship' && first && second) return { kind: 'ship', parcel: { carrier: first, number: second } }
  if (command === 'refund' && !first) return { kind: 'approve', restock: values.restock ?? false }
  return command === 'decline' && first && !second ? { kind: 'decline', reason: first } : null
}

function told({ id: no, state, createdAt, lines, address, wallet, due, remark, refundReason, parcel }: Listed): string {
  const at = new Date(createdAt).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' })
  return [
    `${no}  ${STATES[state]}  ${at}  ¥${((wallet + due) / 100).toFixed(2)}`,
    ...lines.map(({ title, detail, quantity }) => `  ${title}${detail && `（${detail}）`} × ${quantity}`),
    ...(address ? [`  ${address.name} ${address.mobile} ${address.text}`] : []),
    ...(parcel ? [`  ${parcel.carrier} ${parcel.number}`] : []),
    ...(remark ? [`  备注：${remark}`] : []),
    ...(state === 'refunding' && refundReason ? [`  退款原因：${refundReason}`] : []),
  ]
    .map(plain)
    .join('\n')
}

/** Students write some of it: nothing of theirs may begin a line, nor steer the terminal. */
function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

function parsed() {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: { state: { type: 'string' }, restock: flag, json: flag, help: { ...flag, short: 'h' } },
    })
  } catch (error) {
    return finish(2, `${error instanceof Error ? error.message : ''}\n\n${HELP}`)
  }
}

function finish(code: number, message: string): never {
  ;(code === 0 ? console.log : console.error)(message)
  process.exit(code)
}
