import { DEVICE_KEYS } from '#src/device/keys.ts'
import { v7 as uuidv7 } from 'uuid'
import { call } from '#src/api/client.ts'
import { news } from '#src/contract/news.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** Today's readings that were told, and the number that a visitor has for today: tomorrow's is another, so nobody is followed. */
interface Today {
  day: number
  visitor: string
  ids: string[]
}
const underWay = new Set<string>()

/** Tells that an article was opened, once a day. Nobody waits for it; what cannot be told is forgotten. */
export async function tellSeen(id: string, now: number = Date.now()): Promise<void> {
  const today = readToday(dayOf(now))
  if (!navigator.onLine || today.ids.includes(id) || underWay.has(id)) return
  underWay.add(id)
  try {
    await call(news.seen, { id, visitor: today.visitor })
    const { ids } = readToday(today.day)
    deviceMemory.set(DEVICE_KEYS.newsSeen, JSON.stringify({ ...today, ids: [...ids, id] }))
  } catch {
    // The next reader counts.
  } finally {
    underWay.delete(id)
  }
}

function readToday(day: number): Today {
  try {
    const kept: Today | null = JSON.parse(deviceMemory.get(DEVICE_KEYS.newsSeen) ?? 'null')
    if (kept?.day === day) return kept
  } catch {
    // What another version wrote.
  }
  const today = { day, visitor: uuidv7(), ids: [] }
  deviceMemory.set(DEVICE_KEYS.newsSeen, JSON.stringify(today))
  return today
}
