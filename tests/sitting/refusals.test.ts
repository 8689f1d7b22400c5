import { afterEach, expect, test, vi } from 'vitest'
import { setPolicy } from '#src/features/questionSet/policy.ts'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { start } from '#src/player/playerState.ts'
import { handIn } from '#src/sitting/engine/sitting.ts'
import { prepareDevice } from '#tests/support/app.tsx'

afterEach(() => vi.restoreAllMocks())

const sitting = { id: 's1', of: 'set' as const, setNo: 'S', itemNo: 'S_1', mode: 'exam' as const, startedAt: 0 }
const ref = { of: 'set' as const, no: 'S', itemNo: 'S_1', rev: 'r', trial: false }
const paper = { title: '第1套', partial: 'none' as const, rev: 'r', locked: 0, sections: [], minutes: null, ref }
const refused = (opId: string): DeadOp => ({
  opId,
  owner: 'u1',
  seq: 1,
  stream: '',
  kind: 'handIn',
  v: 1,
  payload: { attemptId: sitting.id },
  clientAt: 0,
  ctx: { sg_key: '', area: '0', key: '' },
  place: null,
  parked: false,
  acked: 0,
  code: 'early',
  msg: '',
  missing: [],
  diedAt: 0,
})

test('a hand-in puts away the refusals that it answers, and not its own', async () => {
  prepareDevice()
  const dead = [refused('old')]
  vi.spyOn(offline, 'dead').mockImplementation(() => Promise.resolve([...dead]))
  vi.spyOn(offline, 'addAll').mockImplementation(() => {
    // The server answers before the device has looked again.
    dead.push(refused('new'))
    return Promise.resolve(['new'])
  })
  const dismissed = vi.spyOn(offline, 'dismiss').mockResolvedValue()
  await handIn(setPolicy, { paper, sitting, state: start([], 'review'), taken: { elapsedMs: 0, chosenMs: 0 } })
  expect(dismissed.mock.calls).toEqual([['old']])
})
