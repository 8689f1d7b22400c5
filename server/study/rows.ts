import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import type { Response } from '#src/contract/response.ts'
import type { Change } from '#src/contract/study.ts'
import type { Markable } from '#src/domain/question/rules.ts'
import type { Fact, Place } from '#src/domain/study/study.ts'
import type { Stored } from './allowance.ts'
import type { Neighbour } from './moments.ts'

/** An op as it is stored: `verdict` is final, so a resend is answered from here. */
export interface OpRow {
  op_id: string
  seq: number
  stream: string
  kind: string
  v: number
  payload: unknown
  payload_hash: string
  ctx: unknown
  client_at: number
  own_at: number | null
  effective_at: number
  verdict: 'applied' | 'rejected'
  code: string | null
  msg: string | null
  right: boolean | null
  question_no: string | null
  /** Chance that an answer would be right, of a thousand, as it was foretold before it came; null where nothing was. */
  foretold: number | null
}
export type KnownOp = Pick<OpRow, 'op_id' | 'payload_hash' | 'verdict' | 'code' | 'msg'>
/** A question as it is asked and marked from a version on. */
export interface Asking {
  since: number
  body: Markable
}
export interface Answerable extends Pick<Place, 'chapterNo' | 'libraryNo' | 'points'>, Asking {
  no: string
  /** The version since which `body` is its key. */
  keyed: number
  /** The rights must be asked before its key is told (db/tables.ts). */
  guarded: boolean
  /** Earlier keys, oldest first, each up to and with a version. */
  past: (Asking & { upto: number })[] | null
  /** Counts the student's stored ops for it, up to as many as there may be. */
  recorded: number
}
/** A student's first answer to a question, for its statistics; `n` -1 takes one off, 0 corrects the mark of one. */
export interface Tallied {
  question_no: string
  since: number
  /** Ids of the chosen options, sorted. */
  pick: string
  n: -1 | 0 | 1
  right: -1 | 0 | 1
}
/** A row of the record as it is stored; of a state without its number and place. */
export interface RecordRow {
  kind: Change['kind']
  id: string
  lastAt: number
  lastOp: string
  body: object
}
/** A row as it is read: a state comes with the place where its question is now. */
export interface RevisedRow extends RecordRow {
  rev: number
  /** Null for what is no state, or of a question that this server does not know. */
  place: Place | null
}
/** Names a row of a student's record. */
export interface RowKey {
  kind: Change['kind']
  id: string
}
/** The row of a record that holds the student's own parameters of FSRS. */
export const FIT_ROW: RowKey = { kind: 'setting', id: MEMORY_FIT }
export const keyOf = ({ kind, id }: RowKey): string => `${kind} ${id}`
/** An op that another one names: an answer that is taken back, or handed in. */
export interface Target {
  opId: string
  questionNo: string | null
  verdict: OpRow['verdict']
  kind: string
  at: number
  right: boolean
  spentMs: number
  response: Response
}
/** An answer of this batch, as a later op of it can name it. */
export const targetOf = ({
  opId,
  questionNo,
  at,
  right = false,
  spentMs,
  response,
}: Fact & { kind: 'answer' }): Target => ({
  opId,
  questionNo,
  verdict: 'applied',
  kind: 'answer',
  at,
  right,
  spentMs,
  response,
})
export interface Known {
  rev: number
  /** Moves with every corrected key. */
  marking: number
  /** The device's contiguous mark, and its stored seqs beyond it. */
  ack: number
  seqs: number[]
  ops: KnownOp[]
  /** Ops of the device that lie next to those that are asked for, or between them. */
  around: Neighbour[]
  /** It counts what was stored today; null while nothing was. */
  stored: Stored | null
  answerables: Answerable[]
  records: RevisedRow[]
  targets: Target[]
  /** They come in the order of rev, one more than a page at most. */
  changes: RevisedRow[]
}
/** Lists what a batch names. */
export interface Asked {
  opIds: string[]
  /** They number the ops on their device. */
  seqs: number[]
  questionNos: string[]
  /** Rows of the record that it may change. */
  keys: RowKey[]
  /** Ops that it names. */
  targets: string[]
}
