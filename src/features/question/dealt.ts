import type { PlainQuestion, Question } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { type RoundHint, roundHint } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import type { Sums } from '#src/domain/study/sums.ts'

/** undone: never answered in this round; wrong: last answered wrongly. */
export type Pick = 'undone' | 'wrong'
/** One that was only collected or noted was never answered. */
export const isDone = (state: StudyState | undefined): state is StudyState => Boolean(state?.times)
export const isMissed = (state: StudyState | undefined): boolean => isDone(state) && !state.lastRight
/** Tells by the counts of a chapter, without reading any of it, that a selection finds nothing there. */
export type IsOver = (sums: Sums, total: number) => boolean
/** What to deal: the ordinary next ones below, or as chosen in 练习设置 (startBatch.ts). */
export interface Selection {
  wants: (part: PlainQuestion, home: Question, state: StudyState | undefined) => boolean
  /** How many, materials whole. */
  size: number
  /** Null: in reading order. */
  mix: (<T>(list: readonly T[]) => T[]) | null
  /** Finds all that is undone, so it may say where to look first the next time. */
  hints: boolean
  /** Left out: every chapter may have some. */
  isOver?: IsOver | undefined
}

/** What the record has of a block's questions, answered or not; a device that cannot read its record has none. */
export function statesOf({ questions }: { questions: readonly Question[] }): Promise<Map<string, StudyState>> {
  const nos = questions.flatMap((question) => partsOf(question).map((part) => part.no))
  return offline.states(nos).catch(() => new Map<string, StudyState>())
}

const START: RoundHint = { from: 0, round: 0 }
export const loadHint = async (no: string): Promise<RoundHint> =>
  (await readDraft(offline, roundHint, roundHint.key(no))) ?? START
