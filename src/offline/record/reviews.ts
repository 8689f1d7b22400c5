import * as v from 'valibot'
import { dayOf } from '#src/domain/time/day.ts'
import type { Engine } from '../engine.ts'

const KEY = 'reviews'
/** What was dealt for review on a day: the rest of a long pause is for the days after. */
const Reviews = v.object({ day: v.number(), nos: v.array(v.string()) })

export async function dealtOn(record: Pick<Engine, 'loadDraft'>, today: number): Promise<string[]> {
  const saved = v.safeParse(Reviews, await record.loadDraft(KEY).catch(() => null))
  return saved.success && saved.output.day === today ? saved.output.nos : []
}

export const keepDealt = (record: Pick<Engine, 'saveDraft'>, day: number, nos: readonly string[]): Promise<void> =>
  record.saveDraft({ key: KEY, value: { day, nos } })

/** How many of today's reviews are done. */
export async function reviewsDone(record: Pick<Engine, 'loadDraft' | 'states'>, today: number): Promise<number> {
  const states = await record.states(await dealtOn(record, today))
  return [...states.values()].filter(({ lastAt }) => dayOf(lastAt) === today).length
}
