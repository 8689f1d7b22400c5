import { deviceMemory } from '#src/ui/memory.ts'

const KEY = 'jk-chosen'
const MADE = '1'

/** What this device knows of the choice of region and direction: asked for on the first visit, made or put off. */
export const scopeChoice = {
  isAsked: (): boolean => deviceMemory.get(KEY) !== null,
  isMade: (): boolean => deviceMemory.get(KEY) === MADE,
  make: (): void => deviceMemory.set(KEY, MADE),
  /** The first visit is over, and what goes for everybody serves until something is chosen. */
  putOff: (): void => {
    if (!scopeChoice.isAsked()) deviceMemory.set(KEY, 'later')
  },
}
