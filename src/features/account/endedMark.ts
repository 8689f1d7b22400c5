import { deviceMemory } from '#src/device/stores.ts'

const ENDED = 'jk-ended'

/** That the login was ended elsewhere is told by the page that comes next, once. */
export const markEnded = (): void => deviceMemory.set(ENDED, '1')
export function takeEnded(): boolean {
  const is = deviceMemory.get(ENDED) === '1'
  if (is) deviceMemory.set(ENDED, '')
  return is
}
