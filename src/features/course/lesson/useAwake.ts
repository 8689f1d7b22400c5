import { useEffect } from 'react'

/** The screen stays on while a video plays; a browser gives that up when the page is hidden. */
export function useAwake(on: boolean): void {
  useEffect(() => {
    if (!on || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | null = null
    let over = false
    const hold = async () => {
      if (document.visibilityState !== 'visible') return
      // A battery that is low says no, and the screen may go dark.
      const held = await navigator.wakeLock.request('screen').catch(() => null)
      if (over) void held?.release()
      else lock = held
    }
    void hold()
    const again = () => void hold()
    document.addEventListener('visibilitychange', again)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [on])
}
