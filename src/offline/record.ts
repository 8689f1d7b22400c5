import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '#src/contract/scalar.ts'
import type { StudyState } from '#src/contract/study.ts'
import { applyAnswer } from '#src/domain/study.ts'
import { type Database, done } from './idb.ts'
import {
  type AnswerFact,
  answerOf,
  type Counters,
  type DeadOp,
  type Deltas,
  type Draft,
  FOLD,
  nextSeq,
  ofOwner,
  putCounters,
  putView,
  stateRow,
  streamOf,
  type Waiting,
  type WaitingOp,
} from './rows.ts'

/** What a student's device knows of their studying, as screens read and write it. Each method is one transaction. */
export const createRecord = (db: Database) => ({
  ...answers(db),
  ...drafts(db),
  ...lists(db),
  /** This installation. Evicted together with the ops, so a new one starts a sequence of its own. */
  device: (): Promise<string> =>
    db.run(['meta'], 'readwrite', async (tx) => {
      const known: string | undefined = await done(tx.objectStore('meta').get('device'))
      const device = known ?? uuidv7()
      if (!known) tx.objectStore('meta').put(device, 'device')
      return device
    }),
})
export type StudyRecord = ReturnType<typeof createRecord>

const answers = (db: Database) => ({
  /** Writes the op, its effect and the resume draft together. Resolves when all of it is on disk. */
  add: (owner: string, fact: AnswerFact, ctx: Scope, draft?: Draft): Promise<WaitingOp> =>
    db.run([...FOLD, 'meta', 'drafts'], 'readwrite', async (tx) => {
      const { questionNo, response, spentMs, from, right, chapterNo, libraryNo, at } = fact
      const [seq, row] = await Promise.all([nextSeq(tx, owner), stateRow(tx, owner, questionNo)])
      const op: WaitingOp = {
        owner,
        right,
        chapterNo,
        libraryNo,
        ctx,
        opId: uuidv7(),
        seq,
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
      const deltas: Deltas = new Map()
      putView(tx, row, applyAnswer(row.view, answerOf(op), op), deltas)
      await putCounters(tx, owner, deltas)
      return op
    }),
  states: (owner: string, questionNos: readonly string[]): Promise<Map<string, StudyState>> =>
    db.run(['states'], 'readonly', async (tx) => {
      const rows = await Promise.all(questionNos.map((no) => stateRow(tx, owner, no)))
      return new Map(rows.flatMap(({ questionNo, view }) => (view ? [[questionNo, view] as const] : [])))
    }),
  counters: (owner: string, chapterNos: readonly string[]): Promise<Map<string, Counters>> =>
    db.run(['counters'], 'readonly', async (tx) => {
      const nos = [...chapterNos].sort()
      const [first, last] = [nos.at(0), nos.at(-1)]
      if (first === undefined || last === undefined) return new Map()
      // One read however many chapters: one by one, a screen of two hundred costs more than the answers it counts.
      const range = IDBKeyRange.bound([owner, first], [owner, last])
      const rows: Counters[] = await done(tx.objectStore('counters').getAll(range))
      const asked = new Set(nos)
      return new Map(rows.filter((row) => asked.has(row.chapterNo)).map((row) => [row.chapterNo, row]))
    }),
})

const lists = (db: Database) => ({
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
})

const drafts = (db: Database) => ({
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
})
