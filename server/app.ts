import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Site } from '#src/contract/config.ts'
import { contract } from '#src/contract/index.ts'
import { readablePath } from '#src/domain/text/readablePath.ts'
import { addressHandlers } from './address/handlers.ts'
import { embeddedStorage } from './bucket/embedded.ts'
import { serveBucket } from './bucket/serve.ts'
import { SMS_AN_HOUR } from './environment.ts'
import { agreementHandlers } from './agreement/handlers.ts'
import { consentHandlers } from './consent/handlers.ts'
import { configHandlers } from './config/handlers.ts'
import { serveMedia } from '#server/http/media.ts'
import { couponHandlers } from './coupon/handlers.ts'
import { courseHandlers } from './course/handlers.ts'
import { serveHandouts, serveLessons } from './course/media.ts'
import { isSold, readSecret } from './course/store.ts'
import { createTranscripts } from './course/transcripts.ts'
import type { Db } from './db/open.ts'
import { examHandlers } from './exam/handlers.ts'
import { homeHandlers } from './home/handlers.ts'
import { compressJson, unpackForms } from './http/compress.ts'
import { limitConnections, PATIENCE } from './http/connections.ts'
import { answerBadAddress, answerBrokenRequest, reportErrors, troubleLog } from './http/faults.ts'
import { isLoopback } from './http/limits.ts'
import { serve, takeForms } from './http/serve.ts'
import { type Build, serveBuild } from './http/static.ts'
import { hashPassword } from './login/argon2.ts'
import { deviceName } from './login/device.ts'
import { loginHandlers } from './login/handlers.ts'
import { proveMobile, proveOwner } from './login/proof.ts'
import { authenticator, ended, sessionsOf } from './login/sessions.ts'
import { sha256 } from './login/sha256.ts'
import { newsHandlers } from './news/handlers.ts'
import { myWalletRecord, orderHandlers, walletHandlers } from './order/handlers.ts'
import { serveNotices } from './order/payNotify.ts'
import type { Desk } from './order/payments.ts'
import { type Sandbox, serveSandbox } from './outside/sandbox.ts'
import { createPush, type Push } from './outside/push.ts'
import type { Sms } from './outside/sms.ts'
import type { Storage } from './outside/storage.ts'
import { type TencentAccount, tencentStorage } from './outside/tencent.ts'
import { pointHandlers } from './point/handlers.ts'
import { questionHandlers } from './question/handlers.ts'
import { questionSetHandlers } from './questionSet/handlers.ts'
import { reminderHandlers } from './reminder/handlers.ts'
import { unsubscribeAll } from './reminder/store.ts'
import { storeHandlers } from './store/handlers.ts'
import { structuralHandlers } from './structural/handlers.ts'
import { rankSome } from './exam/ranking.ts'
import { studyHandlers } from './study/handlers.ts'
import { testingHandlers } from './testing/handlers.ts'
import { userHandlers } from './user/handlers.ts'
import { vipHandlers } from './vip/handlers.ts'

/** As many as the pool has connections. */
const STUDY_AT_ONCE = 16
/** Ten thousand waiting answers are a hundred calls, twenty thousand records fifty-eight; a few devices of one student come at once. */
const STUDY_PER_STUDENT = { waiting: 4, callsAMinute: 400 }

export interface Parts {
  db: Db
  sms: Sms
  /** Messages an hour for the whole site; left out, as the environment has it when it says nothing. */
  smsAnHour?: number
  /** Epoch ms. */
  now: () => number
  site: Site
  /** Where imported pictures are. */
  mediaDir: string
  /** Where the embedded bucket has its files. */
  bucketDir: string
  /** The origin as students reach us; left out, the one that each page was opened at. */
  origin?: string
  /** Uploads go there; left out, into the embedded bucket. */
  cos?: TencentAccount
  /** Where money comes from besides the wallet. */
  desk?: Desk
  /** The one of its providers that we play ourselves. */
  sandbox?: Sandbox
  /** Sends messages to browsers; left out, to those of the known makers. */
  push?: Push
  /** The built app and where earlier releases' assets are kept; left out, only the API is served. */
  build?: Build
  logger?: FastifyServerOptions['logger']
}

/** A file of the build by its plain name; `/assets/../index.html` is none. */
const ASSET = /^\/assets\/[^/%?]+$/
const PAGE_POLICY = {
  // Elsewhere only our origin is told, and it must be: WeChat's page for phones takes nobody who comes from nowhere.
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'geolocation=(), camera=(), microphone=()',
  'cross-origin-resource-policy': 'same-origin',
}
/** A browser then asks by https alone for a year: its first request in the open could be turned elsewhere. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' }

/** The whole server without a port and without the environment, so that a test can inject requests. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const app = Fastify({
    logger: parts.logger ?? false,
    trustProxy: 'loopback',
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    requestTimeout: PATIENCE.requestTimeout,
    http: { headersTimeout: PATIENCE.headersTimeout },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerBadAddress,
    rewriteUrl: ({ url = '/' }) => url.replace(/^[^?]*/, readablePath),
  })
  limitConnections(app.server)
  takeForms(app)
  const policy = { ...PAGE_POLICY, ...(parts.origin?.startsWith('https:') && HTTPS_ONLY) }
  app.addHook('onRequest', async ({ url }, reply) => {
    void reply.header('x-content-type-options', 'nosniff')
    // Scripts and styles run under their page's policy: a first visit is spared a kilobyte of it.
    if (!ASSET.test(url)) void reply.headers(policy)
  })
  compressJson(app)
  unpackForms(app)
  const logTrouble = troubleLog(parts.now)
  reportErrors(app, logTrouble)
  operations(app, parts.db)
  const secret = await readSecret(parts.db)
  const embedded = { db: parts.db, secret, folder: parts.bucketDir, origin: parts.origin }
  if (!parts.cos) serveBucket(app, { ...embedded, now: parts.now, logTrouble })
  const desk = parts.desk ?? { db: parts.db, providers: new Map(), failed: (err) => app.log.error(err) }
  const storage = parts.cos ? tencentStorage(parts.cos) : embeddedStorage(embedded)
  const push = parts.push ?? (await createPush({ db: parts.db, origin: parts.origin }))
  addCalls(app, parts, { secret, desk, storage, push })
  serveNotices(app, desk, parts.now)
  if (parts.sandbox) serveSandbox(app, parts.sandbox)
  serveMedia(app, parts.mediaDir, (src) => isSold(parts.db, src))
  serveLessons(app, { ...parts, secret })
  serveHandouts(app, { ...parts, secret })
  const sites = [...storage.origins, ...(parts.site.bucket ? [parts.site.bucket] : [])]
  if (parts.build) await serveBuild(app, { sites, ...parts.build })
  return app
}

interface Shared {
  /** What addresses and keys are signed with. */
  secret: string
  desk: Desk
  storage: Storage
  push: Push
}
function addCalls(
  app: FastifyInstance,
  { db, sms, smsAnHour = SMS_AN_HOUR, now, site, mediaDir }: Parts,
  { secret, desk, storage, push }: Shared,
): void {
  const options = { now, authenticate: authenticator(db, now), hasEnded: ended(db) }
  serve(app, contract.agreement, agreementHandlers(db), options)
  serve(app, contract.consent, consentHandlers(db, { deviceName, unsubscribeAll }), options)
  serve(app, contract.config, configHandlers(db, site, storage), options)
  serve(app, contract.coupon, couponHandlers(db, secret), options)
  serve(app, contract.course, courseHandlers(db, secret, createTranscripts(db, mediaDir)), options)
  serve(app, contract.exam, examHandlers(db), options)
  serve(app, contract.home, homeHandlers(db), options)
  const messages = { sms, anHour: smsAnHour, failed: (err: Error) => app.log.error({ err }, 'sms') }
  serve(app, contract.login, loginHandlers(db, messages), options)
  serve(app, contract.news, newsHandlers(db), options)
  serve(app, contract.order, orderHandlers(desk), options)
  serve(app, contract.point, pointHandlers(db), options)
  serve(app, contract.question, questionHandlers(db), options)
  serve(app, contract.questionSet, questionSetHandlers(db), options)
  serve(app, contract.reminder, reminderHandlers(db, push, { nameOf: sha256, deviceName }), options)
  serve(app, contract.store, storeHandlers(db), options)
  serve(app, contract.structural, structuralHandlers(db), options)
  const countDue = (uid: string, now: number) => rankSome(db, now, uid)
  serve(app, contract.study, studyHandlers(db, countDue), {
    ...options,
    atOnce: STUDY_AT_ONCE,
    perStudent: STUDY_PER_STUDENT,
  })
  const login = { proveOwner: proveOwner(db), proveMobile: proveMobile(db), hashPassword, sessions: sessionsOf(db) }
  serve(app, contract.testing, testingHandlers(db), options)
  serve(
    app,
    contract.user,
    { ...userHandlers(db, storage, login), ...addressHandlers(db), myWalletRecord: myWalletRecord(desk) },
    options,
  )
  serve(app, contract.vip, vipHandlers(db), options)
  serve(app, contract.wallet, walletHandlers(desk), options)
}

function operations(app: FastifyInstance, db: Db): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'static'
    seconds.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (route.startsWith('/pcapi'))
      request.log.info({ route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'call')
  })
  app.get('/healthz', () => 'ok')
  app.get('/readyz', async (_, reply) => {
    const ready = await sql`select 1 from student limit 0`.execute(db).then(
      () => true,
      () => false,
    )
    return reply.code(ready ? 200 : 503).send(ready ? 'ready' : 'database unreachable')
  })
  // For a collector on the same machine; what came through a proxy carries its own address.
  app.get('/metrics', async (request, reply) => {
    if (!isLoopback(request.ip)) return reply.code(404).send()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
