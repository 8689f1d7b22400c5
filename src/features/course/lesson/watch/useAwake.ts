import { useEffect } from 'react'

/** The screen stays on while a video plays; a browser gives that up when the page is hidden. */
export function useAwake(on: boolean): void {
  useEffect(() => {
    if (!on || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | null = null
    let over = false
    const hold = async () => {
      if (over || document.visibilityState !== 'visible' || lock?.released === false) return
      // A battery that is low says no, and the screen may go dark.
      lock = await navigator.wakeLock.request('screen').catch(() => null)
    }
    // One after the other: two that ask side by side get a lock each, and only one of them would ever be given back.
    let asking = hold()
    const again = () => {
      asking = asking.then(hold)
    }
    document.addEventListener('visibilitychange', again)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', again)
      void asking.then(() => lock?.release())
    }
  }, [on])
}
