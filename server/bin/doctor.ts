import { parseArgs } from 'node:util'
import { readEnvironment } from '#server/environment.ts'
import { withDatabase } from './database.ts'
import { type Check, examine } from './doctorChecks.ts'
import { explained, sayFailures, wrongUse } from './failures.ts'

sayFailures()

const HELP = `用法：npm run doctor [-- --json]

逐项检查：数据库与时钟、后台任务、学习记录的同步、需要人工处理的款项、图片与音视频、上传存储、支付、短信、网址。
✓ 正常  ! 请留意  ✗ 有问题，后面写着怎么办
只查看，不改动；服务运行时也可以使用。环境变量与服务端相同。
退出码：0 没有问题，1 有问题，2 用法不对或环境变量有误。`
const SIGNS: Record<Check['level'], string> = { good: '✓', notice: '!', bad: '✗' }

const values = parsed()
if (values.help) finish(0, HELP)
const env = readEnvironment(process.env)
if ('faults' in env) finish(2, `环境变量有误：\n${env.faults.map((fault) => `  ✗ ${fault}`).join('\n')}`)
const checks: Check[] = []
try {
  await withDatabase(env, async (db) => {
    for await (const check of examine({ env, db, now: Date.now() })) {
      checks.push(check)
      if (!values.json) console.log(`${SIGNS[check.level]} ${check.name}：${check.told}`)
    }
  })
} catch (error) {
  if (checks.length > 0) throw error
  checks.push({
    name: '数据库',
    level: 'bad',
    told: explained(error) ?? `连不上：${error instanceof Error ? error.message : String(error)}`,
  })
  if (!values.json) console.error(`✗ 数据库：${checks[0]?.told}`)
}
if (values.json) console.log(JSON.stringify(checks))
process.exit(checks.some(({ level }) => level === 'bad') ? 1 : 0)

function parsed() {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({ options: { json: flag, help: { ...flag, short: 'h' } } }).values
  } catch (error) {
    return finish(2, `${wrongUse(error)}\n\n${HELP}`)
  }
}

function finish(code: number, message: string): never {
  ;(code === 0 ? console.log : console.error)(message)
  process.exit(code)
}
