import { DEVICE_KEYS, type DeviceKey } from '#src/device/keys.ts'
import { createListeners } from '../listeners.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** Two clocks that are so close are one. */
const NEAR_MS = 60_000
const changes = createListeners()

/** 0 until the server has been heard. */
export const skewMs = (): number => Number(deviceMemory.get(DEVICE_KEYS.skew)) || 0

/**
 * Now by the server's clock, as it was heard last, epoch ms: the day that an answer given now counts for. A phone may be a day
 * off; what is sent stays in the device's own time, from which the server reads ages alone.
 */
export const serverNow = (): number => Date.now() + skewMs()

/** The server has said just now what time it is. */
export function heardServer(now: number): void {
  const ahead = now - Date.now()
  const skew = Math.abs(ahead) < NEAR_MS ? 0 : ahead
  keep(DEVICE_KEYS.highestTime, now)
  if (Math.abs(skew - skewMs()) < NEAR_MS) return
  keep(DEVICE_KEYS.skew, skew)
  changes.tell()
}
const keep = (key: DeviceKey, value: number): void => deviceMemory.set(key, String(value))
export const onClock = changes.add
