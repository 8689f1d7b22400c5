import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { SYNC_FETCH_PAGE, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { createSettle } from '#src/offline/sync/settle.ts'
import { blankState } from '#src/domain/study/study.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'

/** A record of several pages comes to a device that has nothing, from the real server. */
let server: TestServer
let who: { uid: string; token: string }
const ANSWERED = SYNC_FETCH_PAGE + 200
const ctx = { sg_key: 'jg', area: '0', key: 'jg' }
const response = { kind: 'choice' as const, ids: ['B'] }

beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'LONG', chapters: 1, perChapter: ANSWERED }))
  who = await server.student()
  const device = randomUUID()
  const ops = Array.from({ length: ANSWERED }, (_, i) =>
    answerOp(`LONG_q${i + 1}`, true, { seq: i + 1, at: server.clock.now - 60_000 + i }),
  )
  for (let i = 0; i < ops.length; i += SYNC_MAX_OPS) {
    const input = { device, owner: who.uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0 }
    await server.call(contract.study.sync, { ...input, ops: ops.slice(i, i + SYNC_MAX_OPS) }, who.token)
  }
})
afterAll(() => server.close())
beforeEach(() => {
  indexedDB = new IDBFactory()
})

/** @param onCall before each call to the server */
function startEngine(onCall: (engine: Engine) => Promise<void> = async () => {}): Engine {
  const engine: Engine = createEngine({
    db: openRecord(),
    owner: `u:${who.uid}`,
    loggedIn: () => true,
    scope: () => ctx,
    send: async (input) => {
      await onCall(engine)
      return server.call(contract.study.sync, input, who.token)
    },
    now: () => server.clock.now,
    random: () => 0.5,
  })
  return engine
}

test('says how much of it is here, and has screens read again once, when all of it is', async () => {
  const engine = startEngine()
  const fetched: (number | null)[] = []
  const told: unknown[] = []
  engine.onStatus(() => fetched.push(engine.status().fetched))
  engine.onChange(() => told.push(engine.status().fetched))
  engine.start()
  await expect.poll(() => engine.status().state).toBe('synced')
  const shares = [...new Set(fetched)].filter((share) => share !== null)
  expect(shares).toHaveLength(1)
  expect(shares[0]).toBeGreaterThan(0.8)
  expect(shares[0]).toBeLessThan(0.9)
  expect(told).toEqual([null])
  expect(await engine.allCounters()).toMatchObject([{ sums: { done: ANSWERED } }])
  engine.close()
})

test('a student who answers meanwhile sees it at once, and has one answer more in the end', async () => {
  const told: unknown[] = []
  let calls = 0
  const fact = { questionNo: 'LONG_q1150', response, spentMs: 500, from: 'library' as const, version: 1 }
  const engine = startEngine(async (each) => {
    if (++calls !== 2) return
    each.onChange((changed) => told.push(changed))
    await each.recordAnswer({ ...fact, place: placeIn('LONG', 'LONG_c1'), right: true })
    expect(told).toEqual([['LONG_q1150']])
  })
  engine.start()
  await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', waiting: 0 })
  await engine.syncNow()
  expect((await engine.states(['LONG_q1150'])).get('LONG_q1150')?.times).toBe(2)
  expect(await engine.allCounters()).toMatchObject([{ sums: { done: ANSWERED, answered: ANSWERED + 1 } }])
  engine.close()
})

test('an answer that was given before any of it came is counted once more, and not twice', async () => {
  const fact = { questionNo: 'LONG_q1100', response, spentMs: 500, from: 'library' as const, version: 1 }
  const engine = startEngine()
  await engine.recordAnswer({ ...fact, place: placeIn('LONG', 'LONG_c1'), right: true })
  engine.start()
  await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', waiting: 0 })
  const { sums } = (await engine.allCounters())[0] ?? {}
  const states = await engine.states(Array.from({ length: ANSWERED }, (_, i) => `LONG_q${i + 1}`))
  expect(sums).toMatchObject({
    done: ANSWERED,
    answered: [...states.values()].reduce((all, { times }) => all + times, 0),
  })
  engine.close()
})

test('what another tab has taken in between two answers of this one is counted once', async () => {
  const [here, there] = [openRecord(), openRecord()]
  const take = (db: typeof here) => {
    const { settle } = createSettle(db)
    return (no: string, before: number, more = true) => {
      const state = { ...blankState(no, placeIn('LONG', 'LONG_c1')), times: 1 }
      const answer = { verdicts: [], changes: [{ kind: 'state' as const, state }], cursor: before + 1, more }
      return settle('u:tabs', { ops: [], cursor: before }, answer, { wall: 1, steady: 1 })
    }
  }
  const [ours, theirs] = [take(here), take(there)]
  await ours('LONG_q1', 0)
  await theirs('LONG_q2', 1)
  await ours('LONG_q2', 2, false)
  expect(await createRecord(here).allCounters('u:tabs')).toMatchObject([{ sums: { done: 2, answered: 2 } }])
  here.close()
  there.close()
})

test('where nothing waits, no question is asked for what waits about it', async () => {
  const read = vi.spyOn(IDBIndex.prototype, 'getAll')
  const engine = startEngine()
  engine.start()
  await expect.poll(() => engine.status().state).toBe('synced')
  const ofStreams = read.mock.contexts.filter((index) => index instanceof IDBIndex && index.name === 'stream')
  expect(ofStreams.length).toBeLessThan(10)
  engine.close()
})
