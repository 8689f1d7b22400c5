import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { inject } from 'vitest'
import { ADDED_TYPES, TYPES_HEADER } from '#src/contract/addedTypes.ts'
import type { Endpoint, Envelope, Input, Output } from '#src/contract/endpoint.ts'
import { encodeForm } from '#src/contract/wire.ts'
import { buildApp, type Parts } from '#server/app.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { type Db, openDatabase } from '#server/db/open.ts'
import type { Desk } from '#server/order/payments.ts'
import type { PayProvider } from '#server/outside/pay.ts'
import { sandbox, type SignedNotice } from '#server/outside/sandbox.ts'
import { administer, testDataDir } from './database.ts'
import { authorise } from './login.ts'

export const SITE = { phone: '', chatId: '', address: '', copyright: '', filingNo: '' }

export interface TestServer {
  app: FastifyInstance
  db: Db
  socketFolder: string
  database: string
  mediaDir: string
  bucketDir: string
  /** The server's clock: a test moves it. */
  clock: { now: number }
  /** The last code sent to a mobile. */
  codes: Map<string, string>
  desk: Desk
  /** Takes the sandbox's notices: to `notify`, the door of the server, unless a test sets another. */
  deliver: { to: (notice: SignedNotice) => Promise<boolean> }
  notify: (notice: SignedNotice) => Promise<boolean>
  /** While it is on, nobody answers at the provider's. */
  outage: { on: boolean }
  /** What the desk could not do and tells the operator of. */
  troubles: unknown[]
  /** The whole envelope of a call. */
  ask: <E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    token?: string,
    scope?: Record<string, string>,
    /** The added types of questions that the app says it knows; all where left out. */
    types?: readonly string[],
  ) => Promise<Envelope>
  /** The data of a call that must be done. */
  call: <E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    token?: string,
    scope?: Record<string, string>,
  ) => Promise<Output<E>>
  /** A student who is logged in. */
  student: (mobile?: string) => Promise<{ uid: string; token: string; mobile: string }>
  close: () => Promise<void>
}

let mobiles = 13_900_000_000

/** The real server on a database of its own in the embedded PostgreSQL that all test files share. */
export async function startServer(more: Partial<Parts> = {}): Promise<TestServer> {
  const { socketFolder } = await startEmbedded(testDataDir)
  const database = `t_${randomUUID().replaceAll('-', '')}`
  await administer(socketFolder, `create database ${database} template ${inject('template')}`)
  const db = await openDatabase({ socketFolder, database }, () => {}, 8)
  const clock = { now: Date.UTC(2026, 10, 21, 4) }
  const codes = new Map<string, string>()
  const mediaDir = mkdtempSync(path.join(os.tmpdir(), 'lijian-media-'))
  const bucketDir = path.join(mediaDir, 'bucket')
  const sms = { sendCode: async (mobile: string, code: string) => void codes.set(mobile, code) }
  const troubles: unknown[] = []
  const notify = async ({ headers, body: payload }: SignedNotice) => {
    const answer = await app.inject({ method: 'POST', url: '/pay/notify/sandbox', headers, payload })
    return answer.statusCode === 200
  }
  const deliver = { to: notify }
  const failed = (error: unknown) => void troubles.push(error)
  const now = () => clock.now
  const box = sandbox({ db, secret: 'sandbox', deliver: (notice) => deliver.to(notice), now, failed })
  const outage = { on: false }
  const desk: Desk = { db, providers: new Map([[box.name, breakable(box, outage)]]), failed }
  const app = await buildApp({ db, sms, now, site: SITE, mediaDir, bucketDir, desk, sandbox: box, ...more })

  const ask: TestServer['ask'] = async (endpoint, input, token = '', scope = {}, types = ADDED_TYPES) => {
    const fields = encodeForm({ ...scope, ...(input as Record<string, unknown>) })
    const form = new URLSearchParams(fields).toString()
    const get = endpoint.method === 'GET'
    const response = await app.inject({
      method: endpoint.method,
      url: `/pcapi/${endpoint.path}${get ? `?${form}` : ''}`,
      headers: {
        ...(token && { authorization: token }),
        [TYPES_HEADER]: types.join(),
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(!get && { payload: form }),
    })
    if (response.statusCode !== 200) throw new Error(`${endpoint.path}: HTTP ${response.statusCode} ${response.body}`)
    return response.json()
  }
  const call: TestServer['call'] = async (endpoint, input, token, scope) => {
    const envelope = await ask(endpoint, input, token, scope)
    if (envelope.status !== 1) throw new Error(`${endpoint.path}: ${envelope.status} ${envelope.msg}`)
    // The server has filtered it by this endpoint's output schema.
    return envelope.data as Output<typeof endpoint>
  }
  const student: TestServer['student'] = async (mobile = String(++mobiles)) => {
    return { ...(await authorise(db, mobile, clock.now)), mobile }
  }
  const close = async () => {
    await app.close()
    await db.destroy()
    await administer(socketFolder, `drop database ${database} with (force)`)
  }
  return {
    app,
    db,
    socketFolder,
    database,
    mediaDir,
    bucketDir,
    clock,
    codes,
    desk,
    deliver,
    notify,
    outage,
    troubles,
    ask,
    call,
    student,
    close,
  }
}

/** A provider that cannot always be reached. Its notices and its own page are not our calls. */
function breakable(provider: PayProvider, outage: { on: boolean }): PayProvider {
  const through =
    <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      outage.on ? Promise.reject(new Error('nobody answers')) : act(...args)
  const { begin, find, close, refund, findRefund } = provider
  return {
    ...provider,
    begin: through(begin),
    find: through(find),
    close: through(close),
    refund: through(refund),
    findRefund: through(findRefund),
  }
}
