import 'fake-indexeddb/auto'
import { describe, expect, test } from 'vitest'
import { SYNC_MAX_BYTES } from '#src/contract/sync.ts'
import { done } from '#src/offline/device/idb.ts'
import { openRecord, type WaitingOp } from '#src/offline/device/rows.ts'
import { bytesOf, createOutbox, dropOps, isWhole, onWire, sideBySide } from '#src/offline/sync/outbox.ts'
import { opIdOf, OWNER, waitingOp as op } from '#tests/support/waitingOps.ts'

async function deviceWith(ops: readonly WaitingOp[]) {
  indexedDB = new IDBFactory()
  const db = openRecord()
  await db.run(['ops'], 'readwrite', async (tx) => ops.forEach((each) => tx.objectStore('ops').put(each)))
  return db
}
const seqsOf = (ops: Iterable<WaitingOp>): number[] => [...ops].map(({ seq }) => seq)

describe('what is removed', () => {
  const left = async (gone: readonly number[]): Promise<number[]> => {
    const db = await deviceWith([1, 2, 3, 4, 5, 6, 10, 11].map((n) => op(n)))
    await db.run(['ops'], 'readwrite', async (tx) => dropOps(tx, OWNER, gone))
    return db.run(['ops'], 'readonly', async (tx) => seqsOf(await done(tx.objectStore('ops').getAll())))
  }
  test('is exactly what was named, in whatever order', async () => {
    expect(await left([11, 4, 2, 10, 3])).toEqual([1, 5, 6])
    expect(await left([2, 4, 6])).toEqual([1, 3, 5, 10, 11])
    expect(await left([])).toEqual([1, 2, 3, 4, 5, 6, 10, 11])
  })
  test('takes a run of neighbours in one request', async () => {
    const db = await deviceWith([1, 2, 3, 4, 5, 9].map((n) => op(n)))
    const ranges: unknown[] = []
    await db.run(['ops'], 'readwrite', async (tx) => {
      const store = tx.objectStore('ops')
      const watched = { delete: (range: IDBKeyRange) => (ranges.push([range.lower, range.upper]), store.delete(range)) }
      dropOps(Object.create(tx, { objectStore: { value: () => watched } }), OWNER, [9, 3, 1, 2])
    })
    expect(ranges).toEqual([
      [
        [OWNER, 1],
        [OWNER, 3],
      ],
      [
        [OWNER, 9],
        [OWNER, 9],
      ],
    ])
  })
})

test('ops that another owner wrote are neither sent nor taken for those of a call', async () => {
  const db = await deviceWith([op(1, { owner: 'u:other' }), op(2), op(3)])
  expect(seqsOf(await createOutbox(db).batch(OWNER))).toEqual([2, 3])
  const here = await db.run(['ops'], 'readonly', (tx) => sideBySide(tx, OWNER, [op(1), op(2)]))
  expect(seqsOf(here.values())).toEqual([2])
})

describe('a call', () => {
  test('carries each op once and in order, however many lie between them that are not sent', async () => {
    const all = Array.from({ length: 250 }, (_, i) => i + 1)
    const db = await deviceWith(all.map((n) => op(n, { parked: n % 4 > 0 })))
    expect(seqsOf(await createOutbox(db).batch(OWNER))).toEqual(all.filter((n) => n % 4 === 0))
  })

  test('carries as many bytes as it may, and not one more', async () => {
    const room = SYNC_MAX_BYTES - bytesOf(op(1)) - bytesOf(op(2, { payload: { text: '' } }))
    const picked = async (length: number) => {
      const db = await deviceWith([
        op(1),
        op(2, { stream: 'q:q2', payload: { text: 'x'.repeat(length), questionNo: 'q2' } }),
      ])
      return seqsOf(await createOutbox(db).batch(OWNER))
    }
    const ofNumber = ',"questionNo":"q2"'.length
    expect(await picked(room - ofNumber)).toEqual([1, 2])
    expect(await picked(room - ofNumber + 1)).toEqual([1])
  })
})

test('an op travels with its measured clock only where it has one', () => {
  expect(onWire(op(1))).not.toHaveProperty('measured')
  const measured = { own: 5, sure: 3 }
  expect(onWire(op(1, { measured })).measured).toBe(measured)
})

describe('a row that would have its whole call refused is not sent', () => {
  const withCtx = (ctx: unknown) => ({ ...op(1), ctx })
  const broken: [name: string, row: object][] = [
    ['an id with something before it', { ...op(1), opId: `x${opIdOf(1)}` }],
    ['an id with something behind it', { ...op(1), opId: `${opIdOf(1)}x` }],
    ['a stream that is empty', { ...op(1), stream: '' }],
    ['a stream of 101 letters', { ...op(1), stream: 'x'.repeat(101) }],
    ['a kind of 41 letters', { ...op(1), kind: 'x'.repeat(41) }],
    ['version 0', { ...op(1), v: 0 }],
    ['number 0', { ...op(1), seq: 0 }],
    ['half a number', { ...op(1), seq: 1.5 }],
    ['a time before all', { ...op(1), clientAt: -1 }],
    ['a time that no date can hold', { ...op(1), clientAt: 8_640_000_000_000_001 }],
    ['a scope with one name missing', withCtx({ sg_key: 'jg', area: '0' })],
    ['a scope with a sign before a name', withCtx({ sg_key: '-jg', area: '0', key: 'jg' })],
    ['a scope with a sign behind a name', withCtx({ sg_key: 'jg-', area: '0', key: 'jg' })],
    ['a scope with a name of 33 letters', withCtx({ sg_key: 'j'.repeat(33), area: '0', key: 'jg' })],
    ['a payload that is text', { ...op(1), stream: 'folder:f1', payload: 'text' }],
    ['a question without its number', { ...op(1), payload: {} }],
  ]
  test.each(broken)('%s', (_name, row) => expect(isWhole(row)).toBe(false))

  const whole: [name: string, row: object][] = [
    ['the longest stream and kind', op(1, { stream: 'x'.repeat(100), kind: 'x'.repeat(40) })],
    ['the last time that a date can hold', op(1, { clientAt: 8_640_000_000_000_000 })],
    ['the first of everything', op(1, { seq: 1, v: 1, clientAt: 0 })],
    ['a scope without names', withCtx({ sg_key: '', area: '', key: '' })],
    ['an id in capitals', op(1, { opId: opIdOf(1).toUpperCase() })],
    ['what belongs to no question', op(1, { stream: 'folder:f1', payload: {} })],
  ]
  test.each(whole)('but %s is', (_name, row) => expect(isWhole(row)).toBe(true))
})
