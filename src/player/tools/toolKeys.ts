import { useEffect } from 'react'
import { isTyping } from '#src/ui/typing.ts'

/** Hears the keys of the tools: never while the student types, has a dialog open or means the browser. */
export function useToolKeys(hear: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || isTyping(target)) return
      hear(event)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [hear])
}
