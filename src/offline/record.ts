import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '#src/contract/scalar.ts'
import type { AnswerPayload, Change, OpRecord, StudyState, Verdict } from '#src/contract/study.ts'
import { SYNC_MAX_BYTES, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { applyAnswer, byTime, type Place } from '#src/domain/study.ts'
import { createDatabase, type Database, done } from './idb.ts'
import { ANONYMOUS, RECORD_DB, RECORD_VERSION } from './names.ts'

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
}
interface StateRow {
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

const ALL = ['ops', 'dead', 'receipts', 'meta', 'states', 'counters', 'drafts'] as const
const FOLD = ['ops', 'states', 'counters'] as const

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

const ofOwner = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []])
const streamOf = (questionNo: string): string => `q:${questionNo}`

/** Everything a student's device knows of their studying. Each method is one transaction. */
export function createRecord(db: Database) {
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
      await putView(tx, row, applyAnswer(row.view, answerOf(op), op))
      return op
    })

  /** Ops to send now, oldest first, within the call's limits. */
  const batch = (owner: string, maxOps: number = SYNC_MAX_OPS): Promise<WaitingOp[]> =>
    db.run(['ops'], 'readonly', async (tx) => {
      const picked: WaitingOp[] = []
      let bytes = 0
      for (let after = 0; ;) {
        const range = IDBKeyRange.bound([owner, after], [owner, []], true)
        const page: WaitingOp[] = await done(tx.objectStore('ops').getAll(range, SYNC_MAX_OPS))
        for (const op of page) {
          if (op.parked || op.acked || !isWhole(op)) continue
          bytes += JSON.stringify(op).length
          if (picked.length >= maxOps || (picked.length > 0 && bytes > SYNC_MAX_BYTES)) return picked
          picked.push(op)
        }
        if (page.length < SYNC_MAX_OPS) return picked
        after = page.at(-1)?.seq ?? after
      }
    })

  /**
   * Takes one answer of `study/sync`: the server's states become the base, ops it has answered for leave, and what still
   * waits is folded in again. One transaction, so a screen never sees one without the other. Returns the questions touched.
   */
  const settle = (
    owner: string,
    answer: { verdicts: readonly Verdict[]; changes: readonly Change[]; cursor: number; more: boolean },
    now: number,
  ): Promise<string[]> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const touched = new Set<string>()
      for (const verdict of answer.verdicts) {
        const op = await opById(tx, verdict.opId)
        if (op?.owner === owner) settleOp(tx, op, verdict, now, touched)
      }
      // Another tab's answer has overtaken this one: these states, and the effects of these ops, are in `base` already.
      const overtaken = answer.cursor < (await cursorOf(tx, owner))
      for (const { state } of overtaken ? [] : answer.changes) {
        const row = await stateRow(tx, owner, state.questionNo)
        tx.objectStore('states').put({ ...row, base: state })
        touched.add(state.questionNo)
      }
      const named = new Set(answer.verdicts.map((each) => each.opId))
      // A state holds the effect of every op acknowledged so far; after the last page every effect has come.
      const ripe = overtaken
        ? (op: WaitingOp) => !answer.more && named.has(op.opId)
        : (op: WaitingOp) => !answer.more || touched.has(op.payload.questionNo)
      await dropAcked(tx, owner, now, touched, ripe)
      for (const questionNo of touched) await refold(tx, owner, questionNo)
      if (!overtaken) tx.objectStore('meta').put(answer.cursor, `cursor:${owner}`)
      return [...touched]
    })

  /** Gives a visitor's ops to the student: new owner and seqs, same ids, folded into the student's record. */
  const adopt = (uidOwner: string): Promise<number> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(ofOwner(ANONYMOUS)))
      tx.objectStore('ops').delete(ofOwner(ANONYMOUS))
      for (const op of ops) tx.objectStore('ops').put({ ...op, owner: uidOwner, seq: await nextSeq(tx, uidOwner) })
      for (const questionNo of new Set(ops.map((op) => op.payload.questionNo))) await refold(tx, uidOwner, questionNo)
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
      for (const questionNo of new Set(ops.map((op) => op.payload.questionNo))) await refold(tx, owner, questionNo)
    })

  /** Puts back ops from a rescue file, unless they are here or were acknowledged here. Returns how many were missing. */
  const restore = (owner: string, ops: readonly WaitingOp[]): Promise<number> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      let missing = 0
      for (const op of ops) {
        if ((await opById(tx, op.opId)) || (await done(tx.objectStore('receipts').get(op.opId)))) continue
        tx.objectStore('ops').put({ ...op, owner, seq: await nextSeq(tx, owner), acked: 0 })
        missing++
        await refold(tx, owner, op.payload.questionNo)
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
    add,
    batch,
    settle,
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
    cursor: (owner: string): Promise<number> => db.run(['meta'], 'readonly', (tx) => cursorOf(tx, owner)),
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

async function nextSeq(tx: IDBTransaction, owner: string): Promise<number> {
  const meta = tx.objectStore('meta')
  const seq = ((await done<number | undefined>(meta.get(`seq:${owner}`))) ?? 0) + 1
  meta.put(seq, `seq:${owner}`)
  return seq
}

async function cursorOf(tx: IDBTransaction, owner: string): Promise<number> {
  return (await done<number | undefined>(tx.objectStore('meta').get(`cursor:${owner}`))) ?? 0
}

const opById = (tx: IDBTransaction, opId: string): Promise<WaitingOp | undefined> =>
  done(tx.objectStore('ops').index('opId').get(opId))

async function stateRow(tx: IDBTransaction, owner: string, questionNo: string): Promise<StateRow> {
  const row: StateRow | undefined = await done(tx.objectStore('states').get([owner, questionNo]))
  return row ?? { owner, questionNo, base: null, view: null }
}

const answerOf = (op: WaitingOp) => ({ ...op.payload, opId: op.opId, at: op.clientAt, right: op.right })

function settleOp(tx: IDBTransaction, op: WaitingOp, verdict: Verdict, now: number, touched: Set<string>): void {
  const ops = tx.objectStore('ops')
  switch (verdict.verdict) {
    case 'applied':
    case 'duplicate':
      // Stays folded until the page of changes that holds its effect; dropAcked then takes it away.
      ops.put({ ...op, acked: 1 })
      break
    case 'rejected':
      ops.delete([op.owner, op.seq])
      tx.objectStore('dead').put({ ...op, code: verdict.code, msg: verdict.msg, diedAt: now })
      touched.add(op.payload.questionNo)
      break
    case 'unsupported':
      ops.put({ ...op, parked: true })
      break
    case 'retry':
      break
    default:
      verdict satisfies never
  }
}

/** As contract/study.ts has it. A call with a row that is not whole is refused as a whole, so none must ever be sent. */
function isWhole(op: { [field in keyof WaitingOp]?: unknown }): boolean {
  const { opId, stream, kind, v, payload, ctx, clientAt } = op
  const atLeast = (value: unknown, least: number) => Number.isSafeInteger(value) && Number(value) >= least
  const text = (value: unknown, most: number) => typeof value === 'string' && value !== '' && value.length <= most
  const keys = ['sg_key', 'area', 'key'].map((key) => field(ctx, key))
  return (
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(opId)) &&
    [text(stream, 100), text(kind, 40), atLeast(v, 1), atLeast(clientAt, 0)].every(Boolean) &&
    keys.every((key) => typeof key === 'string' && /^\w{0,32}$/.test(key)) &&
    typeof field(payload, 'questionNo') === 'string'
  )
}
const field = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined

/** Kept raw, told to the student, and out of the way of the others. */
async function setAside(tx: IDBTransaction, op: WaitingOp, now: number): Promise<void> {
  const raw: Partial<WaitingOp> = op
  const named = field(raw.payload, 'questionNo')
  const questionNo = typeof named === 'string' ? named : ''
  const opId = typeof raw.opId === 'string' ? raw.opId : uuidv7()
  const payload = { ...raw.payload, questionNo }
  tx.objectStore('ops').delete([op.owner, op.seq])
  tx.objectStore('dead').put({ ...op, opId, payload, code: 'damaged', msg: '本机记录已损坏，无法上传', diedAt: now })
  await refold(tx, op.owner, questionNo)
}

const RECEIPTS_MS = 30 * 86_400_000

/** Acknowledged ops whose effect is in `base` now become receipts. */
async function dropAcked(
  tx: IDBTransaction,
  owner: string,
  now: number,
  touched: Set<string>,
  ripe: (op: WaitingOp) => boolean,
): Promise<void> {
  const receipts = tx.objectStore('receipts')
  const acked: WaitingOp[] = await done(tx.objectStore('ops').index('acked').getAll([owner, 1]))
  for (const op of acked.filter(ripe)) {
    tx.objectStore('ops').delete([owner, op.seq])
    receipts.put({ opId: op.opId, owner, seq: op.seq, at: now })
    touched.add(op.payload.questionNo)
  }
  for (const key of await done(receipts.index('at').getAllKeys(IDBKeyRange.upperBound(now - RECEIPTS_MS))))
    receipts.delete(key)
}

async function refold(tx: IDBTransaction, owner: string, questionNo: string): Promise<void> {
  const row = await stateRow(tx, owner, questionNo)
  const stream = streamOf(questionNo)
  const range = IDBKeyRange.bound([owner, stream, 0], [owner, stream, Number.MAX_SAFE_INTEGER])
  const ops: WaitingOp[] = await done(tx.objectStore('ops').index('stream').getAll(range))
  const view = [...ops]
    .sort((a, b) => byTime(answerOf(a), answerOf(b)))
    .reduce<StudyState | null>((state, op) => applyAnswer(state, answerOf(op), op), row.base)
  await putView(tx, row, view)
}

async function putView(tx: IDBTransaction, row: StateRow, view: StudyState | null): Promise<void> {
  tx.objectStore('states').put({ ...row, view })
  await count(tx, row.owner, row.view, -1)
  await count(tx, row.owner, view, 1)
}

async function count(tx: IDBTransaction, owner: string, view: StudyState | null, sign: 1 | -1): Promise<void> {
  if (!view?.chapterNo) return
  const { chapterNo } = view
  const store = tx.objectStore('counters')
  const old: Counters = (await done(store.get([owner, chapterNo]))) ?? {
    chapterNo,
    done: 0,
    right: 0,
    answered: 0,
    wrong: 0,
  }
  store.put({
    owner,
    chapterNo,
    done: old.done + sign,
    right: old.right + (view.lastRight ? sign : 0),
    answered: old.answered + sign * view.times,
    wrong: old.wrong + sign * view.wrong,
  })
}
