import 'fake-indexeddb/auto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { type Figures, readFigures } from '#src/offline/record/figures.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'

/** 防遗忘 on two devices of one student, by way of the real server. */
const DAY = 86_400_000
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
})
afterAll(() => server.close())

/** Each device has a disk of its own, which is there while something is done with it. */
interface Device {
  engine: Engine
  on: <T>(work: (engine: Engine) => Promise<T>) => Promise<T>
}
function device({ uid, token }: { uid: string; token: string }): Device {
  const disk = new IDBFactory()
  indexedDB = disk
  const engine = createEngine({
    db: openRecord(),
    owner: `u:${uid}`,
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: (input) => server.call(contract.study.sync, input, token),
    now: () => server.clock.now,
    random: () => 0.5,
  })
  const on: Device['on'] = (work) => {
    indexedDB = disk
    return work(engine)
  }
  engine.start()
  return { engine, on }
}
const synced = ({ on }: Device) =>
  on(async (engine) => {
    await engine.syncNow()
    await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', waiting: 0, dead: 0 })
  })
const today = ({ on }: Device): Promise<Figures> => on((engine) => readFigures(engine, server.clock.now))
const answer = (n: number, right: boolean) => ({
  questionNo: `L_q${n}`,
  response: { kind: 'choice' as const, ids: [right ? 'B' : 'A'] },
  spentMs: 30_000,
  from: 'library' as const,
  version: 1,
  place: placeIn(),
  right,
})

test('both have the same questions before them, and what lapsed on one is in the error book of the other', async () => {
  const who = await server.student()
  const first = device(who)
  await first.on(async (engine) => {
    for (let n = 1; n <= 20; n++) await engine.recordAnswer(answer(n, n > 2))
    await engine.add({ kind: 'cause', payload: { questionNo: 'L_q9', cause: 'guess' }, place: placeIn() })
    await engine.add({ kind: 'setting', payload: { name: 'lapseShare', value: 10 } })
  })
  await synced(first)
  server.clock.now += 12 * DAY
  const second = device(who)
  await synced(second)
  const [one, other] = [await today(first), await today(second)]
  expect(one.lapses.size).toBe(4)
  expect([...other.lapses]).toEqual([...one.lapses])
  expect(other.plan).toEqual(one.plan)
  const [lapsed = '', held = ''] = one.lapses.keys()
  await first.on(async (engine) => {
    await engine.recordAnswer(answer(Number(lapsed.slice(3)), false))
    await engine.recordAnswer(answer(Number(held.slice(3)), true))
  })
  await synced(first)
  await synced(second)
  for (const each of [first, second]) {
    const { lapses, plan } = await today(each)
    expect([...lapses.keys()]).toEqual([...one.lapses.keys()].slice(2))
    expect(plan[0]).toMatchObject({ lapses: 2 })
    const book = await each.on((engine) => engine.shelfNumbers('book'))
    expect(book.toSorted()).toEqual(['L_q1', 'L_q2', lapsed].toSorted())
  }
  expect((await today(second)).due).toEqual((await today(first)).due)
})
