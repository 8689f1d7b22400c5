import { useEffect, useState } from 'react'
import { type Figures, NO_RECORD, readFigures } from './record/figures.ts'
import { onClock, serverNow } from './device/serverClock.ts'
import { offline } from './index.ts'
import { useSyncStatus } from './useOffline.ts'

/** The student's figures as they are now. Null until first read; while a long record comes, what was read before, if there was anything. */
export function useFigures(): Figures | null {
  const [figures, setFigures] = useState<Figures | null>(null)
  const { fetched } = useSyncStatus()
  useEffect(() => {
    let latest = 0
    // A device that cannot read its record shows an empty one rather than nothing at all.
    const load = () => {
      // Half a record has no figures, and to read it costs the other half time. Its end is told as a change.
      if (offline.status().fetched !== null) return
      const mine = ++latest
      void readFigures(offline, serverNow())
        .catch(() => readFigures(NO_RECORD, serverNow()))
        .then((found) => mine === latest && setFigures(found))
    }
    load()
    const stops = [offline.onChange(load), onClock(load)]
    // A page that was left open over midnight.
    document.addEventListener('visibilitychange', load)
    return () => {
      latest = -1
      for (const stop of stops) stop()
      document.removeEventListener('visibilitychange', load)
    }
  }, [])
  // A device that had nothing has been read before the first page came: its noughts are not this student's.
  return fetched !== null && figures?.all.answered === 0 ? null : figures
}
