import type { Attempt } from '#src/contract/attempt.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { isTrial, placeOf } from './sheet.ts'
import { readBegun } from './sitting.ts'
import { scoreText } from './texts.ts'

export type Past = Attempt & { id: string }
export type Begun = Awaited<ReturnType<typeof readBegun>>[number] & { handedIn: boolean }
/** How far the student has come with papers, on all devices and on this one. */
export interface Progress {
  /** Sittings that were handed in, the newest first. */
  past: Past[]
  /** The last one of each paper and mode on this device. */
  begun: Begun[]
}
const NONE: Progress = { past: [], begun: [] }

async function read(): Promise<Progress> {
  const [attempts, begun] = await Promise.all([offline.things('attempt'), readBegun()])
  return {
    past: [...attempts].map(([id, attempt]) => ({ id, ...attempt })).sort((a, b) => b.handedAt - a.handedAt),
    begun: begun.map((each) => ({ ...each, handedIn: attempts.has(each.id) })),
  }
}

const isAttempt = (changed: string): boolean => changed === 'attempt'

/** Null until the device has been read; one that cannot be read shows none. Read again when a sitting is handed in. */
function useAttempted<T>(read: () => Promise<T>, none: T): T | null {
  const { data, failed } = useRecord(read, isAttempt)
  return data ?? (failed ? none : null)
}

export const useProgress = (): Progress | null => useAttempted(read, NONE)
const readAttempts = () => offline.things('attempt')
const NO_ATTEMPTS: ReadonlyMap<string, Attempt> = new Map()
/** Sittings that were handed in, by their ids. */
export const useAttempts = (): ReadonlyMap<string, Attempt> | null =>
  useAttempted<ReadonlyMap<string, Attempt>>(readAttempts, NO_ATTEMPTS)

/** Of one paper. */
export const pastOf = ({ past }: Progress, itemNo: string): Past[] =>
  past.filter(({ paper }) => placeOf(paper).itemNo === itemNo)
/** The whole papers among them: what was tried of one that is locked is not the paper. */
export const wholeOf = (past: readonly Past[]): Past[] => past.filter(({ paper }) => !isTrial(paper))
const bestOf = (past: readonly Past[]): Past | null =>
  past.reduce<Past | null>((best, each) => (best && best.score >= each.score ? best : each), null)

/** The best of these, and how often it was handed in; '' when there are none. */
export function bestText(past: readonly Past[], withTimes = false): string {
  const whole = wholeOf(past)
  const counted = whole.length > 0 ? whole : past
  const best = bestOf(counted)
  if (!best) return ''
  return `${isTrial(best.paper) ? '试做' : '最好'} ${scoreText(best)}${withTimes ? `，交卷 ${counted.length} 次` : ''}`
}
