import { misuse, readCommand, readSettings } from './commandLine.ts'
import { withDatabase } from './database.ts'
import { type Check, examine } from './doctorChecks.ts'
import { explained } from './failures.ts'

const HELP = `用法：npm run doctor [-- --json]

逐项检查：数据库与时钟、后台任务、作业队列、学习记录的同步、需要人工处理的款项、磁盘、图片与音视频、上传存储、支付、短信、账号、网址。
✓ 正常  ! 请留意  ✗ 有问题，后面写着怎么办
只查看，不改动；服务运行时也可以使用。环境变量与服务端相同。
退出码：0 没有问题，1 有问题，2 用法不对或环境变量有误。`
const SIGNS: Record<Check['level'], string> = { good: '✓', notice: '!', bad: '✗' }

const { command, asJson } = readCommand(HELP, {})
if (command !== '') misuse(`多了 ${command}`)
const env = readSettings()
const checks: Check[] = []
try {
  await withDatabase(env, async (db) => {
    for await (const check of examine({ env, db, now: Date.now() })) {
      checks.push(check)
      if (!asJson) console.log(`${SIGNS[check.level]} ${check.name}：${check.told}`)
    }
  })
} catch (error) {
  if (checks.length > 0) throw error
  checks.push({
    name: '数据库',
    level: 'bad',
    told: explained(error) ?? `连不上：${error instanceof Error ? error.message : String(error)}`,
  })
  if (!asJson) console.error(`✗ 数据库：${checks[0]?.told}`)
}
if (asJson) console.log(JSON.stringify(checks))
process.exit(checks.some(({ level }) => level === 'bad') ? 1 : 0)
