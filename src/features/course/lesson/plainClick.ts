import type { MouseEvent } from 'react'

/** What a link does here when it is simply clicked; with a key or another button held it stays the browser's, for a tab of its own. */
export const plainClick =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    act()
  }
