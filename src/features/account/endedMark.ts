import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** That the login was ended elsewhere is told by the page that comes next, once. */
export const markEnded = (): void => deviceMemory.set(DEVICE_KEYS.accountEnded, '1')
export function takeEnded(): boolean {
  const is = deviceMemory.get(DEVICE_KEYS.accountEnded) === '1'
  if (is) deviceMemory.set(DEVICE_KEYS.accountEnded, '')
  return is
}
