/**
 * Marks what is wider than their line: `more` while a part is out of sight to the right, so that the end can fade and
 * a student knows to scroll; `end` once it is reached.
 */
export function watchWide(box: HTMLElement, what: string): () => void {
  const mark = () => {
    for (const each of box.querySelectorAll<HTMLElement>(what)) {
      const hidden = each.scrollWidth - each.clientWidth - 1
      // For keys to scroll it; in an option they choose, and a tap on it must, too.
      if (hidden > 0 && !each.closest('label')) each.tabIndex = 0
      if (hidden <= 0) each.removeAttribute('data-wide')
      else each.setAttribute('data-wide', each.scrollLeft < hidden ? 'more' : 'end')
    }
  }
  const sizes = new ResizeObserver(mark)
  sizes.observe(box)
  // The scrolling of what is within does not bubble.
  box.addEventListener('scroll', mark, { capture: true, passive: true })
  return () => {
    sizes.disconnect()
    box.removeEventListener('scroll', mark, { capture: true })
  }
}
