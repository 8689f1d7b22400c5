import { createListeners } from '../listeners.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { SEEN } from './names.ts'

/** In localStorage: by how much the server's clock is ahead of this device's, ms. */
const SKEW = 'jk-skew'
/** Two clocks that are so close are one. */
const NEAR_MS = 60_000
const changes = createListeners()

/** 0 until the server has been heard. */
export const skewMs = (): number => Number(deviceMemory.get(SKEW)) || 0

/**
 * Now by the server's clock, as it was heard last, epoch ms: the day that an answer given now counts for. A phone may be a day
 * off; what is sent stays in the device's own time, from which the server reads ages alone.
 */
export const serverNow = (): number => Date.now() + skewMs()

/** The server has said just now what time it is. */
export function heardServer(now: number): void {
  const ahead = now - Date.now()
  const skew = Math.abs(ahead) < NEAR_MS ? 0 : ahead
  keep(SEEN, now)
  if (Math.abs(skew - skewMs()) < NEAR_MS) return
  keep(SKEW, skew)
  changes.tell()
}
const keep = (key: string, value: number): void => deviceMemory.set(key, String(value))
export const onClock = changes.add
