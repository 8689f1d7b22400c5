import { useState } from 'react'
import type { Message } from './messages.ts'
import { useStates } from './QuestionLink.tsx'
import type { About } from './texts.ts'
import { useQuestions } from './useQuestions.ts'

const NOTHING: About = { state: undefined, located: undefined }

/** What can be had of the questions that these are about; null until the device has first been read. */
export function useAbout(some: readonly Message[]): ((message: Message) => About) | null {
  const nos = some.flatMap((message) => numberOf(message) ?? [])
  const read = useStates(nos)
  const [last, setLast] = useState<typeof read>(null)
  // While more is read what is known stays: a list that grows must not go and come.
  if (read && read !== last && nos.length > 0) setLast(read)
  const states = read ?? last
  const questions = useQuestions(nos)
  return (
    states &&
    ((message) => {
      const no = numberOf(message)
      return no === null ? NOTHING : { state: states.get(no), located: questions.get(no) }
    })
  )
}

const numberOf = (message: Message): string | null =>
  message.of === 'notice' ? message.questionNo : message.of === 'report' ? message.report.questionNo : null
