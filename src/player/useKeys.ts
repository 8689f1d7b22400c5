import { isChoice } from '#src/domain/question/choice.ts'
import { isTyping } from '#src/ui/typing.ts'
import { useEffect } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import { openPart, type PlayerState, partState } from './playerState.ts'
import type { PlayerHandle } from './usePlayer.ts'

/** ←/→ move, ↑/↓ walk through the options, A–H, 1–8 and Space choose, Enter confirms or goes on. Never while the student types or a dialog is open. */
export function useKeys({ state, dispatch, choose, confirm }: PlayerHandle, goNext: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      // With Shift they are the tools' (Tools.tsx).
      if (isTyping(target) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const part = openPart(state)
      if (event.key === 'ArrowRight') goNext()
      else if (event.key === 'ArrowLeft') dispatch({ type: 'go', at: state.at - 1 })
      else if (isOption(target) && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
        focusBeside(target, event.key === 'ArrowDown' ? 1 : -1)
      else if (event.key === 'Enter' && !(target instanceof HTMLButtonElement)) {
        if (!part || state.mode === 'exam') goNext()
        else if (!earnsNothing(state, part)) confirm(part)
      } else if (part && isChoice(part)) {
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

/** A browser's own arrow keys would choose another radio, and so change an answer of a running exam. */
const isOption = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && /^(radio|checkbox)$/.test(target.type)

function focusBeside(option: HTMLInputElement, step: 1 | -1): void {
  const others = option.closest('fieldset')?.querySelectorAll<HTMLInputElement>('input:enabled') ?? []
  const all = [...others]
  all[(all.indexOf(option) + step + all.length) % all.length]?.focus()
}

function optionIndex(key: string): number {
  if (/^[1-8]$/.test(key)) return Number(key) - 1
  return /^[a-h]$/i.test(key) ? key.toUpperCase().charCodeAt(0) - 65 : -1
}
