import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { SYNC_FETCH_PAGE, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { isTorn } from '#src/offline/device/tornLog.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { type FillPort, serveFill } from '#src/offline/sync/serveFill.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { giveWorker } from '#tests/support/channelWorker.ts'
import { answerOp } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'
import { connect, type Fault, nobody, type Wire } from '#tests/support/wire.ts'

/** A record of four pages, which a worker takes in. The page calls the server by itself, the worker over the wire. */
const ANSWERED = 3 * SYNC_FETCH_PAGE + 200
let server: TestServer
let who: { uid: string; token: string }
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'FILL', chapters: 1, perChapter: ANSWERED }))
  who = await server.student()
  const device = randomUUID()
  const ops = Array.from({ length: ANSWERED }, (_, i) =>
    answerOp(`FILL_q${i + 1}`, true, { seq: i + 1, at: server.clock.now - 60_000 + i }),
  )
  for (let i = 0; i < ops.length; i += SYNC_MAX_OPS) {
    const input = { device, owner: who.uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0 }
    await server.call(contract.study.sync, { ...input, ops: ops.slice(i, i + SYNC_MAX_OPS) }, who.token)
  }
})
afterAll(() => server.close())

const scope = { sg_key: 'jg', area: '0', key: 'jg' }
let wire: Wire
let engine: Engine
/** Cursors of the page's own calls. */
let asked: number[]
let shares: (number | null)[]
beforeEach(() => {
  indexedDB = new IDBFactory()
  wire = connect(server)
  asked = []
  shares = []
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('caches', memoryCaches())
})
function start({ uid, token } = who): void {
  const owner = `u:${uid}`
  engine = createEngine({
    db: openRecord(),
    owner,
    loggedIn: () => true,
    scope: () => scope,
    send: (input) => {
      asked.push(input.cursor)
      return server.call(contract.study.sync, input, token)
    },
    caller: () => ({ token, owner, scope }),
    now: () => server.clock.now,
    random: () => 0.5,
  })
  engine.onStatus(() => shares.push(engine.status().fetched))
  engine.start()
}
afterEach(() => {
  engine.close()
  vi.restoreAllMocks()
  deviceMemory.remove(DEVICE_KEYS.torn)
  wire.restore()
  vi.unstubAllGlobals()
})

/** The student's record, and nothing twice. */
async function expectWhole(answered = ANSWERED): Promise<void> {
  await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', fetched: null })
  expect(await engine.allCounters()).toMatchObject([{ sums: { done: ANSWERED, answered } }])
}
/** Decides what the worker's calls meet, the first of them as 1. */
const meeting = (act: (call: number) => ReturnType<Fault>): void => {
  let calls = 0
  wire.fault = () => act(++calls)
}
const held = Promise.withResolvers<null>()

test('a long record is taken in by a worker from its first answer on, and told as it comes', async () => {
  const workers = giveWorker(serveFill)
  start()
  await expectWhole()
  expect(new Set(shares.map((share) => share && Math.round(share * 10)))).toEqual(new Set([null, 3, 6, 9]))
  // The worker has asked for three pages; the page for the first one, and at the end whether there is more.
  expect(wire.sent).toHaveLength(3)
  expect(asked).toHaveLength(2)
  expect(workers.alive()).toBe(0)
})

test('a short record needs no worker', async () => {
  const workers = vi.fn<typeof serveFill>(serveFill)
  giveWorker(workers)
  start(await server.student())
  await expect.poll(() => engine.status().state).toBe('synced')
  expect(workers).not.toHaveBeenCalled()
})

test('where a worker fails, the page takes it in by itself, and asks for none again', async () => {
  const serve = vi.fn<typeof serveFill>(() => {})
  const workers = giveWorker(serve)
  start()
  await expect.poll(() => workers.alive()).toBe(1)
  workers.fail()
  await expectWhole()
  expect(serve).toHaveBeenCalledTimes(1)
  expect(asked).toHaveLength(4)
})

test('where a browser refuses workers, the page takes it in by itself', async () => {
  const refuse = vi.fn<() => void>(() => {
    throw new DOMException('no', 'SecurityError')
  })
  vi.stubGlobal('Worker', refuse)
  start()
  await expectWhole()
  expect(refuse).toHaveBeenCalledTimes(1)
})

test.each([
  ['loses the network', () => nobody],
  [
    'dies',
    (workers: ReturnType<typeof giveWorker>) => () => {
      workers.fail()
      return held.promise
    },
  ],
  [
    'leaves with its page, which comes back',
    () => () => {
      window.dispatchEvent(new Event('pagehide'))
      return held.promise
    },
  ],
])('after a worker that %s the page goes on where it was', async (_, fault) => {
  const workers = giveWorker(serveFill)
  const meet = fault(workers)
  meeting((call) => (call === 2 ? meet(wire.last(), null) : null))
  start()
  await expectWhole()
  expect(workers.alive()).toBe(0)
  // The page goes on behind what was taken in; in this thread that is also what a worker takes in that was ended meanwhile.
  expect(asked[1]).toBeGreaterThanOrEqual(2 * SYNC_FETCH_PAGE)
})

test('an answer that is given meanwhile is seen at once, and counted once', async () => {
  giveWorker(serveFill)
  const fact = { questionNo: 'FILL_q2150', response: { kind: 'choice' as const, ids: ['B'] }, spentMs: 500 }
  const answer = { ...fact, from: 'library' as const, version: 1, place: placeIn('FILL', 'FILL_c1'), right: true }
  const given = Promise.withResolvers<unknown>()
  meeting(async (call) => {
    if (call === 1) await engine.recordAnswer(answer).then(given.resolve, given.reject)
    return null
  })
  start()
  await given.promise
  expect((await engine.states(['FILL_q2150'])).get('FILL_q2150')?.times).toBe(1)
  await expectWhole(ANSWERED + 1)
  await expect.poll(() => engine.status().waiting).toBe(0)
})

test('a worker ends with the engine: nothing of the student is fetched after a logout', async () => {
  const serve = vi.fn<typeof serveFill>(serveFill)
  const workers = giveWorker(serve)
  const called = Promise.withResolvers<null>()
  meeting(() => {
    called.resolve(null)
    return held.promise
  })
  start()
  await called.promise
  await engine.logout('keep')
  expect(workers.alive()).toBe(0)
  // The drain has ended when it gives its lock back.
  await navigator.locks.request(`outbox:${engine.owner}`, () => {})
  expect(asked).toHaveLength(1)
  expect(serve).toHaveBeenCalledTimes(1)
})

test('a full disk that the worker has met is remembered by the page', async () => {
  const told: string[] = []
  giveWorker((port: FillPort) =>
    serveFill({
      addEventListener: port.addEventListener,
      postMessage: (message) => {
        told.push(message.kind)
        port.postMessage(message)
      },
    }),
  )
  meeting((call) => {
    if (call === 2)
      vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
        throw new DOMException('Internal error: FILE_ERROR_NO_SPACE', 'UnknownError')
      })
    return null
  })
  start()
  await expect.poll(isTorn).toBe(true)
  expect(told).toContain('torn')
})
