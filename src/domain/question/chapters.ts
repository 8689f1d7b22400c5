import type { Chapter } from '#src/contract/question.ts'

/** Numbers of a chapter and of all chapters below it. `chapters`: parents stand before their children. */
export function chaptersWithin(no: string, chapters: readonly Pick<Chapter, 'no' | 'parent'>[]): Set<string> {
  const within = new Set([no])
  for (const each of chapters) if (each.parent !== null && within.has(each.parent)) within.add(each.no)
  return within
}
