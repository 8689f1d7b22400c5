import { hash as digest } from 'node:crypto'
import * as v from 'valibot'
import { OP_PAYLOADS, type OpRecord } from '#src/contract/study.ts'
import type { OpKind } from '#src/contract/sync.ts'
import { QUESTION_KINDS, type QuestionKind } from '#src/domain/study/study.ts'

/** An op as far as it can be understood without the database. */
export interface Parsed {
  op: OpRecord
  hash: string
  /** This server knows its kind and version. */
  known: boolean
  /** Null when nobody understands it. */
  payload: Record<string, unknown> | null
}
/** Ops in the order in which their device made them. */
export const parse = (ops: readonly OpRecord[]): Parsed[] => [...ops].sort((a, b) => a.seq - b.seq).map(parseOp)

export const isQuestionKind = (kind: string): kind is QuestionKind => QUESTION_KINDS.some((each) => each === kind)

/** Returns the number of the question that an op is about, or '' for any other op. */
export const questionOf = ({ op, payload }: Parsed): string =>
  payload && isQuestionKind(op.kind) ? String(payload.questionNo) : ''

/** No payload is nested nearly as deep; much deeper ones would end the program. */
const DEEPEST = 32
const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((each) => isWithin(each, depth - 1)))

function parseOp(sent: OpRecord): Parsed {
  const op = isWithin(sent.payload, DEEPEST) ? sent : { ...sent, payload: null }
  const versions: Record<number, v.GenericSchema> | undefined = Object.hasOwn(OP_PAYLOADS, op.kind)
    ? OP_PAYLOADS[op.kind as OpKind]
    : undefined
  const schema = versions && Object.hasOwn(versions, op.v) ? versions[op.v] : undefined
  const payload = schema && v.safeParse(schema, op.payload)
  return {
    op,
    hash: payloadHash(op),
    known: schema !== undefined,
    // Every payload is an object (contract/study.ts).
    payload: payload?.success ? (payload.output as Record<string, unknown>) : null,
  }
}

/** Over the record as it was first made; not its seq or owner, which change when a visitor's ops are merged. */
const payloadHash = (op: OpRecord): string =>
  digest('sha256', JSON.stringify([op.opId, op.stream, op.kind, op.v, op.payload, op.ctx, op.clientAt]), 'base64url')
