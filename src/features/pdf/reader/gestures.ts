interface Gestures {
  /** @param at px from the window's corner: what stands there stays there. */
  onZoom: (factor: number, at: { x: number; y: number }) => void
  onDoubleTap: (at: { x: number; y: number }) => void
}
const TAP_MS = 300
const TAP_PX = 30
/** Of a wheel's step: pinching on a touch pad comes as many small ones, a mouse's wheel as few of 100. */
const WHEEL = 0.004
const MOST_AT_ONCE = 1.3

const isWord = (target: EventTarget | null): boolean => target instanceof Element && target.closest('span') !== null

/**
 * Two fingers, a wheel with Ctrl held (as touch pads pinch), and two quick taps of a finger or clicks beside the words: a word that is
 * clicked twice is selected. @returns what ends it.
 */
export function watchGestures(box: HTMLElement, { onZoom, onDoubleTap }: Gestures): () => void {
  const fingers = new Map<number, PointerEvent>()
  let lastTap: { at: number; x: number; y: number } | null = null
  const inBox = (x: number, y: number) => {
    const { left, top } = box.getBoundingClientRect()
    return { x: x - left, y: y - top }
  }
  const down = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') fingers.set(event.pointerId, event)
    if (fingers.size > 1) lastTap = null
  }
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId)
    if (!before) return
    const [other] = [...fingers.values()].filter(({ pointerId }) => pointerId !== event.pointerId)
    fingers.set(event.pointerId, event)
    if (!other || fingers.size !== 2) return
    const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY)
    const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY)
    if (was > 0) onZoom(now / was, inBox((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2))
  }
  const up = (event: PointerEvent) => {
    const isMouse = event.pointerType === 'mouse'
    const alone = isMouse ? event.button === 0 && !isWord(event.target) : fingers.size === 1
    // A mouse whose button went down elsewhere has clicked here once: that is no second click.
    if ((!fingers.delete(event.pointerId) && !isMouse) || !alone || event.type !== 'pointerup') return
    const { clientX: x, clientY: y, timeStamp: at } = event
    const again = lastTap && at - lastTap.at < TAP_MS && Math.hypot(x - lastTap.x, y - lastTap.y) < TAP_PX
    lastTap = again ? null : { at, x, y }
    if (!again) return
    // The browser takes two clicks beside words for the nearest of them.
    document.getSelection()?.removeAllRanges()
    onDoubleTap(inBox(x, y))
  }
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    const factor = Math.exp(-event.deltaY * WHEEL)
    onZoom(Math.min(MOST_AT_ONCE, Math.max(1 / MOST_AT_ONCE, factor)), inBox(event.clientX, event.clientY))
  }
  // Of two fingers the browser makes scrolling, and then sends no more of them; Safari asks here.
  const touch = (event: TouchEvent) => {
    if (event.touches.length > 1) event.preventDefault()
  }
  box.addEventListener('pointerdown', down)
  box.addEventListener('pointermove', move)
  box.addEventListener('pointerup', up)
  box.addEventListener('pointercancel', up)
  box.addEventListener('wheel', wheel, { passive: false })
  box.addEventListener('touchstart', touch, { passive: false })
  box.addEventListener('touchmove', touch, { passive: false })
  return () => {
    box.removeEventListener('pointerdown', down)
    box.removeEventListener('pointermove', move)
    box.removeEventListener('pointerup', up)
    box.removeEventListener('pointercancel', up)
    box.removeEventListener('wheel', wheel)
    box.removeEventListener('touchstart', touch)
    box.removeEventListener('touchmove', touch)
  }
}
