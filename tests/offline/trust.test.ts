import { beginning, onDisk } from '#tests/support/drafts.ts'
import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { contract } from '#src/contract/index.ts'
import type { Change } from '#src/contract/study.ts'
import { blankState } from '#src/domain/study/study.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { createDatabase, type Database, done, StorageError } from '#src/offline/device/idb.ts'
import { createMoves } from '#src/offline/record/moves.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { type Act, openRecord, type WaitingOp } from '#src/offline/device/rows.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publishWatched } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn, statesIn } from '#tests/support/states.ts'
import { sumsOf } from '#tests/support/sums.ts'

/** Every kind of act, on its way from one owner, device or version of the app to another. */
let server: TestServer
let who: { uid: string; token: string }
let online: boolean
const open: Engine[] = []
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
  await publishWatched(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  indexedDB = new IDBFactory()
  who = await server.student()
  online = false
})
afterEach(async () => {
  online = false
  for (const engine of open.splice(0)) {
    // What still begins would open the next test's database.
    await engine.syncNow()
    engine.close()
  }
})

function startEngine(student: { uid: string; token: string } | null = who, db = openRecord()): Engine {
  const engine = createEngine({
    db,
    owner: student ? `u:${student.uid}` : 'anon',
    loggedIn: () => student !== null,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: async (input) => {
      if (!online) throw new OfflineError('offline')
      return server.call(contract.study.sync, input, student?.token)
    },
    now: () => server.clock.now,
    random: () => 0.5,
  })
  engine.start()
  open.push(engine)
  return engine
}

const place = placeIn()
const answer = (questionNo: string, right = true): Act => ({
  kind: 'answer',
  payload: {
    questionNo,
    response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
    spentMs: 1000,
    from: 'library',
    version: 1,
  },
  place,
  right,
})
/** Does something of every kind, as one who studies would. */
async function study(engine: Engine): Promise<string[]> {
  const ids: string[] = []
  const add = async (act: Act) => {
    const id = await engine.add(act)
    ids.push(id)
    return id
  }
  await add(answer('L_q1'))
  const target = await add(answer('L_q2', false))
  const undone = { at: server.clock.now, right: false, spentMs: 1000 }
  await add({ kind: 'retract', payload: { questionNo: 'L_q2', target }, place, undone })
  await add(answer('L_q3', false))
  await add({ kind: 'book', payload: { questionNo: 'L_q3', in: false }, place })
  await add({ kind: 'cause', payload: { questionNo: 'L_q3', cause: 'guess' }, place })
  await add({ kind: 'collect', payload: { questionNo: 'L_q4', folder: 'f1', over: [] }, place })
  await add({ kind: 'note', payload: { questionNo: 'L_q4', text: '记一笔', over: [] }, place })
  await add({ kind: 'folder', payload: { no: 'f1', name: '易错' } })
  await add({ kind: 'setting', payload: { name: 'dayGoal', value: 30 } })
  await add({ kind: 'report', payload: { questionNo: 'L_q5', version: 1, reason: 'stem', text: '题干缺字' } })
  return ids
}

const QUESTIONS = ['L_q1', 'L_q2', 'L_q3', 'L_q4', 'L_q5']
const KINDS = ['day', 'folder', 'setting', 'report'] as const
/** Everything that screens show of an owner, as one value. */
async function shown(engine: Engine): Promise<unknown> {
  const things = await Promise.all(KINDS.map(async (kind) => [kind, await engine.things(kind)] as const))
  const sums = await sumsOf(engine.allCounters)
  return { states: await engine.states(QUESTIONS), sums, things }
}
const settled = async (engine: Engine) => {
  await expect.poll(() => engine.status().state).toBe('synced')
  expect(engine.status()).toMatchObject({ waiting: 0, dead: 0 })
}
const onServer = async (): Promise<Change[]> =>
  (
    await server.call(
      contract.study.sync,
      { device: randomUUID(), owner: who.uid, proto: 1, sentAt: 0, cursor: 0, ops: [] },
      who.token,
    )
  ).changes
const storedOps = async (): Promise<string[]> =>
  (await server.db.selectFrom('study_op').select('op_id').where('uid', '=', who.uid).execute()).map((row) => row.op_id)

describe('a visitor’s record', () => {
  test('of every kind becomes the student’s with its ids, and looks as it did', async () => {
    const visitor = startEngine(null)
    const ids = await study(visitor)
    const before = await shown(visitor)
    visitor.close()
    const engine = startEngine()
    expect(await engine.visitorRecord()).toEqual({ waiting: ids.length, answers: 2, collected: 1, noted: 1 })
    expect(await engine.adoptVisitor()).toBe(ids.length)
    expect(await shown(engine)).toEqual(before)
    expect(await engine.visitorRecord()).toBeNull()
    online = true
    await engine.syncNow()
    await settled(engine)
    expect((await storedOps()).sort()).toEqual(ids.toSorted())
    expect(statesIn(await onServer()).get('L_q4')).toMatchObject({
      collected: [{ folder: 'f1' }],
      notes: [{ text: '记一笔' }],
    })
  })

  test.each(['before', 'before the commit', 'after'] as const)(
    'is the visitor’s or the student’s, never half of it, when the app is killed %s',
    async (moment) => {
      const visitor = startEngine(null)
      const ids = await study(visitor)
      visitor.close()
      const db = openRecord()
      await expect(createMoves(dyingAt(db, moment)).adopt(`u:${who.uid}`)).rejects.toThrow('the browser died')
      const ops = await db.run(['ops'], 'readonly', (tx) => done<WaitingOp[]>(tx.objectStore('ops').getAll()))
      db.close()
      expect(ops.map(({ opId }) => opId).sort()).toEqual(ids.toSorted())
      const merged = moment === 'after'
      expect([...new Set(ops.map(({ owner }) => owner))]).toEqual([merged ? `u:${who.uid}` : 'anon'])
      const engine = startEngine()
      expect(await engine.adoptVisitor()).toBe(merged ? 0 : ids.length)
      online = true
      await engine.syncNow()
      await settled(engine)
      expect((await storedOps()).sort()).toEqual(ids.toSorted())
    },
  )

  test('brings its places to go on from, but takes away none that the student has', async () => {
    const student = startEngine()
    await student.saveDraft({ key: onDisk('batch:L_c1'), value: { at: 9 } })
    student.close()
    const visitor = startEngine(null)
    for (const no of ['L_c1', 'L_c2']) await visitor.saveDraft({ key: onDisk(`batch:${no}`), value: { at: 1 } })
    await visitor.add(answer('L_q1'))
    visitor.close()
    const engine = startEngine()
    await engine.adoptVisitor()
    expect((await engine.drafts(beginning('batch'))).map(({ key, value }) => [key, value])).toEqual([
      ['batch:L_c1', { at: 9 }],
      ['batch:L_c2', { at: 1 }],
    ])
    expect(await startEngine(null).drafts(beginning('batch'))).toEqual([])
  })

  test('with a row that nobody can read is merged all the same, and the row is told', async () => {
    const visitor = startEngine(null)
    await study(visitor)
    visitor.close()
    const db = openRecord()
    await db.run(['ops'], 'readwrite', async (tx) => {
      tx.objectStore('ops').put({ owner: 'anon', seq: 99, opId: 'x', stream: 'q:L_q1', acked: 0, place, payload: null })
    })
    db.close()
    const engine = startEngine()
    await engine.adoptVisitor()
    online = true
    await engine.syncNow()
    await expect.poll(() => engine.status().state).toBe('synced')
    expect(await engine.dead()).toMatchObject([{ code: 'damaged' }])
    expect(await engine.waiting()).toEqual([])
  })
})

/** A database whose browser dies at a moment of its next transaction. */
const dyingAt = (db: Database, moment: 'before' | 'before the commit' | 'after'): Database => ({
  ...db,
  run: async (stores, mode, body) => {
    const died = new Error('the browser died')
    if (moment === 'before') throw died
    const result = await db.run(stores, mode, async (tx) => {
      const made = await body(tx)
      if (moment === 'before the commit') throw died
      return made
    })
    if (moment === 'after') throw died
    return result
  },
})

describe('a rescue file', () => {
  test('brings acts of every kind to another phone, and nothing doubles, in any order of sending', async () => {
    const phone = startEngine()
    const ids = await study(phone)
    const before = await shown(phone)
    const file = await (await phone.exportWaiting()).text()
    const [first] = [indexedDB]
    indexedDB = new IDBFactory()
    const other = startEngine()
    expect(await other.importRescue(file)).toBe(ids.length)
    expect(await other.importRescue(file)).toBe(0)
    expect(await shown(other)).toEqual(before)
    online = true
    await other.syncNow()
    await settled(other)
    expect(await other.importRescue(file)).toBe(0)
    const second = indexedDB
    indexedDB = first
    await phone.syncNow()
    await settled(phone)
    expect((await storedOps()).sort()).toEqual(ids.toSorted())
    indexedDB = second
    expect(await shown(other)).toEqual(await shown(startEngine()))
  })

  test('of another account, of a visitor, or cut off is refused in words, and changes nothing', async () => {
    const phone = startEngine()
    await study(phone)
    const file = await (await phone.exportWaiting()).text()
    const visitor = startEngine(null)
    await study(visitor)
    const visitors = await (await visitor.exportWaiting()).text()
    const stranger = startEngine(await server.student())
    await expect(stranger.importRescue(file)).rejects.toThrow('备份文件属于另一个账号，请登录原账号后再恢复')
    await expect(stranger.importRescue(visitors)).rejects.toThrow('备份文件是未登录时导出的')
    await expect(phone.importRescue(file.slice(0, -40))).rejects.toThrow('备份文件已损坏，请重新导出')
    await expect(phone.importRescue(file.replace('dayGoal', 'daygoal'))).rejects.toThrow('备份文件已损坏，请重新导出')
    expect(await stranger.waiting()).toEqual([])
    indexedDB = new IDBFactory()
    expect(await startEngine(null).importRescue(visitors)).toBe(11)
  })
})

/** As the first release made it (commit 474e047). */
const first = (db: IDBDatabase): void => {
  const ops = db.createObjectStore('ops', { keyPath: ['owner', 'seq'] })
  ops.createIndex('opId', 'opId', { unique: true })
  ops.createIndex('stream', ['owner', 'stream', 'seq'])
  ops.createIndex('acked', ['owner', 'acked'])
  db.createObjectStore('dead', { keyPath: 'opId' }).createIndex('owner', 'owner')
  db.createObjectStore('receipts', { keyPath: 'opId' }).createIndex('at', 'at')
  db.createObjectStore('meta')
  db.createObjectStore('states', { keyPath: ['owner', 'questionNo'] })
  db.createObjectStore('counters', { keyPath: ['owner', 'chapterNo'] })
  db.createObjectStore('drafts', { keyPath: ['owner', 'key'] })
}
/** As version 2 left it. */
const second = (db: IDBDatabase): void => {
  first(db)
  for (const name of ['states', 'counters']) db.deleteObjectStore(name)
  const states = db.createObjectStore('states', { keyPath: ['owner', 'questionNo'] })
  for (const name of ['due', 'book', 'collected', 'noted']) states.createIndex(name, ['owner', name])
  db.createObjectStore('sums', { keyPath: ['owner', 'chapterNo'] })
  db.createObjectStore('things', { keyPath: ['owner', 'kind', 'id'] })
}

test('a record of version 2 stays as it is, and gives its misses by their age', async () => {
  const owner = `u:${who.uid}`
  const old = createDatabase('jk-outbox', 2, second)
  const view = (questionNo: string, since: number) => ({
    ...blankState(questionNo, placeIn()),
    ...(since > 0 && { book: { rights: 0, since, from: 'library' as const, out: false } }),
  })
  const views = [view('L_q1', 5), view('L_q2', 0), view('L_q3', 9)]
  await old.run(['states'], 'readwrite', async (tx) => {
    for (const each of views)
      tx.objectStore('states').put({ owner, questionNo: each.questionNo, base: each, view: each })
  })
  old.close()
  const engine = startEngine()
  const newest = await engine.shelf('missed', { backwards: true })
  expect(newest.map(({ questionNo }) => questionNo)).toEqual(['L_q3', 'L_q1'])
  expect([...(await engine.states(QUESTIONS)).values()]).toEqual(views)
})

test('drawings of version 2, kept by batch, belong to their questions afterwards; other drafts stay', async () => {
  const [owner, other] = [`u:${who.uid}`, 'anon']
  const stroke = (x: number) => ({ kind: 'pen', points: [x, 2, 3] })
  const old = createDatabase('jk-outbox', 2, second)
  const rows = [
    { owner, key: 'batch:L_c1', value: { at: 3 } },
    { owner, key: 'pad:batch:L_c1', value: { L_q1: [stroke(1)], L_q2: [stroke(2)], L_q3: [] } },
    { owner, key: 'pad:book:L', value: { L_q1: [stroke(3), stroke(4)] } },
    { owner, key: 'pad:L_q9', value: { at: 7, strokes: [stroke(9)] } },
    { owner: other, key: 'pad:batch:L_c1', value: { L_q1: [stroke(5)] } },
    { owner: other, key: 'pad:damaged', value: null },
  ]
  await old.run(['drafts'], 'readwrite', async (tx) => {
    for (const row of rows) tx.objectStore('drafts').put(row)
  })
  old.close()
  const before = Date.now()
  const record = createRecord(openRecord())
  const drawn = async (whose: string) =>
    new Map((await record.drafts(whose, 'pad:')).map((row) => [row.key, row.value]))
  const now = expect.toSatisfy((at: number) => at >= before && at <= Date.now())
  expect(await drawn(owner)).toEqual(
    new Map<string, unknown>([
      ['pad:L_q1', { at: now, strokes: [stroke(1), stroke(3), stroke(4)] }],
      ['pad:L_q2', { at: now, strokes: [stroke(2)] }],
      ['pad:L_q9', { at: 7, strokes: [stroke(9)] }],
    ]),
  )
  expect((await drawn(other)).get('pad:L_q1')).toEqual({ at: now, strokes: [stroke(5)] })
  expect(await record.loadDraft(owner, 'batch:L_c1')).toEqual({ at: 3 })
})

describe('a record of version 1', () => {
  const oldOp = (owner: string, seq: number, questionNo: string, part: object = {}) => ({
    owner,
    opId: `018f0000-0000-7000-8${owner === 'anon' ? 1 : 0}00-${String(seq).padStart(12, '0')}`,
    seq,
    stream: `q:${questionNo}`,
    kind: 'answer',
    v: 1,
    payload: { questionNo, response: { kind: 'choice', ids: ['B'] }, spentMs: 1000, from: 'library' },
    ctx: { sg_key: 'jg', area: '0', key: 'jg' },
    clientAt: server.clock.now - 60_000 + seq,
    chapterNo: 'L_c1',
    libraryNo: 'L',
    right: true,
    parked: false,
    acked: 0,
    ...part,
  })

  /** The device as an old page left it: two answers wait, one was refused, a visitor's waits, the server has an older one. */
  async function leaveOld(): Promise<Database> {
    const owner = `u:${who.uid}`
    const db = createDatabase('jk-outbox', 1, first)
    const state = {
      questionNo: 'L_q1',
      chapterNo: 'L_c1',
      libraryNo: 'L',
      times: 2,
      wrong: 0,
      streak: 2,
      spentMs: 2000,
    }
    const last = { lastAt: server.clock.now - 60_000, lastRight: true, lastResponse: { kind: 'choice', ids: ['B'] } }
    const rows: [string, object][] = [
      ['ops', oldOp(owner, 2, 'L_q1')],
      ['ops', oldOp(owner, 3, 'L_q2')],
      ['ops', oldOp('anon', 1, 'L_q3')],
      ['dead', { ...oldOp(owner, 4, 'gone'), code: 'unknown_question', msg: '题目不存在', diedAt: server.clock.now }],
      ['receipts', { opId: randomUUID(), owner, at: server.clock.now, others: [] }],
      ['states', { owner, questionNo: 'L_q1', base: { ...state, ...last, times: 1 }, view: { ...state, ...last } }],
      ['counters', { owner, chapterNo: 'L_c1', done: 2, right: 2, answered: 3, wrong: 0 }],
      ['drafts', { owner, key: 'batch:L_c1', value: { at: 3 } }],
    ]
    const names = ['ops', 'dead', 'receipts', 'states', 'counters', 'drafts', 'meta']
    await db.run(names, 'readwrite', async (tx) => {
      for (const [store, row] of rows) tx.objectStore(store).put(row)
      tx.objectStore('meta').put(randomUUID(), 'device')
      tx.objectStore('meta').put(4, `seq:${owner}`)
      tx.objectStore('meta').put(1, 'seq:anon')
      tx.objectStore('meta').put(7, `cursor:${owner}`)
    })
    return db
  }
  const oneAnswer = { times: 1, wrong: 0, lastRight: true }

  test('keeps every answer that waits, shows its effect with the very first reading, and gets the rest from the server', async () => {
    online = true
    const elsewhere = startEngine()
    await elsewhere.add(answer('L_q1'))
    await elsewhere.syncNow()
    await settled(elsewhere)
    online = false
    indexedDB = new IDBFactory()
    ;(await leaveOld()).close()
    const engine = startEngine()
    const [states, counters, days] = await Promise.all([
      engine.states(QUESTIONS),
      engine.counters(['L_c1']),
      engine.things('day'),
    ])
    expect([...states.keys()]).toEqual(['L_q1', 'L_q2'])
    expect(states.get('L_q2')).toMatchObject({ ...oneAnswer, chapterNo: 'L_c1', libraryNo: 'L' })
    expect(counters.get('L_c1')?.sums).toMatchObject({ done: 2, answered: 2, right: 2 })
    expect([...days.values()]).toEqual([{ answered: 2, right: 2, spentMs: 2000 }])
    expect(await engine.loadDraft(onDisk('batch:L_c1'))).toEqual({ at: 3 })
    expect(await engine.dead()).toMatchObject([{ msg: '题目不存在', place: { chapterNo: 'L_c1', libraryNo: 'L' } }])
    online = true
    await engine.syncNow()
    await expect.poll(() => engine.status().state).toBe('synced')
    const known = await engine.states(QUESTIONS)
    expect(known.get('L_q1')).toMatchObject({ times: 2 })
    expect([...known.values()]).toEqual([...statesIn(await onServer()).values()])
  })

  test('of a visitor shows its effect as well, and can be merged with its numbers', async () => {
    ;(await leaveOld()).close()
    const visitor = startEngine(null)
    expect((await visitor.states(['L_q3'])).get('L_q3')).toMatchObject(oneAnswer)
    expect((await visitor.allCounters()).map(({ sums }) => sums.answered)).toEqual([1])
    visitor.close()
    const engine = startEngine()
    expect(await engine.visitorRecord()).toEqual({ waiting: 1, answers: 1, collected: 0, noted: 0 })
    expect(await engine.adoptVisitor()).toBe(1)
    online = true
    await engine.syncNow()
    await expect.poll(() => engine.status().state).toBe('synced')
    expect((await storedOps()).length).toBe(3)
  })

  test('that another student left can be counted and merged without that student’s page', async () => {
    ;(await leaveOld()).close()
    const engine = startEngine(await server.student())
    expect(await engine.visitorRecord()).toMatchObject({ waiting: 1, answers: 1 })
    expect((await engine.states(QUESTIONS)).size).toBe(0)
  })

  test('with a row that nobody can read counts the others right', async () => {
    const old = await leaveOld()
    await old.run(['ops'], 'readwrite', async (tx) => {
      tx.objectStore('ops').put(oldOp(`u:${who.uid}`, 9, 'L_q5', { opId: 'x' }))
    })
    old.close()
    const engine = startEngine()
    expect([...(await engine.things('day')).values()]).toMatchObject([{ answered: 2 }])
    expect(await engine.dead()).toHaveLength(2)
  })

  test('still open in an old tab gives way to the new one, and the old one says that nothing was saved', async () => {
    const old = await leaveOld()
    const engine = startEngine()
    expect((await engine.states(['L_q2'])).size).toBe(1)
    const late = old.run(['ops'], 'readwrite', async (tx) => {
      tx.objectStore('ops').put(oldOp(`u:${who.uid}`, 5, 'L_q4'))
    })
    await expect(late).rejects.toThrow(StorageError)
    expect(await engine.waiting()).toHaveLength(2)
  })

  test('as a rescue file is taken in by this one', async () => {
    const engine = startEngine()
    const ops = JSON.stringify([oldOp(`u:${who.uid}`, 2, 'L_q1')])
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ops)))
    const checksum = Buffer.from(hash).toString('hex')
    const file = { format: 'lijian-rescue/1', owner: `u:${who.uid}`, checksum, ops }
    expect(await engine.importRescue(JSON.stringify(file))).toBe(1)
    expect((await engine.states(['L_q1'])).get('L_q1')).toMatchObject({ ...oneAnswer, chapterNo: 'L_c1' })
  })
})
