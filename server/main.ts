import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { keepInForce } from './agreement/publish.ts'
import { sweepPersonal } from './agreement/retention.ts'
import { sweepBucket } from './bucket/embedded.ts'
import { fullDisk, lackOfSpace, spaceOf } from './db/disk.ts'
import { EmbeddedError } from './db/embeddedError.ts'
import { type Db, openDatabase } from './db/open.ts'
import { importDemo } from '#server/demo/demo.ts'
import { DEMO_LEFT, isDemoAccountOpen } from '#server/demo/leftAccount.ts'
import { type Supervised, superviseEmbedded } from './db/supervise.ts'
import { troubleOf } from './db/troubles.ts'
import { weighMissing } from '#server/content/bank/pack.ts'
import { readSecret } from './course/store.ts'
import { cosOf, type Environment, hasSandbox, isPublic, readEnvironment, siteOf, smsAccountOf } from './environment.ts'
import { rankSome } from './exam/ranking.ts'
import { type JobKind, runJob } from './jobs/runner.ts'
import { troubleLog } from './http/faults.ts'
import { countViews } from './news/store.ts'
import { settleSome } from './order/jobs.ts'
import type { Desk } from './order/payments.ts'
import { countSandboxMoney } from './order/sandboxMoney.ts'
import { tellStranded } from './order/troubles.ts'
import type { PayProvider } from './outside/pay.ts'
import { providersOf } from './outside/payProviders.ts'
import { sandbox, type SignedNotice } from './outside/sandbox.ts'
import { createPush } from './outside/push.ts'
import { consoleSms } from './outside/sms.ts'
import { tencentSms } from './outside/tencentSms.ts'
import { putReminders, reminderJob } from './reminder/job.ts'
import { writeAreas } from './structural/areas.ts'
import { isDayDone } from './study/dayDone.ts'
import { tallyChunk } from './study/jobs.ts'
import { sealEndedExams } from './study/sealEnded.ts'
import { keepForecasts } from './study/recall/forecastJob.ts'
import { fitNext } from './study/recall/fitJob.ts'
import { remarkSome } from './study/remark.ts'

const PAY_NAMES = { sandbox: '沙箱（不花真钱）', wechat: '微信支付', alipay: '支付宝' } as const
const NO_PAYMENT =
  '没有配置支付：学生不能购买和充值。收款请配置微信支付或支付宝（docs/payments.md），试用请设 PAY_SANDBOX=1'
const SWEEP_MS = 3_600_000
/** A phone that has lost its network in the middle of a request would hold the server for ever. */
const LAST_WORDS_MS = 5_000
/** How soon corrected answers are marked again, statistics count new ones, rankings new hand-ins, and articles new readers. */
const REMARK_MS = 3_000
const TALLY_MS = 60_000
const RECALL_MS = 300_000
const RANK_MS = 3_000
const VIEWS_MS = 600_000
/** How soon sittings that were left open are handed in after the window of their exam. */
const SEAL_MS = 30_000
/** How soon money that nobody waits for is looked at: lost notices, orders whose time is over, refunds. */
const MONEY_MS = 5_000
/** So soon somebody's time to be reminded is noticed, and work in the database is begun. */
const REMIND_MS = 15_000
const JOB_MS = 3_000
/** A database that is not there, or does not let us in: network first, then PostgreSQL's own codes. */
const UNREACHABLE = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH ECONNRESET 28P01 28000 3D000'.split(' '),
)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** What ended the start, for an operator who can mend it. */
async function told(error: unknown, { DATA_DIR, DISK_MIN_FREE_MB }: Environment): Promise<string> {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (error instanceof EmbeddedError) return error.message
  if (code === 'EADDRINUSE') return '端口已被占用，请关闭占用它的程序，或用 PORT 换一个端口'
  if (code === 'EACCES') return '没有权限监听该端口或写入数据目录，请检查 PORT 与 DATA_DIR'
  if (code === 'EADDRNOTAVAIL') return '本机没有 HOST 指定的地址，请检查 HOST'
  if (UNREACHABLE.has(String(code))) return `无法连接 DATABASE_URL 指定的数据库：${String(error)}`
  if (troubleOf(error) === 'full') return fullDisk(DATA_DIR, await spaceOf(DATA_DIR), DISK_MIN_FREE_MB)
  return `启动失败：${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

/** Aborted once we end: connections that close then are no news. */
const leaving = new AbortController()

interface Opened {
  db: Db
  /** Null: the database is not ours. */
  embedded: Supervised | null
}
async function openConfigured(env: Environment): Promise<Opened> {
  const say = (line: string) => {
    if (!leaving.signal.aborted) console.error(line)
  }
  if (env.DATABASE_URL) {
    const onError = (error: Error) => say(`数据库连接中断，将自动重连：${error.message}`)
    return { db: await openDatabase({ url: env.DATABASE_URL }, onError), embedded: null }
  }
  const embedded = await superviseEmbedded(env.DATA_DIR, say)
  try {
    // Who supervises the database tells when it has gone: the end of each connection to it is no further news.
    return { db: await openDatabase({ socketFolder: embedded.socketFolder }, () => {}), embedded }
  } catch (error) {
    await embedded.end()
    throw error
  }
}

const logTrouble = troubleLog(Date.now)
/** A failure of work that nobody waits for: it is tried again, so a trouble that lasts is logged once in a while. */
function logFailure(log: FastifyBaseLogger, error: unknown): void {
  const trouble = troubleOf(error)
  if (trouble === null) log.error(error)
  else logTrouble(log, error, trouble)
}

/**
 * Does work that nobody waits for, until none is left; then again after a while.
 * @returns what ends when nothing of it is under way.
 */
function inBackground(app: FastifyInstance, everyMs: number, some: () => Promise<boolean>): () => Promise<void> {
  const run = async () => {
    try {
      while (!leaving.signal.aborted && (await some()));
    } catch (error) {
      logFailure(app.log, error)
    }
  }
  let busy: Promise<void> | null = null
  const begin = () =>
    (busy ??= run().finally(() => {
      busy = null
    }))
  setInterval(() => void begin(), everyMs).unref()
  return async () => {
    await busy
  }
}

/** Lets four times as long pass as the work took: students' calls come first. */
async function sparingly(some: () => Promise<boolean>): Promise<boolean> {
  const began = performance.now()
  const more = await some()
  if (more) await pause(4 * (performance.now() - began), undefined, { signal: leaving.signal }).catch(() => {})
  return more
}

/** Where this process hears itself. */
function ownAddress(app: FastifyInstance): string {
  const address = app.server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  const host = address.address === '::' || address.address === '0.0.0.0' ? 'localhost' : address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

interface Running {
  app: FastifyInstance
  db: Db
  embedded: Supervised | null
  /** Each ends when its work has. */
  jobs: readonly (() => Promise<void>)[]
}
/** Lets requests under way end, if they do so soon, and jobs; begins none; closes the pool, then the database if it is ours. */
function stopOn(signals: NodeJS.Signals[], { app, db, embedded, jobs }: Running): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    leaving.abort()
    setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS).unref()
    await app.close()
    await Promise.all(jobs.map((job) => job()))
    await db.destroy()
    await embedded?.end()
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, () => void stop())
}

const env = readEnvironment(process.env)
if ('faults' in env) fail(`环境变量有误：\n${env.faults.map((fault) => `  · ${fault}`).join('\n')}`)
const dataDir = path.resolve(env.DATA_DIR)
const lack = await lackOfSpace(dataDir, env.DISK_MIN_FREE_MB)
if (lack !== null) fail(lack)
let opened: Opened | null = null
try {
  opened = await openConfigured(env)
  const { db, embedded } = opened
  const isDemoLeft = env.DEMO === '0' && (await isDemoAccountOpen(db))
  if (isDemoLeft && isPublic(env)) {
    await db.destroy()
    await embedded?.end()
    fail(`${DEMO_LEFT}。服务对外开放，改好之前不启动`)
  }
  const mediaDir = path.join(dataDir, 'media')
  const bucketDir = path.join(dataDir, 'bucket')
  await writeAreas(db)
  if (env.DEMO === '1') await importDemo(db, { mediaDir, site: siteOf(env), say: (line) => console.log(line) })
  const failed = (err: unknown, payment?: string) => app.log.error({ err, payment }, 'payment')
  const deliver = async ({ headers, body }: SignedNotice) => {
    const { ok } = await fetch(`${ownAddress(app)}/pay/notify/sandbox`, { method: 'POST', headers, body })
    return ok
  }
  const box = sandbox({ db, secret: `sandbox:${await readSecret(db)}`, deliver, now: Date.now, failed })
  const sandboxed = hasSandbox(env)
  const providers: PayProvider[] = sandboxed ? [box] : providersOf(env)
  const desk: Desk = { db, providers: new Map(providers.map((each) => [each.name, each])), failed }
  const smsAccount = smsAccountOf(env)
  const origin = env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin
  const push = await createPush({ db, origin })
  const app: FastifyInstance = await buildApp({
    db,
    desk,
    ...(sandboxed && { sandbox: box }),
    sms: smsAccount ? tencentSms(smsAccount) : consoleSms((line) => console.log(line)),
    smsAnHour: env.SMS_PER_HOUR,
    now: Date.now,
    site: siteOf(env),
    mediaDir,
    bucketDir,
    push,
    ...(origin && { origin }),
    ...cosOf(env),
    build: {
      dist: path.resolve(import.meta.dirname, '../dist'),
      kept: path.join(dataDir, 'assets'),
      productName: env.PRODUCT_NAME,
      retireWorker: env.RETIRE_WORKER === '1',
      minVersion: env.MIN_VERSION,
    },
    logger: { level: env.LOG_LEVEL, redact: ['req.headers.authorization'] },
  })
  await keepInForce(db, Date.now())
  // This comes before anybody can spend money of the sandbox.
  await tellStranded(desk, Date.now())
  const unreal = await countSandboxMoney(db)
  const sweep = () => {
    const now = Date.now()
    void Promise.all([sweepPersonal(db, now), sweepBucket(db, bucketDir, now)]).catch((error: unknown) =>
      logFailure(app.log, error),
    )
  }
  setInterval(sweep, SWEEP_MS).unref()
  const unmarked = (err: unknown, uid: string) => app.log.error({ err, uid }, 'answers not marked again, tried later')
  const unsealed = (err: unknown, uid: string) => app.log.error({ err, uid }, 'sitting not handed in, tried later')
  const unfitted = (err: unknown, uid: string) => app.log.error({ err, uid }, 'memory not fitted, tried later')
  const unforetold = (err: unknown, uid: string) => app.log.error({ err, uid }, 'exam day not foretold')
  const undone = (err: unknown, kind: string) => app.log.error({ err, kind }, 'work in the database failed')
  const kinds: JobKind[] = [reminderJob({ db, push, now: Date.now, productName: env.PRODUCT_NAME, isDayDone })]
  const walk = () => ({ now: Date.now(), stop: leaving.signal, failed: unmarked })
  const jobs = [
    inBackground(app, REMARK_MS, () => remarkSome(db, walk())),
    inBackground(app, TALLY_MS, () => tallyChunk(db)),
    inBackground(app, RECALL_MS, () => sparingly(() => keepForecasts(db, { ...walk(), failed: unforetold }))),
    inBackground(app, RECALL_MS, () => sparingly(() => fitNext(db, { ...walk(), failed: unfitted }))),
    inBackground(app, RANK_MS, () => rankSome(db, Date.now())),
    inBackground(app, SEAL_MS, async () => {
      await sealEndedExams(db, { ...walk(), failed: unsealed })
      return false
    }),
    inBackground(app, VIEWS_MS, () => countViews(db)),
    inBackground(app, REMIND_MS, async () => {
      await putReminders(db, Date.now())
      return false
    }),
    inBackground(app, JOB_MS, () => runJob({ db, kinds, now: Date.now, stop: leaving.signal, failed: undone })),
    inBackground(app, MONEY_MS, () => settleSome(desk, Date.now())),
  ]
  // Once after an upgrade; nobody waits for it.
  void weighMissing(db, mediaDir).catch((error: unknown) => logFailure(app.log, error))
  stopOn(['SIGINT', 'SIGTERM'], { app, db, embedded, jobs })
  await app.listen({ port: env.PORT, host: env.HOST })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  console.log(
    `${env.PRODUCT_NAME} 已启动：${env.PUBLIC_URL ?? `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${port}/`}`,
  )
  console.log(
    providers.length > 0 ? `支付方式：${providers.map(({ name }) => PAY_NAMES[name]).join('、')}` : NO_PAYMENT,
  )
  if (isDemoLeft) console.log(DEMO_LEFT)
  if (unreal.students > 0)
    console.log(
      `沙箱款项 ${(unreal.sum / 100).toFixed(2)} 元（${unreal.students} 名学生）不是真钱，已停用他们的钱包：查看 npm run orders -- troubles，作废 npm run orders -- void-sandbox`,
    )
} catch (error) {
  leaving.abort()
  await opened?.db.destroy()
  await opened?.embedded?.end()
  fail(await told(error, env))
}
