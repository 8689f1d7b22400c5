import type { Dealt } from '#src/domain/study/plan.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { readDraft } from '../drafts/kind.ts'
import { lapsesChosen, reviewsDealt } from '../drafts/practice.ts'
import type { Engine } from '../engine.ts'

/** The reviews that were chosen on a day, and how long they were expected to take, ms; null: an earlier release does not say. */
interface Reviews {
  nos: string[]
  ms: number | null
}

export async function dealtOn(record: Pick<Engine, 'loadDraft'>, today: number): Promise<Reviews> {
  const saved = await readDraft(record, reviewsDealt, reviewsDealt.key())
  return saved?.day === today ? { nos: saved.nos, ms: saved.ms ?? null } : { nos: [], ms: 0 }
}

/** Adds what is dealt to what was dealt on the same day. @param costs how long each is expected to take, ms, by number */
export async function keepDealt(
  record: Pick<Engine, 'loadDraft' | 'saveDraft'>,
  day: number,
  costs: ReadonlyMap<string, number>,
): Promise<void> {
  const { nos, ms } = await dealtOn(record, day)
  const added = [...costs].filter(([no]) => !nos.includes(no))
  const value = {
    day,
    nos: [...nos, ...added.map(([no]) => no)],
    ...(ms !== null && { ms: added.reduce((sum, [, cost]) => sum + cost, ms) }),
  }
  await record.saveDraft({ key: reviewsDealt.key(), value })
}

/** Reads what was dealt today and how much of it is done. @param pace how long one takes, ms, where an earlier release has not said it. */
export async function readDealt(
  record: Pick<Engine, 'loadDraft' | 'states'>,
  today: number,
): Promise<(pace: number) => Dealt> {
  const { nos, ms } = await dealtOn(record, today)
  const states = await record.states(nos)
  const done = [...states.values()].filter(({ lastAt }) => dayOf(lastAt) === today).length
  return (pace) => ({ count: nos.length, done, ms: ms ?? nos.length * pace })
}

/** These were chosen for a day of what was never wrong: the time that each is expected to take, ms, by number. */
export async function lapsesOn(record: Pick<Engine, 'loadDraft'>, today: number): Promise<ReadonlyMap<string, number>> {
  const saved = await readDraft(record, lapsesChosen, lapsesChosen.key())
  return new Map(saved?.day === today ? Object.entries(saved.ms) : [])
}
