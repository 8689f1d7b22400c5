import { deviceMemory } from '#src/device/stores.ts'

const KEY = 'jk-buzz'
export const buzzes = {
  on: (): boolean => deviceMemory.get(KEY) !== 'off',
  set: (on: boolean): void => deviceMemory.set(KEY, on ? '' : 'off'),
}

/** An answer felt in the hand, where a phone can: one short tick, two for a miss. */
export function buzz(right: boolean): void {
  if (buzzes.on()) navigator.vibrate?.(right ? 15 : [30, 50, 30])
}
