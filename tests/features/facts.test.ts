import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Known, readFacts } from '#src/features/question/facts.ts'
import { createCounter, type Facts } from '#src/features/question/selection.ts'
import { ORDINARY } from '#src/features/question/setup.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { packs } from '#src/offline/downloads/packs/packs.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'F', chapters: 2, perChapter: 250 }))
  wire = connect(server)
  prepareDevice()
})
afterAll(async () => {
  wire.restore()
  await server.close()
})

async function counted(no: string): Promise<Known | null> {
  let last: Known | null = null
  const client = createQueryClient(session.owner())
  await readFacts(client, no, (known) => (last = known), new AbortController().signal)
  client.clear()
  return last
}

test('a chapter too long to fetch for a count says how many are unknown; downloaded, it is counted whole without a network', async () => {
  expect(await counted('F')).toMatchObject({ units: [], unknown: 500 })
  await packs.start('F')
  wire.fault = nobody
  const known = await counted('F')
  expect(known?.unknown).toBe(0)
  expect(known?.units.length).toBe(500)
  expect([...(known?.points.values() ?? [])]).toEqual(['军史'])
})

test('blocks are read side by side, and a sheet is not drawn anew for each of them', async () => {
  // Every look at the clock is 60 ms after the one before: as on a slow phone.
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 60))
  let told = 0
  const client = createQueryClient(session.owner())
  await readFacts(client, 'F', () => told++, new AbortController().signal)
  clock.mockRestore()
  client.clear()
  // 500 questions are twenty blocks.
  expect(told).toBeGreaterThan(1)
  expect(told).toBeLessThan(10)
})

test('what is counted while questions come is what is counted of all of them, and each is looked at once', () => {
  let looks = 0
  const part = (i: number): Facts => ({
    get type() {
      looks++
      return i % 2 === 0 ? ('single' as const) : ('judge' as const)
    },
    difficulty: 3,
    year: 2020,
    points: [],
    lastAt: 0,
    lastWrong: false,
    collected: false,
  })
  const all = Array.from({ length: 400 }, (_, i) => [part(i)])
  const filter = { ...ORDINARY, types: ['single' as const] }
  const whole = createCounter(filter)(all)
  const once = looks
  looks = 0
  const counter = createCounter(filter)
  const growing: typeof all = []
  let last = counter(growing)
  for (let from = 0; from < all.length; from += 25) {
    growing.push(...all.slice(from, from + 25))
    last = counter(growing)
  }
  expect(last).toEqual(whole)
  expect([last.total, last.by.type.get('judge')]).toEqual([200, 200])
  expect(looks).toBe(once)
})
