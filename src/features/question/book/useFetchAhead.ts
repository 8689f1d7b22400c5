import { useEffect, useState } from 'react'
import { call } from '#src/api/client.ts'
import { question } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/day.ts'
import { serverNow } from '#src/offline/clock.ts'
import { offline } from '#src/offline/index.ts'
import { fetchQuestions, missingOf } from '#src/offline/questions.ts'
import { errorRule } from '#src/player/bookActs.ts'
import { session } from '#src/session/session.ts'
import { chaptersWith, readPart } from '../lists.ts'

const MOST = 500
/** A book may be long, and most of it here already. */
const LOOKED_AT = 2_000
const numberOf = ({ questionNo }: StudyState): string => questionNo

/** Brings what is due and what is open to this device, so that it can be studied without a network. Null: nothing is under way. */
export function useFetchAhead(): { came: number; of: number } | null {
  const [progress, setProgress] = useState<{ came: number; of: number } | null>(null)
  useEffect(() => {
    if (!navigator.onLine || !session.loggedIn()) return
    let current = true
    const tell = (came: number, of: number) => current && setProgress(came < of ? { came, of } : null)
    // What cannot be had now comes at the next visit, or when it is studied.
    void fetchAhead(tell).catch(() => tell(0, 0))
    return () => {
      current = false
    }
  }, [])
  return progress
}

async function fetchAhead(tell: (came: number, of: number) => void): Promise<void> {
  const [rule, rows] = await Promise.all([errorRule(), offline.allCounters()])
  const nos = new Set((await offline.shelf('due', { to: dayOf(serverNow()), limit: MOST })).map(numberOf))
  for (const chapterNo of chaptersWith(rows, {}, rule).keys()) {
    if (nos.size >= LOOKED_AT) break
    for (const state of await readPart(chapterNo, {}, rule)) nos.add(numberOf(state))
  }
  const missing = (await missingOf(offline.owner, [...nos])).slice(0, MOST)
  tell(0, missing.length)
  await fetchQuestions(
    offline.owner,
    missing,
    (some) => call(question.some, { nos: some }),
    (came) => tell(came, missing.length),
  )
}
