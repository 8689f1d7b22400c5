import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** The hint is known after so many sights, also if nobody closes it. */
const ENOUGH = 3
const KNOWN = '1'
const sights = (): number => Number(/^seen(\d)$/.exec(deviceMemory.get(DEVICE_KEYS.playerHintKnown) ?? '')?.[1] ?? 0)

/** Tells whether this student, on this device, is still to be told how to get about. */
export const hintIsDue = (): boolean => deviceMemory.get(DEVICE_KEYS.playerHintKnown) === null || sights() > 0

/** The student has closed the hint, or does what it says. */
export function endHint(): void {
  if (hintIsDue()) deviceMemory.set(DEVICE_KEYS.playerHintKnown, KNOWN)
}

/** It has come into sight at one more question. */
export function countSight(): void {
  const count = sights() + 1
  if (hintIsDue()) deviceMemory.set(DEVICE_KEYS.playerHintKnown, count < ENOUGH ? `seen${count}` : KNOWN)
}
