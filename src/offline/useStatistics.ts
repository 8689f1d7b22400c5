import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sharedQuery } from '#src/api/query.ts'
import { question, type Statistic } from '#src/contract/question.ts'
import { offline } from './index.ts'

/** A day old is as good. */
const FRESH_MS = 86_400_000

/** What all students made of a question that this one has answered; the last known without a network. */
export function useStatistic(questionNo: string): Statistic | null {
  const chapterNo = useChapter(questionNo)
  const options = sharedQuery(question.stats, { no: chapterNo ?? '' })
  const { data } = useQuery({ ...options, enabled: chapterNo !== null, staleTime: FRESH_MS })
  return data?.find(({ no }) => no === questionNo) ?? null
}

/** Where the record has it. */
function useChapter(questionNo: string): string | null {
  const [chapterNo, setChapterNo] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    void offline.states([questionNo]).then(
      (states) => current && setChapterNo(states.get(questionNo)?.chapterNo ?? null),
      () => {},
    )
    return () => {
      current = false
    }
  }, [questionNo])
  return chapterNo
}
