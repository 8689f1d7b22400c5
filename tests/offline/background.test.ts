import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError, ServerFaultError } from '#src/api/errors.ts'
import { contract } from '#src/contract/index.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import type { SyncInput } from '#src/offline/sync/drain.ts'
import { type AnswerFact, openRecord } from '#src/offline/device/rows.ts'
import { allowWorkerWrites, forbidWorkerWrites, mayWorkerWrite } from '#src/offline/device/workerWrites.ts'
import { writeMirror } from '#src/session/mirror.ts'
import { deliverInBackground } from '#src/sw/background.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'
import { connect, json, nobody, type Wire } from '#tests/support/wire.ts'

/** What the worker does when Background Sync wakes it, against the real server and database. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 150 }))
})
afterAll(() => server.close())

let who: { uid: string; token: string }
let wire: Wire
let online: boolean
/** What pages have sent. */
let sent: SyncInput[]
const open: Engine[] = []
beforeEach(async () => {
  who = await server.student()
  wire = connect(server)
  online = false
  sent = []
  await writeMirror({ owner: `u:${who.uid}`, uid: who.uid, token: who.token })
  vi.stubGlobal('location', new URL('https://lijian.test'))
  vi.stubGlobal('caches', memoryCaches())
  await allowWorkerWrites()
})
afterEach(() => {
  for (const page of open.splice(0)) page.close()
  wire.restore()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function openPage(): Engine {
  const page = createEngine({
    db: openRecord(),
    owner: `u:${who.uid}`,
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: (input) => {
      if (!online) throw new OfflineError('offline')
      sent.push(input)
      return server.call(contract.study.sync, input, who.token)
    },
    now: () => server.clock.now,
    random: () => 0.5,
  })
  page.start()
  open.push(page)
  return page
}
const fact = (questionNo: string): AnswerFact => ({
  questionNo,
  right: true,
  response: { kind: 'choice', ids: ['B'] },
  spentMs: 1000,
  from: 'library',
  version: 1,
  place: placeIn(),
})
/** A student answers without a network and closes the app. */
async function answer(...nos: string[]): Promise<void> {
  const page = openPage()
  await page.syncNow()
  for (const no of nos) await page.recordAnswer(fact(no))
  page.close()
  // Its last try has ended.
  await navigator.locks.request(`outbox:u:${who.uid}`, () => {})
}
/** The app is opened again, with a network. */
async function reopen(): Promise<Engine> {
  online = true
  const page = openPage()
  await page.syncNow()
  await expect.poll(() => page.status().state, { timeout: 5_000 }).toBe('synced')
  return page
}
const stored = async (): Promise<string[]> =>
  (await server.db.selectFrom('study_op').select('op_id').where('uid', '=', who.uid).execute()).map((row) => row.op_id)

describe('while no page is open the worker', () => {
  test('brings what waits to the server, and the next page sends none of it again and has its effect', async () => {
    const nos = Array.from({ length: 105 }, (_, i) => `L_q${i + 1}`)
    await answer(...nos)
    await deliverInBackground()
    expect(await stored()).toHaveLength(105)
    expect(wire.sent).toHaveLength(2)
    await deliverInBackground()
    expect(wire.sent).toHaveLength(2)

    const offline = openPage()
    expect((await offline.counters(['L_c1'])).get('L_c1')).toMatchObject({ sums: { done: 105, answered: 105 } })
    offline.close()
    const page = await reopen()
    expect(sent.flatMap(({ ops }) => ops)).toEqual([])
    expect(await page.waiting()).toEqual([])
    expect((await page.counters(['L_c1'])).get('L_c1')).toMatchObject({ sums: { done: 105, answered: 105 } })
  })

  test('leaves what the server refuses to the next page, which tells why', async () => {
    await answer('gone_1', 'L_q1')
    await deliverInBackground()
    const page = await reopen()
    expect(sent.flatMap(({ ops }) => ops.map(({ payload }) => payload))).toMatchObject([{ questionNo: 'gone_1' }])
    expect(await page.dead()).toMatchObject([{ payload: { questionNo: 'gone_1' }, msg: '题目不存在' }])
    expect((await page.states(['L_q1'])).get('L_q1')).toMatchObject({ times: 1 })
  })

  test('writes nothing down after a full disk, so that what is behind the tear is lost with nothing; the next page sends it once more', async () => {
    const nos = Array.from({ length: 105 }, (_, i) => `L_q${i + 1}`)
    await answer(...nos)
    await forbidWorkerWrites()
    await deliverInBackground()
    expect(await stored()).toHaveLength(105)
    const offline = openPage()
    expect(await offline.waiting()).toHaveLength(105)
    expect((await offline.waiting()).every(({ acked }) => acked === 0)).toBe(true)
    offline.close()
    const page = await reopen()
    expect(await page.waiting()).toEqual([])
    expect(await stored()).toHaveLength(105)
    expect((await page.counters(['L_c1'])).get('L_c1')).toMatchObject({ sums: { done: 105, answered: 105 } })
  })

  test('that meets a full disk itself writes nothing any more', async () => {
    await answer('L_q1')
    const full = new DOMException(
      'Connection is closing because of: IO error: x.log: FILE_ERROR_NO_SPACE',
      'UnknownError',
    )
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw full
    })
    await expect(deliverInBackground()).rejects.toThrow('存储空间')
    await expect.poll(mayWorkerWrite).toBe(false)
  })

  test('leaves everything to a page that is at it already', async () => {
    await answer('L_q1')
    await navigator.locks.request(`outbox:u:${who.uid}`, deliverInBackground)
    expect(wire.sent).toEqual([])
    await deliverInBackground()
    expect(await stored()).toHaveLength(1)
  })

  test('sends nothing of who has logged out, or whose login has expired', async () => {
    await answer('L_q1')
    await writeMirror({ owner: `u:${who.uid}`, uid: who.uid, token: '' })
    await deliverInBackground()
    await writeMirror({ owner: 'anon', uid: null, token: '' })
    await deliverInBackground()
    expect(wire.sent).toEqual([])
    expect(await openPage().waiting()).toHaveLength(1)
  })

  test.each([
    ['nobody answers', nobody, OfflineError],
    ['the server has a fault', () => json({}, 500), ServerFaultError],
  ])('is woken again when %s, and nothing is lost', async (_, fault, failure) => {
    await answer('L_q1')
    wire.fault = fault
    await expect(deliverInBackground()).rejects.toThrow(failure)
    expect(await openPage().waiting()).toMatchObject([{ acked: 0 }])
    wire.fault = null
    await deliverInBackground()
    expect(await stored()).toHaveLength(1)
  })

  test.each([
    ['the token is not taken any more', () => json({ status: 2, msg: '登录已过期，请重新登录', data: null })],
    ['the server will not have the call', () => json({ status: 0, msg: '账号已停用', data: null })],
  ])('is not woken again when %s: the next page says so', async (_, fault) => {
    await answer('L_q1')
    wire.fault = fault
    await deliverInBackground()
    expect(await openPage().waiting()).toMatchObject([{ acked: 0 }])
  })
})
