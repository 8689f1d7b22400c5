import { useEffect, useSyncExternalStore } from 'react'
import type { Activity } from './downloads/board.ts'
import { type ListedLesson, lessons, type LessonsState } from './downloads/lessons/lessons.ts'

let opened = false
function useOpened(): void {
  useEffect(() => {
    if (opened) return
    opened = true
    void lessons.open()
  }, [])
}

/** Lessons on this device and what their downloads do. Downloads outlive the screen that began them. */
export function useLessons(): LessonsState {
  useOpened()
  return useSyncExternalStore(lessons.subscribe, lessons.get)
}

interface OneLesson {
  row: ListedLesson | undefined
  activity: Activity | undefined
}

/** One of them; null until it was read. A step of another one's download draws nothing here: a course has a hundred. */
export function useLesson(no: string): OneLesson | null {
  useOpened()
  const isRead = useSyncExternalStore(lessons.subscribe, () => lessons.get().rows !== null)
  const row = useSyncExternalStore(lessons.subscribe, () => lessons.get().rows?.get(no))
  const activity = useSyncExternalStore(lessons.subscribe, () => lessons.get().activities.get(no))
  return isRead ? { row, activity } : null
}
