import { deviceMemory } from '#src/device/stores.ts'

const KEY = 'jk-chosen'
const MADE = '1'

/** Whether somebody has chosen a region and a direction on this device. Until then each visit asks, and what goes for everybody serves. */
export const scopeChoice = {
  isMade: (): boolean => deviceMemory.get(KEY) === MADE,
  make: (): void => deviceMemory.set(KEY, MADE),
}
