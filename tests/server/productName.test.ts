import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { PRODUCT_NAME } from '#src/contract/config.ts'
import { serveBuild } from '#server/http/static.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const page = readFileSync(path.join(ROOT, 'index.html'), 'utf8')
const manifest = JSON.stringify({ name: PRODUCT_NAME, short_name: PRODUCT_NAME })
const worker = `precache([{"revision":"${md5(page)}","url":"index.html"},{"revision":"${md5(manifest)}","url":"manifest.webmanifest"}])`

const root = mkdtempSync(path.join(os.tmpdir(), 'lijian-name-'))
const dist = path.join(root, 'dist')
mkdirSync(dist)
writeFileSync(path.join(dist, 'index.html'), page)
writeFileSync(path.join(dist, 'manifest.webmanifest'), manifest)
writeFileSync(path.join(dist, 'sw.js'), worker)
const servers: FastifyInstance[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  rmSync(root, { recursive: true })
})
async function served(productName: string) {
  const app = Fastify()
  servers.push(app)
  await serveBuild(app, { dist, kept: path.join(root, 'kept'), productName })
  const get = async (url: string) => (await app.inject(url)).body
  return { page: await get('/'), manifest: await get('/manifest.webmanifest'), worker: await get('/sw.js') }
}

describe('PRODUCT_NAME', () => {
  test('reaches the page before any script runs: its title, what scripts read, and the first thing shown', async () => {
    const { page: html } = await served('军考助手')
    expect(html).toContain('<title>军考助手</title>')
    expect(html).toContain('<meta name="application-name" content="军考助手" />')
    expect(html).toContain('<header>军考助手</header>')
    expect(html).not.toContain(PRODUCT_NAME)
  })

  test('reaches the manifest, and so the home screen', async () => {
    expect(JSON.parse((await served('军考助手')).manifest)).toEqual({ name: '军考助手', short_name: '军考助手' })
  })

  test('reaches devices that hold the page already: the worker asks for page and manifest by new hashes', async () => {
    const renamed = await served('军考助手')
    expect(renamed.worker).toContain(`"revision":"${md5(renamed.page)}","url":"index.html"`)
    expect(renamed.worker).toContain(`"revision":"${md5(renamed.manifest)}","url":"manifest.webmanifest"`)
  })

  test('is text and no markup, whatever stands in it', async () => {
    const name = `"军考" <b>&$&`
    const renamed = await served(name)
    expect(renamed.page).toContain('<title>&quot;军考&quot; &lt;b&gt;&amp;$&amp;</title>')
    expect(JSON.parse(renamed.manifest)).toEqual({ name, short_name: name })
  })

  test('not set, the build is served as it is', async () => {
    expect(await served(PRODUCT_NAME)).toEqual({ page, manifest, worker })
  })
})

test('no source spells the name itself but the contract', () => {
  const sources = ['src', 'server', 'tools'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|js)$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const spelling = sources.filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes(PRODUCT_NAME))
  expect(spelling).toEqual(['src/contract/config.ts'])
})
