import { writeTime } from '#server/content/media/time.ts'
import { type CouponShown, readAll, readCodes } from '#server/coupon/store.ts'
import type { Db } from '#server/db/open.ts'
import { giveCoupons, importCoupons, makeActivationCodes, makeCouponCode, Wrong } from './couponActs.ts'
import { type CommandResult, finish, misuse, readCommand, readSettings, refuse } from './commandLine.ts'
import { withDatabase } from './database.ts'

const HELP = `用法：npm run coupons -- <命令> [选项]

命令
  import 文件.json                          新增或更新优惠券（格式见 docs/coupons.md）
  check 文件.json                           只检查，不改动
  give 编号 手机号… | give 编号 --all         发给这些学生，或全部学生；同一张每人只发一次
  codes 编号 --uses 次数 [--code 自定的码]     一个码，许多学生各兑一次；不写 --code 则随机
  activation 时长编号 数量 --out 文件.csv      图书激活码，每个只能用一次
  show                                     优惠券与兑换码的发放、使用情况

选项
  --json   show 以 JSON 输出

码只在生成时显示一次，库里不存原文。改动立即生效，全部成功或全部不变；改动记录见 npm run site -- show --log。
环境变量 DATA_DIR、DATABASE_URL 与服务端相同。
退出码：0 成功，1 有错误，2 用法不对。`

const text = { type: 'string' } as const
const options = { all: { type: 'boolean' }, uses: text, code: text, out: text } as const
const { values, command, words: rest, asJson } = readCommand(HELP, options)
const act = chosen(Date.now()) ?? misuse('少了、多了或写错了什么', command)
const env = readSettings()
try {
  const { code, lines } = await withDatabase(env, act)
  finish(code, lines.join('\n'))
} catch (error) {
  if (error instanceof Wrong) refuse(`${error.message}\n有错误，未改动。`)
  throw error
}

/** Null: wrong use. */
function chosen(now: number): ((db: Db) => Promise<CommandResult>) | null {
  const { all = false, uses, code, out } = values
  const [first, second, ...more] = rest
  if (command === 'show' && first === undefined) return show
  if (first === undefined) return null
  if (command === 'give' && all === (second === undefined))
    return (db) => giveCoupons(db, first, all ? null : [...new Set(rest.slice(1))], now)
  if (command === 'activation' && second !== undefined && more.length === 0 && out !== undefined)
    return (db) => makeActivationCodes(db, first, second, out, now)
  if (second !== undefined) return null
  if (command === 'import' || command === 'check') return (db) => importCoupons(db, first, command === 'check', now)
  if (command === 'codes' && uses !== undefined) return (db) => makeCouponCode(db, first, uses, code, now)
  return null
}

async function show(db: Db): Promise<CommandResult> {
  const [coupons, codes] = await Promise.all([readAll(db), readCodes(db)])
  if (asJson) return { code: 0, lines: [JSON.stringify({ coupons, codes })] }
  const lines = [
    `优惠券 ${coupons.length} 种`,
    ...coupons.map(toldCoupon),
    '兑换码',
    ...codes.map(({ no, codes: many, uses, used }) => `  ${no}：${many} 个，可兑 ${uses} 次，已兑 ${used} 次`),
    ...(codes.length === 0 ? ['  无'] : []),
  ]
  return { code: 0, lines }
}

function toldCoupon({ no, title, off, threshold, kinds, from, until, withdrawn, owned, used }: CouponShown): string {
  const most = off.most === null ? '' : `，最多 ${off.most / 100} 元`
  const takes = off.kind === 'fen' ? `减 ${off.value / 100} 元` : `减 ${off.value}%${most}`
  const where = kinds.length === 0 ? '全部商品' : kinds.join('、')
  const when = `${writeTime(from)} 至 ${writeTime(until)}`
  const stopped = withdrawn ? '，已停发' : ''
  return `  ${no} ${title}：满 ${threshold / 100} 元${takes}，${where}，${when}${stopped}；发出 ${owned}，已用 ${used}`
}
