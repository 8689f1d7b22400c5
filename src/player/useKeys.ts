import { isTyping } from '#src/ui/typing.ts'
import { useEffect } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import { openPart, type PlayerState, partState } from './player.ts'
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
        if (!part || state.mode === 'exam') goNext()
        else if (!earnsNothing(state, part)) confirm(part)
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

/** An essay with nothing ticked is marked by its button alone, which says so. */
function earnsNothing(state: PlayerState, part: PlainQuestion): boolean {
  const { response } = partState(state, part)
  return response.kind === 'essay' && response.ticked.length === 0
}

/** Arrow keys belong to a radio group while one of its radios has the focus. */
const isRadio = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === 'radio'

function optionIndex(key: string): number {
  if (/^[1-8]$/.test(key)) return Number(key) - 1
  return /^[a-h]$/i.test(key) ? key.toUpperCase().charCodeAt(0) - 65 : -1
}
