import { beginning } from '#tests/support/drafts.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { recoverWatched, Watcher } from '#src/features/course/lesson/watch/watcher.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { StorageError } from '#src/offline/device/idb.ts'
import { openRecord } from '#src/offline/device/rows.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
/** By how much this device's clock is behind the server's. */
const SKEW_MS = 3_600_000
const LESSON = { courseNo: 'K1', lessonNo: 'K1_1', at: 0 }
let engine: Engine
let nowMs: number
let told: unknown[]
const clocks = { now: () => NOW + SKEW_MS + nowMs, nowMs: () => nowMs }
beforeEach(() => {
  indexedDB = new IDBFactory()
  nowMs = 0
  told = []
  engine = createEngine({
    db: openRecord(),
    owner: 'u:p1',
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: () => Promise.reject(new OfflineError('offline')),
    now: () => NOW + nowMs,
    skew: () => SKEW_MS,
    random: () => 0.5,
  })
})
afterEach(() => engine.close())
const watch = (desk: ConstructorParameters<typeof Watcher>[1]) =>
  new Watcher(LESSON, desk, clocks, (error) => told.push(error))
function play(watcher: Watcher, from: number, to: number): void {
  for (let at = from; at <= to; at += 1) {
    nowMs += 1_000
    watcher.played(at)
  }
}

test('what a killed page had watched is told as of then, so what another device did later stands', async () => {
  play(watch(engine), 0, 21)
  const draft = async () => Object((await engine.drafts(beginning('watch')))[0]?.value)
  await expect.poll(async () => (await draft()).position).toBe(19)
  const { at } = await draft()
  // The phone lay in a drawer for a week.
  nowMs += 7 * 86_400_000
  await recoverWatched(engine)
  const [op] = await engine.waiting()
  expect(op).toMatchObject({ kind: 'watch', payload: { lessonNo: 'K1_1' }, clientAt: at - SKEW_MS })
  expect(op?.clientAt).toBeLessThan(NOW + 60_000)
  expect(await engine.drafts(beginning('watch'))).toEqual([])
})

test('what was stalled and is paused then stands where the picture stands, not where it was heard before', async () => {
  const watcher = watch(engine)
  play(watcher, 0, 12)
  watcher.stopped()
  watcher.paused(13.2)
  await watcher.flush('pause')
  expect((await engine.waiting()).map(({ payload }) => payload)).toMatchObject([{ watched: [[0, 12]], position: 13 }])
})

test('a full device says so once, and what it could not keep is told when there is room', async () => {
  let full = true
  const keep = <T>(act: () => Promise<T>): Promise<T> => (full ? Promise.reject(new StorageError('quota')) : act())
  const watcher = watch({
    ...engine,
    addAll: (acts, draft) => keep(() => engine.addAll(acts, draft)),
    saveDraft: (draft) => keep(() => engine.saveDraft(draft)),
  })
  play(watcher, 0, 20)
  watcher.paused(20)
  await watcher.flush('pause')
  play(watcher, 20, 30)
  watcher.paused(30)
  await watcher.flush('pause')
  expect(told).toEqual([new StorageError('quota')])
  full = false
  await watcher.flush('leave')
  expect((await engine.waiting()).map(({ payload }) => payload)).toMatchObject([{ watched: [[0, 30]], position: 30 }])
  full = true
  play(watcher, 30, 40)
  watcher.paused(40)
  await watcher.flush('pause')
  expect(told).toHaveLength(2)
})

test('a page that ends at once leaves its last word, which is told at the next start, and once', async () => {
  const watcher = watch(engine)
  play(watcher, 0, 3)
  const last: unknown = JSON.parse(JSON.stringify(watcher.lastWord()))
  await recoverWatched(engine, last)
  expect((await engine.waiting()).map(({ payload }) => payload)).toMatchObject([{ watched: [[0, 3]], position: 3 }])
  await recoverWatched(engine, last)
  expect(await engine.waiting()).toHaveLength(1)
})

test('a page that ends while its pause is being written leaves that as its last word, which counts once either way', async () => {
  let write = (): void => {}
  const writing = new Promise<void>((resolve) => (write = resolve))
  const watcher = watch({ ...engine, addAll: (acts, draft) => writing.then(() => engine.addAll(acts, draft)) })
  play(watcher, 0, 20)
  watcher.paused(20)
  const paused = watcher.flush('pause')
  const last: unknown = JSON.parse(JSON.stringify(watcher.lastWord()))
  expect(last).toMatchObject({ watched: [[0, 20]], position: 20 })
  write()
  await paused
  expect(watcher.lastWord()).toBeNull()
  // The page had got it written after all.
  await recoverWatched(engine, last)
  expect((await engine.waiting()).map(({ payload }) => payload)).toMatchObject([{ watched: [[0, 20]], position: 20 }])
})

test('where a student has put a lesson that stands is kept, though it makes no op', async () => {
  const watcher = watch(engine)
  watcher.jumped(38.4)
  await watcher.stands()
  expect(await engine.waiting()).toEqual([])
  await recoverWatched(engine)
  expect((await engine.waiting()).map(({ payload }) => payload)).toMatchObject([{ watched: [], position: 38 }])
})
