import { onDisk } from '#tests/support/drafts.ts'
import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import { putByFetch, send as post } from '#src/api/transport.ts'
import { contract } from '#src/contract/index.ts'
import { SYNC_ADDRESS } from '#src/contract/sync.ts'
import type { Send, SyncInput } from '#src/offline/sync/drain.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { done } from '#src/offline/device/idb.ts'
import { type AnswerFact, openRecord, type Receipt } from '#src/offline/device/rows.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn, statesIn } from '#tests/support/states.ts'
import { sumsOf } from '#tests/support/sums.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

/** The engine against the real server and database; only the wire between them is the test's. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
})
afterAll(() => server.close())

type Fault = 'none' | 'offline' | 'commit-then-drop' | '500' | '502' | 'expired'
let who: { uid: string; token: string }
let fault: Fault
let sent: SyncInput[]
let wire: Wire
const open: Engine[] = []
beforeEach(async () => {
  indexedDB = new IDBFactory()
  who = await server.student()
  fault = 'none'
  sent = []
  wire = connect(server)
})
afterEach(() => {
  wire.restore()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  for (const engine of open.splice(0)) engine.close()
})

/** @param ahead by how much the device's clock is, ms, and the engine knows it. */
function startEngine(student: { uid: string; token: string } | null = who, ahead = 0): Engine {
  const send: Send = async (input) => {
    sent.push(input)
    if (fault === 'offline') throw new OfflineError('offline')
    if (fault === '500') throw new ServerFaultError(500)
    if (fault === '502') throw new ServerFaultError(502)
    if (fault === 'expired') throw new UnauthorizedError()
    const caller = {
      token: student?.token ?? '',
      owner: `u:${student?.uid}`,
      scope: { sg_key: 'jg', area: '0', key: 'jg' },
    }
    const { data } = await post<typeof contract.study.sync>(SYNC_ADDRESS, input, caller, putByFetch)
    if (fault === 'commit-then-drop') throw new OfflineError('the connection broke')
    return data
  }
  const engine = createEngine({
    db: openRecord(),
    owner: student ? `u:${student.uid}` : 'anon',
    loggedIn: () => student !== null,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send,
    now: () => server.clock.now + ahead,
    skew: () => -ahead,
    random: () => 0.5,
  })
  engine.start()
  open.push(engine)
  return engine
}
const fact = (questionNo: string, right = true): AnswerFact => ({
  questionNo,
  right,
  response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
  spentMs: 1000,
  from: 'library',
  version: 1,
  place: placeIn(),
})
/** The engine does nothing by the clock: what happens, something else has set off. */
const noTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
const settled = async (engine: Engine, state = 'synced') => await expect.poll(() => engine.status().state).toBe(state)
const onServer = async (questionNo: string) => {
  const { changes } = await server.call(
    contract.study.sync,
    { device: randomUUID(), owner: who.uid, proto: 1, sentAt: 0, cursor: 0, ops: [] },
    who.token,
  )
  return statesIn(changes).get(questionNo)
}

describe('an answer', () => {
  test('is on the device when recordAnswer resolves, and survives the page', async () => {
    fault = 'offline'
    const engine = startEngine()
    await engine.recordAnswer(fact('L_q1'), { key: onDisk('batch'), value: { at: 1 } })
    engine.close()
    const reborn = startEngine()
    expect((await reborn.states(['L_q1'])).get('L_q1')).toMatchObject({ times: 1, lastRight: true })
    expect((await reborn.counters(['L_c1'])).get('L_c1')).toMatchObject({
      sums: { done: 1, right: 1, answered: 1 },
    })
    expect(await reborn.loadDraft(onDisk('batch'))).toEqual({ at: 1 })
  })

  test('reaches the server, and the device then shows what the server says', async () => {
    const engine = startEngine()
    await engine.recordAnswer(fact('L_q1'))
    await engine.recordAnswer(fact('L_q1', false))
    await engine.syncNow()
    await settled(engine)
    expect(engine.status().waiting).toBe(0)
    expect(await onServer('L_q1')).toMatchObject({ times: 2, wrong: 1 })
    expect((await engine.states(['L_q1'])).get('L_q1')).toEqual(await onServer('L_q1'))
  })

  test('given on a phone whose date is a day ahead counts for the server’s day, before and after it has gone up', async () => {
    fault = 'offline'
    const engine = startEngine(who, 86_400_000)
    await engine.recordAnswer(fact('L_q1'))
    const today = new Map([[String(dayOf(server.clock.now)), { answered: 1, right: 1, spentMs: 1000 }]])
    expect(await engine.things('day')).toEqual(today)
    expect((await engine.states(['L_q1'])).get('L_q1')).toMatchObject({ lastAt: server.clock.now })
    fault = 'none'
    await engine.syncNow()
    await settled(engine)
    expect(sent.at(-1)?.sentAt).toBe(server.clock.now + 86_400_000)
    expect(await engine.things('day')).toEqual(today)
    expect((await engine.states(['L_q1'])).get('L_q1')).toEqual(await onServer('L_q1'))
  })

  test('taken back on a phone whose date is a day ahead leaves the server’s day, before and after it has gone up', async () => {
    fault = 'offline'
    const engine = startEngine(who, 86_400_000)
    const target = await engine.recordAnswer(fact('L_q1'))
    const undone = { at: server.clock.now + 86_400_000, right: true, spentMs: 1000 }
    await engine.add({ kind: 'retract', payload: { questionNo: 'L_q1', target }, place: placeIn(), undone })
    const days = async () => [...(await engine.things('day')).values()].filter(({ answered }) => answered !== 0)
    expect(await days()).toEqual([])
    fault = 'none'
    await engine.syncNow()
    await settled(engine)
    expect(await days()).toEqual([])
  })

  test.each([
    ['ahead', 86_400_000],
    ['behind', -86_400_000],
  ])('given on a phone whose date is a day %s is today’s in the sheet, as is what was booked', async (_, ahead) => {
    const engine = startEngine(who, ahead)
    await engine.recordAnswer(fact('L_q1'))
    await engine.syncNow()
    await settled(engine)
    const today = dayOf(server.clock.now)
    expect(await engine.ledger()).toMatchObject({
      today,
      bookedToday: 1,
      days: [{ day: today, answered: 1, booked: 1 }],
    })
    // What was booked a day ago is not: the phone’s own days would say otherwise.
    server.clock.now += 86_400_000
    expect(await engine.ledger()).toMatchObject({ today: today + 1, bookedToday: 0 })
  })

  test('is stored once although the connection broke after the server had committed', async () => {
    fault = 'commit-then-drop'
    const engine = startEngine()
    await engine.recordAnswer(fact('L_q1'))
    await engine.syncNow()
    await settled(engine, 'offline')
    expect(engine.status().waiting).toBe(1)
    fault = 'none'
    await engine.syncNow()
    await settled(engine)
    expect(await onServer('L_q1')).toMatchObject({ times: 1 })
    expect((await engine.states(['L_q1'])).get('L_q1')).toMatchObject({ times: 1 })
    expect((await engine.counters(['L_c1'])).get('L_c1')).toMatchObject({ sums: { done: 1, answered: 1 } })
  })

  test.each(['offline', '500', 'expired'] as const)('waits through %s, and nothing is lost', async (bad) => {
    fault = bad
    const engine = startEngine()
    for (const no of ['L_q1', 'L_q2', 'L_q3']) await engine.recordAnswer(fact(no))
    await engine.syncNow()
    await settled(engine, bad === 'offline' ? 'offline' : bad === '500' ? 'error' : 'needs-auth')
    expect(engine.status().waiting).toBe(3)
    fault = 'none'
    await engine.syncNow()
    await settled(engine)
    for (const no of ['L_q1', 'L_q2', 'L_q3']) expect(await onServer(no)).toMatchObject({ times: 1 })
  })
})

test('an answer that is taken back while it and an earlier one wait leaves everything as the earlier one made it', async () => {
  fault = 'offline'
  const engine = startEngine()
  const shown = async () => [
    await engine.states(['L_q1']),
    await sumsOf(engine.allCounters),
    await engine.things('day'),
  ]
  await engine.recordAnswer(fact('L_q1'))
  const before = await shown()
  const target = await engine.recordAnswer(fact('L_q1', false))
  const undone = { at: server.clock.now, right: false, spentMs: 1000 }
  await engine.add({ kind: 'retract', payload: { questionNo: 'L_q1', target }, place: placeIn(), undone })
  expect(await shown()).toEqual(before)
  fault = 'none'
  await engine.syncNow()
  await settled(engine)
  expect(await shown()).toEqual(before)
})

test('an answer that was synced and is taken back without a network leaves what was done with its question since', async () => {
  const place = placeIn()
  const about = { questionNo: 'L_q1' }
  const engine = startEngine()
  const synced = async (): Promise<void> => {
    await engine.syncNow()
    await settled(engine)
  }
  const collected = await engine.add({ kind: 'collect', payload: { ...about, folder: '', over: [] }, place })
  await synced()
  const target = await engine.recordAnswer(fact('L_q1', false))
  await synced()
  await engine.add({ kind: 'collect', payload: { ...about, folder: null, over: [collected] }, place })
  await engine.add({ kind: 'note', payload: { ...about, text: '记一笔', over: [] }, place })
  await synced()

  fault = 'offline'
  const undone = { at: server.clock.now, right: false, spentMs: 1000 }
  await engine.add({ kind: 'retract', payload: { ...about, target }, place, undone })
  const onDevice = async () => (await engine.states(['L_q1'])).get('L_q1')
  const shown = await onDevice()
  expect(shown).toMatchObject({ times: 0, wrong: 0, lastResponse: null, notes: [{ text: '记一笔' }] })
  expect(Object.keys(shown ?? {})).not.toContain('collected')
  expect((await engine.counters(['L_c1'])).get('L_c1')?.sums).toEqual({ noted: 1 })
  expect((await engine.shelf('noted')).map(({ questionNo }) => questionNo)).toEqual(['L_q1'])

  fault = 'none'
  await synced()
  expect(await onDevice()).toEqual(await onServer('L_q1'))
  expect(await onDevice()).toEqual(shown)
})

test('a refused answer is set aside with its reason, and the others go on', async () => {
  fault = 'offline'
  const engine = startEngine()
  const told: string[] = []
  await engine.recordAnswer(fact('gone_1'))
  await engine.recordAnswer(fact('L_q2'))
  engine.onChange((questions) => told.push(...(questions ?? [])))
  fault = 'none'
  await engine.syncNow()
  await settled(engine)
  expect(told).toEqual(expect.arrayContaining(['gone_1', 'L_q2']))
  expect(await engine.dead()).toMatchObject([
    { payload: { questionNo: 'gone_1' }, code: 'unknown_question', msg: '题目不存在' },
  ])
  expect((await engine.states(['gone_1'])).size).toBe(0)
  expect(await onServer('L_q2')).toMatchObject({ times: 1 })
})

test('an answer that is too long for any call is set aside with its reason, and the others go up', async () => {
  fault = 'offline'
  const engine = startEngine()
  const response = { kind: 'essay' as const, text: '长'.repeat(120_000), ticked: [] }
  for (const each of [fact('L_q1'), { ...fact('L_q2'), response }, fact('L_q3')]) await engine.recordAnswer(each)
  fault = 'none'
  await engine.syncNow()
  await settled(engine)
  expect(await engine.dead()).toMatchObject([
    { payload: { questionNo: 'L_q2', response }, code: 'too_large', msg: '记录内容过长，无法保存' },
  ])
  expect((await engine.states(['L_q2'])).size).toBe(0)
  for (const no of ['L_q1', 'L_q3']) expect(await onServer(no)).toMatchObject({ times: 1 })
})

test('a second device sees the first one’s progress, and both agree in the end', async () => {
  const phone = startEngine()
  await phone.recordAnswer(fact('L_q1'))
  await phone.syncNow()
  await settled(phone)
  indexedDB = new IDBFactory()
  const library = startEngine()
  await library.syncNow()
  await settled(library)
  expect((await library.states(['L_q1'])).get('L_q1')).toMatchObject({ times: 1 })
  await library.recordAnswer(fact('L_q1', false))
  await library.syncNow()
  await settled(library)
  await phone.syncNow()
  await settled(phone)
  expect((await phone.states(['L_q1'])).get('L_q1')).toEqual(await onServer('L_q1'))
})

describe('whose answers', () => {
  test('another student on the phone sees nothing and sends nothing of the first', async () => {
    fault = 'offline'
    const first = startEngine()
    await first.recordAnswer(fact('L_q1'))
    await first.logout('keep')
    fault = 'none'
    const other = startEngine(await server.student())
    await other.syncNow()
    await settled(other)
    expect((await other.states(['L_q1'])).size).toBe(0)
    expect(sent.filter((input) => input.owner !== who.uid).flatMap((input) => input.ops)).toEqual([])
    const back = startEngine()
    await back.syncNow()
    await settled(back)
    expect(await onServer('L_q1')).toMatchObject({ times: 1 })
  })

  test('a visitor’s answers become the student’s with their ids unchanged', async () => {
    const visitor = startEngine(null)
    await visitor.recordAnswer(fact('L_q1'))
    const [op] = await visitor.waiting()
    visitor.close()
    const engine = startEngine()
    expect(await engine.visitorRecord()).toEqual({ waiting: 1, answers: 1, collected: 0, noted: 0 })
    expect(await engine.adoptVisitor()).toBe(1)
    await settled(engine)
    expect(sent.flatMap((input) => input.ops).map((each) => each.opId)).toContain(op?.opId)
    expect(await onServer('L_q1')).toMatchObject({ times: 1 })
    expect(await engine.visitorRecord()).toBeNull()
  })

  test('放弃 takes the waiting answers off the device and their effect with them', async () => {
    const engine = startEngine()
    await engine.recordAnswer(fact('L_q1'))
    await engine.syncNow()
    await settled(engine)
    fault = 'offline'
    await engine.recordAnswer(fact('L_q1', false))
    await engine.recordAnswer(fact('L_q2'))
    await engine.logout('discard')
    const back = startEngine()
    expect((await back.states(['L_q1', 'L_q2'])).get('L_q1')).toMatchObject({ times: 1, wrong: 0 })
    expect((await back.counters(['L_c1'])).get('L_c1')).toMatchObject({ sums: { done: 1, answered: 1 } })
    expect(await back.waiting()).toEqual([])
  })

  test('放弃 takes back what was chosen, named and collected since the last sync, and nothing before it', async () => {
    const engine = startEngine()
    const goal = (value: number) => engine.add({ kind: 'setting', payload: { name: 'dayGoal', value } })
    const folder = (no: string, name: string) => engine.add({ kind: 'folder', payload: { no, name } })
    await goal(20)
    await folder('f1', '易错')
    await engine.syncNow()
    await settled(engine)
    const shown = async () => [await engine.things('setting'), await engine.things('folder')]
    const before = await shown()
    fault = 'offline'
    server.clock.now += 1_000
    await goal(30)
    await folder('f1', '常错')
    await folder('f2', '再看')
    expect(await shown()).not.toEqual(before)
    await engine.logout('discard')
    expect(await shown()).toEqual(before)
  })

  test('nothing of a student is sent any more by the page on which they have logged out', async () => {
    fault = 'offline'
    const engine = startEngine()
    await engine.recordAnswer(fact('L_q1'))
    await engine.syncNow()
    await settled(engine, 'offline')
    await engine.logout('keep')
    fault = 'none'
    sent.length = 0
    await engine.syncNow()
    engine.reached()
    expect(sent).toEqual([])
    expect(await engine.waiting()).toHaveLength(1)
  })
})

describe('what happens in one tab', () => {
  test('is told to the student’s other tabs, and to nobody else’s', async () => {
    noTimers()
    fault = 'offline'
    const [first, second, stranger] = [startEngine(), startEngine(), startEngine(await server.student())]
    for (const engine of [first, second, stranger]) await settled(engine, 'offline')
    const told = [first, second, stranger].map((engine) => {
      const all: string[] = []
      engine.onChange((questions) => all.push(...(questions ?? ['all'])))
      engine.onLogout(() => all.push('logout'))
      return all
    })
    await first.recordAnswer(fact('L_q1'))
    await expect.poll(() => second.status().waiting).toBe(1)
    await first.logout('keep')
    await expect.poll(() => told[1]).toEqual(['L_q1', 'logout'])
    expect(told[0]).toEqual(['L_q1'])
    expect(told[2]).toEqual([])
    expect(stranger.status().waiting).toBe(0)
  })
})

test.each([
  ['without a network', 'offline'],
  ['behind a gateway whose server is away', '502'],
] as const)('what waits %s goes up as soon as our server has answered anything at all', async (_, bad) => {
  noTimers()
  fault = bad
  const engine = startEngine()
  await engine.recordAnswer(fact('L_q1'))
  await engine.syncNow()
  await settled(engine, 'offline')
  fault = 'none'
  engine.reached()
  await settled(engine)
  expect(await onServer('L_q1')).toMatchObject({ times: 1 })
})

test('the browser is asked once, by the first thing that a student does, not to throw the record away', async () => {
  const persist = vi.fn<() => Promise<boolean>>(async () => true)
  vi.stubGlobal('navigator', { locks: navigator.locks, storage: { persist } })
  const engine = startEngine()
  await engine.syncNow()
  await settled(engine)
  expect(persist).not.toHaveBeenCalled()
  await engine.add({ kind: 'setting', payload: { name: 'dayGoal', value: 30 } })
  expect(persist).toHaveBeenCalledTimes(1)
  await engine.recordAnswer(fact('L_q1'))
  expect(persist).toHaveBeenCalledTimes(1)
})

test('a rescue file carries waiting answers to another device once, and only to their student', async () => {
  fault = 'offline'
  const engine = startEngine()
  await engine.recordAnswer(fact('L_q1'))
  const file = await (await engine.exportWaiting()).text()
  const stranger = startEngine(await server.student())
  await expect(stranger.importRescue(file)).rejects.toThrow('备份文件属于另一个账号')
  await expect(engine.importRescue(file.replace('L_q1', 'L_q2'))).rejects.toThrow('备份文件已损坏')
  indexedDB = new IDBFactory()
  fault = 'none'
  const second = startEngine()
  expect(await second.importRescue(file)).toBe(1)
  await settled(second)
  expect(await second.importRescue(file)).toBe(0)
  expect(await onServer('L_q1')).toMatchObject({ times: 1 })
})

test('what has served its time leaves the device after a sync that leaves nothing waiting, and not before', async () => {
  const db = openRecord()
  const old = { opId: randomUUID(), owner: `u:${who.uid}`, at: server.clock.now - 31 * 86_400_000 }
  await db.run(['receipts'], 'readwrite', (tx) => done(tx.objectStore('receipts').put(old)))
  const receipts = () => db.run(['receipts'], 'readonly', (tx) => done<Receipt[]>(tx.objectStore('receipts').getAll()))
  fault = 'offline'
  const engine = startEngine()
  await engine.recordAnswer(fact('L_q1'))
  await engine.syncNow()
  await settled(engine, 'offline')
  expect(await receipts()).toEqual([old])
  fault = 'none'
  await engine.syncNow()
  await settled(engine)
  await expect.poll(async () => (await receipts()).map(({ at }) => at)).toEqual([server.clock.now])
  db.close()
})

test('1,000 waiting answers go up in batches and every one counts once', async () => {
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'K', chapters: 1, perChapter: 1000 }))
  fault = 'offline'
  const engine = startEngine()
  for (let i = 1; i <= 1000; i++) await engine.recordAnswer({ ...fact(`K_q${i}`), place: placeIn('K') })
  fault = 'none'
  sent.length = 0
  await engine.syncNow()
  await expect.poll(() => engine.status().waiting, { timeout: 20_000 }).toBe(0)
  expect(sent.length).toBeLessThanOrEqual(22)
  expect((await engine.counters(['K_c1'])).get('K_c1')).toMatchObject({
    sums: { done: 1000, right: 1000, answered: 1000 },
  })
})
