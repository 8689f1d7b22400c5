import { useEffect, useState } from 'react'
import { type Figures, NO_RECORD, readFigures } from './figures.ts'
import { offline } from './index.ts'

/** The student's figures as they are now. Null until first read. */
export function useFigures(): Figures | null {
  const [figures, setFigures] = useState<Figures | null>(null)
  useEffect(() => {
    let current = true
    // A device that cannot read its record shows an empty one rather than nothing at all.
    const load = () =>
      void readFigures(offline, Date.now())
        .catch(() => readFigures(NO_RECORD, Date.now()))
        .then((found) => current && setFigures(found))
    load()
    const stop = offline.onChange(load)
    // A page that was left open over midnight.
    document.addEventListener('visibilitychange', load)
    return () => {
      current = false
      stop()
      document.removeEventListener('visibilitychange', load)
    }
  }, [])
  return figures
}
