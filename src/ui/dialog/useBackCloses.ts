import { useEffect, useEffectEvent } from 'react'
import { openSheet } from './sheetHistory.ts'

/** While it is there and `active`, history back calls `onClose` instead of leaving the page. */
export function useBackCloses(onClose: () => void, active = true): void {
  const close = useEffectEvent(onClose)
  useEffect(() => (active ? openSheet(() => close()) : undefined), [active])
}
