import { useEffect, useSyncExternalStore } from 'react'
import { lessons, type LessonsState } from './lessons.ts'

let opened = false

/** Lessons on this device and what their downloads do. Downloads outlive the screen that began them. */
export function useLessons(): LessonsState {
  useEffect(() => {
    if (opened) return
    opened = true
    void lessons.open()
  }, [])
  return useSyncExternalStore(lessons.subscribe, lessons.get)
}
