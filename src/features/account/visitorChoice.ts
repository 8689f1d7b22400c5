import { deviceMemory } from '#src/device/stores.ts'

const key = (owner: string): string => `jk-visitor-left:${owner}`

/** This student has said 留在本机 here. */
export const hasLeft = (owner: string): boolean => deviceMemory.get(key(owner)) !== null
export const rememberLeft = (owner: string): void => deviceMemory.set(key(owner), '1')
