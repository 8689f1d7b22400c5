import type { Thing } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { useMoment, useThings } from '#src/offline/useThings.ts'

export interface Corrected extends Thing<'notice'> {
  questionNo: string
}

/** Corrected questions that this student has not closed yet, on any device, newest first; null until first read. */
export function useCorrected(): Corrected[] | null {
  const notices = useThings('notice')
  const seen = useMoment('noticesSeen')
  if (!notices || seen === null) return null
  return [...notices]
    .map(([questionNo, notice]) => ({ questionNo, ...notice }))
    .filter(({ at }) => at > seen)
    .sort((a, b) => b.at - a.at)
}

/** Reports whose replies were not read yet. */
export function useUnreadReplies(): Thing<'report'>[] {
  const reports = useThings('report')
  const seen = useMoment('repliesSeen')
  if (!reports || seen === null) return []
  return [...reports.values()].filter(({ answeredAt = 0 }) => answeredAt > seen)
}

/** Up to the newest that was shown: what comes later is news again. */
export async function markSeen(name: 'noticesSeen' | 'repliesSeen', shown: readonly number[]): Promise<void> {
  const value = Math.max(0, ...shown)
  if (value > 0) await offline.add({ kind: 'setting', payload: { name, value } })
}
