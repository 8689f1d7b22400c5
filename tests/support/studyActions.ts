import { seeded } from './seeded.ts'
import { ACT_KINDS, type Action, type Fault } from './studyWorld.ts'

const FAULTS: readonly Fault[] = [
  'drop-before',
  'drop-after',
  'drop-after',
  'twice',
  'slow',
  'slow',
  '500',
  '413',
  'ok',
]
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const JUMPS = [-365 * DAY, -DAY, -10 * MINUTE, 10 * MINUTE, DAY]
const PASSES = [300, 2_000, 15_000, 61_000, DAY]

/** A random life, the same for the same seed: mostly studying and syncing, with everything that can happen in between. */
export function makeActions(seed: number): Action[] {
  const { chance, below, one } = seeded(seed)
  const several = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + below(most) }, make)

  const answer = (draft: boolean): Action => ({
    do: 'answer',
    device: below(3),
    tab: below(3),
    question: below(6),
    right: chance() < 0.6,
    draft,
  })
  const act = (): Action => ({
    do: 'act',
    device: below(3),
    tab: below(3),
    question: below(6),
    kind: one(ACT_KINDS),
    how: below(12),
  })
  const handIn = (): Action => ({
    do: 'hand-in',
    device: below(3),
    tab: below(3),
    answers: below(64),
    right: below(64),
    again: chance() < 0.3,
  })
  const sync = (): Action => ({ do: 'sync', device: below(3), tab: below(3) })
  const wire = (): Action => ({ do: 'wire', device: below(3), faults: several(3, () => one(FAULTS)) })
  const together = (): Action => ({
    do: 'together',
    actions: several(4, () => (chance() < 0.5 ? answer(false) : chance() < 0.3 ? act() : sync())),
  })
  const kinds: readonly [number, () => Action][] = [
    [30, () => answer(true)],
    [16, act],
    [10, handIn],
    [4, () => ({ do: 'self-mark', device: below(3), tab: below(3), how: below(12) })],
    [20, sync],
    [14, wire],
    [10, together],
    [8, () => ({ do: 'crash', device: below(3), after: below(12) })],
    [6, () => ({ do: 'deliver' })],
    [5, () => ({ do: 'open-tab', device: below(3) })],
    [5, () => ({ do: 'pass', ms: one(PASSES) })],
    [
      7,
      () => ({
        do: 'login',
        device: below(3),
        student: chance() < 0.25 ? null : below(2),
        waiting: one(['send', 'keep', 'keep', 'discard']),
        oldTab: chance() < 0.3,
      }),
    ],
    [4, () => ({ do: 'merge', device: below(3) })],
    [3, () => ({ do: 'expire', student: below(2) })],
    [3, () => ({ do: 'replay', request: below(50) })],
    [3, () => ({ do: 'rescue', from: below(3), to: below(3) })],
    [2, () => ({ do: 'restart-server' })],
    [2, () => ({ do: 'jump', device: below(3), ms: one(JUMPS) })],
    [2, () => ({ do: 'server-release', old: chance() < 0.5 })],
  ]
  const weight = kinds.reduce((sum, [each]) => sum + each, 0)
  const action = (): Action => {
    let at = below(weight)
    for (const [each, make] of kinds) if ((at -= each) < 0) return make()
    return sync()
  }
  return Array.from({ length: 10 + below(40) }, action)
}
