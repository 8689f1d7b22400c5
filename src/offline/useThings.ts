import { useEffect, useState } from 'react'
import type { Thing, ThingChange } from '#src/contract/study.ts'
import { offline } from './index.ts'

/** Days, folders, settings, reports or notices, as they are now. Null until first read. */
export function useThings<K extends ThingChange['kind']>(kind: K): ReadonlyMap<string, Thing<K>> | null {
  const [things, setThings] = useState<ReadonlyMap<string, Thing<K>> | null>(null)
  useEffect(() => {
    let current = true
    const show = (found: ReadonlyMap<string, Thing<K>>) => {
      if (current) setThings(found)
    }
    // A device that cannot read its record shows none rather than nothing at all.
    const load = () => void offline.things(kind).then(show, () => show(new Map<string, Thing<K>>()))
    load()
    const stop = offline.onChange(load)
    return () => {
      current = false
      stop()
    }
  }, [kind])
  return things
}

/** A setting that is a moment; 0 while there is none, null until first read. */
export function useMoment(name: string): number | null {
  const settings = useThings('setting')
  return settings && (Number(settings.get(name)?.value) || 0)
}
