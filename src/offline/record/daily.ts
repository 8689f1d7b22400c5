import { type DailyDone, dailyDone } from '../drafts/practice.ts'
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
