import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

export const buzzes = {
  on: (): boolean => deviceMemory.get(DEVICE_KEYS.buzz) !== 'off',
  set: (on: boolean): void => deviceMemory.set(DEVICE_KEYS.buzz, on ? '' : 'off'),
}

/** An answer felt in the hand, where a phone can: one short tick, two for a miss. */
export function buzz(right: boolean): void {
  if (buzzes.on()) navigator.vibrate?.(right ? 15 : [30, 50, 30])
}
