import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { OfflineError, RefusedError } from '#src/api/errors.ts'
import { contract } from '#src/contract/index.ts'
import { openPacks, packDb } from '#src/offline/downloads/packs/pack.ts'
import { createPacks, type Packs, packs as ownPacks, type PacksParts } from '#src/offline/downloads/packs/packs.ts'
import { aborted, unanswered } from '#tests/support/aborted.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { dying } from '#tests/support/dying.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const NOS = ['A', 'B', 'C']
const LIST = NOS.map((no) => ({ no, title: `${no} 章节题库` }))
let server: TestServer
/** Calls to the server, by what they asked for. */
let asked: string[]
let open: Packs[]
beforeAll(async () => {
  // This module's own tab would take part.
  ownPacks.close()
  server = await startServer()
  for (const prefix of NOS)
    await importBank(server.db, server.mediaDir, bankJson({ prefix, chapters: 2, perChapter: 30 }))
})
afterAll(() => server.close())
beforeEach(() => {
  packDb.close()
  indexedDB = new IDBFactory()
  vi.stubGlobal('caches', memoryCaches())
  asked = []
  open = []
})
afterEach(() => {
  for (const packs of open) packs.close()
  vi.unstubAllGlobals()
})

const realParts = (): PacksParts => ({
  db: openPacks(),
  owner: 'anon',
  locks: navigator.locks,
  manifest: (no) => {
    asked.push(no)
    return server.call(contract.question.pack, { no })
  },
  blocks: (refs) => {
    asked.push(...refs.map(({ no, at }) => `${no}/${at}`))
    return server.call(contract.question.blocks, { list: refs.map(({ no, at, rev }) => ({ no, at, rev })) })
  },
  fetch: (src) => fetch(src),
  fetchFont: () => {},
  missingRoom: async () => 0,
  metered: () => false,
  pause: () => new Promise((resolve) => setTimeout(resolve)),
  random: () => 0.5,
})
function openTab(parts: Partial<PacksParts> = {}): Packs {
  const packs = createPacks({ ...realParts(), ...parts })
  open.push(packs)
  return packs
}
const whole = (packs: Packs): string[] =>
  [...(packs.get().rows?.values() ?? [])].flatMap(({ libraryNo, ready }) => (ready ? libraryNo : []))
const allAreWhole = async (packs: Packs): Promise<void> => await expect.poll(() => whole(packs)).toEqual(NOS)
const forEver: PacksParts['pause'] = (_, signal) => aborted(signal)

test('all libraries come one after the other, and what is whole is not asked for again', async () => {
  const packs = openTab()
  await packs.start('B')
  asked = []
  await packs.startAll(LIST)
  await allAreWhole(packs)
  await expect.poll(() => packs.get().activities.size).toBe(0)
  expect(asked.filter((each) => NOS.includes(each))).toEqual(['A', 'C'])
  expect(asked.filter((each) => each.startsWith('B'))).toEqual([])
})

test('a phone that dies at any point of it goes on with all of them when the app is opened again', async () => {
  for (let after = 0; ; after++) {
    packDb.close()
    indexedDB = new IDBFactory()
    const real = realParts()
    const { mortal, mortalDb, died } = dying(after)
    const first = openTab({
      db: mortalDb(real.db),
      manifest: (no, signal) => mortal(() => real.manifest(no, signal)),
      blocks: (refs, signal) => mortal(() => real.blocks(refs, signal)),
    })
    const isBegun = await first.startAll(LIST).then(
      () => true,
      () => false,
    )
    await expect.poll(() => died() || whole(first).length === NOS.length).toBe(true)
    first.close()
    if (!died()) break
    const again = openTab()
    await again.open()
    // Nothing or all of it was put down: never some.
    const known = again.get().rows?.size ?? 0
    expect(isBegun ? [NOS.length] : [0, NOS.length]).toContain(known)
    if (known > 0) await allAreWhole(again)
    again.close()
  }
}, 60_000)

test('begun without a network it comes with the network, after a restart, too', async () => {
  const nobody = () => Promise.reject(new OfflineError('offline'))
  const first = openTab({ manifest: nobody, pause: forEver })
  await first.startAll(LIST)
  await expect.poll(() => [...first.get().activities.values()].some(({ at }) => at === 'waiting')).toBe(true)
  first.close()
  const again = openTab()
  await again.open()
  await allAreWhole(again)
})

test('paused it stays so after a restart, whatever of it was asked about, and goes on when the student says so', async () => {
  const packs = openTab({ blocks: (_, signal) => unanswered(signal) })
  await packs.startAll(LIST)
  await expect.poll(() => asked).toEqual(['A'])
  await packs.pauseAll(NOS)
  expect(packs.get().activities.size).toBe(0)
  packs.close()
  const again = openTab()
  await again.open()
  expect(again.get().activities.size).toBe(0)
  expect([...(again.get().rows?.values() ?? [])].map(({ paused }) => paused)).toEqual([true, true, true])
  await again.startAll(LIST)
  await allAreWhole(again)
})

test('on mobile data it asks the server for nothing until there is Wi-Fi or the student says otherwise', async () => {
  const packs = openTab({ metered: () => true, pause: forEver })
  await packs.startAll(LIST)
  await expect.poll(() => packs.get().activities.get('A')?.at).toBe('wifi')
  expect(asked).toEqual([])
  await packs.startAll(LIST, true)
  await allAreWhole(packs)
})

test('what the server does not give is told, does not hold up the rest, and is not asked for at the next start', async () => {
  const real = realParts()
  const refuse: PacksParts['manifest'] = (no, signal) =>
    no === 'B' ? Promise.reject(new RefusedError('题库不存在或已下架，请返回看看其他题库')) : real.manifest(no, signal)
  const packs = openTab({ manifest: refuse })
  await packs.startAll(LIST)
  await expect.poll(() => whole(packs)).toEqual(['A', 'C'])
  expect(packs.get().activities.get('B')).toMatchObject({
    at: 'failed',
    message: '题库不存在或已下架，请返回看看其他题库',
  })
  packs.close()
  const again = openTab()
  await again.open()
  expect(again.get().activities.size).toBe(0)
  expect([...(again.get().rows?.keys() ?? [])]).toEqual(['A', 'C'])
})
