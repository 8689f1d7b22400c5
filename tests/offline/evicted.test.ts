import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { forgetOwner } from '#src/offline/record/forget.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { placeIn } from '#tests/support/states.ts'

/** A record that was cleared alone, while something else that the browser keeps survived. */
const OWNER = 'u:s1'
let kept: Map<string, string>
let online: boolean
const open: Engine[] = []
beforeEach(() => {
  indexedDB = new IDBFactory()
  kept = new Map()
  online = false
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  // Its own keys are what it holds, as a browser's are.
  vi.stubGlobal(
    'localStorage',
    new Proxy(storage, {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
  )
  vi.stubGlobal('location', { href: 'https://example.com/' })
  vi.stubGlobal('caches', memoryCaches())
})
afterEach(() => {
  for (const engine of open.splice(0)) engine.close()
  vi.unstubAllGlobals()
})

function start(owner = OWNER): Engine {
  const engine = createEngine({
    db: openRecord(),
    owner,
    loggedIn: () => owner !== 'anon',
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: async ({ ops }) => {
      if (!online) throw new OfflineError('offline')
      const verdicts = ops.map(({ opId }) => ({ opId, verdict: 'applied' as const }))
      return { verdicts, changes: [], cursor: 1, more: false, ackSeq: 0, serverNow: 1_000 }
    },
    now: () => 1_000,
    random: () => 0.5,
  })
  engine.start()
  open.push(engine)
  return engine
}
async function answer(engine: Engine, times: number): Promise<void> {
  for (let n = 0; n < times; n++)
    await engine.recordAnswer({
      questionNo: `q${n}`,
      right: true,
      response: { kind: 'choice', ids: ['A'] },
      spentMs: 1,
      from: 'library',
      version: 1,
      place: placeIn(),
    })
}
/** The page ends, and the browser clears the record before the next start. */
async function clearRecord(): Promise<void> {
  for (const engine of open.splice(0)) {
    // What is noted by the way has been noted.
    await engine.lost()
    engine.close()
  }
  indexedDB = new IDBFactory()
}

test.each([OWNER, 'anon'])(
  'five unsent answers of %s that the browser has cleared are missed, until it is told',
  async (owner) => {
    const engine = start(owner)
    expect(await engine.lost()).toBe(0)
    await answer(engine, 5)
    await clearRecord()
    const next = start(owner)
    expect(await next.lost()).toBe(5)
    next.close()
    // A page that ended before the student read it says it again.
    const third = start(owner)
    expect(await third.lost()).toBe(5)
    third.lostIsTold()
    expect(await third.lost()).toBe(0)
    expect(await start(owner).lost()).toBe(0)
  },
)

test('they are missed also where localStorage was cleared together with the record', async () => {
  await answer(start(), 3)
  await clearRecord()
  kept.clear()
  expect(await start().lost()).toBe(3)
})

test('a second loss before the first was told is added to it, and what was done between the two counts', async () => {
  await answer(start(), 2)
  await clearRecord()
  const engine = start()
  expect(await engine.lost()).toBe(2)
  await answer(engine, 1)
  await clearRecord()
  expect(await start().lost()).toBe(3)
})

test('nothing is missed of what was sent, of another owner, or of a student who has closed their account', async () => {
  online = true
  const engine = start()
  await answer(engine, 4)
  await engine.syncNow()
  await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', waiting: 0 })
  await clearRecord()
  expect(await start().lost()).toBe(0)

  online = false
  const [mine, theirs] = [start('u:s2'), start('u:s3')]
  await answer(mine, 2)
  await clearRecord()
  expect(await start('u:s3').lost()).toBe(0)
  expect(theirs.owner).toBe('u:s3')

  await answer(start('u:s4'), 2)
  for (const each of open.splice(0)) each.close()
  await forgetOwner('u:s4')
  expect(await start('u:s4').lost()).toBe(0)
})

test('two tabs that write at the same time raise no alarm', async () => {
  const [one, two] = [start(), start()]
  await Promise.all([answer(one, 5), one.lost(), answer(two, 5), two.lost(), one.lost()])
  expect(await Promise.all([one.lost(), two.lost()])).toEqual([0, 0])
  await clearRecord()
  expect(await start().lost()).toBe(10)
})
