import { onDisk } from '#tests/support/drafts.ts'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchAhead } from '#src/sitting/ahead.ts'
import { lastSitting } from '#src/offline/drafts/sitting.ts'
import { offline } from '#src/offline/index.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { connect, json, nobody, type Wire } from '#tests/support/wire.ts'

let wire: Wire
beforeEach(() => {
  wire = connect()
  prepareDevice()
  vi.stubGlobal('caches', memoryCaches())
  wire.fault = () => json({ status: 1, msg: '', data: {} })
})
afterEach(() => {
  wire.restore()
  vi.unstubAllGlobals()
})

const begun: string[] = []
/** A later one was begun later. */
const leave = async (itemNo: string, startedAt: number): Promise<void> => {
  const key = lastSitting.key(itemNo, 'exam')
  begun.push(key)
  await offline.saveDraft({
    key: onDisk(key),
    value: { id: `id-${itemNo}`, setNo: 'S', itemNo, mode: 'exam', startedAt },
  })
}
afterEach(async () => {
  for (const key of begun.splice(0)) await offline.dropDraft(onDisk(key))
})
const asked = () => wire.sent.map(({ path, query }) => path.replace('/pcapi/questionSet/', '') + (query.itemNo ?? ''))
const handIn = (itemNo: string) =>
  offline.add({
    kind: 'handIn',
    payload: {
      attemptId: uuidv7(),
      answers: [],
      paper: { of: 'set', no: 'T', itemNo, rev: 'r', trial: false },
      mode: 'exam',
      tookMs: 1,
      spentMs: 1,
    },
    earned: { score: 0, full: 100, right: 0, total: 1, marks: [] },
  })

test('ten papers are enough', async () => {
  for (let i = 1; i <= 12; i++) await leave(`p${i}`, i)
  await fetchAhead()
  expect(asked()).toEqual(['detail', ...Array.from({ length: 10 }, (_, i) => `paperp${12 - i}`)])
})
test('papers of testings are fetched as those of sets are', async () => {
  const key = lastSitting.key('TEST', 'exam')
  begun.push(key)
  const value = { id: 'id-t', of: 'testing', setNo: 'TEST', itemNo: 'TEST', mode: 'exam', startedAt: 2 }
  await offline.saveDraft({ key: onDisk(key), value })
  await leave('p1', 1)
  await fetchAhead()
  expect(wire.sent.map(({ path, query }) => [path, query.no])).toEqual([
    ['/pcapi/testing/detail', 'TEST'],
    ['/pcapi/questionSet/detail', 'S'],
    ['/pcapi/testing/paper', 'TEST'],
    ['/pcapi/questionSet/paper', 'S'],
  ])
})
test('what the worker holds for this region and direction is not asked for again', async () => {
  await leave('here', 2)
  await leave('elsewhere', 1)
  const cache = await caches.open(`api-v1:${offline.owner}`)
  const put = (path: string, query: string) =>
    cache.put(`http://localhost/pcapi/questionSet/${path}?${query}`, new Response())
  await put('detail', 'area=0&key=jg&no=S&sg_key=jg')
  await put('paper', 'area=0&itemNo=here&key=jg&no=S&sg_key=jg')
  await put('paper', 'area=0&itemNo=elsewhere&key=wz&no=S&sg_key=wz')
  await fetchAhead()
  expect(asked()).toEqual(['paperelsewhere'])
})
test('a paper that the server has no more does not keep the others away; a lost network does, until the next time', async () => {
  await leave('gone', 2)
  await leave('there', 1)
  wire.fault = ({ query }) => json({ status: query.itemNo === 'gone' ? 0 : 1, msg: '没有', data: {} })
  await fetchAhead()
  expect(asked()).toEqual(['detail', 'papergone', 'paperthere'])
  wire.fault = nobody
  await expect(fetchAhead()).rejects.toThrow('网络不可用')
})
// Last: what was handed in stays handed in.
test('what was left comes before what was handed in, the newest first, each set and paper once; 省流模式 fetches only that', async () => {
  await handIn('past')
  await leave('old', 1)
  await leave('new', 2)
  await fetchAhead()
  expect(asked()).toEqual(['detail', 'detail', 'papernew', 'paperold', 'paperpast'])
  wire.sent.length = 0
  packSettings.setSaver(true)
  await fetchAhead()
  expect(asked()).toEqual(['detail', 'papernew', 'paperold'])
})
