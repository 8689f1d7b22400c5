import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

const MADE = '1'

/** Whether somebody has chosen a region and a direction on this device. Until then each visit asks, and what goes for everybody serves. */
export const scopeChoice = {
  isMade: (): boolean => deviceMemory.get(DEVICE_KEYS.scopeChosen) === MADE,
  make: (): void => deviceMemory.set(DEVICE_KEYS.scopeChosen, MADE),
}
