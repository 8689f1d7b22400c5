import { deviceMemory } from '#src/device/stores.ts'
import { serverNow } from './serverClock.ts'
import { SEEN } from './names.ts'

/**
 * The highest time that this device has ever seen, by the server's clock as far as it is known: a clock that is set back makes
 * no right last longer. Only the server's own word takes it back (serverClock.ts): a phone that was a year ahead once is forgiven.
 */
export function seenNow(): number {
  const now = serverNow()
  const highest = Number(deviceMemory.get(SEEN)) || 0
  if (highest >= now) return highest
  deviceMemory.set(SEEN, String(now))
  return now
}
