import { useEffect } from 'react'

/** A browser that can hold its screen in a position: Android's can, an iPhone turns its own player by itself. */
type Turning = ScreenOrientation & { lock: (to: 'landscape') => Promise<void> }
const turns = (orientation: ScreenOrientation | undefined): orientation is Turning =>
  orientation !== undefined && 'lock' in orientation && typeof orientation.lock === 'function'

/** In full screen a picture that is wider than high turns the phone on its side, however it is held; then it is given back. */
export function useLandscape(element: HTMLMediaElement | null): void {
  useEffect(() => {
    const { orientation } = screen
    if (!(element instanceof HTMLVideoElement) || !turns(orientation)) return
    let held = false
    const apply = () => {
      const wanted =
        (document.fullscreenElement?.contains(element) ?? false) && element.videoWidth > element.videoHeight
      if (wanted === held) return
      held = wanted
      // A computer says no, and a phone that is not to be turned: the picture is there as it was.
      if (wanted) orientation.lock('landscape').catch(() => {})
      else orientation.unlock()
    }
    document.addEventListener('fullscreenchange', apply)
    // The next lesson may be a picture of another shape.
    element.addEventListener('resize', apply)
    element.addEventListener('loadedmetadata', apply)
    return () => {
      document.removeEventListener('fullscreenchange', apply)
      element.removeEventListener('resize', apply)
      element.removeEventListener('loadedmetadata', apply)
      if (held) orientation.unlock()
    }
  }, [element])
}
