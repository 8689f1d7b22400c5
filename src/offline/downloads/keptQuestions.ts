import { getMany, keys, setMany } from 'idb-keyval'
import { type Located, SOME_MAX } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { cacheStore } from '../device/cacheStore.ts'
import { KEPT } from '../device/names.ts'
import { withSpace } from '../device/storage.ts'

/**
 * Questions that a student comes back to (error book, collections, notes), one by one, so that a list from fifty chapters
 * opens without reading fifty chapters. Kept when they are answered wrongly, collected or noted, and fetched for what another
 * device did. Can all be fetched again.
 */
const keyOf = (no: string): string => `${KEPT}${no}`

/** Under the number of each part: a sub-question brings its material. */
export async function keepQuestions(owner: string, located: readonly Located[]): Promise<void> {
  const rows = located.flatMap((each) => {
    const json = JSON.stringify(each)
    return partsOf(each.question).map(({ no }): [string, string] => [keyOf(no), json])
  })
  if (rows.length > 0) await withSpace(owner, () => setMany(rows, cacheStore(owner)), 1)
}

/** What is on this device of these, by number. A device that cannot be read has none. */
export async function keptQuestions(owner: string, nos: readonly string[]): Promise<Map<string, Located>> {
  const rows = await getMany<string | undefined>(nos.map(keyOf), cacheStore(owner)).catch(() => [])
  return new Map(
    nos.flatMap((no, i) => {
      const row = rows[i]
      // Rows are written above only.
      return row === undefined ? [] : [[no, JSON.parse(row) as Located] as const]
    }),
  )
}

/** Numbers of these that are not on this device. */
export async function missingOf(owner: string, nos: readonly string[]): Promise<string[]> {
  const here = new Set(await keys<string>(cacheStore(owner)).catch(() => []))
  return nos.filter((no) => !here.has(keyOf(no)))
}

/** Fetches these, a call at a time, until all are here or a call fails; tells how many have been asked for. */
export async function fetchQuestions(
  owner: string,
  nos: readonly string[],
  fetch: (nos: string[]) => Promise<Located[]>,
  tell?: (asked: number) => void,
): Promise<void> {
  for (let from = 0; from < nos.length; from += SOME_MAX) {
    await keepQuestions(owner, await fetch(nos.slice(from, from + SOME_MAX)))
    tell?.(Math.min(nos.length, from + SOME_MAX))
  }
}
