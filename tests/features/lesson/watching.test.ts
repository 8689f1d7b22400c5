import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Thing } from '#src/contract/study.ts'
import { OP_PAYLOADS } from '#src/contract/study.ts'
import { grown } from '#src/domain/record/things.ts'
import { type Span, union } from '#src/domain/course/watched.ts'
import {
  beginAt,
  beyond,
  DRAFT_MS,
  isAtEnd,
  isDue,
  jumped,
  pending,
  played,
  resumeAt,
  stopped,
  taken,
  untold,
  type Watching,
  type WatchPayload,
} from '#src/features/course/lesson/watch/watching.ts'
import * as v from 'valibot'

const NAMED = { courseNo: 'K1', lessonNo: 'K1_1' }
const run = (state: Watching, ...ats: number[]): Watching => ats.reduce(played, state)
const told = (state: Watching) => taken(state, 0).told.flatMap(({ watched }) => watched)

describe('what is played', () => {
  test.each<[string, Watching, Span[]]>([
    ['nothing', beginAt(0, 0), []],
    ['from the start', run(beginAt(0, 0), 0, 0.25, 7.9), [[0, 7]]],
    ['less than a second', run(beginAt(0, 0), 3.1, 3.8), []],
    ['a second whose end is played counts', run(beginAt(0, 0), 3.6, 4.1), [[3, 4]]],
    ['across a pause', run(stopped(run(beginAt(0, 0), 0, 3.6)), 3.6, 5.1), [[0, 5]]],
    [
      'not what a jump leaves out',
      run(jumped(run(beginAt(0, 0), 0, 5.2), 60), 60, 65.5),
      [
        [0, 5],
        [60, 65],
      ],
    ],
    ['back, and the same again', run(jumped(run(beginAt(0, 0), 0, 9), 2), 2, 6), [[0, 9]]],
    ['a phone that was silent for long heard all of it', run(beginAt(0, 0), 0, 240), [[0, 240]]],
    [
      'back without a word',
      run(beginAt(0, 0), 10, 20, 3, 5),
      [
        [3, 5],
        [10, 20],
      ] as Span[],
    ],
    ['an element that knows no time yet', run(beginAt(4, 0), Number.NaN), []],
    ['a jump to nowhere', jumped(run(beginAt(0, 0), 0, 3), Number.NaN), [[0, 3]]],
  ])('%s', (_, state, spans) => expect(told(state)).toEqual(spans))

  test('a flush in the middle of a second loses nothing of it', () => {
    const first = taken(run(beginAt(0, 0), 0, 60.4), 60_400)
    expect(first.told).toEqual([{ watched: [[0, 60]], position: 60 }])
    expect(told(run(first.rest, 61.2))).toEqual([[60, 61]])
  })
  test('more spans than an op may have go in several', () => {
    let state = beginAt(0, 0)
    for (let i = 0; i < 250; i += 1) state = run(jumped(state, i * 10), i * 10, i * 10 + 2)
    const ops = taken(state, 0).told
    expect(ops.map(({ watched }) => watched.length)).toEqual([100, 100, 50])
    for (const op of ops) expect(v.safeParse(OP_PAYLOADS.watch[1], { ...NAMED, ...op }).success).toBe(true)
  })
  test('what could not be written is told again', () => {
    const { told: lost, rest } = taken(run(beginAt(0, 0), 0, 8), 0)
    expect(isDue(untold(rest, lost), 'leave', 0)).toBe(true)
    expect(told(untold(played(rest, 10), lost))).toEqual([[0, 10]])
  })
})

describe('an op is made', () => {
  const eight = run(beginAt(0, 0), 0, 8)
  test.each<[string, Watching, Parameters<typeof isDue>[1], number, boolean]>([
    ['not at every tick', eight, 'played', 8_000, false],
    ['each minute that it plays', eight, 'played', 60_000, true],
    ['not each minute that it stands', beginAt(0, 0), 'played', 600_000, false],
    ['when it is paused', eight, 'pause', 8_000, true],
    ['not when nothing was played', beginAt(30, 0), 'leave', 0, false],
    ['when only its place has changed', jumped(beginAt(30, 0), 90), 'leave', 0, true],
    ['when it jumps after it was watched', eight, 'jump', 8_000, true],
    ['not for each moment of a search', run(beginAt(0, 0), 0, 3), 'jump', 3_000, false],
  ])('%s', (_, state, why, nowMs, due) => expect(isDue(state, why, nowMs)).toBe(due))
})

describe('where it goes on', () => {
  test.each([
    ['where it stood', 754, 1800, 754],
    ['from the start after its end', 1800, 1800, 0],
    ['from the start in its last seconds', 1793, 1800, 0],
    ['a short one, too', 29, 30, 0],
    ['not before', 25, 30, 25],
    ['one second long', 0, 1, 0],
  ])('%s', (_, position, seconds, at) => {
    expect(resumeAt(position, seconds)).toBe(at)
    expect(isAtEnd(position, seconds)).toBe(at === 0)
  })
})

const known = (patch: Partial<Thing<'lesson'>>): Thing<'lesson'> => ({
  at: 1_000,
  opId: '',
  courseNo: 'K1',
  watched: [],
  position: 0,
  ...patch,
})

describe('a draft of a page that was killed', () => {
  const draft = (patch: object) => ({ ...NAMED, at: 2_000, watched: [[10, 20]] as Span[], position: 20, ...patch })
  test.each<
    [string, ReturnType<typeof draft>, Thing<'lesson'> | undefined, Omit<WatchPayload, 'courseNo' | 'lessonNo'>[]]
  >([
    ['is told when nobody knows it', draft({}), undefined, [{ watched: [[10, 20]], position: 20 }]],
    ['is not told when it was told before', draft({}), known({ watched: [[0, 30]], position: 20 }), []],
    [
      'tells its seconds, and the newer place of another device stays',
      draft({}),
      known({ at: 9_000, watched: [[0, 5]], position: 300 }),
      [{ watched: [[10, 20]], position: 300 }],
    ],
    [
      'tells a place alone',
      draft({ watched: [], position: 44 }),
      known({ position: 20 }),
      [{ watched: [], position: 44 }],
    ],
    ['that holds nothing makes no op', draft({ watched: [], position: 0 }), undefined, []],
  ])('%s', (_, kept, record, payloads) =>
    expect(beyond(kept, record)).toEqual(payloads.map((each) => ({ ...NAMED, ...each }))),
  )
})

/** What a student does, with how long: ms of the wall. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('play' as const), ms: fc.integer({ min: 50, max: 20_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('jump' as const), to: fc.double({ min: 0, max: 600, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rate' as const), rate: fc.constantFrom(0.5, 1, 1.5, 2, 3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'stall' as const, 'hide' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
/** Between two timeupdates; a page out of sight hears of less. */
const TICKS = fc.array(fc.integer({ min: 40, max: 400 }), { minLength: 1, maxLength: 20 })

/** A life of a lesson's page as its element would tell it, until it is left or killed. */
function live(steps: Step[], ticks: number[], killedAfterMs: number) {
  let [state, at, rate, nowMs, keptMs, n] = [beginAt(0, 0), 0, 1, 0, 0, 0]
  let draft: WatchPayload | null = null
  let record: Thing<'lesson'> | undefined
  /** Seconds whose end was really played, and when. */
  const truth = new Map<number, number>()
  const fold = (payload: WatchPayload): void => {
    const old = record ? { kind: 'lesson' as const, id: payload.lessonNo, body: record } : null
    const next = grown(old, { kind: 'watch', payload, at: nowMs, opId: String((n += 1)).padStart(6, '0') })
    if (next?.kind === 'lesson') record = next.body
  }
  const flush = (why: Parameters<typeof isDue>[1]): void => {
    if (!isDue(state, why, nowMs)) return
    const { told, rest } = taken(state, nowMs)
    state = rest
    keptMs = nowMs
    for (const each of told) {
      expect(v.parse(OP_PAYLOADS.watch[1], { ...NAMED, ...each })).toEqual({ ...NAMED, ...each })
      fold({ ...NAMED, ...each })
    }
    draft = { ...NAMED, ...pending(state) }
  }
  const tick = (): void => {
    state = played(state, at)
    if (isDue(state, 'played', nowMs)) return flush('played')
    if (nowMs - keptMs < DRAFT_MS) return
    keptMs = nowMs
    draft = { ...NAMED, ...pending(state) }
  }
  const play = (ms: number): void => {
    state = played(state, at)
    for (let left = ms; left > 0 && nowMs < killedAfterMs;) {
      const gap = Math.min(left, ticks[(n += 1) % ticks.length] ?? 250, killedAfterMs - nowMs)
      const to = at + (gap / 1000) * rate
      nowMs += gap
      left -= gap
      for (let s = Math.floor(at); s + 1 <= to; s += 1) if (s + 1 > at) truth.set(s, nowMs)
      at = to
      if (nowMs < killedAfterMs) tick()
    }
  }
  for (const each of steps) {
    if (nowMs >= killedAfterMs) break
    if (each.do === 'play') play(each.ms)
    else if (each.do === 'rate') rate = each.rate
    else if (each.do === 'jump') {
      at = each.to
      state = jumped(state, at)
      flush('jump')
    } else if (each.do === 'stall') state = stopped(state)
    else if (each.do === 'hide') flush('hidden')
    else {
      state = stopped(state)
      flush('pause')
    }
  }
  const killed = nowMs >= killedAfterMs
  if (!killed) {
    state = stopped(state)
    flush('leave')
  } else if (draft) for (const payload of beyond({ ...(draft as WatchPayload), at: nowMs }, record)) fold(payload)
  return { watched: record?.watched ?? [], position: record?.position ?? 0, truth, nowMs, at, killed }
}
const cells = (spans: readonly Span[]): number[] =>
  spans.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i))

test('whatever a student does, what is told is what was played', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), TICKS, (steps, ticks) => {
      const { watched, truth, position, at } = live(steps, ticks, Number.POSITIVE_INFINITY)
      expect(cells(watched)).toEqual([...truth.keys()].sort((a, b) => a - b))
      expect(union(watched)).toEqual(watched)
      expect(position).toBe(Math.floor(at))
    }),
    { numRuns: 300 },
  )
})

test('a page that is killed at any moment loses 5 s at most, and invents nothing', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      TICKS,
      fc.integer({ min: 0, max: 200_000 }),
      (steps, ticks, kill) => {
        const { watched, truth, nowMs } = live(steps, ticks, kill)
        const there = new Set(cells(watched))
        for (const cell of there) expect(truth.has(cell)).toBe(true)
        const lost = [...truth].flatMap(([cell, ms]) => (there.has(cell) ? [] : [nowMs - ms]))
        expect(Math.max(0, ...lost)).toBeLessThanOrEqual(5_000)
      },
    ),
    { numRuns: 300 },
  )
})
