import { parseArgs } from 'node:util'
import { FOR_GOOD } from '#src/domain/rights.ts'
import { writeTime } from '#server/content/time.ts'
import { readEnvironment } from '#server/environment.ts'
import { Refusal } from '#server/http/handlers.ts'
import { findStudents, type Found, resetStudent, RESETS } from '#server/user/operator.ts'
import { withDatabase } from './database.ts'
import { STATES, yuan } from './ordersTold.ts'
import { sayFailures, wrongUse } from './failures.ts'

sayFailures()

const HELP = `用法：npm run users -- <命令> [选项]

命令
  find  手机号 | 学生编号 | 订单号 | 昵称   查找学生：登录设备、作答与同步、权益、订单、余额
  reset 手机号 | 学生编号                登录不了时：清除密码（改用验证码登录）、退出所有设备、解除次数限制
        --password | --sessions | --limits   只做其中几项
        清除密码必定退出所有设备；设备上还没有上传的作答留在设备里，重新登录后照常上传

选项
  --json   以 JSON 输出结果

操作记录见 npm run site -- show --log。
环境变量 DATA_DIR、DATABASE_URL 与服务端相同；服务运行时也可以使用。
退出码：0 成功，1 没有这样的学生，2 用法不对。`

const { values, positionals } = parsed()
const [command, who = '', ...more] = positionals
if (values.help || !command) finish(values.help ? 0 : 2, HELP)
const env = readEnvironment(process.env)
if ('faults' in env) finish(2, env.faults.join('\n'))
const now = Date.now()
const chosen = RESETS.filter((each) => values[each])
if (who.trim() === '' || more.length > 0) finish(2, HELP)
if (command === 'find' && chosen.length === 0) {
  const found = await withDatabase(env, (db) => findStudents(db, who.trim(), now))
  const words = found.length > 0 ? found.map(told).join('\n\n') : '没有这样的学生'
  finish(found.length > 0 ? 0 : 1, values.json ? JSON.stringify(found) : words)
}
if (command !== 'reset') finish(2, HELP)
try {
  const resets = chosen.length > 0 ? chosen : RESETS
  const uid = await withDatabase(env, (db) => resetStudent(db, who.trim(), resets, now))
  finish(0, values.json ? JSON.stringify({ uid, resets }) : `学生 ${uid}：已处理`)
} catch (error) {
  if (error instanceof Refusal) finish(1, error.message)
  throw error
}

function told(found: Found): string {
  const { uid, mobile, nickname, createdAt, hasPassword, balance, orders, rights, sessions, devices } = found
  const counts = Object.entries(orders).map(([state, n]) => `${STATES[state as keyof typeof STATES]} ${n}`)
  const refused = Object.entries(found.refused).map(([code, n]) => `${code} ${n}`)
  return [
    `${uid}  ${mobile}  ${clean(nickname)}  ${writeTime(createdAt)} 注册，${hasPassword ? '有密码' : '没有密码（验证码登录）'}`,
    `  余额 ${yuan(balance)}；订单 ${counts.join('、') || '无'}`,
    `  权益 ${rights.map(({ kind, no, until }) => `${kind} ${no}（${until >= FOR_GOOD ? '长期' : `到 ${writeTime(until)}`}）`).join('、') || '无'}`,
    ...(sessions.length > 0 ? ['  登录中'] : ['  没有登录中的设备']),
    ...sessions.map(({ device, seenAt }) => `    ${clean(device) || '未知设备'}，${writeTime(seenAt)} 用过`),
    `  作答 ${found.answers} 次，纠错 ${found.reports} 条${refused.length > 0 ? `，未接受的操作 ${refused.join('、')}` : ''}`,
    ...devices.map(({ device, seenAt }) => `    设备 ${clean(device).slice(0, 8)} 最近同步 ${writeTime(seenAt)}`),
  ].join('\n')
}

/** Students write some of it: nothing of theirs may steer the terminal. */
function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
}

function parsed() {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: { password: flag, sessions: flag, limits: flag, json: flag, help: { ...flag, short: 'h' } },
    })
  } catch (error) {
    return finish(2, `${wrongUse(error)}\n\n${HELP}`)
  }
}

function finish(code: number, message: string): never {
  ;(code === 0 ? console.log : console.error)(message)
  process.exit(code)
}
