import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { keys } from 'idb-keyval'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { query } from '#src/api/query.ts'
import { OfflineError, ServerFaultError } from '#src/api/errors.ts'
import type { Block, Outline, PackedBlock } from '#src/contract/question.ts'
import { contract } from '#src/contract/index.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { type Database, done, StorageError } from '#src/offline/device/idb.ts'
import { hasPacks, openPacks, packDb, readPacked } from '#src/offline/downloads/packs/pack.ts'
import { createPacks, type Packs, packs as ownPacks, type PacksParts } from '#src/offline/downloads/packs/packs.ts'
import { PACK_IMAGES } from '#src/offline/device/names.ts'
import { shareOf } from '#src/offline/downloads/packs/packDownload.ts'
import { freeHalfPack, freePictures } from '#src/offline/downloads/packs/packFree.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { createPackStore } from '#src/offline/downloads/packs/packStore.ts'
import { MARGIN_BYTES } from '#src/offline/device/room.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { aborted, unanswered } from '#tests/support/aborted.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { dying } from '#tests/support/dying.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
const SOURCE = `/media/${createHash('sha256').update(PICTURE).digest('hex').slice(0, 32)}.svg`
const CHAPTERS = 20

/** 40 blocks: three bundles. The one of chapter 7 that is `changed` and its neighbours differ in nothing else. */
function bank(changed = '') {
  const plain = bankJson({ prefix: 'K', chapters: CHAPTERS, perChapter: 50 })
  const stem = (each: { stem: string }, i: number) =>
    `${each.stem}${i === 0 ? `<img src="${SOURCE}">` : ''}${i === 310 ? changed : ''}`
  return { ...plain, questions: plain.questions.map((each, i) => ({ ...each, stem: stem(each, i) })) }
}

// A busy machine is slow, not wrong.

let server: TestServer
let wire: Wire
/** Blocks that the server was asked for, one entry each. */
let asked: string[]
let onDevice: Packs[]
beforeAll(async () => {
  // This module's own tab would take part.
  ownPacks.close()
  server = await startServer()
  writeFileSync(path.join(server.mediaDir, path.basename(SOURCE)), PICTURE)
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'S', chapters: 2, perChapter: 30 }))
})
afterAll(() => server.close())
beforeEach(async () => {
  packDb.close()
  indexedDB = new IDBFactory()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('location', new URL('https://lijian.test'))
  await server.db.deleteFrom('rate').execute()
  await importBank(server.db, server.mediaDir, bank())
  wire = connect(server)
  asked = []
  onDevice = []
})
afterEach(() => {
  for (const packs of onDevice) packs.close()
  wire.restore()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const realParts = (): PacksParts => ({
  db: openPacks(),
  owner: 'anon',
  locks: navigator.locks,
  manifest: (no) => server.call(contract.question.pack, { no }),
  blocks: async (refs) => {
    asked.push(...refs.map(({ no, at }) => `${no}/${at}`))
    return server.call(contract.question.blocks, { list: refs.map(({ no, at, rev }) => ({ no, at, rev })) })
  },
  // Its own object: memory caches hold whole addresses.
  fetch: (src) => fetch(src),
  fetchFont: () => {},
  missingRoom: async () => 0,
  metered: () => false,
  pause: async () => {},
  random: () => 0.5,
})
function openTab(parts: Partial<PacksParts> = {}): Packs {
  const packs = createPacks({ ...realParts(), ...parts })
  onDevice.push(packs)
  return packs
}
const download = async (no = 'K', parts: Partial<PacksParts> = {}): Promise<Packs> => {
  const packs = openTab(parts)
  await packs.start(no)
  return packs
}
const blockIds = async (): Promise<string[]> => {
  const db = openPacks()
  const ids = await db.run(['blocks'], 'readonly', (tx) => done(tx.objectStore('blocks').getAllKeys()))
  db.close()
  return ids.map(String)
}
/** The library as a reader finds it: the stem of every question, by the outline of the pack. */
async function readAll(no = 'K'): Promise<string[] | null> {
  const outline = (await readPacked({ no })) as Outline | undefined
  if (!outline) return null
  const blocks = await Promise.all(outline.blocks.map(({ no, at }) => readPacked({ no, at }) as Promise<Block>))
  return blocks.flatMap(({ questions }) => questions.map(({ stem }) => stem))
}
async function served(no = 'K'): Promise<string[]> {
  const { blocks } = await server.call(contract.question.chapter, { no })
  const all = await Promise.all(blocks.map(({ no, at }) => server.call(contract.question.block, { no, at })))
  return all.flatMap(({ questions }) => questions.map(({ stem }) => stem))
}
/** All blocks of K are here, and its only picture is: the last of all, which the line takes back. */
async function stuckAtTheEnd(): Promise<Packs> {
  const packs = openTab({
    fetch: async (src) => (
      await (await caches.open(PACK_IMAGES)).put(src, await fetch(src)),
      Promise.reject(new Error())
    ),
    pause: (_, signal) => aborted(signal),
  })
  void packs.start('K')
  await expect.poll(() => packs.get().activities.get('K')?.at).toBe('waiting')
  return packs
}
const rowOf = (packs: Packs, no = 'K') => packs.get().rows?.get(no)

test('a download reads no pack but its own, and leaves all others the same objects to be shown', async () => {
  const packs = await download('S')
  await packs.open()
  const other = packs.get().rows?.get('S')
  const read = vi.spyOn(IDBObjectStore.prototype, 'getAll')
  // Nothing is shown of it in this test, so its pictures are not asked about.
  vi.stubGlobal('caches', undefined)
  await packs.start('K')
  const stores = read.mock.contexts.map((store) => (store instanceof IDBObjectStore ? store.name : ''))
  expect(stores.filter((name) => name === 'packs')).toEqual([])
  expect(packs.get().rows?.get('K')?.ready).toBe(true)
  expect(packs.get().rows?.get('S')).toBe(other)
})

describe('a download', () => {
  test('brings the whole library and its pictures, in bundles, and tells how far it is', async () => {
    const packs = openTab()
    const parts: number[] = []
    packs.subscribe(() => parts.push(packs.get().activities.get('K')?.part ?? -1))
    await packs.start('K')
    expect(await readAll()).toEqual(await served())
    expect(rowOf(packs)).toMatchObject({ ready: true, next: null, title: 'K 章节题库' })
    expect(asked).toHaveLength(40)
    expect(await (await caches.match(SOURCE))?.text()).toBe(PICTURE)
    const told = parts.filter((part) => part >= 0)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBe(1)
    expect(packs.get().activities.size).toBe(0)
    expect(hasPacks()).toBe(true)
  })

  test('answers for every chapter at any level as the server does', async () => {
    const plain = bankJson({ prefix: 'T', chapters: 3, perChapter: 30 })
    const chapters = [
      { no: 'T_part', parent: null, title: '上编' },
      ...plain.chapters.map((each, i) => ({ ...each, parent: i < 2 ? 'T_part' : null })),
    ]
    await importBank(server.db, server.mediaDir, { ...plain, chapters })
    await download('T')
    for (const no of ['T', 'T_part', 'T_c1', 'T_c2', 'T_c3'])
      expect(await readPacked({ no })).toEqual(await server.call(contract.question.chapter, { no }))
    expect(await readPacked({ no: 'T_c9' })).toBeUndefined()
    expect(await readPacked({ no: 'T_c1', at: 9 })).toBeUndefined()
  })

  /** A phone whose battery dies in the middle of a download. */
  function dyingAt(after: number): { parts: Partial<PacksParts>; died: () => boolean } {
    const real = realParts()
    const { mortal, mortalDb, died } = dying(after)
    return {
      parts: {
        db: mortalDb(real.db),
        manifest: (no, signal) => mortal(() => real.manifest(no, signal)),
        blocks: (refs, signal) => mortal(() => real.blocks(refs, signal)),
        fetch: (src, signal) => mortal(() => real.fetch(src, signal)),
      },
      died,
    }
  }

  test('that is killed at any point shows nothing half, and goes on with what is not on the device yet', async () => {
    const all = await served()
    for (let after = 0; ; after++) {
      packDb.close()
      indexedDB = new IDBFactory()
      vi.stubGlobal('caches', memoryCaches())
      const phone = dyingAt(after)
      const first = openTab(phone.parts)
      await first.start('K').catch(() => {})
      first.close()
      if (!phone.died()) break
      const found = await readAll()
      expect(found === null || found.length === all.length).toBe(true)
      const kept = (await blockIds()).length
      asked = []
      const again = openTab()
      await again.open()
      if (!rowOf(again)?.next && !rowOf(again)?.ready) void again.start('K')
      await expect.poll(() => rowOf(again)?.ready).toBe(true)
      expect(await readAll()).toEqual(all)
      expect(asked).toHaveLength(40 - kept)
      again.close()
    }
  }, 120_000)

  test('asks again for what was damaged on its way, and never keeps it', async () => {
    let damaged = 0
    const spoil = (got: PackedBlock[]) =>
      got.map((each, i) => (i === 3 ? { ...each, json: each.json.replace('加', '减') } : each))
    const real = realParts()
    const packs = await download('K', {
      blocks: async (refs, signal) => {
        const got = await real.blocks(refs, signal)
        return damaged++ < 2 ? spoil(got) : got
      },
    })
    expect(rowOf(packs)?.ready).toBe(true)
    expect(await readAll()).toEqual(await served())
    expect(asked).toHaveLength(40 + 2)
  })

  test('waits longer and longer while nobody answers, and as long as the server says', async () => {
    const pauses: number[] = []
    const faults = [0, 0, 0, 0].map((): Error => new OfflineError('offline'))
    faults.push(new ServerFaultError(429, 30_000))
    const real = realParts()
    const packs = openTab({
      blocks: async (refs, signal) => {
        const fault = asked.length >= 16 ? faults.shift() : undefined
        if (fault) throw fault
        return real.blocks(refs, signal)
      },
      pause: async (ms) => void pauses.push(ms),
    })
    await packs.start('K')
    expect(pauses).toEqual([750, 1_500, 3_000, 6_000, 30_000])
    expect(rowOf(packs)?.ready).toBe(true)
  })

  test('stays paused when the student says so, also after a restart, and goes on when they say so', async () => {
    const real = realParts()
    const packs: Packs = openTab({
      blocks: (refs, signal) => {
        if (asked.length >= 16) void packs.pause('K')
        return real.blocks(refs, signal)
      },
    })
    await packs.start('K')
    await expect.poll(() => rowOf(packs)?.paused).toBe(true)
    expect(await readAll()).toBeNull()
    const kept = (await blockIds()).length
    expect(kept).toBeGreaterThan(0)
    const later = openTab()
    await later.open()
    expect(later.get().activities.size).toBe(0)
    asked = []
    await later.start('K')
    expect(asked).toHaveLength(40 - kept)
    expect(rowOf(later)?.ready).toBe(true)
  })

  test('that is cancelled leaves nothing behind', async () => {
    const real = realParts()
    const packs: Packs = openTab({
      blocks: (refs, signal) => {
        if (asked.length >= 16) void packs.cancel('K')
        return real.blocks(refs, signal)
      },
    })
    await packs.start('K')
    await expect.poll(() => rowOf(packs)).toBeUndefined()
    expect(await blockIds()).toEqual([])
    expect(packs.get().activities.size).toBe(0)
  })

  test('that is cancelled among its pictures leaves none of them behind', async () => {
    const packs = await stuckAtTheEnd()
    await packs.cancel('K')
    expect(await caches.match(SOURCE)).toBeUndefined()
  })

  test.each<['paused' | 'cancelled' | 'removed', (packs: Packs) => Promise<void>]>([
    ['paused', (packs) => packs.pause('K')],
    ['cancelled', (packs) => packs.cancel('K')],
    ['removed', (packs) => packs.remove('K')],
  ])('that is %s while the server is still asked what it consists of never begins', async (_, act) => {
    const real = realParts()
    const { promise, resolve } = Promise.withResolvers<void>()
    const manifest = vi.fn<PacksParts['manifest']>((no, signal) => promise.then(() => real.manifest(no, signal)))
    const packs = openTab({ manifest })
    const starting = packs.start('K')
    await expect.poll(() => manifest.mock.calls.length).toBe(1)
    const acting = act(packs)
    resolve()
    await Promise.all([starting, acting])
    expect(packs.get().activities.size).toBe(0)
    expect(rowOf(packs)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('of a library a picture of which the server has no longer is whole without it', async () => {
    const packs = await download('K', { fetch: async () => new Response('', { status: 404 }) })
    expect(rowOf(packs)).toMatchObject({ ready: true, next: null })
    expect(packs.get().activities.size).toBe(0)
    expect(await readAll()).toEqual(await served())
    expect(await caches.match(SOURCE)).toBeUndefined()
  })

  test('asks for the font of formulae where there are some, and neither waits for it nor asks where there are none', async () => {
    const fetchFont = vi.fn<() => void>()
    await download('K', { fetchFont })
    expect(fetchFont).not.toHaveBeenCalled()
    const { questions, ...plain } = bankJson({ prefix: 'F', chapters: 1, perChapter: 30 })
    const last = questions.map((each, i) => (i === 29 ? { ...each, stem: '若 $x^2=1$，则' } : each))
    await importBank(server.db, server.mediaDir, { ...plain, questions: last })
    await download('F', { fetchFont })
    expect(fetchFont).toHaveBeenCalledTimes(1)
  })

  test('takes the newer version when the library changes under it', async () => {
    const real = realParts()
    let changed = false
    await download('K', {
      blocks: async (refs, signal) => {
        if (!changed) {
          changed = true
          await importBank(server.db, server.mediaDir, bank('（改）'))
        }
        return real.blocks(refs, signal)
      },
    })
    const stems = await readAll()
    expect(stems).toEqual(await served())
    expect(stems?.some((stem) => stem.includes('（改）'))).toBe(true)
  })
})

describe('where it may not go on', () => {
  test('a device that fills up on the way says so, keeps what it has, and goes on when there is room', async () => {
    const real = realParts()
    let full = false
    const db: Database = {
      ...real.db,
      run: (stores, mode, body) =>
        full && mode === 'readwrite' ? Promise.reject(new StorageError('quota')) : real.db.run(stores, mode, body),
    }
    const packs = openTab({
      db,
      blocks: (refs, signal) => {
        full = asked.length >= 16
        return real.blocks(refs, signal)
      },
    })
    await packs.start('K')
    expect(packs.get().activities.get('K')?.at).toBe('full')
    expect(await blockIds()).toHaveLength(16)
    full = false
    asked = []
    await openTab().start('K')
    expect(asked).toHaveLength(24)
  })

  test('a device that fills up gives back the blocks that came last until answers have room, and rests until the student says so', async () => {
    const real = realParts()
    let full = false
    const db: Database = {
      ...real.db,
      run: (stores, mode, body) =>
        full && mode === 'readwrite' ? Promise.reject(new StorageError('quota')) : real.db.run(stores, mode, body),
    }
    const missing = [2, 1, 0]
    let furthest = 0
    const packs = openTab({
      db,
      blocks: (refs, signal) => {
        full = asked.length >= 16
        return real.blocks(refs, signal)
      },
      missingRoom: async () => {
        full = false
        furthest = Math.max(furthest, packs.get().activities.get('K')?.part ?? 0)
        return missing.shift() ?? 0
      },
    })
    await packs.start('K')
    expect(packs.get().activities.get('K')?.at).toBe('full')
    // A block for each time that room was missing.
    expect(await blockIds()).toHaveLength(14)
    const part = packs.get().activities.get('K')?.part
    expect(part).toBe(await shareOf('K', createPackStore(packDb)))
    expect(part).toBeLessThan(furthest)
    expect(part).toBeGreaterThan(0)
    packs.close()
    asked = []
    const later = openTab()
    await later.open()
    expect(later.get().rows?.get('K')).toMatchObject({ paused: true, full: true })
    expect(asked).toEqual([])
    await later.start('K')
    expect(asked).toHaveLength(26)
    expect(later.get().rows?.get('K')).toMatchObject({ ready: true, full: false })
  })

  test('pictures of a library that is not whole make room, before its blocks and for an answer; those of a whole one stay', async () => {
    const packs = await stuckAtTheEnd()
    const rows = await createPackStore(packDb).list()
    expect(await freePictures(rows, 'K', 1)).toBe(PICTURE.length)
    expect(await freePictures(rows, 'K', 1)).toBe(0)
    expect(await freeHalfPack()).toBe(true)
    expect(await blockIds()).toEqual([])
    await expect.poll(() => rowOf(packs)).toMatchObject({ paused: true, full: true })
    await expect.poll(() => packs.get().activities.size).toBe(0)
    expect(await freeHalfPack()).toBe(false)
    await openTab().start('K')
    expect(await caches.match(SOURCE)).toBeDefined()
    await importBank(server.db, server.mediaDir, bank('，改过'))
    const store = createPackStore(packDb)
    const next = await realParts().manifest('K', new AbortController().signal)
    expect(next.pictures).toHaveLength(1)
    await store.begin(next, { anyNetwork: false, withoutPictures: false })
    expect(await freePictures(await store.list(), 'K', 1)).toBe(0)
  })

  test('what rests because the device was full goes on when something was removed and there is room for it, and not before', async () => {
    const other = await download('S')
    other.close()
    const packs = await stuckAtTheEnd()
    await freeHalfPack()
    await expect.poll(() => rowOf(packs)).toMatchObject({ paused: true, full: true })
    packs.close()
    const asked: number[] = []
    let lacks = 1
    const later = openTab({ missingRoom: async (bytes) => (asked.push(bytes - MARGIN_BYTES), lacks) })
    await later.open()
    await later.remove('S')
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]).toBeGreaterThan(0)
    expect(rowOf(later)).toMatchObject({ paused: true, full: true })
    lacks = 0
    await later.remove('S')
    await expect.poll(() => rowOf(later)).toMatchObject({ ready: true, full: false })
    // Nothing rests any more: nothing is written to look for room.
    await later.remove('S')
    await expect.poll(() => asked.length).toBe(2)
  })

  test('on mobile data it waits for Wi-Fi, unless the student says otherwise', async () => {
    let mobile = true
    const packs = openTab({
      metered: () => mobile,
      pause: (_, signal) => aborted(signal),
    })
    void packs.start('K')
    await expect.poll(() => packs.get().activities.get('K')?.at).toBe('wifi')
    expect(asked).toEqual([])
    const other = openTab({ metered: () => mobile })
    await other.start('K', true)
    expect(rowOf(other)?.ready).toBe(true)
    mobile = false
  })

  test('one that may use mobile data may still do so when it goes on after a pause, whatever has changed meanwhile', async () => {
    const real = realParts()
    // Nobody connects to Wi-Fi: whoever waits for it here has failed.
    const mobile = { metered: () => true, pause: () => Promise.reject(new Error('waits for Wi-Fi')) }
    const packs: Packs = openTab({
      ...mobile,
      blocks: (refs, signal) => {
        void packs.pause('K')
        return real.blocks(refs, signal)
      },
    })
    await packs.start('K', true)
    await expect.poll(() => rowOf(packs)?.paused).toBe(true)
    packs.close()
    await importBank(server.db, server.mediaDir, bank('（改）'))
    const later = openTab(mobile)
    await later.open()
    await later.start('K')
    expect(later.get().activities.size).toBe(0)
    expect(rowOf(later)).toMatchObject({ ready: true, paused: false })
    expect(await readAll()).toEqual(await served())
  })

  test.each([
    ['between two bundles', 16],
    ['before the pictures', 40],
  ])('when Wi-Fi is lost %s, it uses no mobile data', async (_, blocks) => {
    const real = realParts()
    let mobile = false
    const packs = openTab({
      metered: () => mobile,
      blocks: async (refs, signal) => {
        const got = await real.blocks(refs, signal)
        mobile = asked.length >= blocks
        return got
      },
      pause: (__, signal) => aborted(signal),
    })
    void packs.start('K')
    await expect.poll(() => packs.get().activities.get('K')?.at).toBe('wifi')
    expect(asked).toHaveLength(blocks)
    expect(await caches.match(SOURCE)).toBeUndefined()
  })

  test('省流 leaves the pictures out, and brings them when it is off again', async () => {
    packSettings.setSaver(true)
    const packs = await download()
    expect(rowOf(packs)).toMatchObject({ ready: true, withoutPictures: true })
    expect(await caches.match(SOURCE)).toBeUndefined()
    packSettings.setSaver(false)
    asked = []
    await packs.start('K')
    expect(asked).toEqual([])
    expect(rowOf(packs)?.withoutPictures).toBe(false)
    expect(await caches.match(SOURCE)).toBeDefined()
  })

  test('a library that is no longer offered says so', async () => {
    const packs = await download('NOPE')
    expect(packs.get().activities.get('NOPE')).toMatchObject({ at: 'failed' })
    expect(packs.get().activities.get('NOPE')?.message).toBeTruthy()
  })

  test('a portal’s page in the place of a picture is not kept', async () => {
    let portal = true
    const packs = openTab({
      fetch: async (src) =>
        portal ? new Response('<html>', { headers: { 'content-type': 'text/html' } }) : fetch(src),
      pause: async () => void (portal = false),
    })
    await packs.start('K')
    expect(await (await caches.match(SOURCE))?.text()).toBe(PICTURE)
  })
})

describe('an update', () => {
  test('fetches the blocks that changed and no other, and drops what they replace', async () => {
    const packs = await download()
    await importBank(server.db, server.mediaDir, bank('（改）'))
    asked = []
    await packs.start('K')
    expect(asked).toEqual(['K_c7/0'])
    expect(await readAll()).toEqual(await served())
    expect(await blockIds()).toHaveLength(40)
  })

  test('is seen whole or not at all by a reader in the middle of it', async () => {
    const before = await served()
    const packs = await download()
    await importBank(server.db, server.mediaDir, bank('（改）'))
    const after = await served()
    const real = realParts()
    const seen: string[] = []
    const look = async () => void seen.push(JSON.stringify(await readAll()))
    const watched = <T>(work: Promise<T>) => work.then(async (result) => (await look(), result))
    const db: Database = { ...real.db, run: (stores, mode, body) => watched(real.db.run(stores, mode, body)) }
    await openTab({ db, blocks: (refs, signal) => watched(real.blocks(refs, signal)) }).start('K')
    expect(seen.length).toBeGreaterThanOrEqual(5)
    expect(new Set(seen)).toEqual(new Set([JSON.stringify(before), JSON.stringify(after)]))
    expect(packs.get().rows).not.toBeNull()
  })

  test('whatever changes, the pack becomes what the server has, by fetching what is not there', async () => {
    await download('S')
    const plain = bankJson({ prefix: 'S', chapters: 2, perChapter: 30 })
    const edit = fc.record({ at: fc.nat(59), what: fc.constantFrom('change', 'drop') })
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const dropped = new Set(edits.flatMap(({ at, what }) => (what === 'drop' ? [at] : [])))
        const touched = new Set(edits.map(({ at }) => at))
        const questions = plain.questions
          .map((each, i) => (touched.has(i) ? { ...each, stem: `${each.stem}${edits.length}` } : each))
          .filter((_, i) => !dropped.has(i))
        const had = new Set(await blockIds())
        await importBank(server.db, server.mediaDir, { ...plain, questions })
        const { blocks } = await server.call(contract.question.chapter, { no: 'S' })
        const fresh = blocks.filter(({ no, at, rev }) => !had.has(`${no}:${at}:${rev}`))
        asked = []
        await openTab().start('S')
        expect(asked).toEqual(fresh.map(({ no, at }) => `${no}/${at}`))
        expect(await readAll('S')).toEqual(await served('S'))
        expect(await blockIds()).toHaveLength(blocks.length)
      }),
      { numRuns: 15 },
    )
  })

  test('that is cancelled leaves the version that was there', async () => {
    const before = await served()
    await download()
    await importBank(server.db, server.mediaDir, bank('（改）'))
    const packs: Packs = openTab({
      blocks: async () => {
        void packs.cancel('K')
        return []
      },
    })
    void packs.start('K')
    await expect.poll(() => rowOf(packs)?.next).toBeNull()
    expect(await readAll()).toEqual(before)
  })
})

describe('removing a pack', () => {
  test('frees its blocks and pictures, and touches neither another pack nor what the student did', async () => {
    const db = openRecord()
    const record = createRecord(db)
    await record.saveDraft('anon', { key: 'batch:K_c1', value: 1 })
    const packs = await download()
    await packs.start('S')
    await packs.remove('S')
    expect(await caches.match(SOURCE)).toBeDefined()
    expect(await readAll()).toEqual(await served())
    await packs.start('S')
    await packs.remove('K')
    expect(await readAll()).toBeNull()
    expect(await caches.match(SOURCE)).toBeUndefined()
    expect(await readAll('S')).toEqual(await served('S'))
    expect((await blockIds()).every((id) => id.startsWith('S_'))).toBe(true)
    expect(await record.loadDraft('anon', 'batch:K_c1')).toBe(1)
    await packs.remove('S')
    expect(hasPacks()).toBe(false)
    expect(await blockIds()).toEqual([])
    db.close()
  })
})

describe('two tabs', () => {
  test('download one after another: each block is fetched once', async () => {
    const [one, two] = [openTab(), openTab()]
    await Promise.all([one.start('K'), two.start('K')])
    for (const tab of [one, two]) await expect.poll(() => rowOf(tab)?.ready).toBe(true)
    expect(asked.filter((each) => each === 'K_c1/0')).toHaveLength(1)
    expect(await readAll()).toEqual(await served())
  })

  test('one goes on with what the other has begun, as soon as that is closed', async () => {
    const first = openTab({ blocks: (_, signal) => unanswered(signal, new OfflineError('offline')) })
    void first.start('K')
    // Whoever hears of it earlier may have its turn first.
    await expect.poll(() => first.get().activities.get('K')?.at).toBe('running')
    const second = openTab()
    await second.open()
    await expect.poll(() => second.get().activities.get('K')?.at).toBe('queued')
    first.close()
    await expect.poll(() => rowOf(second)?.ready).toBe(true)
    expect(await readAll()).toEqual(await served())
  })

  test('without locks both may fetch, and the pack is whole all the same', async () => {
    await Promise.all([download('K', { locks: null }), download('K', { locks: null })])
    await expect.poll(() => readAll()).toEqual(await served())
    expect(await blockIds()).toHaveLength(40)
  })
})

describe('studying from a pack', () => {
  const outline = () => query(contract.question.chapter, { no: 'K_c3' })
  const block = () => query(contract.question.block, { no: 'K_c3', at: 1 })
  const kept = async () => (await keys<string>(cacheStore('anon'))).filter((key) => key.startsWith('q-'))

  test('asks nobody and writes nothing a second time', async () => {
    await download()
    wire.sent.length = 0
    const client = createQueryClient('anon')
    const read = await client.ensureQueryData(outline())
    expect(read.blocks).toHaveLength(2)
    expect((await client.ensureQueryData(block())).questions).toHaveLength(25)
    expect(wire.sent).toEqual([])
    expect(await kept()).toEqual([])
    client.clear()
  })

  test('what was kept before leaves the other store when the pack is there', async () => {
    const client = createQueryClient('anon')
    await client.fetchQuery(block())
    await client.fetchQuery(query(contract.question.block, { no: 'S_c1', at: 0 }))
    await expect.poll(async () => (await kept()).length).toBe(2)
    await download()
    expect(await kept()).toHaveLength(1)
    client.clear()
  })

  test('works without a network although the mark of a pack was lost', async () => {
    await download()
    localStorage.removeItem('jk-packs')
    wire.fault = nobody
    const client = createQueryClient('anon')
    expect((await client.ensureQueryData(block())).questions).toHaveLength(25)
    client.clear()
  })

  test('a block that the device has lost comes from the server', async () => {
    await download()
    const db = openPacks()
    await db.run(['blocks'], 'readwrite', (tx) => done(tx.objectStore('blocks').clear()))
    db.close()
    const client = createQueryClient('anon')
    expect((await client.ensureQueryData(block())).questions).toHaveLength(25)
    client.clear()
  })

  test('a device without packs opens no database to find that out', async () => {
    const open = vi.spyOn(indexedDB, 'open')
    const client = createQueryClient('anon')
    await client.ensureQueryData(block())
    expect(open.mock.calls.map(([name]) => name)).not.toContain('jk-packs')
    client.clear()
  })
})
