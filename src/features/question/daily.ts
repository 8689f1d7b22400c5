import type { QueryClient } from '@tanstack/react-query'
import type { Located } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { seeded, shuffled } from '#src/domain/question/shuffle.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { dailyBatch, type Dealt, dailyDealt } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { dailyLeft, keepDailyDone, unanswered } from '#src/offline/record/daily.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import type { Item } from '#src/player/playerState.ts'
import { collect } from './practice/openBatch.ts'
import { isDone, isMissed } from './dealt.ts'
import type { StudyList } from './lists/listStudy.ts'
import { outlineQuery } from './queries.ts'

const dealtOf = (libraryNo: string): Promise<Dealt | null> => readDraft(offline, dailyDealt, dailyDealt.key(libraryNo))

interface Daily {
  libraryNo: string
  /** Of Asia/Shanghai. */
  day: number
  /** Questions; a material comes whole. */
  size: number
}
/**
 * 每日一练 of one library: chance, which the day decides, picks what was never answered, then what was wrong, then the rest, as all of it
 * stood when the day began: so each device deals the same, and what was answered on another is done. Whoever has done it gets others.
 */
export const dailyList = (client: QueryClient, { libraryNo, day, size }: Daily): StudyList => ({
  draft: dailyBatch.key(libraryNo),
  from: 'library',
  ordered: true,
  pick: () =>
    pickDaily(client, { libraryNo, day, size }, async (items) => {
      await keepQuestions(offline.owner, items.map(locatedOf))
      const nos = items.map(({ part }) => part.no)
      await offline.saveDraft({ key: dailyDealt.key(libraryNo), value: { day, nos } })
    }),
  still: async () => {
    const dealt = await dealtOf(libraryNo)
    return new Set(dealt?.day === day ? dealt.nos : [])
  },
  onDone: () => {
    // An exam that another day left counts for that day.
    const keep = dealtOf(libraryNo).then((dealt) => keepDailyDone(offline, dealt?.day ?? day, libraryNo))
    void keep.catch(() => {})
  },
})

/** Returns what 每日一练 would deal now, without dealing it: a device that lacks some of it now may have all of it later. */
export const previewDaily = (client: QueryClient, daily: Daily): Promise<string[]> =>
  pickDaily(client, daily, () => Promise.resolve())

async function pickDaily(
  client: QueryClient,
  daily: Daily,
  keep: (items: readonly Item[]) => Promise<void>,
): Promise<string[]> {
  const left = await dailyLeft(offline, daily.libraryNo, daily.day)
  if (left && left.length > 0) return left
  const deal = async (isAgain: boolean) => {
    const items = await pickItems(client, daily, isAgain)
    await keep(items)
    return items.map(({ part }) => part.no)
  }
  if (left) return deal(true)
  const waiting = await unanswered(offline, await deal(false), daily.day)
  return waiting.length > 0 ? waiting : deal(true)
}

type Wants = (state: StudyState | undefined) => boolean
/** The answer that counted when a day began; undefined: there was none. */
const lastBefore = (state: StudyState | undefined, day: number) =>
  state &&
  [{ at: state.lastAt, right: state.lastRight }, ...(state.earlier ?? [])].find(({ at }) => at > 0 && dayOf(at) < day)
const firstDeal = (day: number): Wants[] => [
  (state) => !lastBefore(state, day),
  (state) => lastBefore(state, day)?.right === false,
  () => true,
]
const laterDeal = (day: number): Wants[] => [
  (state) => !isDone(state),
  (state) => isMissed(state) && dayOf(state?.lastAt ?? 0) !== day,
  () => true,
]

async function pickItems(client: QueryClient, { libraryNo, day, size }: Daily, isAgain: boolean): Promise<Item[]> {
  const outline = await client.ensureQueryData(outlineQuery(libraryNo))
  const random = seeded(`${day}:${libraryNo}`)
  const found: Item[] = []
  let lost: Error | null = null
  const isFound = (no: string) => found.some(({ part }) => part.no === no)
  for (const wants of isAgain ? laterDeal(day) : firstDeal(day)) {
    if (found.length >= size) break
    const { items, missing } = await collect(
      client,
      outline,
      {
        wants: (part, _, state) => !isFound(part.no) && wants(state),
        size: size - found.length,
        mix: (list) => shuffled(list, random),
        hints: false,
      },
      { from: 0, round: 0 },
    )
    found.push(...items)
    lost ??= missing
  }
  if (found.length === 0 && lost) throw lost
  return found
}

export const locatedOf = ({ part, material, chapterNo, libraryNo }: Item): Located => ({
  question: material ?? part,
  chapterNo,
  libraryNo,
  retired: false,
})
