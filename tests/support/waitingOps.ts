import type { WaitingOp } from '#src/offline/device/rows.ts'
import { placeIn } from './states.ts'

export const OWNER = 'u:s1'
export const opIdOf = (n: number): string => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** The `n`-th op of a device, as its row lies in the record until the server has it: an answer to a question of its own. */
export const waitingOp = (n: number, part: Partial<WaitingOp> = {}): WaitingOp => ({
  owner: OWNER,
  opId: opIdOf(n),
  seq: n,
  stream: `q:q${n}`,
  kind: 'answer',
  v: 1,
  payload: { questionNo: `q${n}`, response: { kind: 'choice', ids: ['B'] }, spentMs: n, from: 'library' },
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  clientAt: Date.UTC(2026, 10, 21, 4),
  right: true,
  place: placeIn(),
  parked: false,
  acked: 0,
  ...part,
})
