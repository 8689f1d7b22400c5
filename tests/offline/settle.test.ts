import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Change } from '#src/contract/study.ts'
import { blankState } from '#src/domain/study/study.ts'
import { type Database, done } from '#src/offline/device/idb.ts'
import { openRecord, type ThingRow, type WaitingOp } from '#src/offline/device/rows.ts'
import { createMoves } from '#src/offline/record/moves.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { createOutbox } from '#src/offline/sync/outbox.ts'
import { type Answered, createSettle } from '#src/offline/sync/settle.ts'
import { placeIn } from '#tests/support/states.ts'
import { opIdOf, OWNER, waitingOp as op } from '#tests/support/waitingOps.ts'

/** One answer of the server at a time, on a device on which something waits. */
const NOW = Date.UTC(2026, 10, 21, 4)
let db: Database
let record: ReturnType<typeof createRecord>
let taking: ReturnType<typeof createSettle>
beforeEach(() => {
  indexedDB = new IDBFactory()
  db = openRecord()
  record = createRecord(db)
  taking = createSettle(db)
})
const settle = (answer: Partial<Answered>, { ops = [], cursor = 0 }: { ops?: WaitingOp[]; cursor?: number } = {}) =>
  taking.settle(
    OWNER,
    { ops, cursor },
    { verdicts: [], changes: [], cursor: 1, more: false, ...answer },
    { wall: NOW, steady: NOW },
  )
/** Has these wait, with their effect. */
async function wait(...ops: WaitingOp[]): Promise<WaitingOp[]> {
  await createMoves(db).restore(OWNER, ops)
  return record.waiting(OWNER)
}
const applied = ({ opId }: WaitingOp) => ({ opId, verdict: 'applied' as const })
const folder = (n: number, name = '易错') =>
  op(n, { stream: 'folder:f1', kind: 'folder', payload: { no: 'f1', name }, place: null })
const state = (n: number, times = 1): Change => ({
  kind: 'state',
  state: { ...blankState(`q${n}`, placeIn()), times },
})
const goal: Change = { kind: 'setting', id: 'dayGoal', body: { at: NOW, opId: opIdOf(90), value: 30 } }
const day: Change = { kind: 'day', id: '20778', body: { answered: 3, right: 2, spentMs: 900 } }

const left = async () => (await record.waiting(OWNER)).map(({ stream, acked }) => [stream, acked])
const times = async () => [...(await record.states(OWNER, ['q1', 'q2', 'q3'])).values()].map((each) => each.times)
const rowsOfThings = () =>
  db.run(['things'], 'readonly', async (tx) =>
    (await done<ThingRow[]>(tx.objectStore('things').getAll())).map(({ kind, id }) => `${kind} ${id}`),
  )

test('while pages come, what the server has taken is shown until the page with its effect, and never counts twice', async () => {
  const ops = await wait(op(1), op(2), folder(3))
  await settle({ verdicts: ops.map(applied), changes: [state(1)], cursor: 1, more: true }, { ops })
  const others = [
    ['q:q2', 1],
    ['folder:f1', 1],
  ]
  expect([await left(), await times()]).toEqual([others, [1, 1]])
  await settle({ changes: [state(3)], cursor: 2, more: true }, { cursor: 1 })
  expect([await left(), await times()]).toEqual([others, [1, 1, 1]])
  await settle({ changes: [state(2)], cursor: 3, more: true }, { cursor: 2 })
  expect([await left(), await times()]).toEqual([[['folder:f1', 1]], [1, 1, 1]])
  expect((await record.things(OWNER, 'folder')).get('f1')).toMatchObject({ name: '易错' })
  await settle({ cursor: 4 }, { cursor: 3 })
  expect([await left(), await times()]).toEqual([[], [1, 1, 1]])
})

describe('what is said again while a call is under way', () => {
  const goalOf = (n: number, value: number, ms: number) =>
    op(n, {
      stream: 'setting:dayGoal',
      kind: 'setting',
      payload: { name: 'dayGoal', value },
      place: null,
      clientAt: NOW + ms,
      measured: { own: NOW + ms, sure: ms },
    })
  const shown = async () => (await record.things(OWNER, 'setting')).get('dayGoal')
  const dated = (n: number, value: number, ms: number): Change => ({
    kind: 'setting',
    id: 'dayGoal',
    body: { at: NOW + ms, opId: opIdOf(n), value },
  })
  /** The second goal is set while the call with the first is on its way; the server dates the first as it comes. */
  const saidAgain = async (answer: Change) => {
    const ops = await wait(goalOf(1, 20, 0))
    await wait(goalOf(2, 40, 50))
    await settle({ verdicts: ops.map(applied), changes: [answer] }, { ops })
  }

  test('is shown, though the server dates the earlier word later', async () => {
    await saidAgain(dated(1, 20, 300))
    expect(await shown()).toMatchObject({ value: 40 })
    const [, third] = await wait(goalOf(3, 60, 90))
    expect(await shown()).toMatchObject({ value: 60 })
    const refusal = { opId: opIdOf(3), verdict: 'rejected' as const, code: 'invalid', msg: '不行' }
    await settle({ verdicts: [refusal], cursor: 2 }, { ops: third ? [third] : [], cursor: 1 })
    expect(await shown()).toMatchObject({ value: 40 })
  })

  test('gives way to what another device said later', async () => {
    await saidAgain(dated(90, 30, 300))
    expect(await shown()).toMatchObject({ value: 30 })
  })

  test('is shown while pages come', async () => {
    const ops = await wait(goalOf(1, 20, 0))
    await wait(goalOf(2, 40, 50))
    await settle({ verdicts: ops.map(applied), changes: [dated(1, 20, 300)], more: true }, { ops })
    expect(await shown()).toMatchObject({ value: 40 })
    await settle({ cursor: 2 }, { cursor: 1 })
    expect(await shown()).toMatchObject({ value: 40 })
  })

  test('counts as said later by a device whose clock was put back meanwhile', async () => {
    await wait(goalOf(1, 20, 0), { ...goalOf(2, 40, -60_000), measured: { own: NOW + 1, sure: 0 } })
    expect(await shown()).toMatchObject({ value: 40 })
  })
})

describe('an answer that another tab has overtaken', () => {
  test('ends the waiting of what it answers for, whose effect is here already, and changes nothing else', async () => {
    const ops = await wait(op(1))
    await settle({ changes: [state(1)], cursor: 5 })
    await wait(folder(2))
    const before = await rowsOfThings()
    const late = { verdicts: ops.map(applied), changes: [state(1, 9), goal], cursor: 3 }
    expect(await settle(late, { ops })).toEqual(['q1'])
    expect([await left(), await times()]).toEqual([[['folder:f1', 0]], [1]])
    expect(await rowsOfThings()).toEqual(before.filter((row) => !row.startsWith('day')))
    expect(await createOutbox(db).cursor(OWNER)).toBe(5)
  })

  test('and that is not the last of its pages leaves it shown', async () => {
    const ops = await wait(op(1))
    await settle({ cursor: 5 })
    await settle({ verdicts: ops.map(applied), cursor: 3, more: true }, { ops })
    expect([await left(), await times()]).toEqual([[['q:q1', 1]], [1]])
  })
})

test('what the server tells is told on by its name, and each is kept where it belongs', async () => {
  const shelf: Change = { kind: 'folder', id: 'a:b\nc', body: { at: NOW, opId: opIdOf(91), name: '常错' } }
  expect(await settle({ changes: [state(1), goal, day, shelf] })).toEqual(['q1', 'setting', 'day', 'folder'])
  expect(await rowsOfThings()).toEqual(['day 20778', 'folder a:b\nc', 'setting dayGoal'])
  expect(await record.things(OWNER, 'setting')).toEqual(new Map([['dayGoal', goal.body]]))
  expect(await record.things(OWNER, 'folder')).toEqual(new Map([['a:b\nc', shelf.body]]))
  expect(await record.things(OWNER, 'day')).toEqual(new Map([['20778', day.body]]))
})

test('what is refused is shown no more, and says why', async () => {
  const ops = await wait(op(1), folder(2))
  const reason = { verdict: 'rejected' as const, code: 'early', msg: '缺少作答' }
  const [first, second] = ops.map(({ opId }) => ({ opId, ...reason }))
  const missing = [opIdOf(7)]
  const verdicts = [first, second && { ...second, missing }].filter((each) => each !== undefined)
  expect(await settle({ verdicts }, { ops })).toEqual(['q1', 'folder'])
  expect([await left(), await times()]).toEqual([[], []])
  expect(await record.things(OWNER, 'folder')).toEqual(new Map())
  expect(await rowsOfThings()).toEqual(['folder f1'])
  const dead = await record.dead(OWNER)
  expect(dead).toMatchObject([
    { code: 'early', msg: '缺少作答', diedAt: NOW },
    { code: 'early', missing },
  ])
  expect(dead[0]).not.toHaveProperty('missing')
})

describe('the server’s time', () => {
  const since = async () => {
    const written = { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: NOW + 1_000, steady: NOW + 1_000 }
    await createWrite(db).all(OWNER, [{ kind: 'setting', payload: { name: 'dayGoal', value: 30 } }], written)
    return (await record.waiting(OWNER))[0]?.measured
  }
  test('dates what is done from then on', async () => {
    await settle({ serverNow: NOW + 500 })
    expect(await since()).toEqual({ own: NOW + 1_000, sure: 1_000, since: NOW + 1_500 })
  })
  test('is not told by an answer that the device has made itself', async () => {
    await settle({})
    expect(await since()).toEqual({ own: NOW + 1_000, sure: 0 })
  })
})

describe('while a record comes to a device that has none', () => {
  test('no row is looked for that cannot be there', async () => {
    const read = vi.spyOn(IDBObjectStore.prototype, 'get')
    const ofStates = () =>
      read.mock.contexts.filter((store) => store instanceof IDBObjectStore && store.name === 'states')
    await settle({ changes: [state(1)], cursor: 1, more: true })
    await settle({ changes: [state(2)], cursor: 2, more: true }, { cursor: 1 })
    expect(ofStates()).toEqual([])
    await settle({ changes: [state(1), state(3)], cursor: 3 }, { cursor: 2 })
    expect(ofStates()).toHaveLength(1)
    read.mockRestore()
    expect(await record.allCounters(OWNER)).toMatchObject([{ sums: { done: 3, answered: 3 } }])
  })

  test('each of a page’s many questions counts once', async () => {
    const changes = Array.from({ length: 120 }, (_, i) => state(i + 1))
    await settle({ changes, more: true })
    expect(await record.allCounters(OWNER)).toMatchObject([{ sums: { done: 120, answered: 120 } }])
  })
})
