import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PRODUCT_NAME } from '#src/contract/config.ts'
import { renamedFiles } from './productName.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.txt', '.wasm'])
const ASSETS = '/assets/'
const INDEX = '/index.html'
const WORKER = '/sw.js'
/** A page opened before a release may still ask for the chunks it was built with. */
const KEEP_MS = 30 * 86_400_000
const NO_BUILD = '<!doctype html><meta charset="utf-8"><title>提示</title><p>页面尚未构建，请先运行 npm run build。'

export interface Build {
  dist: string
  /** Where earlier releases' assets stay. */
  kept: string
  /** As the operator calls the product; left out, our own name. */
  productName?: string
  /** Serve, instead of the app's service worker, one that removes itself. */
  retireWorker?: boolean
  /** Apps of an earlier version ask their student to update. */
  minVersion?: string
}
interface StaticFile {
  type: string
  plain: Buffer
  br: Buffer | null
  gzip: Buffer | null
  etag: string
}

/** Serves the built app: index.html for every navigation, hashed assets for ever, releases of the last 30 days kept. */
export async function serveBuild(
  app: FastifyInstance,
  { dist, kept, productName = PRODUCT_NAME, retireWorker = false, minVersion = '0.0.0' }: Build,
): Promise<void> {
  await keepAssets(dist, kept)
  const renamed = await renamedFiles(dist, productName)
  const files = new Map<string, Promise<StaticFile | null>>()
  const find = (url: string): Promise<StaticFile | null> => {
    const known = files.get(url)
    if (known) return known
    const from =
      retireWorker && url === WORKER ? load(import.meta.dirname, '/retireWorker.js') : load(dist, url, renamed)
    const loading = from.then((file) => file ?? (url.startsWith(ASSETS) ? load(kept, url.slice(ASSETS.length)) : null))
    // Only what exists is remembered: wrong names must not fill the memory.
    void loading.then((file) => file && files.set(url, loading))
    return loading
  }
  app.get('/version', (_, reply) => reply.header('cache-control', 'no-store').type('text/plain').send(minVersion))
  const csp = policy((await find(INDEX))?.plain.toString() ?? '')

  app.setNotFoundHandler(async (request, reply) => {
    const url = decoded(request.url.split('?')[0] ?? '/')
    if (url === null || (request.method !== 'GET' && request.method !== 'HEAD') || url.startsWith('/pcapi/'))
      return missing(reply)
    // index.html by its own name is the page too: the worker precaches it, and its policy must come with it.
    const page = url === '/' || url === INDEX
    const file = page ? null : await find(url)
    if (file) return send(request, reply, file, url.startsWith(ASSETS))
    if (url.startsWith(ASSETS) || (!page && /\.[a-z0-9]{1,12}$/i.test(url) && !accepts(request, 'text/html')))
      return missing(reply)
    const index = await find(INDEX)
    if (!index) return reply.code(503).type('text/html; charset=utf-8').send(NO_BUILD)
    return send(request, reply.header('content-security-policy', csp), index, false)
  })
}

const accepts = (request: FastifyRequest, type: string): boolean => request.headers.accept?.includes(type) ?? false
const missing = (reply: FastifyReply): FastifyReply => reply.code(404).type('text/plain; charset=utf-8').send('不存在')

/** One spelling per file: `/assets/../x` is `/x`, or a file would be kept in memory under names without end. */
function decoded(url: string): string | null {
  try {
    const text = decodeURIComponent(url)
    return text.includes('\0') ? null : path.posix.normalize(text)
  } catch {
    return null
  }
}

async function load(root: string, url: string, renamed?: ReadonlyMap<string, Buffer>): Promise<StaticFile | null> {
  const at = path.join(root, path.normalize(`/${url}`))
  const info = await stat(at).catch(() => null)
  if (!info?.isFile()) return null
  const plain = renamed?.get(url) ?? (await readFile(at))
  const extension = path.extname(at)
  const small = !COMPRESSED.has(extension) || plain.length < 512
  const file: StaticFile = {
    type: TYPES[extension] ?? 'application/octet-stream',
    plain,
    br: small ? null : await brotli(plain, 9),
    gzip: small ? null : await promisify(gzip)(plain, { level: 9 }),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  }
  // A tenth less, for a second of work on the largest file: nobody waits for it.
  if (!small) void brotli(plain, 11).then((best) => (file.br = best))
  return file
}

const brotli = (plain: Buffer, quality: number): Promise<Buffer> =>
  promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  })

function send(request: FastifyRequest, reply: FastifyReply, file: StaticFile, immutable: boolean): FastifyReply {
  void reply
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const encodings = request.headers['accept-encoding'] ?? ''
  const [body, encoding] = pick(file, encodings)
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.type(file.type).send(body)
}

function pick(file: StaticFile, encodings: string): [Buffer, string | null] {
  if (file.br && /\bbr\b/.test(encodings)) return [file.br, 'br']
  if (file.gzip && /\bgzip\b/.test(encodings)) return [file.gzip, 'gzip']
  return [file.plain, null]
}

/** Inline scripts of our own page run by their hash; nothing else inline does. Mantine sets styles inline. */
function policy(html: string): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code]) =>
      `'sha256-${createHash('sha256')
        .update(code ?? '')
        .digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "connect-src 'self' https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function keepAssets(dist: string, kept: string): Promise<void> {
  const assets = path.join(dist, ASSETS)
  await mkdir(kept, { recursive: true })
  const now = new Date()
  for (const name of existsSync(assets) ? await readdir(assets) : []) {
    await cp(path.join(assets, name), path.join(kept, name), { force: false, recursive: true })
    await utimes(path.join(kept, name), now, now)
  }
  for (const name of await readdir(kept)) {
    const at = path.join(kept, name)
    if (now.getTime() - (await stat(at)).mtimeMs > KEEP_MS) await rm(at, { recursive: true })
  }
}
