import { randomUUID } from 'node:crypto'
import type { OpPayload, OpRecord } from '#src/contract/study.ts'
import { type OpKind, OP_VERSIONS } from '#src/contract/sync.ts'

/** An op as this version of the app makes it. */
export const opOf = <K extends OpKind>(
  kind: K,
  payload: OpPayload<K> & object,
  { seq, at, opId = randomUUID() }: { seq: number; at: number; opId?: string },
): OpRecord => ({
  opId,
  seq,
  stream: 'questionNo' in payload && kind !== 'report' ? `q:${String(payload.questionNo)}` : `${kind}:1`,
  kind,
  v: OP_VERSIONS[kind],
  payload,
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  clientAt: at,
})

/** An answer to a question of `bankJson`, whose right option is B. */
export const answerOp = (questionNo: string, right: boolean, moment: { seq: number; at: number; opId?: string }) =>
  opOf(
    'answer',
    { questionNo, response: { kind: 'choice', ids: [right ? 'B' : 'A'] }, spentMs: 1000, from: 'library', version: 1 },
    moment,
  )

/** Ops of any kind, version and payload, each in a stream of its own. */
export function plainOps(now: () => number): (kind: string, v: number, payload: object) => OpRecord {
  let seq = 0
  return (kind, v, payload) => {
    seq++
    const ctx = { sg_key: 'jg', area: '0', key: 'jg' }
    return { opId: randomUUID(), seq, stream: `${kind}:${seq}`, kind, v, payload, ctx, clientAt: now() }
  }
}
