import { useCallback, useEffect, useState } from 'react'

type Holder = 'here' | 'elsewhere'

const isRefused = (error: unknown): boolean => error instanceof DOMException && error.name === 'SecurityError'

/**
 * Which of a student's tabs does something that only one may do at a time. Null until it is known; `take` brings it here. Where a
 * browser has no locks, or refuses them, every tab is the one.
 */
export function useOnlyTab(name: string): { holder: Holder | null; take: () => void } {
  const locks = typeof navigator === 'undefined' ? null : (navigator.locks ?? null)
  const [holder, setHolder] = useState<Holder | null>(locks ? null : 'here')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!locks) return
    let release = () => {}
    let current = true
    const show = (next: Holder) => {
      if (current) setHolder(next)
    }
    const held = new Promise<void>((resolve) => (release = resolve))
    locks
      .request(name, turn > 0 ? { steal: true } : { ifAvailable: true }, (lock) => {
        show(lock ? 'here' : 'elsewhere')
        return lock ? held : undefined
      })
      // Another tab has taken it; or the browser, whose site data are blocked, refuses its locks.
      .catch((error: unknown) => show(isRefused(error) ? 'here' : 'elsewhere'))
    return () => {
      current = false
      release()
    }
  }, [locks, name, turn])
  return { holder, take: useCallback(() => setTurn((last) => last + 1), []) }
}
