import { OWNER_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** This student has said 暂不合并 here. */
export const hasLeft = (owner: string): boolean => deviceMemory.get(OWNER_KEYS.visitorLeft(owner)) !== null
export const rememberLeft = (owner: string): void => deviceMemory.set(OWNER_KEYS.visitorLeft(owner), '1')
