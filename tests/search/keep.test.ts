import 'fake-indexeddb/auto'
import { entries, get, set } from 'idb-keyval'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { questionsOnDevice, type Reader } from '#src/offline/downloads/onDevice.ts'
import { packDb } from '#src/offline/downloads/packs/pack.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { createPackStore } from '#src/offline/downloads/packs/packStore.ts'
import { createIndex } from '#src/search/engine.ts'
import { shrinkKept, update } from '#src/search/keep.ts'
import { createShow } from '#src/search/show.ts'
import { composite, single } from '#tests/support/questions.ts'

let people = 0
let reader: Reader
let now: number
beforeEach(async () => {
  await createPackStore(packDb).remove('L')
  // Connections of caches are kept by owner, so each test has an owner of its own.
  reader = { owner: `u:s${++people}`, area: '0', exam: 'jg' }
  now = 1000
})

const asked = (no: string, text: string): Question => ({ ...single(no), stem: text })

/** Fetched as the player does it, so that the device keeps it. */
async function study(no: string, at: number, questions: Question[], who = reader): Promise<void> {
  const before = now
  const client = createQueryClient(who.owner, undefined, () => ++now)
  const queryKey = [who.owner, who.area, who.exam, 'question/block', { no, at }]
  const rev = `r${now}`
  await client.fetchQuery({ queryKey, queryFn: () => ({ no, at, rev, questions }), meta: { keep: 'device' } })
  const row = `i-${JSON.stringify([who.owner, who.area, who.exam, 'question/block', { at, no }])}`
  const keptAt = async () =>
    new Map(await entries<string, { usedAt: number }>(cacheStore(who.owner))).get(row)?.usedAt ?? 0
  await expect.poll(keptAt).toBeGreaterThan(before)
  client.clear()
}

/** Another client finds the row and must be made to fetch. */
async function restudy(no: string, at: number, questions: Question[]): Promise<void> {
  const store = cacheStore(reader.owner)
  const hash = JSON.stringify([reader.owner, reader.area, reader.exam, 'question/block', { at, no }])
  await set(`q-${hash}`, 'damaged', store)
  await study(no, at, questions)
}

/** As the download of a library leaves it. */
async function download(rev: string, questions: Question[], ready = true): Promise<void> {
  await packDb.run(['packs', 'blocks'], 'readwrite', async (tx) => {
    tx.objectStore('packs').put({ libraryNo: 'L', ready, refs: [{ no: 'L_c9', at: 0, rev, count: questions.length }] })
    tx.objectStore('blocks').put({ id: `L_c9:0:${rev}`, json: JSON.stringify(questions) })
  })
}

const list = async (): Promise<string[]> => [...(await questionsOnDevice(reader)).keys()]
/** A new search over the device: what it finds, and how many blocks it had to make. */
async function start() {
  const index = createIndex()
  index.setOwn({ notes: new Map(), wrong: new Set(), subjects: new Map(['L_c1', 'L_c9'].map((no) => [no, 'p'])) })
  let made = 0
  const sources = await update(index, reader, now, (_, total) => (made = total))
  const show = createShow(sources)
  const stems = async (text: string) =>
    (await show(index.search({ text, scope: 'all' }).hits, [text])).map(({ stem }) =>
      stem.map((each) => each.text).join(''),
    )
  const nos = (text: string) => index.search({ text, scope: 'all' }).hits.map(({ no }) => no)
  return { nos, stems, made, size: index.size() }
}

describe('the questions on the device', () => {
  test('are those that were opened, for this student, region and direction', async () => {
    await study('L_c1', 0, [asked('a', '长征')])
    await study('L_c1', 1, [asked('b', '起义')])
    await study('L_c2', 0, [asked('x', '别的')], { ...reader, exam: 'wz' })
    await study('L_c3', 0, [asked('y', '别人')], { ...reader, owner: `${reader.owner}x` })
    expect(await list()).toEqual(['L_c1:0', 'L_c1:1'])
  })
  test('are also those of a library that was downloaded whole, each once', async () => {
    await study('L_c9', 0, [asked('a', '长征')])
    await download('r1', [asked('a', '长征')])
    expect(await list()).toEqual(['L_c9:0'])
  })
  test('are not those of a download that is under way', async () => {
    await download('r1', [asked('a', '长征')], false)
    expect(await list()).toEqual([])
  })
  test('are none on a new device', async () => expect(await list()).toEqual([]))
  test('are read over one connection, however many blocks were downloaded', async () => {
    await download('r1', [asked('a', '长征')])
    const open = vi.spyOn(indexedDB, 'open')
    for (const { read } of (await questionsOnDevice(reader)).values())
      expect((await read()).map(({ no }) => no)).toEqual(['a'])
    expect(open.mock.calls.filter(([name]) => name === 'jk-packs')).toEqual([])
    open.mockRestore()
  })
})

describe('the index', () => {
  test('is made once, and read back at the next start', async () => {
    await study('L_c1', 0, [asked('a', '长征')])
    expect(await start()).toMatchObject({ made: 1, size: 1 })
    const again = await start()
    expect(again.made).toBe(0)
    expect(again.nos('长征')).toEqual(['a'])
  })
  test('is made anew after a version that wrote formulae in another way', async () => {
    await study('L_c1', 0, [asked('a', 'x<sup>2</sup>')])
    await start()
    const store = cacheStore(reader.owner)
    const rows = (await entries<string, { v: number; docs: object[] }>(store)).filter(([key]) =>
      key.startsWith('q-search:'),
    )
    for (const [key, row] of rows) await set(key, { ...row, v: 2, docs: [] }, store)
    const again = await start()
    expect([rows.length, again.made, again.nos('x2')]).toEqual([1, 1, ['a']])
  })
  test('takes in what is new and what has changed, and only that', async () => {
    await study('L_c1', 0, [asked('a', '旧题')])
    await study('L_c1', 1, [asked('b', '长征')])
    await start()
    await restudy('L_c1', 0, [asked('a', '新题')])
    await download('r1', [asked('c', '长征路线')])
    const second = await start()
    expect(second.made).toBe(2)
    expect([second.nos('旧题'), second.nos('新题'), second.nos('长征')]).toEqual([[], ['a'], ['b', 'c']])
    await download('r2', [asked('c', '改过')])
    const third = await start()
    expect(third.made).toBe(1)
    expect([third.nos('长征'), third.nos('改过')]).toEqual([['b'], ['c']])
  })
  test('forgets what has left the device', async () => {
    await download('r1', [asked('a', '长征')])
    await start()
    await download('r1', [], false)
    expect((await start()).nos('长征')).toEqual([])
    await download('r1', [asked('a', '长征')])
    expect((await start()).made).toBe(1)
  })
  test('leaves out a row that cannot be read, and finds it when it has been fetched again', async () => {
    await study('L_c1', 0, [asked('a', '长征')])
    await study('L_c1', 1, [asked('b', '长征')])
    const hash = JSON.stringify([reader.owner, '0', 'jg', 'question/block', { at: 0, no: 'L_c1' }])
    await set(`q-${hash}`, 'damaged', cacheStore(reader.owner))
    expect((await start()).nos('长征')).toEqual(['b'])
    await study('L_c1', 0, [asked('a', '长征')])
    expect((await start()).nos('长征')).toEqual(['a', 'b'])
  })
  test('works on a device that can keep nothing more', async () => {
    await study('L_c1', 0, [asked('a', '长征')])
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect((await start()).nos('长征')).toEqual(['a'])
    put.mockRestore()
  })
})

/** Rows as the search keeps them. */
const keptRows = async () =>
  (await entries<string, { v: number; docs: Record<string, unknown>[] }>(cacheStore(reader.owner))).filter(([key]) =>
    key.startsWith('q-search:'),
  )

describe('what is kept of a question', () => {
  test('is what it is compared by; a list shows it from its block', async () => {
    await download('r1', [asked('a', '《长征》，路线')])
    await start()
    const [row] = (await keptRows()).map(([, { docs }]) => docs)
    expect(row).toEqual([
      { no: 'a', nos: ['a'], type: 'single', folded: expect.stringMatching(/^长征路线\n/), stemLength: 4 },
    ])
    expect(await (await start()).stems('长征')).toEqual(['《长征》，路线'])
  })
  test('with its texts, by an earlier version, is read back as it is, and made smaller a few blocks at a time', async () => {
    const store = cacheStore(reader.owner)
    const blocks = 20
    for (let at = 0; at < blocks; at++) await study('L_c1', at, [asked(`a${at}`, `长征${at}`)])
    await start()
    for (const [key, row] of await keptRows()) {
      const docs = row.docs.map((doc) => ({ ...doc, chapterNo: 'L_c1', at: 0, stem: '长征', rest: '路线' }))
      await set(key, { ...row, v: 3, docs }, store)
      await set(key.replace('q-', 'i-'), { bytes: 1_000_000, usedAt: now }, store)
    }
    const again = await start()
    expect([again.made, again.nos('长征').length]).toEqual([0, blocks])
    // The search is closed in the middle.
    const put = vi.spyOn(IDBObjectStore.prototype, 'put')
    const perTransaction = new Map<IDBTransaction, number>()
    put.mockImplementation(function count(this: IDBObjectStore, ...args) {
      perTransaction.set(this.transaction, (perTransaction.get(this.transaction) ?? 0) + 1)
      if (perTransaction.size > 1) throw new DOMException('gone', 'AbortError')
      return real.apply(this, args)
    })
    await shrinkKept(reader.owner, now).catch(() => {})
    put.mockRestore()
    const left = (await keptRows()).filter(([, { v }]) => v === 3).length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(blocks)
    const third = await start()
    expect([third.made, third.nos('长征').length]).toEqual([0, blocks])
    await shrinkKept(reader.owner, now)
    expect((await keptRows()).filter(([, { v, docs }]) => v === 3 || 'stem' in (docs[0] ?? {}))).toEqual([])
    const [key = ''] = (await keptRows()).map(([each]) => each)
    expect((await get<{ bytes: number }>(key.replace('q-', 'i-'), store))?.bytes).toBeLessThan(1_000)
    const last = await start()
    expect([last.made, last.nos('长征').length]).toEqual([0, blocks])
  })
})
/** As the browser puts. */
const real = IDBObjectStore.prototype.put

describe('questions that are kept by themselves', () => {
  const keep = (question: Question, chapterNo: string | null) =>
    keepQuestions(reader.owner, [{ question, chapterNo, libraryNo: 'L', retired: false }])
  async function search(scope: 'all' | 'errors' | 'notes', wrong: string[] = [], notes: [string, string][] = []) {
    const index = createIndex()
    index.setOwn({ notes: new Map(notes), wrong: new Set(wrong), subjects: new Map([['L_c9', 'p']]) })
    await update(index, reader, now, () => {})
    return index.search({ text: '长征', scope }).hits
  }
  test('are found when the pack that they came with has been removed', async () => {
    await download('r1', [asked('a', '长征'), asked('b', '长征路线')])
    await keep(asked('a', '长征'), 'L_c9')
    expect((await search('errors', ['a'])).map(({ no, at }) => [no, at])).toEqual([['a', 0]])
    await createPackStore(packDb).remove('L')
    const hits = await search('errors', ['a'])
    expect(hits).toMatchObject([{ no: 'a', chapterNo: 'L_c9' }])
    expect(hits[0]).not.toHaveProperty('at')
    expect(await search('all')).toHaveLength(1)
    expect(await search('notes', [], [['a', '记住']])).toHaveLength(1)
  })
  test('are one hit for a material, by the number of a part', async () => {
    const material = { ...composite('C', [single('C_1'), single('C_2')]), stem: '长征材料' }
    await keep(material, 'L_c9')
    expect(await search('errors', ['C_2'])).toMatchObject([{ no: 'C_2', nos: ['C_1', 'C_2'] }])
  })
  test('of papers and other directions are found among the student’s own, not among all', async () => {
    await keep(asked('x', '长征'), 'Z_c1')
    expect(await search('errors', ['x'])).toHaveLength(1)
    expect(await search('errors')).toHaveLength(0)
    expect(await search('all')).toHaveLength(0)
  })
})
