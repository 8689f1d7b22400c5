import { MINUTE_MS } from '#src/domain/time/day.ts'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { useSyncExternalStore } from 'react'

export type Scheme = 'light' | 'dark'
/** The student may choose among these; `system`: as the phone has it; `time`: dark by the clock of this device. */
export type SchemeChoice = Scheme | 'system' | 'time'
/** HH:MM each. It is dark from one to the other, over midnight where `from` is the later one. */
export interface Night {
  from: string
  to: string
}
/** It stands in index.html, too. */
const NIGHT = '21:30-06:30'
const listeners = new Set<() => void>()
const system = window.matchMedia('(prefers-color-scheme: dark)')
let chosen = storedChoice()
let night = storedNight()
/** The student switched to this under `time`; it holds until the clock itself changes: a flip must not end the choice. */
let flipped: Scheme | null = null
let timer: ReturnType<typeof setTimeout> | undefined

function storedChoice(): SchemeChoice {
  const value = deviceMemory.get(DEVICE_KEYS.scheme)
  return value === 'light' || value === 'dark' || value === 'time' ? value : 'system'
}
function storedNight(): Night {
  const kept = deviceMemory.get(DEVICE_KEYS.night) ?? ''
  const [from = '', to = ''] = (/^\d\d:\d\d-\d\d:\d\d$/.test(kept) ? kept : NIGHT).split('-')
  return { from, to }
}

function byClock(): Scheme {
  return isNight() ? 'dark' : 'light'
}

function isNight(): boolean {
  const now = new Date().toTimeString().slice(0, 5)
  const { from, to } = night
  return from < to ? now >= from && now < to : now >= from || now < to
}

function show(): void {
  if (flipped !== null && flipped === byClock()) flipped = null
  document.documentElement.dataset.mantineColorScheme = scheme.get()
  for (const listener of listeners) listener()
}
/** Shows it now, and while it goes by the clock at the beginning of each minute. */
function follow(): void {
  clearTimeout(timer)
  show()
  if (chosen === 'time') timer = setTimeout(follow, MINUTE_MS - (Date.now() % MINUTE_MS))
}

/** Light or dark, the same in every tab. */
export const scheme = {
  get: (): Scheme => {
    if (chosen === 'time') return flipped ?? byClock()
    if (chosen === 'system') return system.matches ? 'dark' : 'light'
    return chosen
  },
  chosen: (): SchemeChoice => chosen,
  set: (next: SchemeChoice): void => {
    chosen = next
    flipped = null
    deviceMemory.set(DEVICE_KEYS.scheme, next === 'system' ? '' : next)
    follow()
  },
  /** Turns light into dark and back. One who lets the clock decide goes on to: it turns at the clock's next change. */
  flip: (): void => {
    const next = scheme.get() === 'dark' ? 'light' : 'dark'
    if (chosen !== 'time') return scheme.set(next)
    flipped = next
    follow()
  },
  night: (): Night => night,
  setNight: (next: Night): void => {
    night = next
    deviceMemory.set(DEVICE_KEYS.night, `${next.from}-${next.to}`)
    follow()
  },
}
if (chosen === 'time') follow()
system.addEventListener('change', show)
// Timers stand still in a page that sleeps.
document.addEventListener('visibilitychange', show)
window.addEventListener('storage', ({ key }) => {
  if (key !== DEVICE_KEYS.scheme && key !== DEVICE_KEYS.night) return
  chosen = storedChoice()
  night = storedNight()
  follow()
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, scheme.get)
/** The choice itself, which may change while what it comes to stays. */
export const useSchemeChoice = (): SchemeChoice => useSyncExternalStore(subscribe, scheme.chosen)
export const useNight = (): Night => useSyncExternalStore(subscribe, scheme.night)
