import { useSyncExternalStore } from 'react'

/** UserLayout.module.css has the same. */
const WIDE = '(min-width: 768px)'
/** There is room for the menu beside each page, so none of them is 我的 itself. */
export const hasMenu = (): boolean => window.matchMedia(WIDE).matches

function watch(told: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', told)
  return () => query.removeEventListener('change', told)
}
export const useHasMenu = (): boolean => useSyncExternalStore(watch, hasMenu)
