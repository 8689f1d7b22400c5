import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { contentHash } from '#server/http/encodings.ts'
import { serveBuild } from '#server/http/static.ts'
import { SITE, startServer, type TestServer } from '#tests/support/server.ts'

const INLINE = "document.documentElement.dataset.theme = 'dark'"
const INDEX = `<!doctype html><html lang="zh-CN"><script>${INLINE}</script><script type="module" src="/assets/app-New1.js"></script>${'<!-- -->'.repeat(100)}</html>`
const SECRET = 'DATABASE_URL=secret'
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const root = mkdtempSync(path.join(os.tmpdir(), 'lijian-static-'))
const dist = path.join(root, 'dist')
const kept = path.join(root, 'data/assets')
function release(assets: Record<string, string>): void {
  mkdirSync(path.join(dist, 'assets'), { recursive: true })
  writeFileSync(path.join(dist, 'index.html'), INDEX)
  writeFileSync(path.join(dist, 'sw.js'), 'self.addEventListener("fetch", () => {})')
  writeFileSync(path.join(dist, 'manifest.webmanifest'), '{"name":"砺剑军考"}')
  writeFileSync(path.join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const [name, text] of Object.entries(assets)) writeFileSync(path.join(dist, 'assets', name), text)
}

let server: TestServer
let app: FastifyInstance
beforeAll(async () => {
  writeFileSync(path.join(root, 'secret.env'), SECRET)
  release({ 'app-New1.js': 'export const now = 1\n'.repeat(100), 'app-New1.css': 'body{}' })
  mkdirSync(kept, { recursive: true })
  writeFileSync(path.join(kept, 'app-Old1.js'), 'export const before = 1')
  mkdirSync(path.join(dist, 'assets/pdf-1.0'))
  writeFileSync(path.join(dist, 'assets/pdf-1.0/jbig2.wasm'), 'wasm'.repeat(200))
  for (const version of ['0.9', '0.8']) {
    mkdirSync(path.join(kept, `pdf-${version}`))
    writeFileSync(path.join(kept, `pdf-${version}/old.bcmap`), 'old map')
  }
  writeFileSync(path.join(kept, 'app-Ancient.js'), 'export const ancient = 1')
  const days = (n: number) => new Date(Date.now() - n * 86_400_000)
  utimesSync(path.join(kept, 'app-Old1.js'), days(29), days(29))
  utimesSync(path.join(kept, 'app-Ancient.js'), days(31), days(31))
  utimesSync(path.join(kept, 'pdf-0.8'), days(31), days(31))
  server = await startServer()
  const { db, mediaDir } = server
  const sms = { sendCode: async () => {} }
  app = await buildApp({ db, sms, now: Date.now, site: SITE, mediaDir, bucketDir: mediaDir, build: { dist, kept } })
})
afterAll(async () => {
  await app.close()
  await server.close()
})
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

test.each([
  [404, '/media/%zz', '这里没有内容，请返回首页'],
  [404, '/media/none.png', '这里没有内容，请返回首页'],
  [404, '/assets/none.js', '这里没有内容，请返回首页'],
  [404, '/pcapi/no/such', '这里没有内容，请返回首页'],
  [414, `/media/${'a'.repeat(300)}`, '这个地址太长，请返回首页'],
])('an address that leads nowhere is answered in Chinese: %i %s', async (status, url, says) => {
  const { statusCode, body } = await get(url)
  expect([statusCode, body]).toEqual([status, says])
})

describe('caching', () => {
  test('a hashed asset is kept for ever', async () => {
    const response = await get('/assets/app-New1.css')
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/css; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  test('what a page may do is not told with each of its scripts', async () => {
    expect((await get('/assets/app-New1.js')).headers).not.toHaveProperty('permissions-policy')
  })

  test.each(['/', '/index.html', '/assets/../index.html', '/assets/%2e%2e/index.html', '/icon.svg'])(
    'what a page may do is told with %s',
    async (url) => {
      expect((await get(url)).headers).toMatchObject({
        'x-frame-options': 'DENY',
        'permissions-policy': 'geolocation=(), camera=(), microphone=()',
      })
    },
  )

  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/icon.svg', 'image/svg+xml'],
  ])('%s is asked for again each time, for the next release changes it', async (url, type) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': type })
  })

  test('an unchanged file is 304 without a body', async () => {
    const { etag } = (await get('/sw.js')).headers
    const again = await get('/sw.js', { 'if-none-match': String(etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get('/sw.js', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('text travels compressed as the browser can read it', async () => {
    const plain = await get('/assets/app-New1.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const br = await get('/assets/app-New1.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
    const gzip = await get('/assets/app-New1.js', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  })

  test('what the build has compressed is sent as it is, and a file that was changed since is sent as it is now', async () => {
    const [next, place] = [path.join(root, 'built'), path.join(root, 'built-kept')]
    mkdirSync(path.join(next, 'compressed'), { recursive: true })
    const text = 'import "./app.js"\n'.repeat(60)
    writeFileSync(path.join(next, 'start.js'), text)
    writeFileSync(path.join(next, 'compressed', `${contentHash(Buffer.from(text))}.br`), 'as built')
    const bodyOf = async () => {
      const product = Fastify()
      await serveBuild(product, { dist: next, kept: place })
      const { rawPayload } = await product.inject({ url: '/start.js', headers: { 'accept-encoding': 'br' } })
      await product.close()
      return rawPayload
    }
    expect((await bodyOf()).toString()).toBe('as built')
    const changed = text.replace('app', 'main')
    writeFileSync(path.join(next, 'start.js'), changed)
    expect(brotliDecompressSync(await bodyOf()).toString()).toBe(changed)
  })

  test('HEAD tells of a file without sending it', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/assets/app-New1.css' })
    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect(response.headers['content-length']).toBe('6')
  })
})

describe('releases', () => {
  test('a folder of assets is served and kept like a file, and its decoders have the type that browsers ask for', async () => {
    const response = await get('/assets/pdf-1.0/jbig2.wasm', { 'accept-encoding': 'br' })
    expect(response.headers).toMatchObject({
      'content-type': 'application/wasm',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    })
    expect(existsSync(path.join(kept, 'pdf-1.0/jbig2.wasm'))).toBe(true)
    expect((await get('/assets/pdf-0.9/old.bcmap')).body).toBe('old map')
    expect(existsSync(path.join(kept, 'pdf-0.8'))).toBe(false)
  })

  test('an asset of an earlier release is still served to a page that was open then', async () => {
    const response = await get('/assets/app-Old1.js')
    expect([response.statusCode, response.body]).toEqual([200, 'export const before = 1'])
    expect(response.headers['cache-control']).toContain('immutable')
  })

  test('an asset that no release of the last 30 days had is gone', async () => {
    expect(existsSync(path.join(kept, 'app-Ancient.js'))).toBe(false)
    expect((await get('/assets/app-Ancient.js')).statusCode).toBe(404)
  })

  test('what is served now is kept when the next release replaces it', async () => {
    const [next, place] = [path.join(root, 'next'), path.join(root, 'next-kept')]
    mkdirSync(path.join(next, 'assets'), { recursive: true })
    writeFileSync(path.join(next, 'index.html'), INDEX)
    writeFileSync(path.join(next, 'assets/chunk-A.js'), 'export const chunk = 1')
    const first = Fastify()
    await serveBuild(first, { dist: next, kept: place })
    await first.close()
    rmSync(path.join(next, 'assets/chunk-A.js'))
    const second = Fastify()
    await serveBuild(second, { dist: next, kept: place })
    expect((await second.inject('/assets/chunk-A.js')).body).toBe('export const chunk = 1')
    await second.close()
  })

  test('without a build the page says so, and the assets folder need not be there', async () => {
    const bare = Fastify()
    await serveBuild(bare, { dist: path.join(root, 'nowhere'), kept: path.join(root, 'nowhere-kept') })
    const response = await bare.inject('/')
    expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(response.body).toContain('npm run build')
    await bare.close()
  })
})

describe('addresses', () => {
  test.each([
    '/',
    '/question/library',
    '/question/library_study/L_c1/20/%E7%AC%AC%E4%B8%80%E7%AB%A0?from=home',
    '/pdf/https%3A%2F%2Fexample.com%2Fpaper.pdf',
    '/user/my_error',
    '/no/such/page',
    '/%E0%A4%A',
    '/%',
    '/question/library_study/L_c1/20/%E7%AC%?from=%E0%A4',
  ])('%s is a deep link: the page, with its policy', async (url) => {
    const response = await get(url, PAGE)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe(INDEX)
    expect(response.headers['content-security-policy']).toContain("default-src 'self'")
  })

  test('the page shows pictures of this site and its buckets alone, and sends nowhere else', async () => {
    const policyOf = async (sites?: readonly string[]) => {
      const own = Fastify()
      await serveBuild(own, { dist, kept, ...(sites && { sites }) })
      const { headers } = await own.inject({ url: '/', headers: { accept: 'text/html' } })
      await own.close()
      return String(headers['content-security-policy']).split('; ')
    }
    const files = 'https://img.lijian.example'
    expect(await policyOf()).toEqual(
      expect.arrayContaining(["img-src 'self' data: blob:", "media-src 'self' blob:", "connect-src 'self'"]),
    )
    expect(await policyOf([files])).toEqual(
      expect.arrayContaining([`img-src 'self' data: blob: ${files}`, `connect-src 'self' ${files}`]),
    )
  })

  const openerPolicy = async (url: string, site?: string) => {
    const { headers } = await get(url, { accept: 'text/html', ...(site && { 'sec-fetch-site': site }) })
    return headers['cross-origin-opener-policy']
  }

  test('a page of another origin that opens ours has no hold on it, but for the one that closes itself after paying', async () => {
    for (const site of ['cross-site', 'same-site', undefined]) {
      expect(await openerPolicy('/', site)).toBe('same-origin-allow-popups')
      expect(await openerPolicy('/user/my_order', site)).toBe('same-origin-allow-popups')
      expect(await openerPolicy('/auto_close', site)).toBeUndefined()
    }
  })

  test.each(['none', 'same-origin'])(
    'a page that the student opens (%s) comes without an opener policy, which would cost a process',
    async (site) => {
      expect(await openerPolicy('/', site)).toBeUndefined()
      expect(await openerPolicy('/index.html', site)).toBeUndefined()
    },
  )

  test('the page brings its policy by whichever name it is asked for: the worker precaches /index.html', async () => {
    const policies = ['/', '/index.html', '//index.html', '/assets/../index.html'].map(
      async (url) => (await get(url)).headers['content-security-policy'],
    )
    const [first, ...others] = await Promise.all(policies)
    const hash = createHash('sha256').update(INLINE).digest('base64')
    expect(first).toContain(`script-src 'self' 'sha256-${hash}'`)
    expect(first).toContain("frame-ancestors 'none'")
    for (const other of others) expect(other).toBe(first)
  })

  test.each([
    ['/assets/app-Missing.js', {}],
    ['/assets/app-Missing.js', PAGE],
    ['/assets/', PAGE],
    ['/assets/app-Missing', {}],
    ['/icon-9999.png', { accept: 'image/*' }],
    ['/robots.txt', {}],
    ['/media/none.png', PAGE],
    ['/pcapi/no/such', PAGE],
    ['/%70capi/no/such', PAGE],
    ['/%00', PAGE],
    ['/pcapi/%E0%A4%A', PAGE],
    ['/assets/%E0%A4%A.js', {}],
  ])('%s (%j) is 404 and never the page', async (url, headers) => {
    const response = await get(url, headers)
    expect(response.statusCode).toBe(404)
    expect(response.body).not.toContain('<!doctype html>')
  })

  test.each(['POST', 'PUT', 'DELETE'] as const)('%s of a page is 404', async (method) => {
    expect((await app.inject({ method, url: '/question/library' })).statusCode).toBe(404)
  })

  test.each([
    '/../secret.env',
    '/..%2fsecret.env',
    '/%2e%2e/secret.env',
    '/%2e%2e%2fsecret.env',
    '/assets/..%2f..%2fsecret.env',
    '/assets/..%2f..%2f..%2fsecret.env',
    '/assets/%2e%2e/%2e%2e/%2e%2e/secret.env',
    '/..\\secret.env',
    '/....//secret.env',
    '//secret.env',
    `/${encodeURIComponent(path.join(root, 'secret.env'))}`,
    `//${path.join(root, 'secret.env')}`,
  ])('%s does not leave the folder', async (url) => {
    const response = await get(url)
    expect(response.body).not.toContain(SECRET)
    expect(response.statusCode).toBe(404)
  })

  test('an asset folder that climbs back is its real file, not an immutable copy of it', async () => {
    expect((await get('/assets/..%2fsw.js')).headers['cache-control']).toBe('no-cache')
  })
})

test('the oldest version that may be used is told, and kept by nobody', async () => {
  const told = async (minVersion?: string) => {
    const own = Fastify()
    await serveBuild(own, { dist, kept, ...(minVersion && { minVersion }) })
    const { body, headers } = await own.inject('/version')
    await own.close()
    return [body, headers['cache-control']]
  }
  expect(await told()).toEqual(['0.0.0', 'no-store'])
  expect(await told('1.2.0')).toEqual(['1.2.0', 'no-store'])
})

test('pages that the browser keeps for the way back are let go at a page’s word, and nothing else of the site', async () => {
  const { statusCode, headers } = await get('/let_go')
  expect(statusCode).toBe(204)
  expect(headers).toMatchObject({ 'clear-site-data': '"cache"', 'cache-control': 'no-store' })
})

type Listener = (event: { waitUntil: (work: Promise<unknown>) => unknown }) => void
test('the worker that removes itself leaves alone those pages that no new version may reload', async () => {
  const heard = new Map<string, Listener>()
  const gone: string[] = []
  const paths = ['/', '/question/library', '/exam/exam_list', '/course/course_list']
  const busy = [
    '/question/library_study/1',
    '/exam/exam_study/1',
    '/testing/testing_study_page/1',
    '/course/course_video/1',
  ]
  const page = (at: string) => ({ url: `https://a.cn${at}?x=1`, navigate: async () => void gone.push(at) })
  const self = {
    addEventListener: (name: string, listener: Listener) => heard.set(name, listener),
    registration: { unregister: async () => true },
    clients: { matchAll: async () => [...paths, ...busy].map(page) },
  }
  const source = readFileSync(path.join(import.meta.dirname, '../../server/http/retireWorker.js'), 'utf8')
  runInNewContext(source, { self, URL, caches: { keys: async () => [] } })
  let work: Promise<unknown> = Promise.reject(new Error('nothing heard'))
  work.catch(() => {})
  heard.get('activate')?.({ waitUntil: (given) => (work = given) })
  await work
  expect(gone).toEqual(paths)
  expect(source).toContain(readFileSync('src/app/shell/nav.ts', 'utf8').match(/STUDYING =\n\s+\/(.*)\/\n/)?.[1])
})
