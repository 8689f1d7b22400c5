import { clsx } from 'clsx'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'
import type { StudyState } from '#src/contract/study.ts'
import { isRight } from '#src/domain/question/marking.ts'
import common from '#src/ui/common.module.css'
import { dateText } from '#src/ui/dates.ts'
import { answerText } from '#src/domain/question/types.ts'
import classes from './Book.module.css'

interface HistoryProps {
  /** Null: only when, and whether it was right. */
  part: PlainQuestion | null
  state: Pick<StudyState, 'lastAt' | 'lastRight' | 'lastResponse' | 'earlier'>
  /** Without the last answer, which the student has just given. */
  before?: boolean
}

/** What the student has answered so far, newest first, with dates; of blanks, which one was wrong. */
export function History({ part, state, before = false }: HistoryProps) {
  const { lastAt, lastRight, lastResponse, earlier = [] } = state
  const last = lastResponse && !before ? [{ at: lastAt, right: lastRight, response: lastResponse }] : []
  const answers = [...last, ...earlier]
  if (answers.length === 0) return null
  return (
    <ul className={clsx(common.wrap, common.note, classes.history)} aria-label={before ? '以前的作答' : '作答记录'}>
      {answers.map(({ at, right, response }, i) => (
        // Two may be of one moment.
        <li key={`${at} ${answers.length - i}`}>
          <span>{dateText(at)}</span> <b className={toneOf(right)}>{right ? '✓ 对' : '✕ 错'}</b>{' '}
          <Given part={part} response={response} />
        </li>
      ))}
    </ul>
  )
}

const toneOf = (right: boolean): string | undefined => (right ? common.right : common.wrong)

function Given({ part, response }: { part: PlainQuestion | null; response: Response }) {
  if (!part) return null
  if (part.type !== 'blank' || response.kind !== 'blank' || part.unordered) return answerText(part, response)
  return part.blanks.map((accepted, i) => {
    const text = response.texts[i] ?? ''
    const right = isRight({ ...part, blanks: [accepted] }, { kind: 'blank', texts: [text] })
    return (
      // Blanks have no identity but their place.
      <span key={i} className={toneOf(right)}>
        第{i + 1}空 {text || '（空）'} {right ? '✓' : '✕'}{' '}
      </span>
    )
  })
}
