import { useState } from 'react'
import type { News } from './news.ts'
import { useStates } from './QuestionLink.tsx'
import type { About } from './texts.ts'
import { useQuestions } from './useQuestions.ts'

const NOTHING: About = { state: undefined, located: undefined }

/** What can be had of the questions that these are about; null until the device has first been read. */
export function useAbout(some: readonly News[]): ((news: News) => About) | null {
  const nos = some.flatMap((news) => numberOf(news) ?? [])
  const read = useStates(nos)
  const [last, setLast] = useState<typeof read>(null)
  // While more is read what is known stays: a list that grows must not go and come.
  if (read && read !== last && nos.length > 0) setLast(read)
  const states = read ?? last
  const questions = useQuestions(nos)
  return (
    states &&
    ((news) => {
      const no = numberOf(news)
      return no === null ? NOTHING : { state: states.get(no), located: questions.get(no) }
    })
  )
}

const numberOf = (news: News): string | null =>
  news.of === 'notice' ? news.questionNo : news.of === 'report' ? news.report.questionNo : null
