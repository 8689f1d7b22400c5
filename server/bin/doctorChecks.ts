import { access, constants, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { writeTime } from '#server/content/media/time.ts'
import { readRevs, readSecret } from '#server/course/store.ts'
import { isClaimed } from '#server/db/claim.ts'
import { lackOfSpace, megabytes, spaceOf } from '#server/db/disk.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import type { Db } from '#server/db/open.ts'
import { BUCKET_PATH, embeddedStorage } from '#server/bucket/embedded.ts'
import { DEMO_LEFT, isDemoAccountOpen } from '#server/demo/leftAccount.ts'
import { readMessages } from '#server/login/messages.ts'
import { cosOf, type Environment, hasSandbox } from '#server/environment.ts'
import { listTroubles } from '#server/order/troubles.ts'
import { providersOf } from '#server/outside/payProviders.ts'
import { tencentStorage } from '#server/outside/tencent.ts'
import { troubleOf } from '#server/db/troubles.ts'
import { DISK_FULL } from './failures.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** `bad`: students notice; `notice`: they may soon, or it is on purpose. */
export interface Check {
  name: string
  level: 'good' | 'notice' | 'bad'
  /** Chinese: what is, and what to do. */
  told: string
}
export interface Patient {
  env: Environment
  db: Db
  now: number
}
type Examine = (patient: Patient) => Promise<Omit<Check, 'name'>>

const good = (told: string) => ({ level: 'good', told }) as const
const notice = (told: string) => ({ level: 'notice', told }) as const
const bad = (told: string) => ({ level: 'bad', told }) as const
const words = (error: unknown): string =>
  troubleOf(error) === 'full'
    ? DISK_FULL
    : ((error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '')

const HOUR = 3_600_000
const CLOCKS_APART_MS = 2_000

async function database({ db }: Patient) {
  const began = Date.now()
  const { rows } = await sql<{ at: number; size: number; version: string; students: number; questions: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float as at, pg_database_size(current_database())::float as size,
      current_setting('server_version') as version, (select count(*)::int from student) as students,
      (select count(*)::int from question where not retired) as questions`.execute(db)
  const [row] = rows
  if (!row) return bad('数据库没有回答')
  const apart = Math.abs(row.at - (began + Date.now()) / 2)
  const is = `PostgreSQL ${row.version}，${megabytes(row.size)}，学生 ${row.students}，题目 ${row.questions}`
  return apart > CLOCKS_APART_MS
    ? bad(`${is}；与本机时钟相差 ${(apart / 1000).toFixed(1)} 秒：验证码、订单、考试都按时间判断，请校准两边的时钟`)
    : good(is)
}

async function server({ env }: Patient) {
  if (env.DATABASE_URL) return notice('数据库在 DATABASE_URL，服务是否在运行请看它自己的 /readyz')
  const { socketFolder } = await startEmbedded(env.DATA_DIR)
  return (await isClaimed(socketFolder)) ? good('正在运行') : notice('没有运行：用 npm start 启动')
}

/** Work that nobody waits for, and how far behind it is. */
async function backlog({ db, now }: Patient) {
  const { rows } = await sql<{ tallies: number; remarks: number; oldest: number | null; failed: number }>`
    select (select count(*)::int from tally_queue) as tallies,
      (select count(*)::int from remark where done_at is null) as remarks,
      (select min(at) from remark where done_at is null) as oldest,
      (select count(*)::int from remark_failed) as failed`.execute(db)
  const { tallies = 0, remarks = 0, oldest = null, failed = 0 } = rows[0] ?? {}
  const is = `待统计 ${tallies}，待重新判分 ${remarks} 批`
  if (failed > 0) return bad(`${is}；${failed} 名学生的重新判分没有成功，原因见服务日志`)
  if (oldest !== null && now - oldest > HOUR)
    return bad(`${is}，最早的从 ${writeTime(oldest)} 起还没有做完：服务在运行吗？`)
  return good(is)
}

/** Operators know the kinds of work by these names. */
const WORK: Readonly<Record<string, string>> = { reminder: '每日提醒' }
const workName = (kind: string): string => WORK[kind] ?? kind
/** Work that is free waits for seconds, behind other work for minutes. */
const LONG_WAIT_MS = HOUR / 2

/**
 * Looks at the work that outlives a process (server/jobs). It waits from the moment at which a server may take it: work whose next try comes
 * later does not wait yet, and work that a server has left behind does from the end of its lease on.
 */
async function queue({ db, now }: Patient) {
  const { rows } = await sql<{ kind: string; state: string; free: number; error: string | null }>`
    select kind, state, greatest(created_at, lease_until) as free, null as error from job where state in ('waiting', 'running')
    union all select kind, state, ended_at, result ->> 'error' from job where state = 'failed'
    order by free`.execute(db)
  const failed = rows.filter(({ state }) => state === 'failed')
  const open = rows.filter(({ state }) => state !== 'failed')
  const busy = open.filter(({ state, free }) => state === 'running' && free > now).length
  const oldest = open.find(({ free }) => free <= now)
  const last = failed.at(-1)
  const since = oldest ? `；最早的（${workName(oldest.kind)}）从 ${writeTime(oldest.free)} 起等着` : ''
  const is = `等待 ${open.length - busy}，进行中 ${busy}，30 天内失败 ${failed.length}${since}`
  const faults = [
    oldest && now - oldest.free > LONG_WAIT_MS && '等得太久：服务在运行吗？是不是还在用旧版本？',
    last &&
      now - last.free < 24 * HOUR &&
      `${workName(last.kind)}在 ${writeTime(last.free)} 失败，不会再试：${words(last.error ?? '没有留下原因')}`,
  ].filter(Boolean)
  return faults.length > 0 ? bad([is, ...faults].join('；')) : good(is)
}

/** Refused ops are answers that a student gave and does not find counted. */
async function sync({ db, now }: Patient) {
  const { rows } = await sql<{ all: number; refused: number; codes: string | null }>`
    select count(*)::int as all, count(*) filter (where verdict = 'rejected')::int as refused,
      string_agg(distinct code, '、') filter (where verdict = 'rejected') as codes
    from study_op where created_at > ${now - 24 * HOUR}`.execute(db)
  const { all = 0, refused = 0, codes = null } = rows[0] ?? {}
  const is = `24 小时内收到 ${all} 条学习记录，未接受 ${refused} 条`
  return refused * 20 > all ? bad(`${is}（${codes}）：多于二十分之一`) : good(refused > 0 ? `${is}（${codes}）` : is)
}

async function money({ db, now }: Patient) {
  const troubles = await listTroubles(db, now)
  return troubles.length === 0
    ? good('没有需要人工处理的款项')
    : bad(`${troubles.length} 笔需要人工处理：npm run orders -- troubles`)
}

const LITTLE_SPACE = 2 * 1024 ** 3
/** Looks at the one folder the server writes to; of the disk of a database at DATABASE_URL nothing is known here. */
async function disk({ env }: Patient) {
  const lack = await lackOfSpace(env.DATA_DIR, env.DISK_MIN_FREE_MB)
  if (lack !== null) return bad(`${lack}。在此之前写入随时会失败，服务停下后也不能再启动`)
  const { free } = await spaceOf(env.DATA_DIR)
  const is = `数据目录 ${path.resolve(env.DATA_DIR)} 所在的磁盘剩余 ${megabytes(free)}`
  return free < LITTLE_SPACE ? bad(`${is}：快满了，请清理磁盘`) : good(is)
}

async function files({ env, db }: Patient) {
  const folder = path.resolve(env.DATA_DIR, 'media')
  await mkdir(folder, { recursive: true })
  await access(folder, constants.W_OK)
  const missing = await missingMedia(db, folder)
  if (missing.length > 0)
    return bad(
      `缺少 ${missing.length} 个文件（${missing.slice(0, 3).join('、')}…），重新导入用到它们的内容，或从备份恢复 ${folder}`,
    )
  return good('可写，一个不少')
}

/** Pictures and recordings of questions and folders of lessons that are named and not there. */
async function missingMedia(db: Db, folder: string): Promise<string[]> {
  const there = new Set(await readdir(folder))
  const shelf = new Set(await readdir(path.join(folder, 'lesson')).catch(() => []))
  const { rows } = await sql<{ name: string }>`
    select distinct m[1] as name from question, regexp_matches(body::text, '/media/([a-f0-9]{16,64}\\.(?:[a-z]{3,4}|mp3))', 'g') as m
    where not retired`.execute(db)
  const lessons = [...(await readRevs(db))].filter((rev) => !shelf.has(rev)).map((rev) => `lesson/${rev}`)
  return [...rows.map(({ name }) => name).filter((name) => !there.has(name)), ...lessons]
}

/** Pictures on other sites came in before these were copied: a page shows none of them now. */
async function foreign({ db }: Patient) {
  const { rows } = await sql<{ no: string; count: number }>`
    select c.library_no as no, count(*)::int as count from question q join chapter c on c.no = q.chapter_no
      where not q.retired and q.body::text like '%src=_"http%' group by 1
    union all select no, 1 from news where not withdrawn and (html like '%src="http%' or cover ->> 'src' like 'http%')
    order by 1`.execute(db)
  if (rows.length === 0) return good('没有')
  const named = rows.slice(0, 5).map(({ no, count }) => `${no}（${count}）`)
  return bad(
    `${rows.length} 处内容的图片在别的网站上，页面不再显示：${named.join('、')}${rows.length > 5 ? '等' : ''}；用 npm run content -- export 取出再 import，图片会复制过来`,
  )
}

/** Asks for keys as a student's upload does, and looks for a picture that is not there. */
async function bucket({ env, db, now }: Patient) {
  const { cos } = cosOf(env)
  const folder = path.resolve(env.DATA_DIR, 'bucket')
  const storage = cos ? tencentStorage(cos) : embeddedStorage({ db, secret: await readSecret(db), folder })
  const where = cos ? `腾讯云 ${cos.bucket}` : `内置（${BUCKET_PATH}）`
  if (!cos) {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  }
  await storage.issue({ uid: 'doctor', prefix: 'doctor/' }, now)
  await storage.holds('doctor/nothing.jpg')
  return good(`${where}：能发临时密钥，能查到图片`)
}

const PAY = { sandbox: '沙箱', wechat: '微信支付', alipay: '支付宝' } as const
/** Asks each for a payment that was never begun: the account, the keys and the way there are right when it says so. */
async function payment({ env }: Patient) {
  const providers = providersOf(env)
  if (hasSandbox(env)) {
    const told = '沙箱：没有配置微信支付或支付宝，收不到真钱'
    // The operator has forgotten it: strangers can have everything for nothing.
    return env.PAY_SANDBOX === '1' && env.PUBLIC_URL?.startsWith('https:')
      ? bad(`${told}，而网站对外开放，任何人都能不花钱购买：请去掉 PAY_SANDBOX`)
      : notice(told)
  }
  if (providers.length === 0) return notice('没有配置支付：学生不能购买和充值')
  const faults: string[] = []
  for (const provider of providers)
    await provider
      .find('doctor00000000000000')
      .catch((error: unknown) => void faults.push(`${PAY[provider.name]} ${words(error)}`))
  const names = providers.map(({ name }) => PAY[name]).join('、')
  return faults.length > 0 ? bad(`${faults.join('；')}：核对商户号、密钥、证书与网络`) : good(`${names}：能查询订单`)
}

async function site({ env }: Patient) {
  if (env.PUBLIC_URL === undefined) return notice('没有设置 PUBLIC_URL：支付通知与独立存储要用它')
  const answer = await fetch(new URL('/readyz', env.PUBLIC_URL), { signal: AbortSignal.timeout(10_000) })
  return answer.ok
    ? good(`${env.PUBLIC_URL} 能打开`)
    : bad(`${env.PUBLIC_URL} 回答 ${answer.status}：核对反向代理与服务`)
}

const versions = async ({ env }: Patient) =>
  packageJson.version.localeCompare(env.MIN_VERSION, 'en', { numeric: true }) < 0
    ? bad(`MIN_VERSION ${env.MIN_VERSION} 比部署的 ${packageJson.version} 还新：学生被要求更新，却没有可更新的`)
    : good(`${packageJson.version}，最低 ${env.MIN_VERSION}`)

const NEARLY = 0.8
async function messages({ env, db, now }: Patient) {
  const { sent, refused, failed } = await readMessages(db, now)
  const most = env.SMS_PER_HOUR
  const is = `这一小时发了 ${Math.min(sent, most)} 条，最多 ${most} 条`
  if (refused > 0)
    return bad(
      `${is}；24 小时内有 ${refused} 条因为到了上限没有发出，学生收不到验证码：看看是不是有人在刷短信，确实需要时调高 SMS_PER_HOUR`,
    )
  if (failed > 0) return bad(`${is}；24 小时内有 ${failed} 条没有发成，原因（短信服务商的错误码）见服务日志中的 sms`)
  if (sent > most * NEARLY) return notice(`${is}，快到上限了`)
  return env.SMS_PROVIDER === 'console' ? notice('短信验证码只打印在服务日志里，学生收不到') : good(is)
}

async function accounts({ env, db }: Patient) {
  if (env.DEMO === '1') return notice('有演示账号，任何人都能登录')
  return (await isDemoAccountOpen(db)) ? bad(DEMO_LEFT) : good('没有演示账号')
}

const EXAMS: Record<string, Examine> = {
  数据库: database,
  服务: server,
  版本: versions,
  后台任务: backlog,
  作业队列: queue,
  同步: sync,
  款项: money,
  磁盘: disk,
  图片与音视频: files,
  别处的图片: foreign,
  上传存储: bucket,
  支付: payment,
  短信: messages,
  账号: accounts,
  网址: site,
}

/** One after another, each told as soon as it is known. */
export async function* examine(patient: Patient): AsyncGenerator<Check> {
  for (const [name, exam] of Object.entries(EXAMS))
    yield { name, ...(await exam(patient).catch((error: unknown) => bad(words(error)))) }
}
