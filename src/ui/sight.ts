/** A stretch along one axis, px. */
interface Stretch {
  at: number
  size: number
}
/** As much stays in sight before and behind what it is about, px: the lines around it. */
const AROUND_PX = 48

/** Where what scrolls is to stand so that a part of it is in sight, px; it stays where it is when it is. */
export function standing(list: Stretch, part: Stretch): number {
  const above = part.at < list.at + AROUND_PX
  const below = part.at + part.size > list.at + list.size - AROUND_PX
  return above || below ? Math.max(0, part.at - (list.size - part.size) / 2) : list.at
}

/** Scrolls it alone: scrollIntoView moves the page that it stands on, too. */
export function keepInSight(list: Element, part: Element): void {
  const { scrollTop, scrollLeft, clientHeight, clientWidth, clientTop, clientLeft } = list
  const [own, around] = [part.getBoundingClientRect(), list.getBoundingClientRect()]
  const down = { at: scrollTop + own.top - around.top - clientTop, size: own.height }
  const across = { at: scrollLeft + own.left - around.left - clientLeft, size: own.width }
  if (list.scrollHeight > clientHeight) list.scrollTop = standing({ at: scrollTop, size: clientHeight }, down)
  if (list.scrollWidth > clientWidth) list.scrollLeft = standing({ at: scrollLeft, size: clientWidth }, across)
}
