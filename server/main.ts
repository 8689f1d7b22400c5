import path from 'node:path'
import { type FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { EmbeddedError, type EmbeddedServer, startEmbedded } from './db/embedded.ts'
import { type Db, openDatabase } from './db/open.ts'
import { importDemo } from './db/seed/demo.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { sweepLimits } from './http/limits.ts'
import { sweepLogin } from './login/store.ts'
import { consoleSms } from './outside/sms.ts'

const SWEEP_MS = 3_600_000

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

const told = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (error instanceof EmbeddedError) return error.message
  if (code === 'EADDRINUSE') return '端口已被占用，请关闭占用它的程序，或用 PORT 换一个端口'
  if (code === 'EACCES') return '没有权限监听该端口或写入数据目录，请检查 PORT 与 DATA_DIR'
  if (code === 'ECONNREFUSED' || code === '28P01' || code === '3D000')
    return `无法连接 DATABASE_URL 指定的数据库：${String(error)}`
  return `启动失败：${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

async function openConfigured(env: Environment): Promise<{ db: Db; embedded: EmbeddedServer | null }> {
  const onError = (error: Error) => console.error(`数据库连接中断，将自动重连：${error.message}`)
  if (env.DATABASE_URL) return { db: await openDatabase({ url: env.DATABASE_URL }, onError), embedded: null }
  const embedded = await startEmbedded(env.DATA_DIR)
  return { db: await openDatabase({ socketFolder: embedded.socketFolder }, onError), embedded }
}

function site(env: Environment) {
  return {
    productName: env.PRODUCT_NAME,
    phone: env.SITE_PHONE,
    chatId: env.SITE_CHAT_ID,
    address: env.SITE_ADDRESS,
    copyright: env.SITE_COPYRIGHT || `© ${new Date().getFullYear()} ${env.PRODUCT_NAME}`,
    filingNo: env.SITE_FILING_NO,
  }
}

/** Finishes requests under way, refuses new ones, closes the pool, then the database if it is ours. */
function stopOn(signals: NodeJS.Signals[], app: FastifyInstance, db: Db, embedded: EmbeddedServer | null): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await app.close()
    await db.destroy()
    await embedded?.stop()
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, () => void stop())
}

const env = readEnvironment(process.env)
if ('faults' in env) fail(`环境变量有误：\n${env.faults.map((fault) => `  · ${fault}`).join('\n')}`)
try {
  const { db, embedded } = await openConfigured(env)
  const dataDir = path.resolve(env.DATA_DIR)
  const mediaDir = path.join(dataDir, 'media')
  if (env.DEMO === '1') await importDemo(db, { mediaDir, say: (line) => console.log(line) })
  const app = await buildApp({
    db,
    sms: consoleSms((line) => console.log(line)),
    now: Date.now,
    site: site(env),
    mediaDir,
    build: { dist: path.resolve(import.meta.dirname, '../dist'), kept: path.join(dataDir, 'assets') },
    logger: { level: env.LOG_LEVEL, redact: ['req.headers.authorization'] },
  })
  const sweep = () =>
    void Promise.all([sweepLogin(db, Date.now()), sweepLimits(db, Date.now())]).catch((error: unknown) =>
      app.log.error(error),
    )
  setInterval(sweep, SWEEP_MS).unref()
  stopOn(['SIGINT', 'SIGTERM'], app, db, embedded)
  await app.listen({ port: env.PORT, host: env.HOST }).catch(async (error: unknown) => {
    await db.destroy()
    await embedded?.stop()
    fail(told(error))
  })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  console.log(
    `${env.PRODUCT_NAME} 已启动：${env.PUBLIC_URL ?? `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${port}/`}`,
  )
} catch (error) {
  fail(told(error))
}
