import { Buffer } from 'node:buffer'
import { mkdtempSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync, gzip, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import { SERVER_FAULT } from '#src/domain/app/failureWords.ts'
import { buildApp } from '#server/app.ts'
import { openDatabase } from '#server/db/open.ts'
import { writeSetting } from '#server/config/store.ts'
import { textOf } from '#server/http/faults.ts'
import { Ready, Refusal } from '#server/http/handlers.ts'
import { serve, takeForms } from '#server/http/serve.ts'
import { SITE, startServer, type TestServer } from '#tests/support/server.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const SECURITY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'geolocation=(), camera=(), microphone=()',
  'cross-origin-resource-policy': 'same-origin',
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
const post = (url: string, payload: string | Buffer, headers: Record<string, string> = FORM) =>
  server.app.inject({ method: 'POST', url, headers, payload })

describe('the envelope', () => {
  test('is HTTP 200 with status, msg and data, as JSON that no cache keeps', async () => {
    const response = await post('/pcapi/home/getNotice', '')
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(response.json()).toEqual({ status: 1, msg: '', data: { text: '', at: null } })
  })

  test('is HTTP 200 for a refusal and for a missing login too: their word is in the status', async () => {
    const refused = await post('/pcapi/question/chapter', 'no=nowhere')
    expect([refused.statusCode, refused.json()]).toMatchObject([200, { status: 0, data: null }])
    const anonymous = await post('/pcapi/user/getUserInfo', '')
    expect([anonymous.statusCode, anonymous.json()]).toMatchObject([200, { status: 2, data: null }])
  })

  test('carries the security headers, like every other answer', async () => {
    for (const url of ['/pcapi/home/getNotice', '/pcapi/no/such', '/healthz', '/media/none.png'])
      for (const method of ['GET', 'POST'] as const)
        expect((await server.app.inject({ method, url })).headers, `${method} ${url}`).toMatchObject(SECURITY)
  })

  test('is asked for by https alone where the site is, and only there', async () => {
    const hsts = async (origin?: string) => {
      const { db, mediaDir, bucketDir } = server
      const sms = { sendCode: async () => {} }
      const app = await buildApp({ db, sms, now: Date.now, site: SITE, mediaDir, bucketDir, ...(origin && { origin }) })
      const { headers } = await app.inject('/healthz')
      await app.close()
      return headers['strict-transport-security']
    }
    expect(await hsts('https://lijian.example')).toBe('max-age=31536000')
    expect([await hsts('http://127.0.0.1:8787'), await hsts()]).toEqual([undefined, undefined])
  })

  test('is gzipped when it is long and the caller takes gzip', async () => {
    await writeSetting(server.db, 'notice', '一则很长的通知。'.repeat(100))
    const response = await post('/pcapi/home/getNotice', '', { ...FORM, 'accept-encoding': 'br, gzip' })
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    const plain = await post('/pcapi/home/getNotice', '')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(response.rawPayload).toString()).toBe(plain.body)
    await writeSetting(server.db, 'notice', '')
  })
})

describe('the way in', () => {
  test('a form-encoded body is read, Chinese, plus signs and all', async () => {
    const { token } = await server.student()
    const response = await post('/pcapi/user/save', 'nickname=%E5%86%9B%E8%80%83+%2B%26', {
      ...FORM,
      authorization: token,
    })
    expect(response.json()).toMatchObject({ status: 1, data: { nickname: '军考 +&' } })
  })

  test.each([
    ['application/json', '{"mobile":"13800000000","password":"x"}'],
    ['text/plain', 'mobile=13800000000&password=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
  ])('a body of %s is refused with 415, not half understood', async (type, body) => {
    const response = await post('/pcapi/login/loginByPassword', body, { 'content-type': type })
    expect(response.statusCode).toBe(415)
    expect(response.body).toBe('请求有误，请刷新页面后重试')
    expect(response.headers).toMatchObject(SECURITY)
  })

  test('a field given twice counts once, the last', async () => {
    expect((await post('/pcapi/question/chapter', 'no=a&no=b+b')).json()).toMatchObject({ msg: '编号不正确' })
  })

  test.each(['__proto__=x&no=S', 'constructor=x&no=S', '%E0%A4%A=1&no=S', '=&&&=;no', 'no[]=S', ''])(
    'a strange form (%s) is an ordinary refusal',
    async (body) => {
      const response = await post('/pcapi/question/chapter', body)
      expect(response.statusCode).toBe(200)
      expect(response.json()).toMatchObject({ status: 0, data: null })
    },
  )

  test.each([
    ['POST', '/pcapi/no/such'],
    ['POST', '/pcapi/'],
    ['GET', '/pcapi/home/getNotice'],
    ['PUT', '/pcapi/home/getNotice'],
    ['GET', '/nothing/here.txt'],
  ] as const)('%s %s is 404', async (method, url) => {
    expect((await server.app.inject({ method, url })).statusCode).toBe(404)
  })

  test('a body over a megabyte is 413, and one just below is read', async () => {
    const long = (bytes: number) => `no=${'x'.repeat(bytes - 3)}`
    const refused = await post('/pcapi/question/chapter', long(1024 * 1024 + 1))
    expect(refused.statusCode).toBe(413)
    expect((await post('/pcapi/question/chapter', long(1024 * 1024))).json()).toMatchObject({ msg: '编号不正确' })
  })

  test.each([
    ['to a call, as no form', 'POST', '/pcapi/home/getNotice', 'text/plain'],
    ['to a call that is none', 'POST', '/pcapi/no/such', FORM['content-type']],
    ['to a page', 'POST', '/user/my_order', 'text/plain'],
    ['to the bucket, without keys', 'PUT', '/bucket/u/x/a.jpg', 'image/jpeg'],
    ['of a provider', 'POST', '/pay/notify/sandbox', 'application/json'],
  ] as const)(
    'what calls itself gzipped and is not, sent %s, ends nothing but itself',
    async (_, method, url, type) => {
      const crashes: unknown[] = []
      const crashed = (error: unknown) => void crashes.push(error)
      const before = process.listeners('uncaughtException')
      process.removeAllListeners('uncaughtException').on('uncaughtException', crashed)
      try {
        const headers = { 'content-type': type, 'content-encoding': 'gzip' }
        const answer = await server.app.inject({ method, url, headers, payload: 'not gzipped at all' })
        expect(answer.statusCode).toBeGreaterThanOrEqual(400)
        // Unpacking is done on another thread: this comes back behind it.
        await promisify(gzip)('x')
        await setImmediate()
        expect(crashes).toEqual([])
      } finally {
        process.removeListener('uncaughtException', crashed)
        for (const listener of before) process.on('uncaughtException', listener)
      }
    },
  )

  test('a gzipped form is read; a bomb is 413 and half a file 400', async () => {
    const zipped = { ...FORM, 'content-encoding': 'gzip' }
    const ask = (form: Buffer) => post('/pcapi/question/chapter', form, zipped)
    expect((await ask(gzipSync(`no=${'x'.repeat(5_000)}`))).json()).toMatchObject({ status: 0, msg: '编号不正确' })
    const bomb = gzipSync(`no=${'x'.repeat(50 * 1024 * 1024)}`)
    expect(bomb.length).toBeLessThan(100_000)
    expect((await ask(bomb)).statusCode).toBe(413)
    expect((await ask(gzipSync('no=abc').subarray(0, 15))).statusCode).toBe(400)
    expect((await ask(Buffer.from('no=abc'))).statusCode).toBe(400)
  })

  test('every endpoint of the contract is there, at its path and method', async () => {
    const endpoints = Object.values(contract).flatMap((group) => Object.values(group))
    expect(endpoints.length).toBeGreaterThan(15)
    for (const { path: at, method } of endpoints) {
      const response = await server.app.inject({ method, url: `/pcapi/${at}`, headers: FORM })
      expect(response.statusCode, `/pcapi/${at}`).toBe(200)
      expect(Object.keys(response.json())).toEqual(['status', 'msg', 'data'])
    }
  })
})

describe('a contract becomes routes', () => {
  const Shape = v.object({ name: v.string(), inner: v.array(v.object({ no: v.string() })) })
  const common = { access: 'open', keep: 'nowhere', input: v.object({}), output: Shape } as const
  const group = {
    leaky: endpoint({ ...common, path: 't/leaky' }),
    broken: endpoint({ ...common, path: 't/broken' }),
    kept: endpoint({
      ...common,
      path: 't/kept',
      keep: 'worker',
      input: v.object({ n: v.number(), flags: v.optional(v.array(v.string()), []), text: v.string() }),
      output: v.object({ n: v.number(), flags: v.array(v.string()), text: v.string() }),
    }),
    ready: endpoint({ ...common, path: 't/ready' }),
    refuses: endpoint({ ...common, path: 't/refuses' }),
    throws: endpoint({ ...common, path: 't/throws' }),
    whoami: endpoint({ ...common, path: '/t/whoami', access: 'user', output: v.object({ uid: v.string() }) }),
    scope: endpoint({
      ...common,
      path: 't/scope',
      output: v.object({ sg_key: v.string(), area: v.string(), key: v.string() }),
    }),
  }
  const wide = { name: '甲', password: 'secret', inner: [{ no: 'N1', key: 'B', hash: 'secret' }] }
  let app: FastifyInstance
  beforeAll(() => {
    app = Fastify()
    takeForms(app)
    serve(
      app,
      group,
      {
        leaky: (_, { say }) => {
          say('"好"\n')
          return wide
        },
        // A row that lost a field: the handler's type promises it, the database did not keep the promise.
        broken: () => JSON.parse('{"name":"甲","password":"secret"}'),
        kept: (input) => input,
        ready: () => new Ready('{"name":"原样","inner":[]}'),
        refuses: () => {
          throw new Refusal('名额已满，请换一场')
        },
        throws: () => {
          throw new Error('password=secret at 10.0.0.7')
        },
        whoami: (_, { uid }) => ({ uid }),
        scope: (_, { scope }) => scope,
      },
      { now: () => 0, authenticate: async (token) => (token === 'good' ? 'u1' : null) },
    )
    app.setErrorHandler((_, __, reply) => reply.code(500).send('Internal Server Error'))
  })
  afterAll(() => app.close())
  const call = (at: string, payload = '', headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: `/pcapi/t/${at}`, headers: { ...FORM, ...headers }, payload })

  test('fields that the contract does not name never leave, at any depth', async () => {
    const response = await call('leaky')
    expect(response.json()).toEqual({ status: 1, msg: '"好"\n', data: { name: '甲', inner: [{ no: 'N1' }] } })
    expect(response.body).not.toContain('secret')
  })

  test('an answer that breaks the contract is a fault, and none of it is sent', async () => {
    const response = await call('broken')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('secret')
  })

  test('ready JSON is sent as it is', async () => {
    expect((await call('ready')).json()).toEqual({ status: 1, msg: '', data: { name: '原样', inner: [] } })
  })

  test('a refusal is status 0 with its message', async () => {
    expect((await call('refuses')).json()).toEqual({ status: 0, msg: '名额已满，请换一场', data: null })
  })

  test('any other error is not told', async () => {
    const response = await call('throws')
    expect(response.statusCode).toBe(500)
    expect(response.body).toBe('Internal Server Error')
  })

  test('what the worker keeps is read by GET, from the query, and by nothing else', async () => {
    const query = new URLSearchParams({ n: '5', flags: '["a","b"]', text: 'true' }).toString()
    const response = await app.inject(`/pcapi/t/kept?${query}`)
    expect(response.json()).toEqual({ status: 1, msg: '', data: { n: 5, flags: ['a', 'b'], text: 'true' } })
    expect((await call('kept', query)).statusCode).toBe(404)
    expect((await app.inject('/pcapi/t/leaky')).statusCode).toBe(404)
  })

  test.each(['n=&text=x', 'n=five&text=x', 'n=%225%22&text=x', 'n=5', 'n=5&text=x&text=y'])(
    'nothing is coerced: ?%s is refused in Chinese',
    async (query) => {
      expect((await app.inject(`/pcapi/t/kept?${query}`)).json()).toEqual({
        status: 0,
        msg: '提交的内容有误，请刷新页面后重试',
        data: null,
      })
    },
  )

  test('a handler for students runs with the uid of a good token, and not without one', async () => {
    expect((await call('whoami', '', { authorization: 'good' })).json()).toMatchObject({ data: { uid: 'u1' } })
    expect((await call('whoami', '', { authorization: 'bad' })).json()).toMatchObject({ status: 2 })
    expect((await call('whoami')).json()).toMatchObject({ status: 2 })
    expect((await call('whoami', 'uid=u1&token=good&authorization=good')).json()).toMatchObject({ status: 2 })
  })

  test('the scope of every body reaches the handler; a broken one falls back', async () => {
    const scope = { sg_key: 'jg', area: '11', key: 'jg' }
    expect((await call('scope', new URLSearchParams(scope).toString())).json()).toMatchObject({ data: scope })
    for (const body of ['', 'sg_key=%3Cb%3E&area=11', `area=${'1'.repeat(33)}`])
      expect((await call('scope', body)).json()).toMatchObject({ data: { sg_key: '', area: '0', key: '' } })
  })
})

describe('faults', () => {
  /** What a server on a port says to these bytes. */
  async function answerTo(bytes: string): Promise<string> {
    const app = await buildApp({
      db: server.db,
      sms: { sendCode: async () => {} },
      now: Date.now,
      site: SITE,
      mediaDir: server.mediaDir,
      bucketDir: server.bucketDir,
    })
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    try {
      return await text(socket)
    } finally {
      await app.close()
    }
  }
  const head = (more: string) => `GET / HTTP/1.1\r\nhost: a.test\r\n${more}\r\n\r\n`
  test.each([
    ['what is no request', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['a head that is too long', head(`x: ${'a'.repeat(40_000)}`), 'HTTP/1.1 431 Request Header Fields Too Large'],
  ])('%s is answered in Chinese', async (_, bytes, status) => {
    const [first, ...rest] = (await answerTo(bytes)).split('\r\n')
    expect(first).toBe(status)
    expect(rest.at(-1)).toMatch(/^\p{Script=Han}+，请\p{Script=Han}+$/u)
  })
  test.each([400, 404, 405, 408, 413, 415, 429, 431, 500, 503])(
    'the text of %i says in Chinese what to do',
    (status) => {
      expect(textOf(status)).toMatch(/^[\p{Script=Han}，]+，(?:请|稍后)[\p{Script=Han}]+!?$/u)
    },
  )

  test('a database that is gone is a 500 without details, logged with its route', async () => {
    const lines: string[] = []
    const db = await openDatabase({ socketFolder: server.socketFolder, database: server.database }, () => {}, 1)
    const app = await buildApp({
      db,
      sms: { sendCode: async () => {} },
      now: Date.now,
      site: SITE,
      mediaDir: server.mediaDir,
      bucketDir: server.bucketDir,
      logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
    })
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    await db.destroy()
    const response = await app.inject({ method: 'POST', url: '/pcapi/home/getNotice' })
    expect(response.statusCode).toBe(500)
    expect(response.body).toBe(SERVER_FAULT)
    expect(response.headers).toMatchObject({ ...SECURITY, 'content-type': 'text/plain; charset=utf-8' })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'request failed',
      method: 'POST',
      route: '/pcapi/home/getNotice',
    })
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    const ready = await app.inject('/readyz')
    expect([ready.statusCode, ready.body]).toEqual([503, 'database unreachable'])
    await app.close()
  })

  test('a call is logged without token, password or mobile', async () => {
    const lines: string[] = []
    const app = await buildApp({
      db: server.db,
      sms: { sendCode: async () => {} },
      now: () => server.clock.now,
      site: SITE,
      mediaDir: server.mediaDir,
      bucketDir: server.bucketDir,
      logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
    })
    await app.inject({
      method: 'POST',
      url: '/pcapi/login/loginByPassword',
      headers: { ...FORM, authorization: 'tell-nobody' },
      payload: 'mobile=13812345678&password=tell-nobody',
    })
    await app.close()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'call', route: '/pcapi/login/loginByPassword', status: 200, ms: expect.any(Number) },
    ])
    expect(lines.join('')).not.toMatch(/tell-nobody|13812345678/)
  })
})

describe('for the operator', () => {
  test('healthz and readyz answer', async () => {
    const health = await server.app.inject('/healthz')
    expect([health.statusCode, health.body]).toEqual([200, 'ok'])
    const ready = await server.app.inject('/readyz')
    expect([ready.statusCode, ready.body]).toEqual([200, 'ready'])
  })

  const metrics = (remoteAddress: string, forwarded?: string) =>
    server.app.inject({
      url: '/metrics',
      remoteAddress,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })

  test.each([
    ['127.0.0.1', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
    ['127.0.0.1', '127.0.0.1'],
  ])('metrics are for a collector on this machine: %s, forwarded for %s', async (remote, forwarded) => {
    await post('/pcapi/home/getNotice', '')
    const response = await metrics(remote, forwarded)
    expect(response.statusCode).toBe(200)
    expect(response.body).toMatch(
      /http_request_duration_seconds_count\{route="\/pcapi\/home\/getNotice",status="200"\} \d+/,
    )
    expect(response.body).toContain('process_cpu_seconds_total')
  })

  test.each([
    ['127.0.0.1', '203.0.113.9'],
    ['127.0.0.1', '127.0.0.1, 203.0.113.9'],
    ['127.0.0.1', '203.0.113.9, 127.0.0.1'],
    ['203.0.113.9', undefined],
    ['203.0.113.9', '127.0.0.1'],
    ['10.0.0.5', '::1'],
  ])('metrics are 404 for everybody else: %s, forwarded for %s', async (remote, forwarded) => {
    const response = await metrics(remote, forwarded)
    expect([response.statusCode, response.body]).toEqual([404, ''])
  })

  test('no path of a stranger becomes a label', async () => {
    await server.app.inject('/wp-admin/setup.php')
    expect((await metrics('127.0.0.1')).body).not.toContain('wp-admin')
  })
})

describe('media', () => {
  test('what is no content hash is 404, whichever way it points', async () => {
    const outside = path.basename(mkdtempSync(path.join(os.tmpdir(), 'lijian-outside-')))
    const names = [
      '..%2fsecret.png',
      `..%2f${outside}`,
      '%2e%2e',
      'a.png',
      `${'a'.repeat(32)}.exe`,
      `${'a'.repeat(32)}.png`,
    ]
    for (const name of names) expect((await server.app.inject(`/media/${name}`)).statusCode, `/media/${name}`).toBe(404)
  })
})

test('a token of any length or bytes is an ordinary "not logged in"', async () => {
  const response = await server.app.inject({
    method: 'POST',
    url: '/pcapi/user/getUserInfo',
    headers: { authorization: Buffer.alloc(8000, 'x').toString() },
  })
  expect(response.json()).toMatchObject({ status: 2 })
})

test("calls beyond a group's limit wait their turn, in order, and a failed call gives its place away", async () => {
  const app = Fastify()
  takeForms(app)
  const slow = endpoint({
    path: 't/slow',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ n: v.number() }),
    output: v.number(),
  })
  const begun: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const handler = ({ n }: { n: number }) =>
    new Promise<number>((resolve, reject) => {
      begun.push(n)
      ends.set(n, (error) => (error ? reject(error) : resolve(n)))
    })
  serve(app, { slow }, { slow: handler }, { now: () => 0, authenticate: async () => null, atOnce: 2 })
  app.setErrorHandler((_, __, reply) => reply.code(500).send())
  const answers = [1, 2, 3, 4].map((n) =>
    app.inject({ method: 'POST', url: '/pcapi/t/slow', headers: FORM, payload: `n=${n}` }),
  )
  await expect.poll(() => begun).toEqual([1, 2])
  ends.get(2)?.(new Error('gone'))
  await expect.poll(() => begun).toEqual([1, 2, 3])
  ends.get(1)?.()
  await expect.poll(() => begun).toEqual([1, 2, 3, 4])
  ends.get(3)?.()
  ends.get(4)?.()
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 500, 200, 200])
  await app.close()
})
