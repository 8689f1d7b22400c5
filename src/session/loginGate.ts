import { session } from './session.ts'

/** Asking for a login. The gate only asks; the shell opens the dialog. */
const listeners = new Set<() => void>()

export const loginGate = {
  ask: (): void => {
    for (const listener of listeners) listener()
  },
  onAsk: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** True when somebody is logged in; else asks, and the act should stop. */
  passes: (): boolean => {
    if (session.loggedIn()) return true
    loginGate.ask()
    return false
  },
}
