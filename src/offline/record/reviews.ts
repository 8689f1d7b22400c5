import { DEALT_MAX } from '#src/contract/study.ts'
import type { Dealt } from '#src/domain/study/plan.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { readDraft } from '../drafts/kind.ts'
import { lapsesChosen, reviewsDealt } from '../drafts/practice.ts'
import type { Engine } from '../engine.ts'

/** The setting that brings the list to other devices. */
const SETTING = 'reviewsDealt'

/** The reviews that were chosen on a day, on whatever device. */
interface Reviews {
  nos: string[]
  /** So many of them, the first, were expected to take so long, ms; other devices and earlier releases do not say. */
  timed: number
  ms: number
}
type ReadRecord = Pick<Engine, 'loadDraft' | 'things'>

export async function dealtOn(record: ReadRecord, today: number): Promise<Reviews> {
  const [own, told] = await Promise.all([dealtHere(record, today), dealtAnywhere(record, today)])
  const elsewhere = told.filter((no) => !own.nos.includes(no))
  return { nos: [...own.nos, ...elsewhere], timed: own.ms === null ? 0 : own.nos.length, ms: own.ms ?? 0 }
}

async function dealtHere(record: ReadRecord, today: number): Promise<{ nos: string[]; ms: number | null }> {
  const saved = await readDraft(record, reviewsDealt, reviewsDealt.key())
  return saved?.day === today ? { nos: saved.nos, ms: saved.ms ?? null } : { nos: [], ms: 0 }
}

async function dealtAnywhere(record: ReadRecord, today: number): Promise<string[]> {
  const [day, ...nos] = String((await record.things('setting')).get(SETTING)?.value ?? '').split(' ')
  return Number(day) === today ? nos : []
}

/** Adds what is dealt to what was dealt on the same day. @param costs how long each is expected to take, ms, by number */
export async function keepDealt(
  record: ReadRecord & Pick<Engine, 'addAll'>,
  day: number,
  costs: ReadonlyMap<string, number>,
): Promise<void> {
  const [{ nos, ms }, told] = await Promise.all([dealtHere(record, day), dealtAnywhere(record, day)])
  const added = [...costs].filter(([no]) => !nos.includes(no))
  const here = [...nos, ...added.map(([no]) => no)]
  const value = {
    day,
    nos: here,
    ...(ms !== null && { ms: added.reduce((sum, [, cost]) => sum + cost, ms) }),
  }
  const all = [...new Set([...told, ...here])].slice(0, DEALT_MAX)
  const telling = { kind: 'setting', payload: { name: SETTING, value: [day, ...all].join(' ') } } as const
  await record.addAll(all.length > told.length ? [telling] : [], { key: reviewsDealt.key(), value })
}

/** Reads what was dealt today and how much of it is done. @param pace how long one takes, ms, where nobody has said it */
export async function readDealt(
  record: ReadRecord & Pick<Engine, 'states'>,
  today: number,
): Promise<(pace: number) => Dealt> {
  const { nos, timed, ms } = await dealtOn(record, today)
  const states = await record.states(nos)
  const done = [...states.values()].filter(({ lastAt }) => dayOf(lastAt) === today).length
  return (pace) => ({ count: nos.length, done, ms: ms + (nos.length - timed) * pace })
}

/** These were chosen for a day of what was never wrong: the time that each is expected to take, ms, by number. */
export async function lapsesOn(record: Pick<Engine, 'loadDraft'>, today: number): Promise<ReadonlyMap<string, number>> {
  const saved = await readDraft(record, lapsesChosen, lapsesChosen.key())
  return new Map(saved?.day === today ? Object.entries(saved.ms) : [])
}
