import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { count, emptyTally, type Facts, fits, type Unit } from '#src/features/question/selection.ts'
import {
  choiceOf,
  describe as inWords,
  loadSetup,
  ORDINARY,
  resetSetup,
  saveSetup,
  type Setup,
} from '#src/features/question/setup.ts'

const facts = (more: Partial<Facts> = {}): Facts => ({
  type: 'single',
  difficulty: 3,
  year: 2024,
  points: ['p1'],
  lastAt: 0,
  lastWrong: false,
  collected: false,
  ...more,
})
const setup = (more: Partial<Setup> = {}): Setup => ({ ...ORDINARY, ...more })
const tally = (units: Unit[], more: Partial<Setup> = {}) => count(emptyTally(), units, setup(more))

describe('which questions a set-up deals', () => {
  test.each<[string, Partial<Facts>, Partial<Setup>, boolean]>([
    ['never answered is undone', {}, {}, true],
    ['answered is done', { lastAt: 5 }, {}, false],
    ['answered before this round is undone again', { lastAt: 5 }, { since: 6 }, true],
    ['last answered wrongly is 错题', { lastAt: 5, lastWrong: true }, { pick: 'wrong' }, true],
    ['answered rightly since is none', { lastAt: 5 }, { pick: 'wrong' }, false],
    ['全部 deals what was answered before it was chosen', { lastAt: 5 }, { pick: 'all', since: 9 }, true],
    ['全部 deals each once', { lastAt: 10 }, { pick: 'all', since: 9 }, false],
    ['collected, answered or not, is 收藏', { lastAt: 5, collected: true }, { pick: 'collected', since: 9 }, true],
    ['只做收藏 deals each once', { lastAt: 10, collected: true }, { pick: 'collected', since: 9 }, false],
    ['not collected is none of 收藏', {}, { pick: 'collected', since: 9 }, false],
    ['of one of the types', { type: 'multiple' }, { types: ['judge', 'multiple'] }, true],
    ['of no such type', { type: 'essay' }, { types: ['judge', 'multiple'] }, false],
    ['hard enough', { difficulty: 4 }, { minDifficulty: 4 }, true],
    ['too easy', { difficulty: 3 }, { minDifficulty: 4 }, false],
    ['of that year and point', { points: ['p2', 'p1'] }, { years: [2024], points: ['p1'] }, true],
    ['of that year, of another point', {}, { years: [2024], points: ['p9'] }, false],
  ])('%s', (_, own, chosen, wanted) => expect(fits(facts(own), setup(chosen))).toBe(wanted))
})

describe('live counts', () => {
  test('a material counts with all its parts as soon as one of them fits, as it is dealt', () => {
    const unit = [facts({ type: 'single' }), facts({ type: 'essay' })]
    expect(tally([unit], { types: ['essay'] }).total).toBe(2)
    expect(tally([unit], { types: ['blank'] }).total).toBe(0)
  })
  test('beside a value stands how many there are of it with everything else as chosen', () => {
    const units = [
      [facts({ type: 'single', difficulty: 1 })],
      [facts({ type: 'judge', difficulty: 5 })],
      [facts({ type: 'single', difficulty: 5, lastAt: 1, lastWrong: true })],
    ]
    const { total, by } = tally(units, { types: ['judge'], minDifficulty: 2 })
    expect(total).toBe(1)
    expect(Object.fromEntries(by.type)).toEqual({ judge: 1 })
    expect(by.difficulty.get(1)).toBe(1)
    expect(tally(units, { pick: 'all', since: 9 }).by.pick.get('wrong')).toBe(1)
    expect(tally(units).by.pick.get('all')).toBe(3)
  })
  const anyFacts = fc.record({
    type: fc.constantFrom('single', 'judge', 'essay'),
    difficulty: fc.integer({ min: 1, max: 5 }),
    year: fc.constantFrom(0, 2023, 2024),
    points: fc.subarray(['p1', 'p2']),
    lastAt: fc.constantFrom(0, 1, 9),
    lastWrong: fc.boolean(),
    collected: fc.boolean(),
  })
  test('counting in slices comes to what counting at once does, and to what would be dealt', () => {
    const units = fc.array(fc.array(anyFacts, { minLength: 1, maxLength: 3 }), { maxLength: 30 })
    const chosen = fc.record({
      pick: fc.constantFrom('undone', 'wrong', 'collected', 'all'),
      since: fc.constantFrom(0, 5),
      types: fc.subarray(['single', 'essay']),
      minDifficulty: fc.constantFrom(1, 3),
      years: fc.subarray([0, 2024]),
      points: fc.subarray(['p1', 'p2']),
    })
    fc.assert(
      fc.property(units, chosen, fc.nat(30), (units, chosen, cut) => {
        const filter = { ...ORDINARY, ...(chosen as Partial<Setup>) }
        const whole = count(emptyTally(), units, filter)
        const sliced = count(count(emptyTally(), units.slice(0, cut), filter), units.slice(cut), filter)
        expect(sliced).toEqual(whole)
        const dealt = units.filter((unit) => unit.some((each) => fits(each, filter)))
        expect(whole.total).toBe(dealt.reduce((sum, unit) => sum + unit.length, 0))
      }),
    )
  })
})

describe('a set-up is remembered', () => {
  beforeEach(() => localStorage.clear())
  const what = { pick: 'wrong', types: ['essay'], minDifficulty: 3, years: [2024], points: ['p1'] } as const
  const how = { order: 'random', minutes: 10, mode: 'exam' } as const
  test('how to deal for every place, what to deal for the place that it was chosen in', () => {
    saveSetup(setup({ of: 'L_c1', ...how, ...what, types: ['essay'], years: [2024], points: ['p1'] }))
    expect(loadSetup('L_c1')).toMatchObject({ ...how, ...what })
    expect(loadSetup('L_c2')).toEqual({ ...ORDINARY, ...how, of: 'L_c2' })
    saveSetup({ ...loadSetup('L_c2'), pick: 'collected', order: 'reading' })
    expect(loadSetup('L_c1')).toMatchObject({ ...how, ...what, order: 'reading' })
    resetSetup('L_c2')
    expect(loadSetup('L_c1')).toMatchObject({ ...what, mode: 'practice' })
    resetSetup('L_c1')
    expect(localStorage.getItem('jk-setup')).toBe('')
  })
  test('of the newest hundred places', () => {
    for (let i = 1; i <= 101; i++) saveSetup(setup({ of: `c${i}`, pick: 'wrong' }))
    expect(['c1', 'c2', 'c101'].map((no) => loadSetup(no).pick)).toEqual(['undone', 'wrong', 'wrong'])
  })
  test('the ordinary one leaves nothing behind', () => {
    saveSetup(setup({ order: 'random' }))
    saveSetup(setup({ of: 'L_c1' }))
    expect(localStorage.getItem('jk-setup')).toBe('')
    expect(choiceOf(loadSetup('L_c1'))).toBe('')
  })
  test.each(['{', '{"order":7,"years":"x"}', 'null'])('what cannot be read is the ordinary one: %s', (kept) => {
    localStorage.setItem('jk-setup', kept)
    expect(choiceOf(loadSetup('L'))).toBe('')
  })
  test('is told in one line', () => {
    expect(inWords(setup({ order: 'random', types: ['single'], minDifficulty: 3, minutes: 10 }))).toBe(
      '乱序 · 单选题 · 3 星及以上 · 10 分钟',
    )
    expect(inWords(ORDINARY)).toBe('')
  })
})
