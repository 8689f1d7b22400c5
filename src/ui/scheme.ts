import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { useSyncExternalStore } from 'react'

export type Scheme = 'light' | 'dark'
const listeners = new Set<() => void>()
const system = window.matchMedia('(prefers-color-scheme: dark)')
let chosen = stored()

function stored(): Scheme | null {
  const value = deviceMemory.get(DEVICE_KEYS.scheme)
  return value === 'light' || value === 'dark' ? value : null
}

function show(): void {
  document.documentElement.dataset.mantineColorScheme = scheme.get()
  for (const listener of listeners) listener()
}

/** Light or dark, the same in every tab. */
export const scheme = {
  get: (): Scheme => chosen ?? (system.matches ? 'dark' : 'light'),
  /** Null: as the system has it. */
  chosen: (): Scheme | null => chosen,
  set: (next: Scheme | null): void => {
    chosen = next
    deviceMemory.set(DEVICE_KEYS.scheme, next ?? '')
    show()
  },
}
system.addEventListener('change', show)
window.addEventListener('storage', (event) => {
  if (event.key !== DEVICE_KEYS.scheme) return
  chosen = stored()
  show()
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, scheme.get)
