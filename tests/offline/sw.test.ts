import 'fake-indexeddb/auto'
import { WorkerEvent } from '#tests/support/workerScope.ts'
import * as v from 'valibot'
import type { RouteMatchCallbackOptions } from 'workbox-core'
import { PrecacheController } from 'workbox-precaching'
import type { Route } from 'workbox-routing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoint } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import { keptPaths } from '#src/contract/kept.ts'
import { PACK_IMAGES, PART_CACHE } from '#src/offline/device/names.ts'
import { purgeCaches } from '#src/offline/device/storage.ts'
import { bringParts, dropOldParts } from '#src/sw/updateLazyAssets.ts'
import { openHome, showMessage } from '#src/sw/notify.ts'
import { fetchAhead, hashedFiles } from '#src/sw/precache.ts'
import { fileRoute, isDone, makeContentRoute } from '#src/sw/routes.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'

const ORIGIN = 'https://lijian.test'
const PATH = '/pcapi/news/getList'
const ADDRESS = `${ORIGIN}${PATH}?page=1`

let network: (request: Request) => Promise<Response>
let asked: number
beforeEach(() => {
  asked = 0
  network = () => Promise.resolve(done('news'))
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('location', new URL(ORIGIN))
  vi.stubGlobal('clients', { matchAll: async () => [] })
  vi.stubGlobal('fetch', (request: Request) => {
    asked++
    return network(request)
  })
})
afterEach(() => vi.unstubAllGlobals())

const answer = (body: string, type = 'application/json; charset=utf-8', status = 200) =>
  new Response(body, { status, headers: { 'content-type': type } })
const done = (data: unknown) => answer(JSON.stringify({ status: 1, msg: '', data }))
const PORTAL = () => answer('<html><form>请先认证上网</form></html>', 'text/html')
const route = makeContentRoute(new Set([PATH]))

const matches = (by: Route, request: Request, sameOrigin: boolean): boolean =>
  Boolean(by.match({ url: new URL(request.url), sameOrigin, request } as RouteMatchCallbackOptions))

/** One request through the route, and all that the worker does after having answered. */
function ask(over: Route, request: Request): { response: Promise<Response>; after: () => Promise<void> } {
  const event = new WorkerEvent('fetch')
  const options = { event, request, url: new URL(request.url) }
  return { response: over.handler.handle(options), after: () => event.over() }
}
async function read(owner: string | null, address = ADDRESS): Promise<string> {
  const { response, after } = ask(route, new Request(address, { headers: owner ? { 'x-owner': owner } : {} }))
  const text = await (await response).text()
  await after()
  return text
}
const kept = async (): Promise<string[]> => {
  const names = await caches.keys()
  const rows = await Promise.all(
    names.map(async (name) => (await (await caches.open(name)).keys()).map((row) => `${name} ${row.url}`)),
  )
  return rows.flat()
}

describe('which paths the worker keeps', () => {
  const make = (path: string, keep: 'worker' | 'nowhere') =>
    endpoint({ path, access: 'open', keep, input: v.object({}), output: v.unknown() })

  test('those whose contract says so, and no others', () => {
    const api = { news: { list: make('news/getList', 'worker'), read: make('news/read', 'nowhere') } }
    expect(keptPaths(api)).toEqual(['/pcapi/news/getList'])
  })

  test('each is a GET: Cache Storage holds nothing else', () => {
    const paths = keptPaths(contract)
    const endpoints = Object.values(contract).flatMap((group) => Object.values(group))
    for (const each of endpoints) expect(each.method === 'GET').toBe(paths.includes(`/pcapi/${each.path}`))
  })

  test.each([
    [`${ORIGIN}${PATH}?page=1`, true, true],
    [`${ORIGIN}/pcapi/study/sync`, true, false],
    [`https://elsewhere.test${PATH}`, false, false],
  ])('%s from our own origin (%s) is the worker’s: %s', (address, sameOrigin, expected) => {
    expect(matches(route, new Request(address), sameOrigin)).toBe(expected)
  })
})

describe('what is worth keeping', () => {
  test.each<[string, () => Response, boolean]>([
    ['an answer that is done', () => done(1), true],
    ['a refusal, which comes with HTTP 200', () => answer('{"status":0,"msg":"没有权限","data":null}'), false],
    ['a token that is not taken', () => answer('{"status":2,"msg":"","data":null}'), false],
    ['a captive portal’s page', PORTAL, false],
    ['a portal’s page that calls itself JSON', () => answer('<html></html>'), false],
    ['JSON of somebody else', () => answer('"ok"'), false],
    ['a fault', () => answer('{"status":1}', 'application/json', 500), false],
  ])('%s: %s', async (_, make, expected) => {
    const response = make()
    expect(await isDone(response)).toBe(expected)
    expect(response.bodyUsed).toBe(false)
  })

  test('what is not worth keeping still reaches the page, and leaves no cache behind', async () => {
    network = () => Promise.resolve(PORTAL())
    expect(await read('u:1')).toContain('请先认证上网')
    expect(await kept()).toEqual([])
  })

  test('a captive portal does not replace what was kept', async () => {
    await read('u:1')
    network = () => Promise.resolve(PORTAL())
    await read('u:1')
    expect(await read('u:1')).toContain('news')
  })
})

describe('a kept answer', () => {
  test('is there without a network', async () => {
    await read('u:1')
    network = () => Promise.reject(new TypeError('offline'))
    expect(await read('u:1')).toContain('news')
  })

  test('comes at once, and the fresh one is there the next time', async () => {
    await read('u:1')
    network = () => Promise.resolve(done('newer'))
    expect(await read('u:1')).toContain('news')
    expect(await read('u:1')).toContain('newer')
    expect(asked).toBe(3)
  })

  test('that a fresh one differs from is told to the pages, and one that is the same is not', async () => {
    const told: unknown[] = []
    vi.stubGlobal('clients', { matchAll: async () => [{ postMessage: (message: unknown) => told.push(message) }] })
    await read('u:1')
    await read('u:1')
    expect(told).toEqual([])
    network = () => Promise.resolve(done('newer'))
    await read('u:1')
    expect(told).toEqual([{ fresh: PATH }])
  })

  test('is its student’s alone: another one’s request is a miss, and a visitor’s, too', async () => {
    await read('u:1')
    network = () => Promise.reject(new TypeError('offline'))
    await expect(read('u:2')).rejects.toThrow('could not generate a response')
    await expect(read(null)).rejects.toThrow('could not generate a response')
    expect(await kept()).toEqual([`api-v1:u:1 ${ADDRESS}`])
  })

  test('is gone after a logout, and an answer that was on its way does not bring it back', async () => {
    await read('u:out', `${ADDRESS}&first`)
    const { promise, resolve } = Promise.withResolvers<Response>()
    network = () => promise
    const { response, after } = ask(route, new Request(ADDRESS, { headers: { 'x-owner': 'u:out' } }))
    await purgeCaches('u:out', Date.now())
    resolve(done('late'))
    expect(await (await response).text()).toContain('late')
    await after()
    expect(await kept()).toEqual([])
  })

  test('is not needed: a device that can keep nothing shows the answer', async () => {
    const memory = memoryCaches()
    const put = () => Promise.reject(new DOMException('no space', 'QuotaExceededError'))
    vi.stubGlobal('caches', { ...memory, open: async (name: string) => ({ ...(await memory.open(name)), put }) })
    expect(await read(null)).toContain('news')
    expect(await kept()).toEqual([])
  })
})

describe('pictures', () => {
  const PICTURE = `${ORIGIN}/media/abc.png`
  const see = async (): Promise<string> => {
    const { response, after } = ask(fileRoute, new Request(PICTURE))
    const text = await (await response).text()
    await after()
    return text
  }

  test('are asked for once and then kept', async () => {
    network = () => Promise.resolve(answer('png', 'image/png'))
    await see()
    network = () => Promise.reject(new TypeError('offline'))
    expect(await see()).toBe('png')
    expect(asked).toBe(1)
  })

  test('of a downloaded library are found in its own cache, and kept nowhere else', async () => {
    await (await caches.open(PACK_IMAGES)).put(PICTURE, answer('packed', 'image/png'))
    expect(await see()).toBe('packed')
    expect(asked).toBe(0)
    expect(await kept()).toEqual([`${PACK_IMAGES} ${PICTURE}`])
  })

  test('are not what a captive portal answers in their place', async () => {
    network = () => Promise.resolve(PORTAL())
    await see()
    network = () => Promise.resolve(answer('png', 'image/png'))
    expect(await see()).toBe('png')
  })

  test('of other origins are left to the browser: they would count as megabytes', () => {
    const match = (address: string, sameOrigin: boolean) => {
      const request = Object.defineProperty(new Request(address), 'destination', { value: 'image' })
      return matches(fileRoute, request, sameOrigin)
    }
    expect(match(PICTURE, true)).toBe(true)
    expect(match('https://elsewhere.test/media/abc.png', false)).toBe(false)
  })
})

describe('recordings', () => {
  const RECORDING = `${ORIGIN}/media/abc.mp3`

  test('that the page fetches to be kept are; a player’s requests for parts, and a pack’s, go past the worker', async () => {
    expect(matches(fileRoute, new Request(RECORDING, { cache: 'force-cache' }), true)).toBe(true)
    expect(matches(fileRoute, new Request(RECORDING), true)).toBe(false)
    expect(matches(fileRoute, new Request(`${ORIGIN}/pcapi/news/read`, { cache: 'force-cache' }), true)).toBe(false)
    network = () => Promise.resolve(answer('sound', 'audio/mpeg'))
    const { response, after } = ask(fileRoute, new Request(RECORDING))
    expect(await (await response).text()).toBe('sound')
    await after()
    expect(await kept()).toEqual([`img-v1 ${RECORDING}`])
  })
})

describe('files of the app that are precached', () => {
  const FILES = [
    { url: '/index.html', revision: 'r1' },
    ...Array.from({ length: 12 }, (_, i) => ({ url: `assets/part-${i}.js`, revision: null })),
  ]
  const HASHED = Array.from({ length: 12 }, (_, i) => `${ORIGIN}/assets/part-${i}.js`)
  const script = () => answer('code', 'text/javascript')
  const install = async (): Promise<string[]> => {
    const controller = new PrecacheController({ cacheName: 'app' })
    controller.addToCacheList(FILES)
    const { cacheName } = controller.strategy
    await fetchAhead(hashedFiles(FILES), cacheName)
    const event = new WorkerEvent('install')
    await controller.install(event)
    await event.over()
    return (await (await caches.open(cacheName)).keys()).map(({ url }) => url).sort()
  }
  const all = [...HASHED, `${ORIGIN}/index.html?__WB_REVISION__=r1`].sort()

  test('are known by names that never change; the page itself is not', () => {
    expect(hashedFiles(FILES)).toEqual(HASHED)
  })

  test('are fetched five at a time, and Workbox fetches none of them again', async () => {
    let under = 0
    let most = 0
    const wanted: string[] = []
    vi.stubGlobal('fetch', async (input: RequestInfo) => {
      wanted.push(new Request(input).url)
      most = Math.max(most, ++under)
      await new Promise(setImmediate)
      under--
      return script()
    })
    expect(await install()).toEqual(all)
    expect(most).toBe(5)
    expect(wanted.toSorted()).toEqual([...HASHED, `${ORIGIN}/index.html`].sort())
    wanted.length = 0
    expect(await install()).toEqual(all)
    expect(wanted).toEqual([])
  })

  test('that do not come at first, or as a captive portal’s page, are fetched by Workbox, without which nothing is installed', async () => {
    const tries = new Map<string, number>()
    const first: Record<string, () => Promise<Response>> = {
      'part-3.js': async () => PORTAL(),
      'part-4.js': () => Promise.reject(new TypeError('Failed to fetch')),
      'part-5.js': async () => answer('', 'text/plain', 502),
    }
    let isBack = true
    vi.stubGlobal('fetch', (input: RequestInfo) => {
      const { url } = new Request(input)
      tries.set(url, (tries.get(url) ?? 0) + 1)
      const fault = first[url.split('/').at(-1) ?? '']
      return fault && (tries.get(url) === 1 || !isBack) ? fault() : Promise.resolve(script())
    })
    expect(await install()).toEqual(all)
    expect([...tries].filter(([, count]) => count > 1).map(([url]) => url.split('/').at(-1))).toEqual(
      Object.keys(first),
    )
    vi.stubGlobal('caches', memoryCaches())
    isBack = false
    await expect(install()).rejects.toThrow('Failed to fetch')
  })
})

describe('parts of the app that are not precached', () => {
  const PART = `${ORIGIN}/assets/pdf-1.js`
  const use = async (): Promise<string> => {
    const { response, after } = ask(fileRoute, new Request(PART))
    const text = await (await response).text()
    await after()
    return text
  }

  test('that the page has kept are there without a network', async () => {
    await (await caches.open('part-v1')).put(PART, answer('part', 'text/javascript'))
    network = () => Promise.reject(new TypeError('offline'))
    expect(await use()).toBe('part')
    expect(asked).toBe(0)
  })

  test('are not kept by the worker, nor is what a captive portal answers in their place', async () => {
    for (const response of [PORTAL(), answer('part', 'text/javascript')]) {
      network = () => Promise.resolve(response)
      await use()
    }
    expect(asked).toBe(2)
    expect(await kept()).toEqual([])
  })

  test('are ours, and no call or document is one', () => {
    const match = (address: string, sameOrigin = true) => matches(fileRoute, new Request(address), sameOrigin)
    expect(match(PART)).toBe(true)
    expect(match('https://elsewhere.test/assets/pdf-1.js', false)).toBe(false)
    expect(match(`${ORIGIN}/pcapi/assets/x`)).toBe(false)
    expect(match(`${ORIGIN}/media/${'a'.repeat(32)}.pdf`)).toBe(false)
  })
})

describe('parts of the app that are not precached', () => {
  const LIST = [
    'hls-3.js',
    'lesson-2.css',
    'lesson-3.js',
    'pdf-3.js',
    'pdf-7.0/A.bcmap',
    'pdf-7.0/B.bcmap',
    'pdf.worker-1.js',
  ].map((name) => `/assets/${name}`)
  let listed: string[]
  const keeps = async (...names: string[]): Promise<void> => {
    const cache = await caches.open(PART_CACHE)
    for (const name of names) await cache.put(`${ORIGIN}/assets/${name}`, answer('old', 'text/javascript'))
  }
  const here = async (): Promise<string[]> =>
    (await (await caches.open(PART_CACHE)).keys()).flatMap(({ url }) => /assets\/(.*)/.exec(url)?.[1] ?? []).sort()
  const fetched = async (): Promise<string[]> => {
    const paths: string[] = []
    vi.stubGlobal('fetch', async (address: string | Request) => {
      const { pathname } = new URL(address instanceof Request ? address.url : address, ORIGIN)
      paths.push(pathname)
      return network(new Request(ORIGIN + pathname))
    })
    await bringParts()
    return paths
  }
  beforeEach(() => {
    listed = [...LIST]
    network = async ({ url }) =>
      url.endsWith('.json') ? answer(JSON.stringify(listed)) : answer('new', 'text/javascript')
  })

  test('come with a new version where the last one’s are, and are not fetched where they have not changed', async () => {
    await keeps('lesson-2.css', 'lesson-2.js', 'chrome-2.js')
    expect(await fetched()).toEqual(['/parts.json', '/assets/lesson-3.js'])
    expect(await (await caches.match(`${ORIGIN}/assets/lesson-3.js`))?.text()).toBe('new')
  })

  test('come where they have another name now, and so do styles that are named after something else', async () => {
    listed.push('/assets/reader-1.js', '/assets/checkout-1.js', '/assets/Bar-1.css#checkout', '/assets/store-1.js')
    await keeps('pdf-2.js', 'seen-2.js')
    expect(await fetched()).toEqual([
      '/parts.json',
      '/assets/pdf-3.js',
      '/assets/reader-1.js',
      '/assets/checkout-1.js',
      '/assets/Bar-1.css',
    ])
    await dropOldParts()
    expect(await here()).toEqual(['Bar-1.css', 'checkout-1.js', 'pdf-3.js', 'reader-1.js'])
  })

  test('cost nothing who has used none', async () => {
    expect(await fetched()).toEqual([])
  })

  test('that do not come keep the new version from being installed', async () => {
    await keeps('lesson-2.js')
    const list = network
    network = (request) =>
      request.url.endsWith('.json') ? list(request) : Promise.resolve(answer('', 'text/plain', 502))
    await expect(fetched()).rejects.toThrow('/assets/lesson-2.css')
    network = (request) => (request.url.endsWith('.json') ? list(request) : Promise.resolve(PORTAL()))
    await expect(fetched()).rejects.toThrow('/assets/lesson-2.css')
    network = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(fetched()).rejects.toThrow('Failed to fetch')
    await dropOldParts()
    expect(await here()).toEqual(['lesson-2.js'])
  })

  test('of older versions go when the new one has taken over, however old those are that it still uses', async () => {
    await keeps('pdf.worker-1.js', 'pdf-1.js', 'pdf-2.js', 'pdf-6.5/A.bcmap', 'given-up-1.js')
    await fetched()
    expect(await here()).toEqual([
      'given-up-1.js',
      'pdf-1.js',
      'pdf-2.js',
      'pdf-3.js',
      'pdf-6.5/A.bcmap',
      'pdf-7.0/A.bcmap',
      'pdf.worker-1.js',
    ])
    for (const _ of [1, 2]) {
      await dropOldParts()
      expect(await here()).toEqual(['pdf-3.js', 'pdf-7.0/A.bcmap', 'pdf.worker-1.js'])
    }
  })
})

describe('a message of the server', () => {
  const told: unknown[] = []
  const registration = { showNotification: async (...shown: unknown[]) => void told.push(shown) }
  const clients = { openWindow: async (address: string) => void told.push(address) }
  beforeEach(() => void told.splice(0))

  test('is shown in its words, in place of an older one', async () => {
    const data = { json: () => ({ title: '砺剑军考', body: '今天的学习任务还没完成，来练几分钟吧' }) }
    await showMessage(data, registration)
    const shown = { body: '今天的学习任务还没完成，来练几分钟吧', icon: '/icon-192.png', tag: 'daily' }
    expect(told).toEqual([['砺剑军考', shown]])
  })

  test('goes away when it is tapped, and the home page opens', async () => {
    const notification = { close: () => void told.push('closed') }
    await openHome({ notification }, clients)
    expect(told).toEqual(['closed', '/'])
  })
})
