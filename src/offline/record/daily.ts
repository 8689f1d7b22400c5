import { dayOf } from '#src/domain/time/day.ts'
import { type DailyDone, dailyDealt, dailyDone } from '../drafts/practice.ts'
import { readDraft } from '../drafts/kind.ts'
import type { Engine } from '../engine.ts'

/** The setting that brings the day to other devices. */
const SETTING = 'dailyDone'

export const readDailyDone = async (record: Pick<Engine, 'loadDraft'>): Promise<DailyDone> =>
  (await readDraft(record, dailyDone, dailyDone.key())) ?? { day: 0, libraries: [] }

/** What a tab has left open from an earlier day never undoes a later one. */
export async function keepDailyDone(
  record: Pick<Engine, 'loadDraft' | 'things' | 'addAll'>,
  day: number,
  libraryNo: string,
): Promise<void> {
  const [was, settings] = await Promise.all([readDailyDone(record), record.things('setting')])
  const last = Number(settings.get(SETTING)?.value ?? 0)
  if (day < last) return
  const others = was.day === day ? was.libraries.filter((no) => no !== libraryNo) : []
  await record.addAll(day > last ? [{ kind: 'setting', payload: { name: SETTING, value: day } }] : [], {
    key: dailyDone.key(),
    value: { day, libraries: [...others, libraryNo] },
  })
}

/** Returns which questions of a day's 每日一练 wait for their answer, wherever the others were answered; null: none was dealt on this device. */
export async function dailyLeft(
  record: Pick<Engine, 'loadDraft' | 'states'>,
  libraryNo: string,
  day: number,
): Promise<string[] | null> {
  const dealt = await readDraft(record, dailyDealt, dailyDealt.key(libraryNo))
  return dealt?.day === day ? unanswered(record, dealt.nos, day) : null
}

/** Returns those of some questions that were not answered on a day. */
export async function unanswered(
  record: Pick<Engine, 'states'>,
  nos: readonly string[],
  day: number,
): Promise<string[]> {
  const states = await record.states([...nos])
  return nos.filter((no) => dayOf(states.get(no)?.lastAt ?? 0) !== day)
}

/** Tells whether a library's 每日一练 is done. Of a day that another device finished only the day is known. */
export const isDailyDone = (done: DailyDone, lastDay: number, day: number, libraryNo: string): boolean =>
  lastDay === day && (done.day !== day || done.libraries.includes(libraryNo))
