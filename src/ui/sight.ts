/** As much of a list stays in sight before and behind what it is about, px: the lines around it. */
const AROUND_PX = 48

/** Where a list is to stand so that a part of it is in sight, px; it stays where it is when it is. */
export function standing(list: { top: number; height: number }, part: { top: number; height: number }): number {
  const above = part.top < list.top + AROUND_PX
  const below = part.top + part.height > list.top + list.height - AROUND_PX
  return above || below ? Math.max(0, part.top - (list.height - part.height) / 2) : list.top
}

/** Scrolls a list alone, never the page that it stands on. */
export function keepInSight(list: HTMLElement, part: HTMLElement): void {
  const { scrollTop, clientHeight } = list
  if (list.scrollHeight <= clientHeight) return
  const top = scrollTop + part.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientTop
  list.scrollTop = standing({ top: scrollTop, height: clientHeight }, { top, height: part.offsetHeight })
}
