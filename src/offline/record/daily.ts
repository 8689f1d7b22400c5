import * as v from 'valibot'
import type { Engine } from '../engine.ts'

const KEY = 'dailyDone'
/** Libraries whose 每日一练 was finished on this device, on the last day that any was. */
const DailyDone = v.object({ day: v.number(), libraries: v.array(v.string()) })
type DailyDone = v.InferOutput<typeof DailyDone>

export async function readDailyDone(record: Pick<Engine, 'loadDraft'>): Promise<DailyDone> {
  const saved = v.safeParse(DailyDone, await record.loadDraft(KEY).catch(() => null))
  return saved.success ? saved.output : { day: 0, libraries: [] }
}

/** What a tab has left open from an earlier day never undoes a later one. */
export async function keepDailyDone(
  record: Pick<Engine, 'loadDraft' | 'things' | 'addAll'>,
  day: number,
  libraryNo: string,
): Promise<void> {
  const [was, settings] = await Promise.all([readDailyDone(record), record.things('setting')])
  const last = Number(settings.get(KEY)?.value ?? 0)
  if (day < last) return
  const others = was.day === day ? was.libraries.filter((no) => no !== libraryNo) : []
  await record.addAll(day > last ? [{ kind: 'setting', payload: { name: KEY, value: day } }] : [], {
    key: KEY,
    value: { day, libraries: [...others, libraryNo] },
  })
}
