import { onDisk } from '#tests/support/drafts.ts'
import 'fake-indexeddb/auto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { OfflineError } from '#src/api/errors.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { createDatabase, done, StorageError } from '#src/offline/device/idb.ts'
import { openMedia } from '#src/offline/downloads/lessons/media.ts'
import { RECORD_VERSION } from '#src/offline/device/names.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { MEDIA_VERSIONS, RECORD_VERSIONS, recordOf3, waitingIn } from '#tests/support/schemas.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** A device as any release left it, or as a later one did. */
let server: TestServer
let who: { uid: string; token: string }
let owner: string
let online: boolean
const open: Engine[] = []
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
})
afterAll(() => server.close())
beforeEach(async () => {
  indexedDB = new IDBFactory()
  who = await server.student()
  owner = `u:${who.uid}`
  online = false
})
afterEach(async () => {
  vi.restoreAllMocks()
  online = false
  for (const engine of open.splice(0)) {
    await engine.syncNow()
    engine.close()
  }
})

function startEngine(): Engine {
  const engine = createEngine({
    db: openRecord(),
    owner,
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: async (input) => {
      if (!online) throw new OfflineError('offline')
      return server.call(contract.study.sync, input, who.token)
    },
    now: () => server.clock.now,
    random: () => 0.5,
  })
  engine.start()
  open.push(engine)
  return engine
}
const storedOps = async (): Promise<string[]> =>
  (await server.db.selectFrom('study_op').select('op_id').where('uid', '=', who.uid).execute()).map((row) => row.op_id)

/** Two answers wait, one was refused, one was sent, and a batch is open. */
async function leave(version: number, made = RECORD_VERSIONS[version - 1] ?? recordOf3): Promise<string[]> {
  const at = server.clock.now - 60_000
  const [first, second, refused] = ['L_q1', 'L_q2', 'gone'].map((no, i) => waitingIn(version, owner, i + 2, no, at + i))
  const db = createDatabase('jk-outbox', version, made)
  const rows: [string, object | undefined][] = [
    ['ops', first],
    ['ops', second],
    ['dead', { ...refused, code: 'unknown_question', msg: '题目不存在', diedAt: at }],
    ['receipts', { opId: '018f0000-0000-7000-8000-000000000001', owner, at, others: [] }],
    ['drafts', { owner, key: 'batch:L_c1', value: { at: 3 } }],
  ]
  await db.run(['ops', 'dead', 'receipts', 'drafts', 'meta'], 'readwrite', async (tx) => {
    for (const [store, row] of rows) tx.objectStore(store).put(row)
    tx.objectStore('meta').put('6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'device')
    tx.objectStore('meta').put(4, `seq:${owner}`)
  })
  db.close()
  return [first, second].map((op) => op?.opId ?? '')
}

describe('a record of an earlier version', () => {
  test('has a fixture for every version there was', () => {
    expect(RECORD_VERSIONS).toHaveLength(RECORD_VERSION)
  })

  test.each(RECORD_VERSIONS.map((_, i) => i + 1))(
    'loses nothing that waits when it is opened today, and all of it is sent once (version %i)',
    async (version) => {
      const ids = await leave(version)
      const engine = startEngine()
      expect((await engine.waiting()).map(({ opId }) => opId)).toEqual(ids)
      expect(await engine.dead()).toMatchObject([{ msg: '题目不存在', place: { chapterNo: 'L_c1' } }])
      expect(await engine.loadDraft(onDisk('batch:L_c1'))).toEqual({ at: 3 })
      online = true
      await engine.syncNow()
      await expect.poll(() => engine.status().state).toBe('synced')
      expect((await storedOps()).sort()).toEqual(ids)
      expect((await engine.states(['L_q1', 'L_q2'])).get('L_q2')).toMatchObject({ times: 1, lastRight: true })
    },
  )
})

const tellsAndRescues = async (ids: string[]): Promise<void> => {
  const engine = startEngine()
  await expect
    .poll(() => engine.status())
    .toMatchObject({ state: 'error', lastError: '本地数据的版本不同，请关闭其他标签页后刷新', waiting: 2 })
  const act = {
    questionNo: 'L_q3',
    response: { kind: 'choice' as const, ids: ['B'] },
    spentMs: 1,
    from: 'library' as const,
  }
  const late = engine.add({
    kind: 'answer',
    payload: { ...act, version: 1 },
    place: { chapterNo: 'L_c1', libraryNo: 'L', type: 'single', points: [] },
    right: true,
  })
  await expect(late).rejects.toThrow(StorageError)
  const file = await (await engine.exportWaiting()).text()
  for (const id of ids) expect(file).toContain(id)
  engine.close()
  open.splice(0)
}

describe('a record that cannot be used', () => {
  test('because a later release wrote it is only read, says so, gives a rescue file, and is whole when that release is back', async () => {
    const later = RECORD_VERSION + 1
    const made = (db: IDBDatabase, tx: IDBTransaction) => {
      recordOf3(db, tx)
      db.createObjectStore('laterOnes')
    }
    const ids = await leave(later, made)
    await tellsAndRescues(ids)
    const db = createDatabase('jk-outbox', later, made)
    const kept = await db.run(['ops'], 'readonly', (tx) => done<{ opId: string }[]>(tx.objectStore('ops').getAll()))
    expect(kept.map(({ opId }) => opId)).toEqual(ids)
    db.close()
  })

  test.each([1, 2])(
    'because the upgrade from version %i failed is only read, says so, gives a rescue file, and is upgraded the next time',
    async (version) => {
      const ids = await leave(version)
      const failing = vi.spyOn(IDBObjectStore.prototype, 'createIndex').mockImplementation(() => {
        throw new DOMException('disk', 'UnknownError')
      })
      await tellsAndRescues(ids)
      failing.mockRestore()
      const engine = startEngine()
      online = true
      await engine.syncNow()
      await expect.poll(() => engine.status().state).toBe('synced')
      expect((await storedOps()).sort()).toEqual(ids)
    },
  )
})

test.each(MEDIA_VERSIONS.map((upgrade, i) => [i + 1, upgrade] as const))(
  'lessons that version %i of their database held are there after its upgrade',
  async (version, upgrade) => {
    const old = createDatabase('jk-media', version, upgrade)
    const rows = [
      ['lessons', { owner, lesson: 'l1', title: '第一讲' }],
      ['parts', { owner, lesson: 'l1', rev: 'r', file: 'f', n: 0, data: new ArrayBuffer(2) }],
    ] as const
    await old.run(['lessons', 'parts'], 'readwrite', async (tx) => {
      for (const [store, row] of rows) tx.objectStore(store).put(row)
    })
    old.close()
    const db = openMedia()
    const stores = ['lessons', 'parts', 'courses', 'pieces', 'spent']
    const counts = await db.run(stores, 'readonly', (tx) =>
      Promise.all(stores.map((store) => done(tx.objectStore(store).count()))),
    )
    expect(counts).toEqual([1, 1, 0, 0, 0])
    db.close()
  },
)

test('what a later server tells of a kind that this app does not know is kept as it is, and all else is taken in', async () => {
  const engine = startEngine()
  const body = { at: server.clock.now, opId: 'later', words: '明天的' }
  await sql`insert into study_record (uid, kind, id, rev, last_at, last_op, body)
    values (${who.uid}, 'tomorrow', 't1', 1, ${body.at}, ${body.opId}, ${JSON.stringify(body)}::json)`.execute(
    server.db,
  )
  await server.db.updateTable('student').set({ study_rev: 1 }).where('uid', '=', who.uid).execute()
  await engine.add({ kind: 'setting', payload: { name: 'dayGoal', value: 40 } })
  online = true
  await engine.syncNow()
  await expect.poll(() => engine.status()).toMatchObject({ state: 'synced', waiting: 0, dead: 0 })
  expect((await engine.things('setting')).get('dayGoal')).toMatchObject({ value: 40 })
  const db = openRecord()
  const row = await db.run(['things'], 'readonly', (tx) =>
    done(tx.objectStore('things').get([owner, 'tomorrow', 't1'])),
  )
  db.close()
  expect(row).toMatchObject({ view: { kind: 'tomorrow', id: 't1', body } })
})
