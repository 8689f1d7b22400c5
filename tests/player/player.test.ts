import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { PlainQuestion, Question } from '#src/contract/question.ts'
import { emptyResponse } from '#src/domain/question/marking.ts'
import {
  isFinished,
  type Item,
  lookOf,
  next,
  openPart,
  type PlayerEvent,
  type PlayerState,
  partState,
  resultOf,
  resumed,
  start,
  summary,
  verdict,
} from '#src/player/playerState.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { restore, restoreOn, snapshot } from '#src/player/snapshot.ts'
import { blank, composite, essay, indefinite, items, judge, multiple, order, single } from '#tests/support/questions.ts'

const play = (state: PlayerState, ...events: PlayerEvent[]): PlayerState => events.reduce(next, state)
const at = (...questions: Question[]): PlayerState => start(items(questions))
const choose = (part: PlainQuestion, id: string): PlayerEvent => ({ type: 'choose', part, id })
const marked = (part: PlainQuestion, right: boolean): PlayerEvent => ({ type: 'marked', part, right })

describe('a batch that was left', () => {
  const [first, second] = [single('S1'), single('S2')]
  const left = (...events: PlayerEvent[]) => resumed(play(at(first, second), { type: 'go', at: 1 }, ...events)).at
  test('on its marked last question goes on at the first one that waits', () => {
    expect(left(marked(second, true))).toBe(0)
  })
  test('on a question that waits, or with nothing left, stays there', () => {
    expect(left()).toBe(1)
    expect(left(marked(first, true), marked(second, false))).toBe(1)
  })
  test('on any other marked question goes on at the next one that waits', () => {
    const three = at(first, second, single('S3'))
    const back = (...events: PlayerEvent[]) => resumed(play(three, ...events)).at
    expect(back(marked(first, false))).toBe(1)
    expect(back(marked(first, false), marked(second, true))).toBe(2)
  })
  test('and is an exam stays where it was', () => {
    const exam = { ...at(first, second), mode: 'review' as const }
    expect(resumed(play(exam, marked(first, true))).at).toBe(0)
  })
})

describe('answering', () => {
  test('a single choice and a judgement are replaced by the next tap, never unchosen', () => {
    for (const part of [single(), judge()]) {
      const once = play(at(part), choose(part, 'A'), choose(part, 'B'))
      expect(partState(once, part).response).toEqual({ kind: 'choice', ids: ['B'] })
      expect(next(once, choose(part, 'B'))).toBe(once)
    }
  })
  test('a multiple and an indefinite choice are toggled, and kept in order', () => {
    for (const part of [multiple(), indefinite()]) {
      const chosen = play(at(part), choose(part, 'C'), choose(part, 'A'), choose(part, 'B'), choose(part, 'C'))
      expect(partState(chosen, part).response).toEqual({ kind: 'choice', ids: ['A', 'B'] })
    }
  })
  test('each blank is filled in its own place', () => {
    const part = blank()
    const filled = play(at(part), { type: 'fill', part, index: 1, text: '南昌' })
    expect(partState(filled, part).response).toEqual({ kind: 'blank', texts: ['', '南昌'] })
  })
  test('options are put in an order of all of them, and none but theirs', () => {
    const part = order()
    const moved = play(at(part), { type: 'order', part, ids: ['C', 'A', 'B'] })
    expect(partState(moved, part).response).toEqual({ kind: 'order', ids: ['C', 'A', 'B'] })
    for (const ids of [
      ['C', 'A'],
      ['C', 'A', 'Z'],
      ['C', 'A', 'A'],
    ])
      expect(next(moved, { type: 'order', part, ids })).toBe(moved)
    const done = play(moved, marked(part, true))
    expect(next(done, { type: 'order', part, ids: ['A', 'B', 'C'] })).toBe(done)
  })
  test('an order that was begun goes on, unless an option has come or gone', () => {
    const part = order()
    const saved = snapshot(play(at(part), { type: 'order', part, ids: ['C', 'A', 'B'] }))
    expect(partState(restore(saved, [part]), part).response).toEqual({ kind: 'order', ids: ['C', 'A', 'B'] })
    const longer = { ...part, options: [...part.options, { id: 'D', html: '撤出' }], key: ['C', 'A', 'B', 'D'] }
    expect(partState(restore(saved, [longer]), longer).response).toEqual({ kind: 'order', ids: [] })
  })
  test('an essay can be ticked only after its reference was opened', () => {
    const part = essay()
    const written = play(at(part), { type: 'write', part, text: '我的答案' })
    expect(next(written, { type: 'tick', part, index: 0 })).toBe(written)
    const ticked = play(
      written,
      { type: 'open', part },
      { type: 'tick', part, index: 0 },
      { type: 'tick', part, index: 1 },
      { type: 'tick', part, index: 0 },
    )
    expect(partState(ticked, part)).toMatchObject({
      opened: true,
      response: { kind: 'essay', text: '我的答案', ticked: [1] },
    })
  })
  test('the verdict is the marking rule on the answer as it stands', () => {
    const part = multiple('M1', ['A', 'C'])
    expect(verdict(play(at(part), choose(part, 'A')), part)).toBe(false)
    expect(verdict(play(at(part), choose(part, 'A'), choose(part, 'C')), part)).toBe(true)
  })
  test('a marked answer cannot be changed, nor marked the other way', () => {
    const part = single()
    const done = play(at(part), choose(part, 'A'), marked(part, false))
    for (const event of [choose(part, 'B'), marked(part, true), { type: 'spent', ms: 5, shownMs: 5 } as const])
      expect(next(done, event)).toBe(done)
  })
})

describe('what makes no sense now changes nothing', () => {
  const [s, b, e] = [single(), blank(), essay()]
  const state = at(s, b, e)
  const stranger = single('not_in_this_batch')
  const nonsense: [string, PlayerEvent][] = [
    ['an option that is not offered', choose(s, 'H')],
    ['an option of a blank', choose(b, 'A')],
    ['a text for a choice', { type: 'fill', part: s, index: 0, text: 'x' }],
    ['a blank that is not there', { type: 'fill', part: b, index: 2, text: 'x' }],
    ['a blank before the first', { type: 'fill', part: b, index: -1, text: 'x' }],
    ['the text that is there already', { type: 'fill', part: b, index: 0, text: '' }],
    ['an essay text for a blank', { type: 'write', part: b, text: 'x' }],
    ['opening a reference that a choice does not have', { type: 'open', part: s }],
    ['a tick before the reference is open', { type: 'tick', part: e, index: 0 }],
    ['another batch’s question', choose(stranger, 'A')],
    ['marking another batch’s question', marked(stranger, true)],
    ['going before the first', { type: 'go', at: -1 }],
    ['going behind the last', { type: 'go', at: 3 }],
    ['going between two questions', { type: 'go', at: 0.5 }],
    ['going nowhere', { type: 'go', at: Number.NaN }],
    ['going where one is', { type: 'go', at: 0 }],
    ['the mode that is on', { type: 'mode', mode: 'practice' }],
    ['no time', { type: 'spent', ms: 0, shownMs: 0 }],
    ['less than a millisecond', { type: 'spent', ms: 0.3, shownMs: 0.3 }],
    ['time that runs backwards', { type: 'spent', ms: -1000, shownMs: -1000 }],
  ]
  test.each(nonsense)('%s', (_, event) => expect(next(state, event)).toBe(state))
  test('a scoring point that is not there', () => {
    const open = play(at(e), { type: 'open', part: e })
    expect(next(open, { type: 'tick', part: e, index: 2 })).toBe(open)
    expect(next(open, { type: 'open', part: e })).toBe(open)
    const whole = essay('E2', [])
    const openWhole = play(at(whole), { type: 'open', part: whole })
    expect(next(openWhole, { type: 'tick', part: whole, index: 1 })).toBe(openWhole)
    expect(verdict(next(openWhole, { type: 'tick', part: whole, index: 0 }), whole)).toBe(true)
  })
})

describe('recite mode', () => {
  test('records neither answers nor time, and keeps what was answered before', () => {
    const [s, b, e] = [single(), blank(), essay()]
    const state = play(at(s, b, e), choose(s, 'A'), { type: 'mode', mode: 'recite' })
    const events: PlayerEvent[] = [
      choose(s, 'B'),
      { type: 'fill', part: b, index: 0, text: 'x' },
      { type: 'write', part: e, text: 'x' },
      { type: 'open', part: e },
      { type: 'spent', ms: 1000, shownMs: 1000 },
    ]
    for (const event of events) expect(next(state, event)).toBe(state)
    expect(partState(state, s).response).toEqual({ kind: 'choice', ids: ['A'] })
  })
  test('an answer that was on its way to the disk when recite began is still marked', () => {
    const part = single()
    const state = play(at(part), choose(part, 'B'), { type: 'mode', mode: 'recite' }, marked(part, true))
    expect(partState(state, part).right).toBe(true)
  })
})

describe('time', () => {
  test('goes to the question on the screen until it is marked, in whole ms, at most ten minutes', () => {
    const [first, second] = [single('C1_1'), judge('C1_2')]
    const state = play(
      at(composite('C1', [first, second])),
      { type: 'spent', ms: 1000.4, shownMs: 1000.4 },
      marked(first, true),
      { type: 'spent', ms: 500, shownMs: 500 },
      { type: 'go', at: 1 },
      { type: 'spent', ms: 2000, shownMs: 2000 },
      { type: 'spent', ms: 60 * 60_000, shownMs: 60 * 60_000 },
    )
    expect(partState(state, first).spentMs).toBe(1000)
    expect(partState(state, second).spentMs).toBe(600_000)
    expect(openPart(state)).toBe(second)
  })
})

describe('how a question stands', () => {
  const essayOf = (ticked: number[]): PlayerEvent[] => [
    { type: 'open', part: essay() },
    ...ticked.map((index): PlayerEvent => ({ type: 'tick', part: essay(), index })),
  ]
  const fill = (index: number, text: string): PlayerEvent => ({ type: 'fill', part: blank(), index, text })
  const looks: [string, PlainQuestion, PlayerEvent[], string, string][] = [
    ['a right choice', single(), [choose(single(), 'B')], 'started', 'right'],
    ['a wrong choice', single(), [choose(single(), 'A')], 'started', 'wrong'],
    ['one of two right options', multiple(), [choose(multiple(), 'A')], 'started', 'partial'],
    ['a right and a wrong option', multiple(), [choose(multiple(), 'A'), choose(multiple(), 'B')], 'started', 'wrong'],
    ['one of two blanks', blank(), [fill(0, '1927')], 'started', 'partial'],
    ['no blank right', blank(), [fill(0, '1921')], 'started', 'wrong'],
    ['an essay with one of two points', essay(), essayOf([1]), 'started', 'partial'],
    ['an essay with all points', essay(), essayOf([0, 1]), 'started', 'right'],
    ['an essay without a point', essay(), essayOf([]), 'started', 'wrong'],
    ['what was not touched', single(), [], 'untouched', 'wrong'],
  ]
  test.each(looks)('%s', (_, part, events, before, after) => {
    const state = play(at(part), ...events)
    const look = (now: PlayerState) => items([part]).map((each) => lookOf(now, each))
    expect(look(state)).toEqual([before])
    expect(look(next(state, marked(part, verdict(state, part))))).toEqual([after])
  })
  test('the sub-questions of a material stand each for itself', () => {
    const parts = [single('C1_1'), judge('C1_2'), blank('C1_3')] as const
    const state = play(at(composite('C1', [...parts])), marked(parts[0], true), marked(parts[1], false))
    expect(state.items.map((each) => lookOf(state, each))).toEqual(['right', 'wrong', 'untouched'])
    expect(isFinished(state)).toBe(false)
    expect(isFinished(next(state, marked(parts[2], true)))).toBe(true)
  })
})

describe('resuming', () => {
  const [s, m, b] = [single(), multiple(), blank()]
  const questions = (...list: Question[]) => list
  const left = play(
    at(s, m, b),
    choose(s, 'A'),
    marked(s, false),
    { type: 'go', at: 1 },
    choose(m, 'C'),
    { type: 'go', at: 2 },
    { type: 'fill', part: b, index: 0, text: '1927' },
  )
  test('goes on at the same question with the same choices', () => {
    expect(restore(snapshot(left), questions(s, m, b))).toEqual(left)
  })
  test('a question before the place is gone: the place stays at the same question', () => {
    const state = restore(snapshot(left), questions(m, b))
    expect(state.items.map(({ part }) => part.no)).toEqual(['M1', 'B1'])
    expect(state.at).toBe(1)
    expect(Object.keys(state.parts)).toEqual(['M1', 'B1'])
  })
  test('the question at the place is gone: starts at the first one that is left', () => {
    expect(restore(snapshot(left), questions(s, m))).toMatchObject({ at: 0, items: { length: 2 } })
  })
  test('all questions are gone: an empty batch', () => {
    expect(restore(snapshot(left), [])).toMatchObject({ at: 0, items: [], parts: {} })
  })
  test('a question that became another kind starts anew', () => {
    const state = restore(snapshot(left), questions(s, m, { ...single('B1') }))
    expect(state.parts).not.toHaveProperty('B1')
    expect(partState(state, single('B1')).response).toEqual({ kind: 'choice', ids: [] })
  })
  test('an open answer that the changed question can no longer be given starts anew; a marked one stands', () => {
    const threeBlanks = blank('B1', [['1927'], ['南昌'], ['八一']])
    const without = { ...multiple(), options: multiple().options.filter(({ id }) => id !== 'C') }
    const state = restore(snapshot(left), questions({ ...s, options: s.options.slice(1) }, without, threeBlanks))
    expect(partState(state, threeBlanks).response).toEqual({ kind: 'blank', texts: ['', '', ''] })
    expect(partState(state, without).response).toEqual({ kind: 'choice', ids: [] })
    expect(partState(state, s)).toMatchObject({ right: false, response: { ids: ['A'] } })
  })
  test('a place beyond the batch is the first question', () => {
    expect(restore({ ...snapshot(left), at: 99 }, questions(s, m, b)).at).toBe(0)
  })
  describe('within a material', () => {
    const parts = [single('C1_1'), multiple('C1_2'), blank('C1_3')] as const
    const material = composite('C1', [...parts])
    const within = play(at(s, material, b), { type: 'go', at: 2 }, choose(parts[1], 'C'))
    test('goes on at the same sub-question with its half-made answer', () => {
      const state = restore(snapshot(within), questions(s, material, b))
      expect(state).toEqual(within)
      expect(state.items[state.at]?.part.no).toBe('C1_2')
    })
    test('a sub-question that is gone leaves the others where they were', () => {
      const less = composite('C1', [parts[1], parts[2]])
      const state = restore(snapshot(within), questions(s, less, b))
      expect(state.items.map(({ part }) => part.no)).toEqual(['S1', 'C1_2', 'C1_3', 'B1'])
      expect(state.items[state.at]?.part.no).toBe('C1_2')
    })
    test('an earlier version kept the material’s number: all its sub-questions are there, with their answers', () => {
      const place = { chapterNo: 'L_c1', libraryNo: 'L', block: 0 }
      const earlier = { ...snapshot(within), at: 1, items: ['S1', 'C1', 'B1'].map((no) => ({ no, ...place })) }
      const state = restore(earlier, questions(s, material, b))
      expect(state).toEqual({ ...within, at: 1 })
    })
  })
  test('what is not a snapshot of this version is refused', () => {
    for (const bad of [{ ...snapshot(left), v: 2 }, { ...snapshot(left), at: -1 }, null, {}])
      expect(v.is(Snapshot, bad)).toBe(false)
  })
})

/** Any batch of at most six questions, and any events on it, sensible or not. */
const plain = (no: string): fc.Arbitrary<PlainQuestion> =>
  fc
    .constantFrom<(no: string) => PlainQuestion>(single, multiple, indefinite, judge, blank, essay)
    .map((make) => make(no))
const anyQuestion = (no: string): fc.Arbitrary<Question> =>
  fc.oneof(
    { weight: 3, arbitrary: plain(no) },
    {
      weight: 1,
      arbitrary: fc.tuple(plain(`${no}_1`), plain(`${no}_2`), plain(`${no}_3`)).map((parts) => composite(no, parts)),
    },
  )
const anyItems: fc.Arbitrary<Item[]> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => anyQuestion(`Q${i}`))))
  .map(items)
const anyEvent = (batch: readonly Item[]): fc.Arbitrary<PlayerEvent> => {
  const part = fc.constantFrom(...batch.map((each) => each.part), single('stranger'))
  const index = fc.integer({ min: -1, max: 3 })
  return fc.oneof(
    fc.record({ type: fc.constant('choose' as const), part, id: fc.constantFrom('A', 'B', 'C', 'D', 'Z') }),
    fc.record({ type: fc.constant('fill' as const), part, index, text: fc.string({ maxLength: 5 }) }),
    fc.record({ type: fc.constant('write' as const), part, text: fc.string({ maxLength: 5 }) }),
    fc.record({ type: fc.constant('open' as const), part }),
    fc.record({ type: fc.constant('tick' as const), part, index }),
    fc.record({ type: fc.constant('marked' as const), part, right: fc.boolean() }),
    fc.double({ min: -10, max: 1e7, noNaN: true }).map((ms) => ({ type: 'spent' as const, ms, shownMs: ms })),
    fc.record({ type: fc.constant('go' as const), at: fc.integer({ min: -1, max: 7 }) }),
    fc.record({ type: fc.constant('mode' as const), mode: fc.constantFrom('practice' as const, 'recite' as const) }),
  )
}
const anyRun = anyItems.chain((batch) =>
  fc.record({ batch: fc.constant(batch), events: fc.array(anyEvent(batch), { maxLength: 60 }) }),
)
const allParts = (state: PlayerState) => state.items.map(({ part }) => part)
/** The whole questions of a batch. */
const homes = (batch: readonly Item[]): Question[] => [...new Set(batch.map(({ part, material }) => material ?? part))]

describe('whatever a student does', () => {
  test('a marked part never changes again', () =>
    fc.assert(
      fc.property(anyRun, ({ batch, events }) => {
        let state = start(batch)
        for (const event of events) {
          const before = state
          state = next(state, event)
          for (const [no, part] of Object.entries(before.parts).filter(([, { right }]) => right !== null))
            expect(state.parts[no]).toBe(part)
        }
      }),
    ))
  test('an event that changes nothing gives the same state back', () =>
    fc.assert(
      fc.property(anyRun, ({ batch, events }) => {
        let state = start(batch)
        for (const event of events) {
          const after = next(state, event)
          const differs = JSON.stringify(after) !== JSON.stringify(state)
          expect(after !== state).toBe(differs)
          state = after
        }
      }),
    ))
  test('nothing is recorded while reciting: only a mark that was under way may still arrive', () =>
    fc.assert(
      fc.property(anyRun, ({ batch, events }) => {
        let state = start(batch, 'recite')
        for (const event of events.filter(({ type }) => type !== 'mode' && type !== 'marked'))
          state = next(state, event)
        expect(state.parts).toEqual({})
      }),
    ))
  test('the place is always a question, and every part has a response of its own kind', () =>
    fc.assert(
      fc.property(anyRun, ({ batch, events }) => {
        const state = play(start(batch), ...events)
        expect(state.items[state.at]).toBeDefined()
        const known = new Map(allParts(state).map((part) => [part.no, part]))
        for (const [no, { response, spentMs }] of Object.entries(state.parts)) {
          const part = known.get(no)
          expect(part && emptyResponse(part).kind).toBe(response.kind)
          expect(Number.isInteger(spentMs) && spentMs >= 0 && spentMs <= 600_000).toBe(true)
        }
      }),
    ))
  test('snapshot, JSON and restore give the same state while the questions are the same', () =>
    fc.assert(
      fc.property(anyRun, ({ batch, events }) => {
        const state = play(start(batch), ...events)
        const saved = v.parse(Snapshot, JSON.parse(JSON.stringify(snapshot(state))))
        // Reciting is not resumed.
        const back = restore(saved, homes(batch))
        expect(back).toEqual({ ...state, mode: 'practice' })
      }),
    ))
  test('with questions gone, restore keeps the rest as it was, in order, at a place that exists', () =>
    fc.assert(
      fc.property(anyRun, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), ({ batch, events }, keep) => {
        const state = play(start(batch), ...events)
        const kept = homes(batch).filter((_, i) => keep[i])
        const left = items(kept)
        const back = restore(snapshot(state), kept)
        expect(back.items).toEqual(left)
        expect(back.at === 0 || back.items[back.at] !== undefined).toBe(true)
        const current = state.items[state.at]
        expect(back.items[back.at]).toEqual(left.find(({ part }) => part.no === current?.part.no) ?? left[0])
        for (const part of allParts(back)) expect(back.parts[part.no]).toEqual(state.parts[part.no])
        expect(Object.keys(back.parts).every((no) => allParts(back).some((part) => part.no === no))).toBe(true)
      }),
    ))
  test('the summary adds up: right, wrong and time over all parts', () =>
    fc.assert(
      fc.property(anyRun, ({ batch, events }) => {
        const state = play(start(batch), ...events)
        const states = allParts(state).map((part) => partState(state, part))
        const { untouched, started, right, partial, wrong, total, spentMs } = summary(state)
        expect(total).toBe(states.length)
        expect(right).toBe(states.filter((part) => part.right === true).length)
        expect(partial + wrong).toBe(states.filter((part) => part.right === false).length)
        expect(untouched + started).toBe(states.filter((part) => part.right === null).length)
        expect(spentMs).toBe(states.reduce((sum, part) => sum + part.spentMs, 0))
        expect(isFinished(state)).toBe(right + partial + wrong === total)
      }),
    ))
})

describe('an exam', () => {
  const exam = (...questions: Question[]): PlayerState => start(items(questions), 'exam')
  const handIn = (strict = false): PlayerEvent => ({ type: 'hand-in', strict, opIds: {} })

  test('reveals nothing and lets every answer change until it is handed in', () => {
    const [one, long] = [single(), essay()]
    const opened = play(
      exam(one, long),
      choose(one, 'A'),
      { type: 'open', part: long },
      { type: 'tick', part: long, index: 0 },
    )
    expect(partState(opened, long)).toMatchObject({ opened: false, response: { ticked: [] } })
    expect(partState(play(opened, choose(one, 'B')), one)).toMatchObject({ right: null, response: { ids: ['B'] } })
    for (const mode of ['practice', 'recite'] as const) expect(next(opened, { type: 'mode', mode })).toBe(opened)
  })
  test('knows by its id what was recorded, unless another answer was given before that was on disk', () => {
    const part = single()
    const kept = (id: string): PlayerEvent => {
      return { type: 'kept', part, response: { kind: 'choice', ids: [id] }, opId: `of ${id}` }
    }
    const other = play(exam(part), choose(part, 'A'), choose(part, 'B'), kept('A'))
    expect(partState(other, part)).toMatchObject({ response: { ids: ['B'] } })
    expect(partState(other, part).opId).toBeUndefined()
    expect(partState(next(other, kept('B')), part).opId).toBe('of B')
    expect(partState(play(other, choose(part, 'A'), kept('A')), part).opId).toBe('of A')
  })
  test('keeps a doubt until it is taken back, and only in an exam', () => {
    const flag: PlayerEvent = { type: 'flag', part: single() }
    const once = play(exam(single()), flag)
    expect(partState(once, single()).flagged).toBe(true)
    expect(partState(next(once, flag), single()).flagged).toBe(false)
    expect(next(at(single()), flag)).toEqual(at(single()))
  })
  test('handed in is marked at once, blank ones too; an essay is opened for the student to mark', () => {
    const [one, blankOne, long] = [single('S1'), single('S2'), essay()]
    const done = play(exam(one, blankOne, long), choose(one, 'B'), { type: 'write', part: long, text: '略' }, handIn())
    expect(done.mode).toBe('review')
    expect([one, blankOne, long].map((part) => partState(done, part).right)).toEqual([true, false, null])
    expect(play(done, choose(one, 'A'), { type: 'write', part: long, text: '改' }, handIn())).toEqual(done)
    const ticked = play(done, { type: 'tick', part: long, index: 1 })
    expect(partState(ticked, long).response).toEqual({ kind: 'essay', text: '略', ticked: [1] })
    // 即时反馈 ends like this, too.
    expect(next(at(one), handIn())).toMatchObject({ mode: 'review', parts: { S1: { right: false } } })
  })
  test('an essay left blank is worth nothing, with nothing left to mark', () => {
    const [long, blankOne] = [essay('E1'), essay('E2')]
    const done = play(exam(long, blankOne), { type: 'write', part: long, text: '略' }, handIn())
    expect([long, blankOne].map((part) => partState(done, part).right)).toEqual([null, false])
    expect(next(done, { type: 'tick', part: blankOne, index: 0 })).toBe(done)
    const marked = play(done, { type: 'tick', part: long, index: 0 }, { type: 'marked', part: long, right: false })
    expect(partState(next({ ...marked, mode: 'exam' }, handIn()), long)).toEqual(partState(marked, long))
  })
  test.each([
    [true, 'wrong'],
    [false, 'partial'],
  ])('shows a partly right choice as its paper counts it: strict %s, %s', (strict, look) => {
    const part = multiple('M1', ['A', 'C'])
    expect(resultOf(part, partState(play(exam(part), choose(part, 'A'), handIn(strict)), part))).toBe(look)
  })
  test('comes back as an exam, and as what was handed in, over the paper’s own questions', () => {
    const questions = [single('S1'), composite('C', [judge('C1'), essay('C2')])]
    const left = play(
      exam(...questions),
      choose(judge('C1'), 'A'),
      { type: 'flag', part: judge('C1') },
      { type: 'go', at: 2 },
    )
    for (const state of [left, next(left, handIn(true))]) {
      const saved = v.parse(Snapshot, JSON.parse(JSON.stringify(snapshot(state))))
      expect(restoreOn(saved, state.items)).toEqual(state)
      expect(restoreOn(saved, items(questions.slice(1))).at).toBe(state.at === 2 ? 1 : 0)
    }
  })
})
