import { useEffect, useState } from 'react'
import { watchPrefs } from '../prefs.ts'

interface Pitched extends HTMLMediaElement {
  webkitPreservesPitch?: boolean
}

/** How fast it plays, with the voice at its own height. */
export function useSpeed(element: HTMLMediaElement | null, courseNo: string): [number, (speed: number) => void] {
  const [chosen, setChosen] = useState<{ of: string; speed: number } | null>(null)
  const speed = chosen?.of === courseNo ? chosen.speed : watchPrefs.speed(courseNo)
  useEffect(() => {
    if (element) putSpeed(element, speed)
  }, [element, speed])
  const choose = (next: number): void => {
    watchPrefs.setSpeed(courseNo, next)
    setChosen({ of: courseNo, speed: next })
  }
  return [speed, choose]
}

function putSpeed(element: Pitched, speed: number): void {
  element.preservesPitch = true
  if ('webkitPreservesPitch' in element) element.webkitPreservesPitch = true
  // A new source begins at the default.
  element.defaultPlaybackRate = speed
  element.playbackRate = speed
}
