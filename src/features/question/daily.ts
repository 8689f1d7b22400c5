import type { QueryClient } from '@tanstack/react-query'
import type { Located } from '#src/contract/question.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { seeded, shuffled } from '#src/domain/question/shuffle.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { dailyBatch, type Dealt, dailyDealt } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { keepDailyDone } from '#src/offline/record/daily.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import type { Item } from '#src/player/playerState.ts'
import { collect } from './practice/openBatch.ts'
import { isDone, isMissed, type Selection } from './dealt.ts'
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
/** 每日一练 of one library: chance, which the day decides, picks what was never answered, then what was wrong, then the rest. */
export const dailyList = (client: QueryClient, { libraryNo, day, size }: Daily): StudyList => ({
  draft: dailyBatch.key(libraryNo),
  from: 'library',
  ordered: true,
  pick: async () => {
    const items = await pickItems(client, { libraryNo, day, size })
    await keepQuestions(offline.owner, items.map(locatedOf))
    const nos = items.map(({ part }) => part.no)
    await offline.saveDraft({ key: dailyDealt.key(libraryNo), value: { day, nos } })
    return nos
  },
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

async function pickItems(client: QueryClient, { libraryNo, day, size }: Daily): Promise<Item[]> {
  const outline = await client.ensureQueryData(outlineQuery(libraryNo))
  const random = seeded(`${day}:${libraryNo}`)
  const found: Item[] = []
  let lost: Error | null = null
  const isFound = (no: string) => found.some(({ part }) => part.no === no)
  const ways: Selection['wants'][] = [
    (_, __, state) => !isDone(state),
    (_, __, state) => isMissed(state) && dayOf(state?.lastAt ?? 0) !== day,
    () => true,
  ]
  for (const wants of ways) {
    if (found.length >= size) break
    const { items, missing } = await collect(
      client,
      outline,
      {
        wants: (part, home, state) => !isFound(part.no) && wants(part, home, state),
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

const locatedOf = ({ part, material, chapterNo, libraryNo }: Item): Located => ({
  question: material ?? part,
  chapterNo,
  libraryNo,
  retired: false,
})
