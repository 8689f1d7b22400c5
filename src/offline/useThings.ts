import { useCallback } from 'react'
import type { Thing, ThingChange } from '#src/contract/study.ts'
import { offline } from './index.ts'
import { useRecord } from './useRecord.ts'

/** Things of one kind, such as settings or reports, as they are now. Null until first read. */
export function useThings<K extends ThingChange['kind']>(kind: K): ReadonlyMap<string, Thing<K>> | null {
  // A device that cannot read its record shows none rather than nothing at all.
  const read = useCallback(() => offline.things(kind).catch(() => new Map<string, Thing<K>>()), [kind])
  return useRecord(read).data
}
