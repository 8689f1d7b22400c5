import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { FOR_GOOD } from '#src/domain/money/rights.ts'
import { exportPerson } from '#server/agreement/exportPerson.ts'
import { writeTime } from '#server/content/media/time.ts'
import { Refusal } from '#server/http/handlers.ts'
import { EVENT_NAMES, KEPT_DAYS, readEvents, type SecurityEvent } from '#server/security/store.ts'
import { findStudents, type Found, resetStudent, RESETS } from '#server/user/operator.ts'
import { finish, misuse, readCommand, readSettings, refuse } from './commandLine.ts'
import { withDatabase } from './database.ts'
import { STATES, yuan } from './ordersTold.ts'
import { plainLine } from './plainLine.ts'

const HELP = `用法：npm run users -- <命令> [选项]

命令
  find  手机号 | 学生编号 | 订单号 | 昵称   查找学生：登录设备、作答与同步、权益、订单、余额
  reset 手机号 | 学生编号                登录不了时：清除密码（改用验证码登录）、退出所有设备、解除次数限制
        --password | --sessions | --limits   只做其中几项
        清除密码必定退出所有设备；设备上还没有上传的作答留在设备里，重新登录后照常上传
  log   [--mobile 手机号] [--days 天数]  安全记录：登录失败、达到上限、新设备登录、密码与手机号的更改、退出设备、注销
        最近 7 天的，最多 180 天；新的在前，最多列出 1000 条；记录里的手机号只有部分数字，没有密码和验证码
        同一网络一小时内同类失败最多记 30 条，全站 300 条
  export 手机号 | 学生编号 文件.json --authority 机关名称 --reason 文书号与事由
        应主管部门的要求导出一名学生的全部信息，先记入操作记录；没有密码和登录凭证，文件只有当前用户可读

选项
  --json   以 JSON 输出结果

操作记录见 npm run site -- show --log。
环境变量 DATA_DIR、DATABASE_URL 与服务端相同；服务运行时也可以使用。
退出码：0 成功，1 没有这样的学生，2 用法不对。`

const LISTED = 1000
const DAY_MS = 86_400_000
const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const options = {
  password: flag,
  sessions: flag,
  limits: flag,
  mobile: text,
  days: text,
  authority: text,
  reason: text,
} as const
const { values, command, words, asJson } = readCommand(HELP, options)
if (command === 'log') await tellLog()
if (command === 'export') await giveAll()
for (const each of ['mobile', 'days', 'authority', 'reason'] as const)
  if (values[each] !== undefined) misuse(`${command} 没有选项 --${each}`, command)
const [who = '', ...more] = words
if (who.trim() === '') misuse('没有写是哪名学生', command)
if (more.length > 0) misuse(`一次一名学生，多了 ${more.join('、')}；中间有空格的昵称要加引号`, command)
const chosen = RESETS.filter((each) => values[each])
const env = readSettings()
const now = Date.now()
if (command === 'find') {
  const [option] = chosen
  if (option) misuse(`find 没有选项 --${option}`, command)
  const found = await withDatabase(env, (db) => findStudents(db, who.trim(), now))
  const told = found.length > 0 ? found.map(toldStudent).join('\n\n') : '没有这样的学生'
  finish(found.length > 0 ? 0 : 1, asJson ? JSON.stringify(found) : told)
}
try {
  const resets = chosen.length > 0 ? chosen : RESETS
  const uid = await withDatabase(env, (db) => resetStudent(db, who.trim(), resets, now))
  finish(0, asJson ? JSON.stringify({ uid, resets }) : `学生 ${uid}：已处理`)
} catch (error) {
  if (error instanceof Refusal) refuse(error.message)
  throw error
}

/** Ends the command with a file of all that is kept of a student. */
async function giveAll(): Promise<never> {
  const { authority = '', reason = '', ...others } = values
  const [whose = '', file = '', ...rest] = words.map((word) => word.trim())
  const wrong = Object.keys(others).find((option) => option !== 'json' && option !== 'help')
  if (wrong) misuse(`export 没有选项 --${wrong}`, command)
  if (whose === '' || file === '' || rest.length > 0) misuse('依次写哪名学生和文件名', command)
  if (authority.trim() === '' || reason.trim() === '')
    misuse('写明 --authority 机关名称和 --reason 文书号与事由', command)
  if (existsSync(file)) refuse(`${file} 已经存在，没有覆盖；请换一个文件名`)
  try {
    const request = { authority: authority.trim(), reason: reason.trim() }
    const person = await withDatabase(readSettings(), (db) => exportPerson(db, whose, request, Date.now()))
    await writeFile(file, `${JSON.stringify(person, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    const counts = person.kinds.map(({ name, rows }) => `${name} ${Object.values(rows).flat().length}`)
    finish(0, asJson ? JSON.stringify({ uid: person.uid, file }) : `已写入 ${file}：${counts.join('、')}`)
  } catch (error) {
    if (error instanceof Refusal) refuse(error.message)
    throw error
  }
}

/** Ends the command with the events that were asked for. */
async function tellLog(): Promise<never> {
  const { mobile, days = '7' } = values
  if (words.length > 0) misuse(`多了 ${words.join('、')}`, command)
  const wrong = RESETS.find((each) => values[each])
  if (wrong) misuse(`log 没有选项 --${wrong}`, command)
  if (mobile !== undefined && !/^1\d{10}$/.test(mobile)) misuse('--mobile 写 11 位手机号', command)
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > KEPT_DAYS)
    misuse(`--days 写 1 到 ${KEPT_DAYS} 的整数`, command)
  const since = Date.now() - Number(days) * DAY_MS
  const events = await withDatabase(readSettings(), (db) => readEvents(db, since, LISTED, mobile))
  // The network is as a proxy told it, and may be any text.
  const plain = events.map((event) => ({
    ...event,
    network: plainLine(event.network),
    detail: plainLine(event.detail),
  }))
  finish(0, asJson ? JSON.stringify(plain) : plain.map(toldEvent).join('\n') || '没有记录')
}

function toldEvent({ at, lastAt, times, kind, uid, mobile, network, detail }: SecurityEvent): string {
  const what = `${EVENT_NAMES[kind]}${times > 1 ? ` ×${times}（到 ${writeTime(lastAt)}）` : ''}`
  return [writeTime(at), what, mobile, network, detail, uid ?? ''].filter(Boolean).join('  ')
}

function toldStudent(found: Found): string {
  const { uid, mobile, nickname, createdAt, hasPassword, balance, orders, rights, sessions, devices } = found
  const counts = Object.entries(orders).map(([state, n]) => `${STATES[state as keyof typeof STATES]} ${n}`)
  const refused = Object.entries(found.refused).map(([code, n]) => `${code} ${n}`)
  return [
    `${uid}  ${mobile}  ${plainLine(nickname)}  ${writeTime(createdAt)} 注册，${hasPassword ? '有密码' : '没有密码（验证码登录）'}`,
    `  余额 ${yuan(balance)}；订单 ${counts.join('、') || '无'}`,
    `  权益 ${rights.map(({ kind, no, until }) => `${kind} ${no}（${until >= FOR_GOOD ? '长期' : `到 ${writeTime(until)}`}）`).join('、') || '无'}`,
    ...(sessions.length > 0 ? ['  登录中'] : ['  没有登录中的设备']),
    ...sessions.map(({ device, seenAt }) => `    ${plainLine(device) || '未知设备'}，${writeTime(seenAt)} 用过`),
    `  作答 ${found.answers} 次，纠错 ${found.reports} 条${refused.length > 0 ? `，未接受的操作 ${refused.join('、')}` : ''}`,
    ...devices.map(({ device, seenAt }) => `    设备 ${plainLine(device).slice(0, 8)} 最近同步 ${writeTime(seenAt)}`),
  ].join('\n')
}
