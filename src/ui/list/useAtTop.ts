import { useEffect } from 'react'

/** A screen that takes another one's place is read from its top. */
export const useAtTop = (): void =>
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a clean-up.
    window.scrollTo({ top: 0 })
  }, [])
