import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import { lengthOf, lengthText, standingText, unitOf, wantedText } from '#src/domain/question/composition.ts'
import common from '#src/ui/common.module.css'
import unseen from '#src/ui/text/Unseen.module.css'

/** Who cannot see the counter hears it when the writing has paused for so long. */
const PAUSE_MS = 2_000

/** Says how much is written, how that stands to what is wanted, and what that is. */
export function Counter({ part, text }: { part: EssayQuestion; text: string }) {
  const unit = unitOf(part, text)
  const length = part.composition?.length
  const n = lengthOf(text, unit)
  const standing = length ? standingText(length, n) : ''
  const written = `已写 ${lengthText(n, unit)}`
  return (
    <p className={clsx(common.wrap, common.note, common.figures)}>
      <span>
        <strong>{written}</strong>
        {standing && '，'}
        <span className={standing === '已达到要求' ? common.right : undefined}>{standing}</span>
      </span>
      {length && <span>要求{wantedText(length)}</span>}
      <span role="status" className={unseen.unseen}>
        <Paused key={part.no} text={standing ? `${written}，${standing}` : written} />
      </span>
    </p>
  )
}

/** The text as it was when it last stood still; nothing before it first changes. */
function Paused({ text }: { text: string }) {
  const [first] = useState(text)
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused === first ? null : paused
}
