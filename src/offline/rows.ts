import type { AnswerPayload, OpRecord, StudyState } from '#src/contract/study.ts'
import { applyAnswer, byTime, type Place } from '#src/domain/study.ts'
import { createDatabase, type Database, done } from './idb.ts'
import { RECORD_DB, RECORD_VERSION } from './names.ts'

/** An answer as the player gives it; `right` by domain/marking. */
export interface AnswerFact extends AnswerPayload, Place {
  right: boolean
  /** Epoch ms by the device's clock. */
  at: number
}
/** A waiting op. `right` and the place are for folding it on this device; they do not travel. */
export interface WaitingOp extends OpRecord, Place {
  owner: string
  right: boolean
  payload: AnswerPayload
  /** The server does not know this kind yet: kept until the app and the server understand each other. */
  parked: boolean
  /** The server has it, but not yet told its effect: no longer sent, still folded. */
  acked: 0 | 1
}
/** A refused op with the server's reason: shown, never resent, never silently dropped. */
export interface DeadOp extends WaitingOp {
  code: string
  msg: string
  diedAt: number
  /** When the student was shown the reason; a row without it stays. */
  seenAt?: number
}
/** Ops that the server has, of one answer of it: a rescue file must not bring them back. */
export interface Receipt {
  opId: string
  owner: string
  at: number
  /** The answer's other ops; rows of the first version hold one op each. */
  others?: string[]
}
export interface StateRow {
  owner: string
  questionNo: string
  /** What the server last said. */
  base: StudyState | null
  /** `base` folded with the ops that wait: what screens show. */
  view: StudyState | null
}
/** Sums over the views of one leaf chapter, kept by difference so that no screen ever counts rows. */
export interface Counters {
  chapterNo: string
  done: number
  right: number
  answered: number
  wrong: number
}
export interface Draft {
  key: string
  value: unknown
}
export interface Waiting {
  waiting: number
  dead: number
}

export const ALL = ['ops', 'dead', 'receipts', 'meta', 'states', 'counters', 'drafts'] as const
export const FOLD = ['ops', 'states', 'counters'] as const

function upgrade(db: IDBDatabase): void {
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

export const openRecord = (): Database => createDatabase(RECORD_DB, RECORD_VERSION, upgrade)

export const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []])
export const streamOf = (questionNo: string): string => `q:${questionNo}`

export async function nextSeq(tx: IDBTransaction, owner: string): Promise<number> {
  const meta = tx.objectStore('meta')
  const seq = ((await done<number | undefined>(meta.get(`seq:${owner}`))) ?? 0) + 1
  meta.put(seq, `seq:${owner}`)
  return seq
}

export async function cursorOf(tx: IDBTransaction, owner: string): Promise<number> {
  return (await done<number | undefined>(tx.objectStore('meta').get(`cursor:${owner}`))) ?? 0
}

export const opById = (tx: IDBTransaction, opId: string): Promise<WaitingOp | undefined> =>
  done(tx.objectStore('ops').index('opId').get(opId))

export async function stateRow(tx: IDBTransaction, owner: string, questionNo: string): Promise<StateRow> {
  const row: StateRow | undefined = await done(tx.objectStore('states').get([owner, questionNo]))
  return row ?? { owner, questionNo, base: null, view: null }
}

export const answerOf = (op: WaitingOp) => ({ ...op.payload, opId: op.opId, at: op.clientAt, right: op.right })

/** What becomes different in the counters of a chapter; written once per transaction, however many questions moved. */
export type Deltas = Map<string, Omit<Counters, 'chapterNo'>>

/**
 * Folds what waits into what the server said, for questions of one owner, and brings the counters with them.
 * @param bases what the server has said just now.
 */
export async function refold(
  tx: IDBTransaction,
  owner: string,
  questionNos: Iterable<string>,
  bases: ReadonlyMap<string, StudyState> = new Map(),
): Promise<void> {
  const deltas: Deltas = new Map()
  const one = async (no: string): Promise<void> => {
    const [ops, known] = await Promise.all([waitingFor(tx, owner, no), stateRow(tx, owner, no)])
    const row = { ...known, base: bases.get(no) ?? known.base }
    const view = [...ops]
      .sort((a, b) => byTime(answerOf(a), answerOf(b)))
      .reduce<StudyState | null>((state, op) => applyAnswer(state, answerOf(op), op), row.base)
    putView(tx, row, view, deltas)
  }
  await Promise.all([...questionNos].map(one))
  await putCounters(tx, owner, deltas)
}

function waitingFor(tx: IDBTransaction, owner: string, questionNo: string): Promise<WaitingOp[]> {
  const stream = streamOf(questionNo)
  const range = IDBKeyRange.bound([owner, stream, 0], [owner, stream, Number.MAX_SAFE_INTEGER])
  return done(tx.objectStore('ops').index('stream').getAll(range))
}

/** Writes what screens show of a question, and notes the difference for `putCounters`. */
export function putView(tx: IDBTransaction, row: StateRow, view: StudyState | null, deltas: Deltas): void {
  tx.objectStore('states').put({ ...row, view })
  note(deltas, row.view, -1)
  note(deltas, view, 1)
}

function note(deltas: Deltas, view: StudyState | null, sign: 1 | -1): void {
  if (!view?.chapterNo) return
  const old = deltas.get(view.chapterNo) ?? { done: 0, right: 0, answered: 0, wrong: 0 }
  deltas.set(view.chapterNo, {
    done: old.done + sign,
    right: old.right + (view.lastRight ? sign : 0),
    answered: old.answered + sign * view.times,
    wrong: old.wrong + sign * view.wrong,
  })
}

export async function putCounters(tx: IDBTransaction, owner: string, deltas: Deltas): Promise<void> {
  const store = tx.objectStore('counters')
  const add = async (chapterNo: string, delta: Omit<Counters, 'chapterNo'>) => {
    const old: Counters | undefined = await done(store.get([owner, chapterNo]))
    store.put({
      owner,
      chapterNo,
      done: (old?.done ?? 0) + delta.done,
      right: (old?.right ?? 0) + delta.right,
      answered: (old?.answered ?? 0) + delta.answered,
      wrong: (old?.wrong ?? 0) + delta.wrong,
    })
  }
  await Promise.all([...deltas].map(([chapterNo, delta]) => add(chapterNo, delta)))
}
