import type { ChapterSums, Detail, Sums } from '#src/domain/study/sums.ts'

/** Every name of every chapter's sums, as lists, statistics and groupings read them together. */
export async function sumsOf(read: (detail?: Detail) => Promise<ChapterSums[]>): Promise<Map<string, Sums>> {
  const sums = new Map<string, Sums>()
  for (const rows of await Promise.all([read(), read('points'), read('groups')]))
    for (const row of rows) sums.set(row.chapterNo, { ...sums.get(row.chapterNo), ...row.sums })
  return sums
}
