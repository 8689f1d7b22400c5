import { useEffect, useState } from 'react'
import { call } from '#src/api/client.ts'
import { question } from '#src/contract/question.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { isOpen } from '#src/domain/study/errorBook.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { fetchQuestions, missingOf } from '#src/offline/downloads/keptQuestions.ts'
import { lapsesOn } from '#src/offline/record/reviews.ts'
import { errorRule } from '#src/player/marks/bookActs.ts'
import { session } from '#src/session/session.ts'

const MOST = 500
/** Rows that are read in one go. */
const AT_ONCE = 100

/**
 * Brings what is due and what is open to this device, so that it can be studied without a network. Null: nothing is under way.
 * @param shown the screen is there; all it waits for comes first.
 */
export function useFetchAhead(shown: boolean): { came: number; of: number } | null {
  const [progress, setProgress] = useState<{ came: number; of: number } | null>(null)
  useEffect(() => {
    if (!shown || !navigator.onLine || !session.loggedIn()) return
    let current = true
    const tell = (came: number, of: number) => current && setProgress(came < of ? { came, of } : null)
    // What cannot be had now comes at the next visit, or when it is studied.
    void fetchAhead(tell).catch(() => tell(0, 0))
    return () => {
      current = false
    }
  }, [shown])
  return progress
}

async function fetchAhead(tell: (came: number, of: number) => void): Promise<void> {
  const today = dayOf(serverNow())
  const [rule, due, lapses, book] = await Promise.all([
    errorRule(),
    offline.shelfNumbers('due', today),
    lapsesOn(offline, today),
    offline.shelfNumbers('book'),
  ])
  const dueNow = new Set([...due, ...lapses.keys()])
  const away = await missingOf(offline.owner, [...new Set([...dueNow, ...book])])
  const missing: string[] = []
  // A state is read only where the question is missing, and of no more than one visit brings.
  for (let i = 0; i < away.length && missing.length < MOST; i += AT_ONCE) {
    const states = await offline.states(away.slice(i, i + AT_ONCE))
    for (const [no, state] of states)
      if (missing.length < MOST && (dueNow.has(no) || isOpen(state, rule))) missing.push(no)
  }
  tell(0, missing.length)
  await fetchQuestions(
    offline.owner,
    missing,
    (some) => call(question.some, { nos: some }),
    (came) => tell(came, missing.length),
  )
}
