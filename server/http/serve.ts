import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { TYPES_HEADER } from '#src/contract/addedTypes.ts'
import type { Endpoint } from '#src/contract/endpoint.ts'
import { Scope } from '#src/contract/scalar.ts'
import { decodeForm } from '#src/contract/wire.ts'
import { chineseOf } from '#src/domain/app/failureWords.ts'
import { Busy, type Ctx, type Handlers, Ready, Refusal } from './handlers.ts'
import { networkOf } from './limits.ts'
import { pace } from './pace.ts'
import { turns, turnsByKey } from './turns.ts'

export interface ServeOptions {
  now: () => number
  /** The student whose token this is; null when it is unknown, revoked or expired. */
  authenticate: (token: string) => Promise<string | null>
  /** Tells of a token that nobody has whether it was ended elsewhere, and has not just run out. */
  hasEnded?: (token: string) => Promise<boolean>
  /**
   * At most so many calls of this group are in work, the others wait as the text they came as. More would only be half-done
   * work in memory which the database cannot take yet, and which the garbage collector copies again and again.
   */
  atOnce?: number
  /** One call of a student at a time: so many more wait, and none passes beyond so many a minute. Others are told to come later. */
  perStudent?: { waiting: number; callsAMinute: number }
}
type Form = Record<string, string>
type AnyHandler = (input: unknown, ctx: Ctx) => unknown

/**
 * Calls are form-encoded and nothing else: any other body is refused (415), never half understood. A form stays the text it
 * came as until its call has its turn.
 */
export function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, body),
  )
}

/** Adds a route for every endpoint of a contract group: decoding, access, validation, envelope, output filter. */
export function serve<Group extends Record<string, Endpoint>>(
  app: FastifyInstance,
  group: Group,
  handlers: Handlers<Group>,
  options: ServeOptions,
): void {
  const turn = turns(options.atOnce ?? Number.POSITIVE_INFINITY)
  const own = options.perStudent ? ofStudent(options.perStudent) : FREE
  const students = new WeakMap<FastifyRequest, string | null>()
  for (const [name, endpoint] of Object.entries(group)) {
    // Handlers<Group> has proven that the handler of this name takes this endpoint's input.
    const handler = handlers[name] as AnyHandler
    const url = `/pcapi/${endpoint.path.replace(/^\//, '')}`
    app.route({
      method: endpoint.method,
      url,
      // Before the body is read: what is not answered costs nothing.
      onRequest: async (request) => {
        const uid = await uidOf(request, options)
        own.admit(uid)
        students.set(request, uid)
      },
      handler: (request, reply) => {
        const uid = students.get(request) ?? null
        // Whoever waits for a call of their own does not take another student's place meanwhile.
        return own.turn(uid, lengthOf(request), () =>
          turn(() => answer(endpoint, handler, { request, reply, uid, ...options })),
        )
      },
    })
  }
}

/** The student whose call it is; null when nobody, or nobody who is known, is logged in. */
function uidOf({ headers: { authorization = '' } }: FastifyRequest, { authenticate }: ServeOptions) {
  return authorization === '' ? Promise.resolve(null) : authenticate(authorization)
}

const lengthOf = ({ body }: FastifyRequest): number => (typeof body === 'string' ? body.length : 0)

/** How the calls of one student follow each other. Nobody's calls are refused without any work. */
interface Own {
  /** Before its body is read. @throws Busy */
  admit: (uid: string | null) => void
  /** @param length of the body, in UTF-16 units @throws Busy */
  turn: <T>(uid: string | null, length: number, work: () => Promise<T>) => Promise<T>
}
const FREE: Own = { admit: () => {}, turn: (_uid, _length, work) => work() }
/** A longer call counts for several. */
const CALL_LENGTH = 100_000
function ofStudent({ waiting, callsAMinute }: NonNullable<ServeOptions['perStudent']>): Own {
  const paced = pace({ max: callsAMinute, windowMs: 60_000 })
  const turns = turnsByKey({ most: waiting, full: () => new Busy({ status: 503, afterS: 2 }) })
  const count = (uid: string, hits: number): void => {
    const waitMs = hits === 0 ? 0 : paced(uid, performance.now(), hits)
    if (waitMs > 0) throw new Busy({ status: 429, afterS: Math.ceil(waitMs / 1000) })
  }
  return {
    admit(uid) {
      if (uid === null) return
      count(uid, 1)
      turns.look(uid)
    },
    turn(uid, length, work) {
      if (uid === null) return work()
      count(uid, Math.floor(length / CALL_LENGTH))
      return turns.take(uid, work)
    },
  }
}

interface Call extends Pick<ServeOptions, 'now' | 'hasEnded'> {
  request: FastifyRequest
  reply: FastifyReply
  uid: string | null
}
async function answer(endpoint: Endpoint, handler: AnyHandler, call: Call): Promise<FastifyReply> {
  const { request, reply, uid, now } = call
  const form = formOf(request)
  const token = request.headers.authorization ?? ''
  if (endpoint.access === 'user' && uid === null) {
    const isEnded = token !== '' && (await call.hasEnded?.(token))
    return isEnded
      ? envelope(reply, 2, '登录已在其他设备上被退出，请重新登录', '{"ended":true}')
      : envelope(reply, 2, '登录已过期，请重新登录', 'null')
  }
  const input = v.safeParse(endpoint.input, decodeForm(endpoint.input, form))
  if (!input.success)
    return envelope(
      reply,
      0,
      chineseOf(input.issues.map(({ message }) => message)) ?? '提交的内容有误，请刷新页面后重试',
      'null',
    )
  // A broken scope is nobody's fault to report: it falls back to "nationwide, none chosen".
  const scope = v.parse(v.fallback(Scope, { sg_key: '', area: '0', key: '' }), form)
  let msg = ''
  const say = (text: string) => void (msg = text)
  const agent = request.headers['user-agent'] ?? ''
  const device = deviceOf(request)
  const keepDevice = () => device || nameDevice(request, reply)
  const types = new Set(String(request.headers[TYPES_HEADER] ?? '').split(','))
  const ctx: Ctx = { uid, scope, ip: networkOf(request.ip), agent, device, keepDevice, token, types, now: now(), say }
  try {
    const output = await handler(input.output, ctx)
    return envelope(reply, 1, msg, output instanceof Ready ? output.json : filtered(endpoint, output))
  } catch (error) {
    if (error instanceof Refusal) return envelope(reply, 0, error.message, 'null')
    throw error
  }
}

/** Only calls of the login are told it; no script of a page can read it. */
const DEVICE_COOKIE = 'device'
const YEAR_S = 365 * 86_400
const deviceOf = ({ headers }: FastifyRequest): string => {
  const name = parseCookie(headers.cookie ?? '')[DEVICE_COOKIE] ?? ''
  return /^[\w-]{22}$/.test(name) ? name : ''
}
function nameDevice(request: FastifyRequest, reply: FastifyReply): string {
  const name = randomBytes(16).toString('base64url')
  const kept = { path: '/pcapi/login', httpOnly: true, sameSite: 'strict', maxAge: YEAR_S } as const
  const secure = request.protocol === 'https'
  void reply.header('set-cookie', stringifySetCookie({ name: DEVICE_COOKIE, value: name, ...kept, secure }))
  return name
}

/** PostgreSQL's text holds every character but NUL, which nobody types. */
function formOf(request: FastifyRequest): Form {
  const form: Form = Object.create(null)
  const { method, body, query } = request
  const fields =
    method === 'GET' ? Object.entries(query ?? {}) : new URLSearchParams(typeof body === 'string' ? body : '')
  for (const [name, value] of fields) if (typeof value === 'string') form[name] = value.replaceAll('\0', '')
  return form
}

/** Only what the contract names leaves the server. */
function filtered(endpoint: Endpoint, output: unknown): string {
  const result = v.safeParse(endpoint.output, output)
  if (!result.success)
    throw new Error(`output of ${endpoint.path} breaks the contract: ${JSON.stringify(v.flatten(result.issues))}`)
  return JSON.stringify(result.output)
}

function envelope(reply: FastifyReply, status: 0 | 1 | 2, msg: string, data: string): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(`{"status":${status},"msg":${JSON.stringify(msg)},"data":${data}}`)
}
