import { randomUUID } from 'node:crypto'
import { contract } from '#src/contract/index.ts'
import type { Change, OpPayload, OpRecord } from '#src/contract/study.ts'
import { type OpKind, OP_VERSIONS } from '#src/contract/sync.ts'
import type { TestServer } from './server.ts'

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

/** One batch of a student's, from a device that has synced nothing yet. */
export const syncAs = (server: TestServer, { uid, token }: { uid: string; token: string }, ops: OpRecord[]) =>
  server.call(
    contract.study.sync,
    { device: randomUUID(), owner: uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops },
    token,
  )
/** Sittings among what a batch brought back. */
export const attempts = (changes: readonly Change[]) =>
  changes.flatMap((each) => (each.kind === 'attempt' ? [each.body] : []))
export const attemptIdOf = (op: OpRecord) => (op.payload as { attemptId: string }).attemptId
