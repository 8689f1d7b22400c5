import { hash as digest } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { contract } from '#src/contract/index.ts'
import type { Response } from '#src/contract/response.ts'
import { sealText } from '#src/domain/paper/exam.ts'
import type { TestServer } from './server.ts'

interface Sitting {
  no: string
  rev: string
  mode?: 'exam' | 'practice'
  attemptId?: string
  /** Letters chosen, by question, in the order of the paper. */
  answers: Record<string, string>
  /** Epoch ms. */
  begunAt: number
  tookMs: number
  /** By its own clock; as long as it took. */
  elapsedMs?: number
  /** What it says that it is the hash of; what was chosen. */
  sealed?: Record<string, string>
  /** It is left open. */
  open?: boolean
}
const choice = (letters: string): Response => ({ kind: 'choice', ids: letters.split('') })

/** Makes the ops of a sitting as a device does, one after another. Times by its clock. */
export function opsOf(attemptId: string) {
  let seq = 0
  return (kind: string, payload: object, clientAt: number, opId = uuidv7()) => ({
    opId,
    seq: ++seq,
    stream: `exam:${attemptId}`,
    kind,
    v: 1,
    payload: { attemptId, ...payload },
    ctx: { sg_key: 'jg', area: '0', key: 'jg' },
    clientAt,
  })
}

/** Makes all ops of a sitting, from its begin to its hand-in. */
export function opsOfSitting(sitting: Sitting & { attemptId: string }) {
  const { no, rev, mode = 'exam', attemptId, answers, begunAt, tookMs, elapsedMs = tookMs } = sitting
  const at = begunAt + tookMs
  const op = opsOf(attemptId)
  const ref = { exam: no, rev, mode }
  const begin = op('examBegin', ref, begunAt)
  const choices = Object.entries(answers).map(([questionNo, letters]) =>
    op('examChoice', { questionNo, response: choice(letters), spentMs: 1_000, elapsedMs }, at),
  )
  const given = Object.entries(sitting.sealed ?? answers).map(([questionNo, letters]) => {
    return { questionNo, response: choice(letters) }
  })
  const hash = digest('sha256', sealText(attemptId, given))
  const named = choices.map(({ opId }) => opId)
  const handIn = op('examHandIn', { ...ref, choices: named, hash, elapsedMs, spentMs: 1_000 }, at)
  return sitting.open ? [begin] : [begin, ...choices, handIn]
}

/** A whole sitting as a device hands it in, in one call; it arrives when it is sealed. Tells its id. */
export async function sitExam(
  server: TestServer,
  student: { uid: string; token: string },
  { attemptId = uuidv7(), ...sitting }: Sitting,
): Promise<string> {
  server.clock.now = Math.max(server.clock.now, sitting.begunAt + sitting.tookMs)
  await sendOps(server, student, opsOfSitting({ attemptId, ...sitting }))
  return attemptId
}

/** Sends ops in one call, from a device that has synced nothing yet. Every one of them must be applied. */
export async function sendOps(
  server: TestServer,
  { uid, token }: { uid: string; token: string },
  ops: ReturnType<typeof opsOfSitting>,
): Promise<void> {
  const device = uuidv7()
  const sent = { device, owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
  const { verdicts } = await server.call(contract.study.sync, sent, token)
  if (verdicts.some(({ verdict }) => verdict !== 'applied')) throw new Error(JSON.stringify(verdicts))
}
