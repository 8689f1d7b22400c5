import type { Chapter } from '#src/contract/question.ts'

/** Numbers of a chapter and of all chapters below it. `chapters`: parents stand before their children. */
export function chaptersWithin(no: string, chapters: readonly Pick<Chapter, 'no' | 'parent'>[]): Set<string> {
  const within = new Set([no])
  for (const each of chapters) if (each.parent !== null && within.has(each.parent)) within.add(each.no)
  return within
}

/** The chapter that is read after this one: its next sibling, else the next that holds questions itself. Null: it is the last. */
export function chapterAfter<C extends Pick<Chapter, 'no' | 'parent' | 'total'>>(
  no: string,
  chapters: readonly C[],
): C | null {
  const at = chapters.findIndex((each) => each.no === no)
  if (at === -1) return null
  const within = chaptersWithin(no, chapters)
  const rest = chapters.slice(at + 1).filter((each) => !within.has(each.no) && each.total > 0)
  const isLeaf = (each: C) => !chapters.some(({ parent }) => parent === each.no)
  return rest.find(({ parent }) => parent === chapters[at]?.parent) ?? rest.find(isLeaf) ?? null
}
