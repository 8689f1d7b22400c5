import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import { OfflineError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import { SYNC_FETCH_PAGE, SYNC_MAX_BYTES } from '#src/contract/sync.ts'
import type { Database } from '#src/offline/device/idb.ts'
import { ANONYMOUS } from '#src/offline/device/names.ts'
import { openRecord, type WaitingOp } from '#src/offline/device/rows.ts'
import { createMoves } from '#src/offline/record/moves.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { drain, type DrainOptions, type Filled, type First, type Send, type Settled } from '#src/offline/sync/drain.ts'
import { bytesOf, createOutbox } from '#src/offline/sync/outbox.ts'
import { createSettle } from '#src/offline/sync/settle.ts'
import { opIdOf, OWNER, waitingOp as op } from '#tests/support/waitingOps.ts'

/** One drain, whose server says what the test has it say. */
const NOW = Date.UTC(2026, 10, 21, 4)
let db: Database
let record: ReturnType<typeof createRecord>
let asked: string[][]
let told: Settled[]
beforeEach(() => {
  indexedDB = new IDBFactory()
  db = openRecord()
  record = createRecord(db)
  asked = []
  told = []
})
const wait = (...ops: WaitingOp[]) => createMoves(db).restore(OWNER, ops)
type Output = Awaited<ReturnType<Send>>
const said = (part: Partial<Output> = {}): Output => ({
  verdicts: [],
  changes: [],
  cursor: 1,
  more: false,
  ackSeq: 0,
  serverNow: NOW,
  ...part,
})
/** @param replies one for each call in turn; nobody is there any more after the last. */
const drained = (
  replies: ((...input: Parameters<Send>) => Output | Promise<Output>)[],
  part: Partial<DrainOptions> = {},
) =>
  drain({
    record: { ...createOutbox(db), ...createSettle(db) },
    owner: OWNER,
    device: opIdOf(0),
    send: async (input) => {
      asked.push(input.ops.map(({ stream }) => stream))
      const reply = replies[asked.length - 1]
      if (!reply) throw new OfflineError('offline')
      return reply(input)
    },
    now: () => NOW,
    onSettled: (_, settled) => void told.push(settled),
    ...part,
  })
const fail = (error: Error) => async () => {
  throw error
}
const left = async () => (await record.waiting(OWNER)).map(({ stream }) => stream)
const waits = (afterMs: number) => (input: Parameters<Send>[0]) =>
  said({ verdicts: input.ops.map(({ opId }) => ({ opId, verdict: 'retry', afterMs })) })
/** An essay, with which its op is of so many bytes. */
function essayOf(bytes: number): WaitingOp {
  const withText = (text: string) =>
    op(1, { payload: { questionNo: 'q1', response: { kind: 'essay', text, ticked: [] } } })
  return withText('x'.repeat(bytes - bytesOf(withText(''))))
}

test('what a visitor does is sent to nobody', async () => {
  await createMoves(db).restore(ANONYMOUS, [op(1)])
  expect(await drained([() => said()], { owner: ANONYMOUS })).toEqual({ to: 'done' })
  expect(asked).toEqual([])
})

describe('a call that fails is not made again by the same drain, which says why:', () => {
  const [offline, gateway, fault, other] = [
    new OfflineError('offline'),
    new ServerFaultError(502),
    new ServerFaultError(500, 7_000),
    new Error('another student’s token'),
  ]
  test.each([
    ['nobody is there', offline, { to: 'later', why: 'offline', afterMs: null, error: offline }],
    ['only a gateway is there', gateway, { to: 'later', why: 'offline', afterMs: null, error: gateway }],
    ['the server has a fault', fault, { to: 'later', why: 'server-fault', afterMs: 7_000, error: fault }],
    ['the token has ended', new UnauthorizedError(), { to: 'hold' }],
    ['the server will not have it', other, { to: 'refused', error: other }],
  ])('%s', async (_, error, to) => {
    await wait(op(1), op(2), op(3))
    expect(await drained([fail(error)])).toEqual(to)
    expect(asked).toEqual([['q:q1', 'q:q2', 'q:q3']])
    expect(await left()).toHaveLength(3)
  })
})

test('a server that asks to wait for all that was sent is asked again after the longest wait', async () => {
  await wait(op(1), op(2))
  const reply = (input: Parameters<Send>[0]) => {
    const { verdicts } = waits(9_000)(input)
    return said({ verdicts: [...verdicts.slice(0, 1), ...waits(4_000)(input).verdicts.slice(1)] })
  }
  expect(await drained([reply])).toMatchObject({ to: 'later', why: 'server-fault', afterMs: 9_000 })
  expect(asked).toHaveLength(1)
})

describe('a call that is too large for something on the way', () => {
  const tooLarge = fail(new ServerFaultError(413))
  test('and carries nothing is one for later', async () => {
    expect(await drained([tooLarge])).toMatchObject({ to: 'later', why: 'server-fault' })
    expect(asked).toEqual([[]])
  })

  test('and carries one op that no call need take sets it aside, and all else stays as it is', async () => {
    await wait({ ...essayOf(SYNC_MAX_BYTES + 1), seq: 1 }, op(2))
    const [, delivered] = await record.waiting(OWNER)
    await createOutbox(db).delivered(OWNER, delivered ? [delivered] : [], new Set([opIdOf(2)]))
    expect(await drained([tooLarge])).toMatchObject({ to: 'later', why: 'offline' })
    expect(await record.dead(OWNER)).toMatchObject([{ opId: opIdOf(1), code: 'too_large' }])
    // The server has this one, and has not told its effect: nothing that it said since.
    expect(await left()).toEqual(['q:q2'])
    expect((await record.states(OWNER, ['q2'])).get('q2')).toMatchObject({ times: 1 })
    expect([...(await record.things(OWNER, 'day')).values()]).toEqual([{ answered: 1, right: 1, spentMs: 2 }])
    expect(told).toEqual([{ came: 0, more: true }])
  })

  test('and carries one op of the greatest usual size keeps it', async () => {
    await wait(essayOf(SYNC_MAX_BYTES))
    expect(await drained([tooLarge])).toMatchObject({ to: 'later', why: 'server-fault' })
    expect(await record.dead(OWNER)).toEqual([])
  })
})

describe('listeners are told how far an answer has come:', () => {
  const goal = { kind: 'setting' as const, id: 'dayGoal', body: { at: NOW, opId: opIdOf(9), value: 30 } }
  test.each<[string, Partial<Output>, Settled]>([
    ['its changes', { changes: [goal] }, { came: 1, more: false }],
    ['what is left, where the server counted it', { left: 7 }, { came: 0, more: false, left: 7 }],
  ])('%s', async (_, part, settled) => {
    expect(await drained([() => said(part)])).toEqual({ to: 'done' })
    expect(told).toStrictEqual([settled])
  })
})

describe('the first answer of a record', () => {
  const long = () => said({ left: SYNC_FETCH_PAGE, cursor: 5 })
  const filling = (filled: Filled) => {
    const firsts: First[] = []
    return { firsts, fill: async (first: First): Promise<Filled> => (firsts.push(first), filled) }
  }
  test('that is long is given away with the call that it answers, and the drain goes on from what came of it', async () => {
    const { firsts, fill } = filling('taken')
    expect(await drained([long, () => said({ cursor: 5 })], { fill })).toEqual({ to: 'done' })
    expect(firsts).toEqual([{ owner: OWNER, device: opIdOf(0), cursor: 0, answer: long() }])
    expect(asked).toHaveLength(2)
  })
  test('is taken in here where nobody else does it', async () => {
    const { fill } = filling('refused')
    expect(await drained([long], { fill })).toEqual({ to: 'done' })
    expect(await drained([() => long(), () => long()])).toEqual({ to: 'done' })
    expect(await createOutbox(db).cursor(OWNER)).toBe(5)
  })
  test('ends the drain where it was stopped meanwhile', async () => {
    const { fill } = filling('stopped')
    expect(await drained([long], { fill })).toEqual({ to: 'stopped' })
    expect(await createOutbox(db).cursor(OWNER)).toBe(0)
  })
  test('that is a page or less is taken in here', async () => {
    const { firsts, fill } = filling('taken')
    expect(await drained([() => said({ left: SYNC_FETCH_PAGE - 1 })], { fill })).toEqual({ to: 'done' })
    expect(await drained([() => said(), () => said()], { fill })).toEqual({ to: 'done' })
    expect(firsts).toEqual([])
  })
  test('that has come already is not asked for again', async () => {
    const first = { owner: OWNER, device: opIdOf(0), cursor: 0, answer: said({ cursor: 3 }) }
    const parts = { record: { ...createOutbox(db), ...createSettle(db) }, owner: OWNER, device: opIdOf(0) }
    const send = () => Promise.reject(new OfflineError('offline'))
    expect(await drain({ ...parts, send, now: () => NOW }, first)).toEqual({ to: 'done' })
    expect(await createOutbox(db).cursor(OWNER)).toBe(3)
  })
})
