import type { Chapter } from '#src/contract/question.ts'
import type { Counters } from '#src/offline/index.ts'

export type Tree = ReadonlyMap<string | null, readonly Chapter[]>
export interface Progress {
  done: number
  right: number
}

/** All of it is on this device. */
export const isHere = ({ no }: Chapter, tree: Tree, here: ReadonlySet<string>): boolean =>
  tree.get(no)?.every((each) => isHere(each, tree, here)) ?? here.has(no)

/** Counters are kept per leaf; a chapter's are the sum over its leaves. */
export function sum(
  chapters: readonly Chapter[],
  tree: Tree,
  counters: ReadonlyMap<string, Counters> | null,
): Progress {
  const all = { done: 0, right: 0 }
  for (const { no } of chapters) {
    const own = counters?.get(no)
    const below = sum(tree.get(no) ?? [], tree, counters)
    all.done += below.done + (own?.sums.done ?? 0)
    all.right += below.right + (own?.sums.right ?? 0)
  }
  return all
}

export function byParent(chapters: readonly Chapter[]): Tree {
  const tree = new Map<string | null, Chapter[]>()
  for (const chapter of chapters) {
    const known = tree.get(chapter.parent)
    if (known) known.push(chapter)
    else tree.set(chapter.parent, [chapter])
  }
  return tree
}
