import { useEffect, useState } from 'react'
import { call } from '#src/api/client.ts'
import { type Located, question } from '#src/contract/question.ts'
import { offline } from '#src/offline/index.ts'
import { fetchQuestions, keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { session } from '#src/session/session.ts'

const NONE: ReadonlyMap<string, Located> = new Map()

/** What can be had of these questions: from this device, else from the server. */
export function useQuestions(questionNos: readonly string[]): ReadonlyMap<string, Located> {
  const [found, setFound] = useState(NONE)
  const key = questionNos.join()
  useEffect(() => {
    let current = true
    readQuestions(key === '' ? [] : key.split(',')).then(
      (read) => current && setFound(read),
      () => {},
    )
    return () => {
      current = false
    }
  }, [key])
  return found
}

async function readQuestions(nos: readonly string[]): Promise<ReadonlyMap<string, Located>> {
  const { owner } = offline
  const here = await keptQuestions(owner, nos)
  const missing = nos.filter((no) => !here.has(no))
  if (missing.length === 0 || !session.loggedIn()) return here
  // Without a network it is told without what only the question knows.
  await fetchQuestions(owner, missing, (some) => call(question.some, { nos: some })).catch(() => {})
  return keptQuestions(owner, nos)
}
