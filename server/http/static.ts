import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PRODUCT_NAME } from '#src/contract/config.ts'
import { textOf } from './faults.ts'
import { contentHash, type Encodings, encodingsOf } from './encodings.ts'
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
const ASSETS = '/assets/'
const INDEX = '/index.html'
const WORKER = '/sw.js'
/** Where a payment provider sends the student back to. */
const AUTO_CLOSE = '/auto_close'
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
  /** Besides this site, where pictures and documents are and uploads go, as `https://host`. */
  sites?: readonly string[]
}
interface StaticFile extends Encodings {
  type: string
  plain: Buffer
  etag: string
}

/** Serves the built app: index.html for every navigation, hashed assets for ever, releases of the last 30 days kept. */
export async function serveBuild(
  app: FastifyInstance,
  { dist, kept, productName = PRODUCT_NAME, retireWorker = false, minVersion = '0.0.0', sites = [] }: Build,
): Promise<void> {
  await keepAssets(dist, kept)
  const renamed = await renamedFiles(dist, productName)
  const read = async (url: string): Promise<Buffer | null> => {
    if (retireWorker && url === WORKER) return fileAt(import.meta.dirname, '/retireWorker.js')
    const here = renamed.get(url) ?? (await fileAt(dist, url))
    return here ?? (url.startsWith(ASSETS) ? fileAt(kept, url.slice(ASSETS.length)) : null)
  }
  const load = async (url: string): Promise<StaticFile | null> => {
    const plain = await read(url)
    if (!plain) return null
    const type = TYPES[path.extname(url)] ?? 'application/octet-stream'
    return { type, plain, etag: `"${contentHash(plain)}"`, ...(await encodingsOf(dist, url, plain)) }
  }
  const files = new Map<string, Promise<StaticFile | null>>()
  const find = (url: string): Promise<StaticFile | null> => {
    const known = files.get(url)
    if (known) return known
    const loading = load(url)
    // Only what exists is remembered: wrong names must not fill the memory.
    void loading.then((file) => file && files.set(url, loading))
    return loading
  }
  app.get('/version', (_, reply) => reply.header('cache-control', 'no-store').type('text/plain').send(minVersion))
  // A page asks for it when one that is kept for the way back holds its database (src/offline/device/frozen.ts).
  app.get('/let_go', (_, reply) =>
    reply.header('cache-control', 'no-store').header('clear-site-data', '"cache"').code(204).send(),
  )
  const csp = policy((await find(INDEX))?.plain.toString() ?? '', sites)

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
    void reply.header('content-security-policy', csp)
    // AUTO_CLOSE stays with the page that opened it and the provider's, or it could not close itself.
    if (url !== AUTO_CLOSE && mayComeFromElsewhere(request))
      void reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
    return send(request, reply, index, false)
  })
}

const accepts = (request: FastifyRequest, type: string): boolean => request.headers.accept?.includes(type) ?? false
/**
 * False when the student starts the app, goes to its address or follows a link inside it, and when the worker fetches the page. Such a
 * page is sent without an opener policy: with one, the browser throws the process it has just prepared away and starts another.
 */
const mayComeFromElsewhere = (request: FastifyRequest): boolean =>
  !['none', 'same-origin'].includes(String(request.headers['sec-fetch-site']))
const missing = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type('text/plain; charset=utf-8').send(textOf(404))

/** One spelling per file: `/assets/../x` is `/x`, or a file would be kept in memory under names without end. */
function decoded(url: string): string | null {
  try {
    const text = decodeURIComponent(url)
    return text.includes('\0') ? null : path.posix.normalize(text)
  } catch {
    return null
  }
}

async function fileAt(root: string, url: string): Promise<Buffer | null> {
  const at = path.join(root, path.normalize(`/${url}`))
  const info = await stat(at).catch(() => null)
  return info?.isFile() ? await readFile(at) : null
}

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
function policy(html: string, sites: readonly string[]): string {
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
    ["img-src 'self' data: blob:", ...sites].join(' '),
    "media-src 'self' blob:",
    ["connect-src 'self'", ...sites].join(' '),
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
