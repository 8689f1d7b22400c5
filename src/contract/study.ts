import * as v from 'valibot'
import { SYNC_ADDRESS, SYNC_MAX_OPS } from './sync.ts'
import { endpoint } from './endpoint.ts'
import { OptionId } from './question.ts'
import { Count, DurationMs, EpochMs, Key, No } from './scalar.ts'

/** What a student gave as an answer. */
export const Response = v.variant('kind', [
  v.object({ kind: v.literal('choice'), ids: v.pipe(v.array(OptionId), v.maxLength(26)) }),
  v.object({ kind: v.literal('blank'), texts: v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(50)) }),
  v.object({
    kind: v.literal('essay'),
    text: v.pipe(v.string(), v.maxLength(20_000)),
    /** Indexes of the scoring points that the student ticked; for an essay without points, [0] means 掌握. */
    ticked: v.pipe(v.array(Count), v.maxLength(50)),
  }),
])
export type Response = v.InferOutput<typeof Response>

/** UUIDv7 made on the device: the server's key for "exactly once", and time-ordered. */
const OpId = v.pipe(v.string(), v.uuid(), v.toLowerCase())

/** A marked answer, in any mode that marks at once. The server marks again with its own key. */
export const AnswerPayload = v.object({
  questionNo: No,
  response: Response,
  spentMs: DurationMs,
  from: v.picklist(['library']),
})
export type AnswerPayload = v.InferOutput<typeof AnswerPayload>

/** Payload schemas by `kind` and `v`. A changed meaning is a new kind, a changed shape a new version. */
export const OP_PAYLOADS = { answer: { 1: AnswerPayload } } as const

/**
 * An op as it is on disk and on the wire, token-free. `payload` is checked per op by OP_PAYLOADS, so one bad or unknown op
 * never fails its batch.
 */
export const OpRecord = v.object({
  opId: OpId,
  /** Per owner and device, from 1, without holes. */
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Unit of ordering, such as `q:<questionNo>`. */
  stream: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  kind: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  v: v.pipe(v.number(), v.integer(), v.minValue(1)),
  payload: v.unknown(),
  ctx: v.object({ sg_key: Key, area: Key, key: Key }),
  /** The device's clock when the student acted; never used for order. */
  clientAt: EpochMs,
})
export type OpRecord = v.InferOutput<typeof OpRecord>

export const Verdict = v.variant('verdict', [
  v.object({ opId: v.string(), verdict: v.literal('applied') }),
  v.object({ opId: v.string(), verdict: v.literal('duplicate') }),
  /** Final. `code` is for programs, `msg` is Chinese, for the student. */
  v.object({ opId: v.string(), verdict: v.literal('rejected'), code: v.string(), msg: v.string() }),
  v.object({ opId: v.string(), verdict: v.literal('retry'), afterMs: Count }),
  /** This server does not know the kind or version: keep it, ask for an update. */
  v.object({ opId: v.string(), verdict: v.literal('unsupported') }),
])
export type Verdict = v.InferOutput<typeof Verdict>

/** 学习状态 of one student on one question (a sub-question has its own). */
export const StudyState = v.object({
  questionNo: No,
  /** The leaf chapter, for counting; null when the question has been retired. */
  chapterNo: v.nullable(No),
  libraryNo: v.nullable(No),
  times: Count,
  wrong: Count,
  /** Right answers in a row, up to now. */
  streak: Count,
  lastAt: EpochMs,
  lastRight: v.boolean(),
  lastResponse: Response,
  spentMs: Count,
})
export type StudyState = v.InferOutput<typeof StudyState>

/** Something of the student's record that became different since a cursor; the newest row replaces the older. */
export const Change = v.variant('kind', [v.object({ kind: v.literal('state'), state: StudyState })])
export type Change = v.InferOutput<typeof Change>

export const study = {
  /**
   * Takes ops in any order, any number of times, and tells what changed since `cursor` (0: everything), in the server's
   * order, paged: ask again with the returned cursor while `more`. `ops` may be empty. Every op gets a verdict; the batch
   * never half-fails. Refused as a whole when `owner` is not the token's student.
   */
  sync: endpoint({
    path: SYNC_ADDRESS.path,
    access: 'user',
    keep: 'nowhere',
    input: v.object({
      device: v.pipe(v.string(), v.uuid()),
      owner: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
      proto: v.literal(1),
      /** The device's clock at sending: `sentAt - clientAt` is an op's age, free of clock skew. */
      sentAt: EpochMs,
      cursor: Count,
      ops: v.pipe(v.array(OpRecord), v.maxLength(SYNC_MAX_OPS * 2)),
    }),
    output: v.object({
      verdicts: v.array(Verdict),
      changes: v.array(Change),
      cursor: Count,
      more: v.boolean(),
      /** Highest seq of this device up to which the server has every op. An audit figure: nothing depends on it. */
      ackSeq: Count,
      serverNow: EpochMs,
    }),
  }),
}
