import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Change, DayTotals, StudyState, ThingChange } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { notesOfLesson } from '#src/domain/course/lessonNotes.ts'
import { type Fact, fold, standing } from '#src/domain/study/study.ts'
import { notesIn } from '#src/domain/course/lessonNotes.ts'
import { contributions, plus, type Sums } from '#src/domain/study/sums.ts'
import { addDay, dayOfAnswer } from '#src/domain/study/days.ts'
import { grown, type ThingFact, thingOf } from '#src/domain/record/things.ts'
import { OfflineError } from '#src/api/errors.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import type { Send } from '#src/offline/sync/drain.ts'
import { type Act, openRecord } from '#src/offline/device/rows.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publishWatched, WATCHED } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn, statesIn } from '#tests/support/states.ts'
import { sumsOf } from '#tests/support/sums.ts'

/** One student, two devices, no network, every kind of act; then they meet by way of the real server. */
const RUNS = 30
const KINDS = [
  'answer',
  'retract',
  'book',
  'cause',
  'collect',
  'note',
  'folder',
  'setting',
  'report',
  'watch',
  'lessonNote',
] as const
const THINGS = ['folder', 'setting', 'report', 'lesson', 'lessonNote'] as const
const QUESTIONS = ['L_q1', 'L_q2', 'L_q31']
const HOUR = 3_600_000
/** By how much a device's clock is set wrong before a step, ms; its steady one goes on. */
const CLOCKS = [0, 0, -10 * 365 * 24 * HOUR, -24 * HOUR, 24 * HOUR, 10 * 365 * 24 * HOUR]
const place = (no: string) => placeIn('L', no === 'L_q31' ? 'L_c2' : 'L_c1')

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
  await publishWatched(server)
})
afterAll(() => server.close())

type Step =
  | { device: 0 | 1; sync: true }
  | { device: 0 | 1; kind: (typeof KINDS)[number]; question: number; how: number; hours: number; clock: number }
const device = fc.constantFrom(0 as const, 1 as const)
const doing = (...kinds: (typeof KINDS)[number][]) =>
  fc.record({
    device,
    kind: fc.constantFrom(...kinds),
    question: fc.nat(QUESTIONS.length - 1),
    how: fc.nat(11),
    hours: fc.nat(20),
    clock: fc.constantFrom(...CLOCKS),
  })
const stepsOf = (...kinds: (typeof KINDS)[number][]) =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: doing(...kinds) },
      { weight: 1, arbitrary: fc.record({ device, sync: fc.constant(true as const) }) },
    ),
    {
      minLength: 4,
      maxLength: 30,
    },
  )
const EVERYTHING = stepsOf('answer', 'answer', ...KINDS)
/** A few notes on two lessons, written, changed and deleted on both devices: among acts of every kind they seldom meet. */
const NOTES = stepsOf('lessonNote')

/** What was done, as plain facts. */
interface Done {
  facts: Fact[]
  things: ThingFact[]
}
interface Life extends Done {
  devices: Engine[]
  server: Change[]
}

async function live(given: readonly Step[]): Promise<Life> {
  const who = await server.student()
  const engines: Phone[] = []
  for (let i = 0; i < 2; i++) {
    indexedDB = new IDBFactory()
    engines.push(await openEngine(who))
  }
  const did: Done = { facts: [], things: [] }
  for (const step of given) {
    const engine = engines[step.device]
    if (!engine) continue
    if ('sync' in step) await engine.syncNow()
    else {
      engine.setClock(step.clock)
      await act(engine, step, did)
    }
  }
  // Each has then heard of all that the other did.
  for (const engine of [...engines, ...engines]) await engine.syncNow()
  const input = { device: randomUUID(), owner: who.uid, proto: 1 as const, sentAt: 0, cursor: 0, ops: [] }
  const { changes } = await server.call(contract.study.sync, input, who.token)
  for (const engine of engines) {
    // Nothing is left, and nobody was asked to choose.
    expect(engine.status()).toMatchObject({ waiting: 0, dead: 0 })
  }
  return { ...did, devices: engines, server: changes }
}

/** An engine whose clock can be set. */
type Phone = Engine & { setClock: (ahead: number) => void }
async function openEngine({ uid, token }: { uid: string; token: string }): Promise<Phone> {
  // It has heard the server before the network leaves it.
  let online = true
  let ahead = 0
  const under = new Set<Promise<unknown>>()
  /** A write is sent soon after it was made, by real time: only the network is to say when it may. */
  const send: Send = (input) => {
    if (!online) return Promise.reject(new OfflineError('offline'))
    const call = server.call(contract.study.sync, input, token)
    under.add(call)
    return call.finally(() => under.delete(call))
  }
  const engine = createEngine({
    db: openRecord(),
    owner: `u:${uid}`,
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send,
    now: () => server.clock.now + ahead,
    steady: () => server.clock.now,
    random: () => 0.5,
  })
  engine.start()
  await engine.syncNow()
  online = false
  return {
    ...engine,
    setClock: (ms) => void (ahead = ms),
    syncNow: async () => {
      online = true
      await engine.syncNow()
      await expect.poll(() => engine.status().state).toBe('synced')
      online = false
      // The clock must not be set while a call is on its way: it would seem to have taken hours.
      await Promise.allSettled(under)
      await expect.poll(() => engine.status().state).not.toBe('syncing')
    },
  }
}

/** What a screen would offer on this device; nothing when there is nothing to act on. */
async function act(engine: Engine, step: Exclude<Step, { sync: true }>, did: Done): Promise<void> {
  server.clock.now += 1_000 + step.hours * HOUR
  const at = server.clock.now
  const made = await actOf(engine, step, did)
  if (!made) return
  const opId = await engine.add(made)
  const moment = { opId, at, device: step.device }
  if ('place' in made)
    did.facts.push({
      ...made.payload,
      ...moment,
      kind: made.kind,
      ...('right' in made && { right: made.right }),
    } as Fact)
  else did.things.push({ ...moment, kind: made.kind, payload: made.payload } as ThingFact)
}

async function actOf(
  engine: Engine,
  { kind, question, how, device }: Exclude<Step, { sync: true }>,
  did: Done,
): Promise<Act | null> {
  const questionNo = QUESTIONS[question] ?? ''
  const state = (await engine.states([questionNo])).get(questionNo)
  const over = (held: readonly { opId: string }[] = []) => held.map(({ opId }) => opId)
  const common = { place: place(questionNo) }
  const right = how % 3 !== 0
  switch (kind) {
    case 'answer': {
      const response = { kind: 'choice' as const, ids: [right ? 'B' : 'A'] }
      return {
        kind,
        payload: { questionNo, response, spentMs: 1_000 + how, from: 'library', version: 1 },
        ...common,
        right,
      }
    }
    case 'retract': {
      const mine = did.facts.findLast(
        (fact) => fact.kind === 'answer' && fact.questionNo === questionNo && Reflect.get(fact, 'device') === device,
      )
      if (mine?.kind !== 'answer' || did.facts.some((fact) => fact.kind === 'retract' && fact.target === mine.opId))
        return null
      const undone = { at: mine.at, right: mine.right ?? false, spentMs: mine.spentMs }
      return { kind, payload: { questionNo, target: mine.opId }, ...common, undone }
    }
    case 'book':
      return { kind, payload: { questionNo, in: how % 2 === 0 }, ...common }
    case 'cause':
      return { kind, payload: { questionNo, cause: how % 4 === 0 ? '' : 'guess' }, ...common }
    case 'collect':
      return {
        kind,
        payload: { questionNo, folder: how % 3 === 0 ? null : `f${how % 2}`, over: over(state?.collected) },
        ...common,
      }
    case 'note':
      return {
        kind,
        payload: { questionNo, text: how % 4 === 0 ? '' : `${device}写${how}`, over: over(state?.notes) },
        ...common,
      }
    case 'folder':
      return { kind, payload: { no: `f${how % 2}`, name: how % 5 === 0 ? '' : `夹${how}` } }
    case 'setting':
      return {
        kind,
        payload: { name: (['dayGoal', 'minutesADay', 'noticesSeen'] as const)[how % 3] ?? 'dayGoal', value: 5 + how },
      }
    case 'report':
      return { kind, payload: { questionNo, version: 1, reason: 'stem', text: `第${how}处` } }
    case 'watch':
      return {
        kind,
        payload: { courseNo: 'C', lessonNo: `C_l${how % 2}`, watched: [[how, how + 7]], position: how + 7 },
      }
    case 'lessonNote':
      return {
        kind,
        payload: {
          noteNo: `018f0000-0000-7000-8000-0000000000b${how % 3}`,
          courseNo: 'C',
          lessonNo: `C_l${how % 2}`,
          ofKind: 'audio',
          titles: ['C 课程', '课时'],
          second: how,
          text: how % 4 === 0 ? '' : `${device}写${how}`,
        },
      }
  }
}

const sorted = <T>(list: Iterable<T>): T[] => [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
const statesOn = async (engine: Engine): Promise<StudyState[]> => [...(await engine.states(QUESTIONS)).values()]
const thingsOn = async (engine: Engine): Promise<unknown[]> =>
  sorted(
    (
      await Promise.all(
        THINGS.map(async (kind) => [...(await engine.things(kind))].map(([id, body]) => ({ kind, id, body }))),
      )
    ).flat(),
  )
const ofKind = (changes: readonly Change[], days: boolean) =>
  changes.filter(({ kind }) => (days ? kind === 'day' : kind !== 'day' && kind !== 'state'))

/** A device that told of more than there is has what the server took of it. */
function withinLesson(fact: ThingFact): ThingFact {
  if (fact.kind === 'lessonNote' && fact.payload.text !== '')
    return { ...fact, payload: { ...fact.payload, second: Math.min(fact.payload.second, WATCHED.seconds + 5) } }
  if (fact.kind !== 'watch') return fact
  const end = WATCHED.seconds + 5
  const watched = fact.payload.watched.flatMap(([from, to]): [number, number][] =>
    from < end ? [[from, Math.min(to, end)]] : [],
  )
  return { ...fact, payload: { ...fact.payload, watched, position: Math.min(fact.payload.position, end) } }
}

/** Everything folded at once, as if nobody had ever been offline. */
function plainly({ facts, things }: Done): { states: StudyState[]; things: ThingChange[] } {
  const keyOf = (fact: ThingFact) => Object.values(thingOf(fact)).join(' ')
  const folded = Map.groupBy(things.map(withinLesson), keyOf)
  return {
    states: [...Map.groupBy(facts, (fact) => fact.questionNo)].map(([no, of]) => fold(no, of, place(no))),
    things: [...folded.values()].flatMap((of) => of.reduce<ThingChange | null>(grown, null) ?? []),
  }
}
/** What nobody who had seen it has replaced. */
const unreplaced = (facts: readonly Fact[], kind: 'collect' | 'note', questionNo: string): string[] => {
  const mine = facts.flatMap((fact) => (fact.kind === kind && fact.questionNo === questionNo ? [fact] : []))
  const replaced = new Set(mine.flatMap((fact) => fact.over))
  const says = (fact: (typeof mine)[number]) => (fact.kind === 'note' ? fact.text !== '' : fact.folder !== null)
  return mine.filter((fact) => says(fact) && !replaced.has(fact.opId)).map(({ opId }) => opId)
}

const assertLives = (check: (life: Life) => Promise<void>, steps = EVERYTHING): Promise<void> =>
  fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const life = await live(given)
      try {
        await check(life)
      } finally {
        for (const engine of life.devices) engine.close()
      }
    }),
    { numRuns: RUNS },
  )

describe('a student with two devices that are offline', { timeout: 120_000 }, () => {
  test('finds one record on both, the plain fold of everything they did, with nothing lost and nothing asked', () =>
    assertLives(async (life) => {
      const plain = plainly(life)
      expect(sorted(statesIn(life.server).values())).toEqual(sorted(plain.states))
      expect(sorted(ofKind(life.server, false))).toEqual(sorted(plain.things))
      for (const engine of life.devices) {
        expect(sorted(await statesOn(engine))).toEqual(sorted(plain.states))
        expect(await thingsOn(engine)).toEqual(sorted(plain.things))
      }
    }))

  test('keeps the notes of both and every collection that nobody who had seen it took away', () =>
    assertLives(async ({ devices, facts }) => {
      for (const engine of devices)
        for (const no of QUESTIONS) {
          const state = (await engine.states([no])).get(no)
          expect(sorted(state?.notes?.map(({ opId }) => opId) ?? [])).toEqual(sorted(unreplaced(facts, 'note', no)))
          expect(sorted(state?.collected?.map(({ opId }) => opId) ?? [])).toEqual(
            sorted(unreplaced(facts, 'collect', no)),
          )
        }
    }))

  test('keeps every note on a lesson with the word that was written last on either, and only what was deleted last is gone', () =>
    assertLives(async ({ devices, things }) => {
      // By hand: the plain fold would be wrong in the way the devices' is.
      const last = new Map<string, [at: number, text: string]>()
      for (const { kind, at, payload } of things)
        if (kind === 'lessonNote') last.set(payload.noteNo, [at, payload.text])
      const kept = [...last].flatMap(([noteNo, [at, text]]) => (text === '' ? [] : [{ noteNo, at, text }]))
      for (const engine of devices) {
        const notes = notesIn(await engine.things('lessonNote'))
        expect(sorted(notes.map(({ noteNo, at, text }) => ({ noteNo, at, text })))).toEqual(sorted(kept))
      }
    }, NOTES))

  test('reads the same statistics on both as the server has: sums of every chapter, and days', () =>
    assertLives(async ({ devices, facts, server: changes }) => {
      const sums = new Map<string, Sums>()
      for (const state of statesIn(changes).values())
        sums.set(state.chapterNo ?? '', plus(sums.get(state.chapterNo ?? '') ?? {}, contributions(state)))
      const days = new Map<string, DayTotals>()
      for (const fact of standing(facts))
        if (fact.kind === 'answer')
          days.set(String(dayOf(fact.at)), addDay(days.get(String(dayOf(fact.at))), dayOfAnswer(fact)))
      // A day whose only answer was taken back is told as empty.
      const filled = (all: Iterable<[string, DayTotals]>) => sorted([...all].filter(([, { answered }]) => answered > 0))
      const told = ofKind(changes, true).flatMap((each) =>
        each.kind === 'day' ? [[each.id, each.body] as [string, DayTotals]] : [],
      )
      expect(filled(told)).toEqual(filled(days))
      for (const engine of devices) {
        expect(filled(await engine.things('day'))).toEqual(filled(days))
        expect(await sumsOf(engine.allCounters)).toEqual(sums)
      }
    }))
})

describe('notes on a lesson, written on two phones without a network', () => {
  const ONE = '018f0000-0000-7000-8000-0000000000c1'
  const TWO = '018f0000-0000-7000-8000-0000000000c2'
  const LATER = '018f0000-0000-7000-8000-0000000000c3'
  let phones: [Phone, Phone]
  beforeEach(async () => {
    const who = await server.student()
    const open = () => {
      indexedDB = new IDBFactory()
      return openEngine(who)
    }
    phones = [await open(), await open()]
  })
  afterEach(() => phones.forEach((phone) => phone.close()))
  const write = (phone: Phone, noteNo: string, second: number, text: string) => {
    server.clock.now += 60_000
    const lesson = { courseNo: 'C', lessonNo: 'C_l1', ofKind: 'audio' as const }
    return phone.add({
      kind: 'lessonNote',
      payload: { ...lesson, noteNo, titles: ['C 课程', '课时'], second, text },
    })
  }
  /** Each hears of all that the other did, the first one first or last. */
  async function meet(order: readonly Phone[]): Promise<void> {
    for (const phone of [...order, ...order]) await phone.syncNow()
  }
  const read = () =>
    Promise.all(
      phones.map(async (phone) =>
        notesOfLesson(await phone.things('lessonNote'), 'C_l1').map(({ second, text }) => [second, text]),
      ),
    )

  test('at the same second and at another all stay, in the order of the lesson', async () => {
    const [mine, tablet] = phones
    // A year behind: what it writes is no older for that.
    mine.setClock(-365 * 24 * HOUR)
    await write(mine, ONE, 3, '手机：同一刻')
    await write(tablet, TWO, 3, '平板：同一刻')
    await write(tablet, LATER, 1, '平板：另一刻')
    await meet([mine, tablet])
    const all = [
      [1, '平板：另一刻'],
      [3, '手机：同一刻'],
      [3, '平板：同一刻'],
    ]
    expect(await read()).toEqual([all, all])
  })

  test.each([
    ['first', false],
    ['last', true],
  ])('the same one keeps its later text on both, when that arrives %s', async (_, late) => {
    const [mine, tablet] = phones
    await write(mine, ONE, 3, '初稿')
    await meet([mine, tablet])
    await write(mine, ONE, 3, '手机先改')
    await write(tablet, ONE, 3, '平板后改')
    await write(mine, TWO, 4, '手机另记')
    await meet(late ? [mine, tablet] : [tablet, mine])
    const all = [
      [3, '平板后改'],
      [4, '手机另记'],
    ]
    expect(await read()).toEqual([all, all])
  })

  test('one that was deleted stays so, though an older word of it arrives late, and comes back with a later one', async () => {
    const [mine, tablet] = phones
    await write(mine, ONE, 3, '初稿')
    await write(mine, TWO, 4, '留着')
    await meet([mine, tablet])
    await write(tablet, ONE, 3, '平板先改')
    await write(mine, ONE, 3, '')
    await meet([mine, tablet])
    expect(await read()).toEqual([[[4, '留着']], [[4, '留着']]])
    await write(mine, TWO, 4, '')
    await write(tablet, TWO, 4, '平板后改')
    await meet([tablet, mine])
    expect(await read()).toEqual([[[4, '平板后改']], [[4, '平板后改']]])
  })
})
