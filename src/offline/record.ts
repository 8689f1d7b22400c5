import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '#src/contract/scalar.ts'
import type { StudyState } from '#src/contract/study.ts'
import { applyAnswer } from '#src/domain/study.ts'
import { type Database, done } from './idb.ts'
import { ANONYMOUS } from './names.ts'
import { createOutbox, field, isWhole } from './outbox.ts'
import {
  ALL,
  type AnswerFact,
  answerOf,
  type Counters,
  type DeadOp,
  type Deltas,
  type Draft,
  FOLD,
  nextSeq,
  ofOwner,
  opById,
  putCounters,
  putView,
  refold,
  stateRow,
  streamOf,
  type Waiting,
  type WaitingOp,
} from './rows.ts'

/** Everything a student's device knows of their studying. Each method is one transaction. */
export function createRecord(db: Database) {
  const outbox = createOutbox(db)
  /** Writes the op, its effect and the resume draft together. Resolves when all of it is on disk. */
  const add = (owner: string, fact: AnswerFact, ctx: Scope, draft?: Draft): Promise<WaitingOp> =>
    db.run([...FOLD, 'meta', 'drafts'], 'readwrite', async (tx) => {
      const { questionNo, response, spentMs, from, right, chapterNo, libraryNo, at } = fact
      const op: WaitingOp = {
        owner,
        right,
        chapterNo,
        libraryNo,
        ctx,
        opId: uuidv7(),
        seq: await nextSeq(tx, owner),
        stream: streamOf(questionNo),
        kind: 'answer',
        v: 1,
        payload: { questionNo, response, spentMs, from },
        clientAt: at,
        parked: false,
        acked: 0,
      }
      tx.objectStore('ops').put(op)
      if (draft) tx.objectStore('drafts').put({ owner, ...draft })
      const row = await stateRow(tx, owner, questionNo)
      const deltas: Deltas = new Map()
      putView(tx, row, applyAnswer(row.view, answerOf(op), op), deltas)
      await putCounters(tx, owner, deltas)
      return op
    })

  /** Gives a visitor's ops to the student: new owner and seqs, same ids, folded into the student's record. */
  const adopt = (uidOwner: string): Promise<number> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(ofOwner(ANONYMOUS)))
      tx.objectStore('ops').delete(ofOwner(ANONYMOUS))
      for (const op of ops) tx.objectStore('ops').put({ ...op, owner: uidOwner, seq: await nextSeq(tx, uidOwner) })
      await refold(tx, uidOwner, new Set(ops.map((op) => op.payload.questionNo)))
      const drafts: (Draft & { owner: string })[] = await done(tx.objectStore('drafts').getAll(ofOwner(ANONYMOUS)))
      for (const draft of drafts) {
        // Where both have a place to go on from, the student's own stays.
        const own: Draft | undefined = await done(tx.objectStore('drafts').get([uidOwner, draft.key]))
        if (!own) tx.objectStore('drafts').put({ ...draft, owner: uidOwner })
      }
      for (const store of ['states', 'counters', 'drafts']) tx.objectStore(store).delete(ofOwner(ANONYMOUS))
      return ops.length
    })

  /** 放弃: the student said so in a dialog that named the number. */
  const discard = (owner: string): Promise<void> =>
    db.run([...FOLD], 'readwrite', async (tx) => {
      const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(ofOwner(owner)))
      tx.objectStore('ops').delete(ofOwner(owner))
      await refold(tx, owner, new Set(ops.map((op) => op.payload.questionNo)))
    })

  /** Puts back ops from a rescue file, unless they are here or were acknowledged here. Returns how many were missing. */
  const restore = (owner: string, ops: readonly WaitingOp[]): Promise<number> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      let missing = 0
      for (const op of ops) {
        if ((await opById(tx, op.opId)) || (await done(tx.objectStore('receipts').get(op.opId)))) continue
        tx.objectStore('ops').put({ ...op, owner, seq: await nextSeq(tx, owner), acked: 0 })
        missing++
        await refold(tx, owner, [op.payload.questionNo])
      }
      return missing
    })

  /** At the start: ops that a server did not know are tried again, and rows that nobody can read any more are set aside. */
  const tend = (owner: string, now: number): Promise<void> =>
    db.run([...FOLD, 'dead'], 'readwrite', async (tx) => {
      const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(ofOwner(owner)))
      for (const op of ops)
        if (!isWhole(op)) await setAside(tx, op, now)
        else if (op.parked) tx.objectStore('ops').put({ ...op, parked: false })
    })

  return {
    ...outbox,
    add,
    adopt,
    discard,
    restore,
    states: (owner: string, questionNos: readonly string[]): Promise<Map<string, StudyState>> =>
      db.run(['states'], 'readonly', async (tx) => {
        const rows = await Promise.all(questionNos.map((no) => stateRow(tx, owner, no)))
        return new Map(rows.flatMap(({ questionNo, view }) => (view ? [[questionNo, view] as const] : [])))
      }),
    counters: (owner: string, chapterNos: readonly string[]): Promise<Map<string, Counters>> =>
      db.run(['counters'], 'readonly', async (tx) => {
        const rows: (Counters | undefined)[] = await Promise.all(
          chapterNos.map((no) => done(tx.objectStore('counters').get([owner, no]))),
        )
        return new Map(rows.flatMap((row) => (row ? [[row.chapterNo, row] as const] : [])))
      }),
    waiting: (owner: string): Promise<WaitingOp[]> =>
      db.run(['ops'], 'readonly', (tx) => done(tx.objectStore('ops').getAll(ofOwner(owner)))),
    dead: (owner: string): Promise<DeadOp[]> =>
      db.run(['dead'], 'readonly', (tx) => done(tx.objectStore('dead').index('owner').getAll(owner))),
    dismiss: (opId: string): Promise<void> =>
      db.run(['dead'], 'readwrite', async (tx) => void tx.objectStore('dead').delete(opId)),
    count: (owner: string): Promise<Waiting> =>
      db.run(['ops', 'dead'], 'readonly', async (tx) => ({
        waiting: await done(tx.objectStore('ops').index('acked').count([owner, 0])),
        dead: await done(tx.objectStore('dead').index('owner').count(owner)),
      })),
    tend,
    /** This installation. Evicted together with the ops, so a new one starts a sequence of its own. */
    device: (): Promise<string> =>
      db.run(['meta'], 'readwrite', async (tx) => {
        const known: string | undefined = await done(tx.objectStore('meta').get('device'))
        const device = known ?? uuidv7()
        if (!known) tx.objectStore('meta').put(device, 'device')
        return device
      }),
    loadDraft: (owner: string, key: string): Promise<unknown> =>
      db.run(
        ['drafts'],
        'readonly',
        async (tx) => (await done<Draft | undefined>(tx.objectStore('drafts').get([owner, key])))?.value,
      ),
    saveDraft: (owner: string, draft: Draft): Promise<void> =>
      db.run(['drafts'], 'readwrite', async (tx) => void tx.objectStore('drafts').put({ owner, ...draft })),
    dropDraft: (owner: string, key: string): Promise<void> =>
      db.run(['drafts'], 'readwrite', async (tx) => void tx.objectStore('drafts').delete([owner, key])),
  }
}
export type StudyRecord = ReturnType<typeof createRecord>

/** Kept raw, told to the student, and out of the way of the others. */
async function setAside(tx: IDBTransaction, op: WaitingOp, now: number): Promise<void> {
  const raw: Partial<WaitingOp> = op
  const named = field(raw.payload, 'questionNo')
  const questionNo = typeof named === 'string' ? named : ''
  const opId = typeof raw.opId === 'string' ? raw.opId : uuidv7()
  const payload = { ...raw.payload, questionNo }
  tx.objectStore('ops').delete([op.owner, op.seq])
  tx.objectStore('dead').put({ ...op, opId, payload, code: 'damaged', msg: '本机记录已损坏，无法上传', diedAt: now })
  await refold(tx, op.owner, [questionNo])
}
