import type { Earned } from '#src/contract/sitting.ts'
import type { DayTotals, OpPayload, OpRecord, StudyState, ThingChange } from '#src/contract/study.ts'
import { byTime, type Moment } from '#src/domain/study/moment.ts'
import type { Fact, Place, QuestionKind } from '#src/domain/study/study.ts'
import type { ChapterSums } from '#src/domain/study/sums.ts'
import type { SittingKind, ThingFact, ThingKind } from '#src/domain/record/things.ts'
import { createDatabase, type Database, done } from './idb.ts'
import { PAD, RECORD_DB, RECORD_VERSION } from './names.ts'

/** What a retraction takes off its day. */
export interface Undone {
  at: number
  right: boolean
  spentMs: number
}
/** Something that a student does with a question. `right` by domain/marking. */
export type QuestionAct = {
  [K in QuestionKind]: { kind: K; payload: OpPayload<K>; place: Place } & (K extends 'answer'
    ? { right: boolean }
    : K extends 'retract'
      ? { undone: Undone }
      : unknown)
}[QuestionKind]
export type ThingAct = {
  [K in ThingKind]: { kind: K; payload: OpPayload<K> } & (K extends SittingKind ? { earned: Earned } : unknown)
}[ThingKind]
export type Act = (QuestionAct | ThingAct) & Named
/** `opId`: made before, because something else names it. */
export interface Named {
  opId?: string | undefined
  /** When it was done, epoch ms by the server's clock; else now. */
  at?: number | undefined
}
/** An answer as the player gives it. */
export interface AnswerFact extends OpPayload<'answer'> {
  place: Place
  right: boolean
  opId?: string | undefined
}
export type AnswerAct = Extract<QuestionAct, { kind: 'answer' }> & Named
/** As it is kept, for who keeps more with it. */
export const answerAct = ({ place, right, opId, ...payload }: AnswerFact): AnswerAct => ({
  kind: 'answer',
  payload,
  place,
  right,
  opId,
})
/** A waiting op. What is not of OpRecord is for folding it on this device, and does not travel. */
export interface WaitingOp extends OpRecord {
  owner: string
  payload: Readonly<Record<string, unknown>>
  /** Of the question; null for what acts on none. */
  place: Place | null
  right?: boolean
  undone?: Undone
  earned?: Earned
  /** By how much the server's clock was ahead of `clientAt`'s, ms. */
  skewMs?: number
  /** The server does not know this kind yet: kept until the app and the server understand each other. */
  parked: boolean
  /** The server has it, but not yet told its effect: no longer sent, still folded. */
  acked: 0 | 1
}
/** A refused op with the server's reason: shown, never resent, never silently dropped. */
export interface DeadOp extends WaitingOp {
  code: string
  msg: string
  /** Ops that it names and the server had not got; servers before did not say. */
  missing?: string[]
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
  /** The last answer given here, and the view before it: a retraction goes back to it. */
  before?: { opId: string; view: StudyState | null }
}
/** Sums over the views of one leaf chapter, kept by difference so that no screen ever counts rows. */
export type Counters = ChapterSums
/** A day, folder, setting, sitting or report. */
export interface ThingRow {
  owner: string
  kind: ThingChange['kind']
  id: string
  base: ThingChange | null
  /** `base` and the ops that wait; of a day only `pending` is added to it. */
  view: ThingChange | null
  pending?: DayTotals
  /** Left out where `base` holds the word of an op that is none of this device's. */
  own?: OwnMeasure
}
export interface Draft {
  key: string
  value: unknown
}
export interface Waiting {
  waiting: number
  dead: number
}

export const ALL = ['ops', 'dead', 'receipts', 'meta', 'states', 'sums', 'things', 'drafts'] as const
export const FOLD = ['ops', 'states', 'sums', 'things'] as const

function upgrade(db: IDBDatabase, tx: IDBTransaction, from: number): void {
  if (from < 1) createFirst(db)
  else if (from < 2) keepOps(tx)
  if (from < 2) createFolded(db)
  // Version 4 differs in nothing but the rows of sums (sums.ts): pages of before must not write theirs over them.
  if (from >= 3) return
  keepDrawings(tx)
  // By when it came into the error book; a view without one is not in it.
  tx.objectStore('states').createIndex('missed', ['owner', 'view.book.since'])
}

function createFolded(db: IDBDatabase): void {
  for (const name of ['states', 'counters']) if (db.objectStoreNames.contains(name)) db.deleteObjectStore(name)
  const states = db.createObjectStore('states', { keyPath: ['owner', 'questionNo'] })
  // A row without the second key is not in the index: reading one costs what it finds.
  for (const name of ['due', 'book', 'collected', 'noted']) states.createIndex(name, ['owner', name])
  db.createObjectStore('sums', { keyPath: ['owner', 'chapterNo'] })
  db.createObjectStore('things', { keyPath: ['owner', 'kind', 'id'] })
}

function createFirst(db: IDBDatabase): void {
  const ops = db.createObjectStore('ops', { keyPath: ['owner', 'seq'] })
  ops.createIndex('opId', 'opId', { unique: true })
  ops.createIndex('stream', ['owner', 'stream', 'seq'])
  ops.createIndex('acked', ['owner', 'acked'])
  db.createObjectStore('dead', { keyPath: 'opId' }).createIndex('owner', 'owner')
  db.createObjectStore('receipts', { keyPath: 'opId' }).createIndex('at', 'at')
  db.createObjectStore('meta')
  db.createObjectStore('drafts', { keyPath: ['owner', 'key'] })
}

/** From version 1: what waits stays, states come anew from the server and from what waits (`afterUpgrade`). */
function keepOps(tx: IDBTransaction): void {
  for (const store of ['ops', 'dead'])
    tx.objectStore(store).openCursor().onsuccess = ({ target }) => {
      const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result
      if (!cursor) return
      const { chapterNo, libraryNo, ...op } = cursor.value
      cursor.update({ ...op, place: firstPlace(chapterNo, libraryNo) })
      if (store === 'ops') tx.objectStore('meta').put(true, refoldKey(op.owner))
      cursor.continue()
    }
  const meta = tx.objectStore('meta')
  meta.openKeyCursor(IDBKeyRange.bound('cursor:', 'cursor;')).onsuccess = ({ target }) => {
    const cursor = (target as IDBRequest<IDBCursor | null>).result
    if (!cursor) return
    meta.delete(cursor.primaryKey)
    cursor.continue()
  }
}

/** Until version 2 drawings were kept by batch. Nobody knows their age: they count as new, so that none leaves for it. */
function keepDrawings(tx: IDBTransaction): void {
  const drafts = tx.objectStore('drafts')
  const add = (owner: string, key: string, drawn: unknown[]): void => {
    // Two batches may have had the same question.
    drafts.get([owner, key]).onsuccess = ({ target }) => {
      const there: { value: { strokes: unknown[] } } | undefined = (target as IDBRequest).result
      drafts.put({ owner, key, value: { at: Date.now(), strokes: [...(there?.value.strokes ?? []), ...drawn] } })
    }
  }
  drafts.openCursor().onsuccess = ({ target }) => {
    const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result
    if (!cursor) return
    const { owner, key, value }: Draft & { owner: string } = cursor.value
    const drawings: [string, unknown][] = Object.entries(value ?? {})
    if (key.startsWith(PAD) && drawings.every(([, drawn]) => Array.isArray(drawn))) {
      cursor.delete()
      for (const [no, drawn] of drawings) if (Array.isArray(drawn) && drawn.length > 0) add(owner, PAD + no, drawn)
    }
    cursor.continue()
  }
}

/** Where an answer of version 1 belongs: its type and points were not written down. */
export const firstPlace = (chapterNo: string | null, libraryNo: string | null): Place => ({
  chapterNo,
  libraryNo,
  type: 'single',
  points: [],
})
/** Under it stands, after an upgrade, that nothing has been made of this owner's ops yet. */
export const refoldKey = (owner: string): string => `refold:${owner}`

export const openRecord = (): Database => createDatabase(RECORD_DB, RECORD_VERSION, upgrade)

export const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []])
/** The question of a row of states, by its key. */
export function numberIn(key: IDBValidKey): string {
  const no = Array.isArray(key) ? key[1] : null
  return typeof no === 'string' ? no : ''
}
export const streamOf = (questionNo: string): string => `q:${questionNo}`

export async function nextSeq(tx: IDBTransaction, owner: string): Promise<number> {
  const seq = (await lastSeq(tx, owner)) + 1
  tx.objectStore('meta').put(seq, `seq:${owner}`)
  return seq
}
export const lastSeq = async (tx: IDBTransaction, owner: string): Promise<number> =>
  (await done<number | undefined>(tx.objectStore('meta').get(`seq:${owner}`))) ?? 0

export async function cursorOf(tx: IDBTransaction, owner: string): Promise<number> {
  return (await done<number | undefined>(tx.objectStore('meta').get(`cursor:${owner}`))) ?? 0
}

export const opById = (tx: IDBTransaction, opId: string): Promise<WaitingOp | undefined> =>
  done(tx.objectStore('ops').index('opId').get(opId))

/** Ops that wait about one thing, in the order of their seqs. */
export const waitingIn = (tx: IDBTransaction, owner: string, stream: string): Promise<WaitingOp[]> =>
  done(
    tx
      .objectStore('ops')
      .index('stream')
      .getAll(IDBKeyRange.bound([owner, stream, 0], [owner, stream, Number.MAX_SAFE_INTEGER])),
  )

/** For fewer things it costs more to count first. */
const FEW = 10

/**
 * The same about many things: where fewer ops wait than things are asked about, all of them are read at once, instead of nothing
 * again and again.
 */
export async function waitingAbout(
  tx: IDBTransaction,
  owner: string,
  streams: readonly string[],
): Promise<(stream: string) => WaitingOp[] | Promise<WaitingOp[]>> {
  const ops = tx.objectStore('ops')
  const each = (stream: string) => waitingIn(tx, owner, stream)
  if (streams.length < FEW || (await done(ops.count(ofOwner(owner)))) > streams.length) return each
  const all = new Map<string, WaitingOp[]>()
  for (const op of await done<WaitingOp[]>(ops.getAll(ofOwner(owner))))
    all.set(op.stream, [...(all.get(op.stream) ?? []), op])
  return (stream) => all.get(stream) ?? []
}

/** What acts on a question. */
export type QuestionOp = WaitingOp & { place: Place; payload: { questionNo: string } }

/** When an op was done, as this device measures it. */
export type OwnMeasure = Pick<WaitingOp, 'opId' | 'clientAt' | 'skewMs' | 'measured'>
export const measureOf = ({ opId, clientAt, skewMs, measured }: OwnMeasure): OwnMeasure => ({
  opId,
  clientAt,
  ...(skewMs !== undefined && { skewMs }),
  ...(measured && { measured }),
})

/** The order in which a student did things on this device, whatever its clock said meanwhile. */
export function byDevice(a: OwnMeasure, b: OwnMeasure): number {
  if (!a.measured || !b.measured) return byTime(momentOf(a), momentOf(b))
  return byTime({ opId: a.opId, at: a.measured.own }, { opId: b.opId, at: b.measured.own })
}

/** When it was done, by the server's clock as far as it was known then. */
export const momentOf = (op: OwnMeasure): Moment => ({ opId: op.opId, at: op.clientAt + (op.skewMs ?? 0) })
export const isQuestionOp = (op: WaitingOp): op is QuestionOp => op.place !== null
/** Written by write.ts from an Act, so the payload is the kind's own. */
export const factOf = (op: WaitingOp): Fact =>
  ({ ...op.payload, ...momentOf(op), kind: op.kind, right: op.right ?? false }) as Fact
/** What is odd about a sitting only the server says. */
export function thingFactOf(op: WaitingOp): ThingFact {
  const { kind, payload, earned } = op
  const fact: object = { ...momentOf(op), kind, payload, earned, flags: [] }
  return fact as ThingFact
}
