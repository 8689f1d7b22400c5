import { useEffect } from 'react'
import { feedback } from './feedback.ts'

/**
 * Opens the dialog of spec.md §8 when there are words for it. It comes after the form has put the focus where it belongs, and gives
 * it back there.
 */
export function useWarning(words: string | null): void {
  useEffect(() => {
    if (words !== null) void feedback.warn(words)
  }, [words])
}
