import { isTyping } from '#src/ui/typing.ts'
import { useEffect } from 'react'
import { openPart } from './player.ts'
import type { PlayerHandle } from './usePlayer.ts'

/** ←/→ move, A–H and 1–8 choose, Enter confirms or goes on. Never while the student types or a dialog is open. */
export function useKeys({ state, dispatch, choose, confirm }: PlayerHandle, goNext: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      // With Shift they are the tools' (Tools.tsx).
      if (isTyping(target) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const part = openPart(state)
      if (event.key === 'ArrowRight' && !isRadio(target)) goNext()
      else if (event.key === 'ArrowLeft' && !isRadio(target)) dispatch({ type: 'go', at: state.at - 1 })
      else if (event.key === 'Enter' && !(target instanceof HTMLButtonElement)) {
        if (part && state.mode !== 'exam') confirm(part)
        else goNext()
      } else if (part && 'options' in part) {
        const option = part.options[optionIndex(event.key)]
        if (!option) return
        choose(part, option.id)
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [state, dispatch, choose, confirm, goNext])
}

/** Arrow keys belong to a radio group while one of its radios has the focus. */
const isRadio = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === 'radio'

function optionIndex(key: string): number {
  if (/^[1-8]$/.test(key)) return Number(key) - 1
  return /^[a-h]$/i.test(key) ? key.toUpperCase().charCodeAt(0) - 65 : -1
}
