import { useEffect, useState, useSyncExternalStore } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { type Counters, offline, type SyncStatus } from './index.ts'

export const useSyncStatus = (): SyncStatus => useSyncExternalStore(offline.onStatus, offline.status)

/** The states of some questions, kept up to date from this tab and others. Null until first read. */
export const useStudyStates = (questionNos: readonly string[]): Map<string, StudyState> | null =>
  useRows(questionNos.join(), offline.states, true)

/** Counters of leaf chapters. Null until first read; a chapter without a row has never been answered. */
export const useCounters = (chapterNos: readonly string[]): Map<string, Counters> | null =>
  useRows(chapterNos.join(), offline.counters, false)

/** `key`: the numbers, joined, because a new array at each render must not read again. */
function useRows<T>(key: string, read: (nos: readonly string[]) => Promise<Map<string, T>>, byQuestion: boolean) {
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
    const stop = offline.onChange((changed) => {
      if (changed === null || !byQuestion || changed.some((no) => nos.includes(no))) load()
    })
    return () => {
      current = false
      stop()
    }
  }, [key, read, byQuestion])
  return rows
}
