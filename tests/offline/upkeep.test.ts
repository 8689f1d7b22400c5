import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { done } from '#src/offline/device/idb.ts'
import { createLater } from '#src/offline/afterFirst.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { type DeadOp, openRecord, type Receipt, type WaitingOp } from '#src/offline/device/rows.ts'
import { opIdOf, OWNER, waitingOp } from '#tests/support/waitingOps.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 4)
/** Ops that have waited for more than a year. */
const op = (n: number, part: Partial<WaitingOp> = {}): WaitingOp => waitingOp(n, { clientAt: NOW - 400 * DAY, ...part })
interface Life {
  ops: WaitingOp[]
  dead: DeadOp[]
  receipts: Receipt[]
}
/** A device with these rows. */
async function deviceWith(life: Life) {
  indexedDB = new IDBFactory()
  const db = openRecord()
  await db.run(['ops', 'dead', 'receipts'], 'readwrite', async (tx) => {
    for (const [store, rows] of Object.entries(life)) for (const row of rows) tx.objectStore(store).put(row)
  })
  const all = <T>(store: string): Promise<T[]> =>
    db.run([store], 'readonly', (tx) => done<T[]>(tx.objectStore(store).getAll()))
  return { record: { ...createRecord(db), ...createLater(db) }, all }
}
const receipt = (n: number, at: number): Receipt => ({ opId: opIdOf(n), owner: OWNER, at })

describe('upkeep', () => {
  const age = fc.integer({ min: 0, max: 400 }).map((days) => NOW - days * DAY)
  const lives = fc.record({
    ops: fc.array(fc.record({ parked: fc.boolean(), acked: fc.constantFrom(0 as const, 1 as const) }), {
      maxLength: 5,
    }),
    dead: fc.array(
      fc.record({
        owner: fc.constantFrom(OWNER, 'u:s2'),
        diedAt: age,
        seenAt: fc.option(age, { nil: undefined }),
        code: fc.constantFrom('unknown_question', 'damaged'),
      }),
      { maxLength: 8 },
    ),
    receipts: fc.array(age, { maxLength: 8 }),
  })

  test('drops what was seen 90 days ago and old receipts, and never what waits, is unsent or unseen', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (given) => {
        const life: Life = {
          ops: given.ops.map((part, i) => op(i + 1, part)),
          dead: given.dead.map(({ seenAt, ...part }, i) => ({
            ...op(i + 100),
            ...part,
            msg: '',
            ...(seenAt !== undefined && { seenAt }),
          })),
          receipts: given.receipts.map((at, i) => receipt(i + 200, at)),
        }
        const { record, all } = await deviceWith(life)
        await record.purge(OWNER, NOW)
        expect(await all('ops')).toEqual(life.ops)
        const outlived = ({ owner, code, seenAt }: DeadOp) =>
          owner === OWNER && code !== 'damaged' && seenAt !== undefined && seenAt < NOW - 90 * DAY
        expect(await all('dead')).toEqual(life.dead.filter((row) => !outlived(row)))
        expect(await all('receipts')).toEqual(life.receipts.filter(({ at }) => at >= NOW - 30 * DAY))
      }),
      { numRuns: 150 },
    )
  })

  test('keeps the 2,000 newest receipts', async () => {
    const receipts = Array.from({ length: 3_100 }, (_, i) => receipt(i, NOW - i))
    const { record, all } = await deviceWith({ ops: [], dead: [], receipts })
    await record.purge(OWNER, NOW)
    const kept = await all<Receipt>('receipts')
    expect(kept).toHaveLength(2_000)
    expect(Math.min(...kept.map(({ at }) => at))).toBe(NOW - 1_999)
  })

  test('counts the days of a refusal from when it was first shown', async () => {
    const dead = [{ ...op(1), code: 'unknown_question', msg: '题目不存在', diedAt: NOW - 300 * DAY }]
    const { record } = await deviceWith({ ops: [], dead, receipts: [] })
    await record.purge(OWNER, NOW)
    await record.seen([opIdOf(1)], NOW)
    await record.seen([opIdOf(1), opIdOf(2)], NOW + 80 * DAY)
    await record.purge(OWNER, NOW + 90 * DAY)
    expect(await record.dead(OWNER)).toHaveLength(1)
    await record.purge(OWNER, NOW + 91 * DAY)
    expect(await record.dead(OWNER)).toEqual([])
  })
})

test('ops of one answer share a receipt, and a rescue file brings none of them back', async () => {
  const ops = [1, 2, 4].map((n) => op(n))
  const { record, all } = await deviceWith({ ops, dead: [], receipts: [receipt(9, NOW)] })
  const verdicts = ops.map(({ opId }) => ({ opId, verdict: 'applied' as const }))
  await record.settle(
    OWNER,
    { ops, cursor: 0 },
    { verdicts, changes: [], cursor: 3, more: false },
    { wall: NOW, steady: NOW },
  )
  expect(await all('ops')).toEqual([])
  expect(await all('receipts')).toHaveLength(2)
  expect(await record.restore(OWNER, [...ops, op(9), op(10)])).toBe(1)
  expect((await record.waiting(OWNER)).map(({ opId }) => opId)).toEqual([opIdOf(10)])
})
