import { useCallback, useEffect } from 'react'
import type { Source } from '#src/contract/study.ts'
import { type AnswerFact, offline } from '#src/offline/index.ts'
import { type Item, lookOf, partState, type PlayerState } from '#src/player/playerState.ts'

/** One way of studying within a batch that goes through several in one sitting. */
export interface BatchPart {
  /** Students know it by this name. */
  name: string
  nos: ReadonlySet<string>
  /** A word on why these are asked, behind its heading. */
  about?: string | undefined
  /** Its answers are recorded as from there. */
  from: Source
  /** It has fewer questions, because some are not on this device. */
  away: boolean
  /** It is called when every question of the part is answered. */
  onDone?: (() => void) | undefined
}
/** The same object each time: effects compare it. */
export const NO_PARTS: readonly BatchPart[] = []

const itemsIn = ({ items }: PlayerState, { nos }: BatchPart): readonly Item[] =>
  items.filter(({ part }) => nos.has(part.no))
const isDone = (state: PlayerState, part: BatchPart): boolean => {
  const items = itemsIn(state, part)
  return items.length > 0 && items.every((item) => partState(state, item.part).right !== null)
}

/** The part of the question on the screen; `begins` is what its first question is headed with. */
export function partAt(state: PlayerState, parts: readonly BatchPart[]): { name: string; begins: string } | null {
  const no = state.items[state.at]?.part.no ?? ''
  const at = parts.findIndex(({ nos }) => nos.has(no))
  const part = parts[at]
  if (!part) return null
  const items = itemsIn(state, part)
  const heading = `${part.name} ${items.length} 题${part.about ? ` · ${part.about}` : ''}`
  const before = parts
    .slice(0, at)
    .filter((each) => isDone(state, each))
    .at(-1)
  const begins = before ? `${before.name}做完了 ✓ 接着是${heading}` : heading
  return { name: part.name, begins: items[0]?.part.no === no ? begins : '' }
}

/** Tells each part that is done, once for each time the sitting is opened. */
export function usePartsDone(state: PlayerState, parts: readonly BatchPart[]): void {
  const done = parts.map((part) => (isDone(state, part) ? '1' : '0')).join('')
  useEffect(() => {
    for (const [i, part] of parts.entries()) if (done[i] === '1') part.onDone?.()
  }, [done, parts])
}

/** Records answers, each as from its part. */
export function useRecordOf(parts: readonly BatchPart[]): typeof offline.recordAnswer {
  return useCallback(
    (fact: AnswerFact, draft) => {
      const part = parts.find(({ nos }) => nos.has(fact.questionNo))
      return offline.recordAnswer(part ? { ...fact, from: part.from } : fact, draft)
    },
    [parts],
  )
}

/** Counts how a part went: its questions, and those that are answered and right. */
export function resultsOf(state: PlayerState, part: BatchPart): { total: number; answered: number; right: number } {
  const looks = itemsIn(state, part).map((item) => lookOf(state, item))
  const answered = looks.filter((look) => look !== 'untouched' && look !== 'started').length
  return { total: looks.length, answered, right: looks.filter((look) => look === 'right').length }
}

/** Says in a true sentence what a sitting has taught; '' before the first answer. */
export function learntOf(state: PlayerState, parts: readonly BatchPart[]): string {
  const results = parts.map((part) => ({ isReview: part.from === 'error', ...resultsOf(state, part) }))
  const rights = (isReview: boolean) =>
    results.filter((each) => each.isReview === isReview).reduce((sum, { right }) => sum + right, 0)
  const wrong = results.reduce((sum, { answered, right }) => sum + answered - right, 0)
  const said = [
    rights(true) > 0 && `${rights(true)} 道旧题记得更牢了`,
    rights(false) > 0 && `做对了 ${rights(false)} 道题`,
    wrong > 0 && `没全对的 ${wrong} 道已记下，到时候会排进今日任务`,
  ].filter((each) => each !== false)
  return said.length > 0 ? `${said.join('，')}。` : ''
}
