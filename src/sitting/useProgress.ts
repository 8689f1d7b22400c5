import type { SittingRecord } from '#src/contract/sitting.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import type { Sitting } from '#src/offline/drafts/sitting.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { readAnswers, readBegun, sheetDrafts } from './engine/drafts.ts'
import { isTrial, placeOf } from './engine/sheet.ts'
import { scoreText } from './texts.ts'

export type Past = SittingRecord & { id: string }
/** A sitting that was begun last of its paper and mode, and how far it has come. */
export type Begun = Sitting & { answered: number; total: number; handedIn: boolean }
/** How far the student has come with papers, on all devices and on this one. */
export interface Progress {
  /** Sittings that were handed in, the newest first. */
  past: Past[]
  /** The last one of each paper and mode on this device. */
  begun: Begun[]
}
const NONE: Progress = { past: [], begun: [] }

async function countOf(sitting: Sitting): Promise<Omit<Begun, 'handedIn'>> {
  const saved = await readAnswers([sheetDrafts.handed, sheetDrafts.answers], sitting.id)
  const answered = Object.values(saved?.parts ?? {}).filter(({ response }) => isAnswered(response)).length
  return { ...sitting, answered, total: saved?.items.length ?? 0 }
}

async function read(): Promise<Progress> {
  const counted = readBegun().then((begun) => Promise.all(begun.map(countOf)))
  const [handedIn, begun] = await Promise.all([offline.things('attempt'), counted])
  return {
    past: [...handedIn].map(([id, sitting]) => ({ id, ...sitting })).sort((a, b) => b.handedAt - a.handedAt),
    begun: begun.map((each) => ({ ...each, handedIn: handedIn.has(each.id) })),
  }
}

const isHandIn = (changed: string): boolean => changed === 'attempt'

/** Null until the device has been read; one that cannot be read shows none. Read again when a sitting is handed in. */
function useSittings<T>(read: () => Promise<T>, none: T): T | null {
  const { data, failed } = useRecord(read, isHandIn)
  return data ?? (failed ? none : null)
}

export const useProgress = (): Progress | null => useSittings(read, NONE)
const readHandedIn = () => offline.things('attempt')
const NONE_HANDED_IN: ReadonlyMap<string, SittingRecord> = new Map()
/** Sittings that were handed in, by their ids. */
export const useHandedIn = (): ReadonlyMap<string, SittingRecord> | null =>
  useSittings<ReadonlyMap<string, SittingRecord>>(readHandedIn, NONE_HANDED_IN)

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
