import { leaveCarried } from './carried.ts'
import { unkept } from './stores.ts'

/** Whether the next page will find what only this one's memory holds. */
function carryOver(path?: string): boolean {
  const values = unkept()
  if (!values) return false
  try {
    leaveCarried(values, path)
    return true
  } catch {
    // The browser limits how often or how much: the next page then starts without it.
    return false
  }
}

/** Loads this screen anew. */
export function reload(): void {
  carryOver()
  window.location.reload()
}

/** Loads another screen anew, in the place of this one. */
export function openAnew(path: string): void {
  // By then the address is the other screen's. To load that by a navigation would make a history entry without our state.
  if (carryOver(path)) window.location.reload()
  else window.location.replace(path)
}
