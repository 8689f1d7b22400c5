import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { type Way, wayOf } from './way.ts'

/** Chromium's event: held back, it can be shown once, at a tap. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}
declare global {
  interface Window {
    /** Put there by app/early.ts: it may come before this file. */
    jkInstall?: InstallPrompt | undefined
  }
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt
  }
  interface Navigator {
    /** Safari's. */
    standalone?: boolean
    getInstalledRelatedApps?: () => Promise<unknown[]>
  }
}

export const SNOOZE_MS = 14 * 24 * 3600_000
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const isStandalone = (): boolean =>
  navigator.standalone === true || window.matchMedia('(display-mode: standalone), (display-mode: minimal-ui)').matches

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  window.jkInstall = event
  tell()
})
window.addEventListener('appinstalled', () => {
  window.jkInstall = undefined
  deviceMemory.set(DEVICE_KEYS.installed, '1')
  tell()
})
// Browser and app of one Chromium share what is stored, so that a tab knows.
if (isStandalone()) deviceMemory.set(DEVICE_KEYS.installed, '1')
void navigator.getInstalledRelatedApps?.().then(
  (apps) => {
    if (apps.length === 0) return
    deviceMemory.set(DEVICE_KEYS.installed, '1')
    tell()
  },
  () => {},
)

/** Installing the app on this device: which way there is, and the browser's own prompt. */
export const install = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  way: (): Way =>
    wayOf({
      userAgent: navigator.userAgent,
      touchPoints: navigator.maxTouchPoints,
      standalone: isStandalone(),
      installed: deviceMemory.get(DEVICE_KEYS.installed) === '1',
      prompt: window.jkInstall !== undefined,
    }),
  /** Whether it is worth saying by itself. */
  isDue: (at = Date.now()): boolean => {
    const way = install.way()
    return way !== 'installed' && way !== 'none' && at >= Number(deviceMemory.get(DEVICE_KEYS.installLater) ?? 0)
  },
  later: (at = Date.now()): void => {
    deviceMemory.set(DEVICE_KEYS.installLater, String(at + SNOOZE_MS))
    tell()
  },
  /** Shows the browser's prompt. @returns whether the student agreed */
  ask: async (): Promise<boolean> => {
    const held = window.jkInstall
    window.jkInstall = undefined
    const outcome = held ? (await held.prompt()).outcome : 'dismissed'
    if (outcome === 'accepted') deviceMemory.set(DEVICE_KEYS.installed, '1')
    else install.later()
    tell()
    return outcome === 'accepted'
  },
}
