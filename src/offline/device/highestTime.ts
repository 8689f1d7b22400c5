import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { serverNow } from './serverClock.ts'

/**
 * The highest time that this device has ever seen, by the server's clock as far as it is known: a clock that is set back makes
 * no right last longer. Only the server's own word takes it back (serverClock.ts): a phone that was a year ahead once is forgiven.
 */
export function seenNow(): number {
  const now = serverNow()
  const highest = Number(deviceMemory.get(DEVICE_KEYS.highestTime)) || 0
  if (highest >= now) return highest
  deviceMemory.set(DEVICE_KEYS.highestTime, String(now))
  return now
}
