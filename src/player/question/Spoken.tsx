import { useState } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import { keyText } from '#src/domain/question/types.ts'
import { verdictText } from './Feedback.tsx'
import type { PartState } from '../playerState.ts'

/** The result of the answer that has just been marked, for who cannot see it: said once, not again at each return. */
export function Spoken({ part, state }: { part: PlainQuestion; state: PartState }) {
  const [before] = useState(state.right)
  if (before !== null || state.right === null) return null
  const key = state.right ? '' : keyText(part)
  return verdictText(part, state) + (key && `，正确答案 ${key}`)
}
