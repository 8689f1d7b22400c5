import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Counters, offline, type SyncStatus } from './index.ts'
import { fetchingText } from './status.ts'

export const useSyncStatus = (): SyncStatus => useSyncExternalStore(offline.onStatus, offline.status)

/** What is said while a long record comes to this device; null: none does. */
export function useFetching(): string | null {
  const { fetched } = useSyncStatus()
  return fetched === null ? null : fetchingText(fetched)
}

/** Counters of leaf chapters. Null until first read; a chapter without a row has never been answered. */
export const useCounters = (chapterNos: readonly string[]): Map<string, Counters> | null =>
  useRows(chapterNos.join(), offline.counters)

/** `key`: the numbers, joined, because a new array at each render must not read again. */
function useRows<T>(key: string, read: (nos: readonly string[]) => Promise<Map<string, T>>) {
  const [rows, setRows] = useState<Map<string, T> | null>(null)
  useEffect(() => {
    const nos = key === '' ? [] : key.split(',')
    let current = true
    const show = (found: Map<string, T>) => {
      if (current) setRows(found)
    }
    // A device that cannot read its record shows none rather than nothing at all.
    const load = () => void read(nos).then(show, () => show(new Map()))
    load()
    const stop = offline.onChange(load)
    return () => {
      current = false
      stop()
    }
  }, [key, read])
  return rows
}
