/** The line on which the caret of a field stands, px from the top of its text. */
interface Line {
  top: number
  bottom: number
}

/** Browsers do not say where the caret is: the text up to it is laid out once more, in a field as wide that nobody sees. */
export function lineOfCaret(area: HTMLTextAreaElement): Line {
  const copy = area.cloneNode() as HTMLTextAreaElement
  copy.value = area.value.slice(0, area.selectionEnd)
  copy.style.cssText += `;position:absolute;visibility:hidden;box-sizing:border-box;width:${area.offsetWidth}px;height:0;min-height:0`
  area.after(copy)
  const { lineHeight, paddingBottom } = getComputedStyle(copy)
  const bottom = copy.scrollHeight - (parseFloat(paddingBottom) || 0)
  copy.remove()
  return { top: bottom - (parseFloat(lineHeight) || 0), bottom }
}

/** Scrolls the text of a field so that the line being typed is seen. */
export function keepLineInSight(area: HTMLTextAreaElement, { top, bottom }: Line = lineOfCaret(area)): void {
  const { scrollTop, clientHeight } = area
  if (bottom > scrollTop + clientHeight) area.scrollTop = bottom - clientHeight
  else if (top < scrollTop) area.scrollTop = top
}
