import type { RoundHint } from '#src/offline/drafts/practice.ts'
import type { BlockRef, Outline } from '#src/contract/question.ts'
import type { Sums } from '#src/domain/study/sums.ts'
import { offline } from '#src/offline/index.ts'
import type { IsOver, Selection } from './dealt.ts'

export const allDone: IsOver = ({ done = 0 }, total) => done >= total
export const noneWrong: IsOver = ({ done = 0, right = 0 }) => done === right

/**
 * The blocks of an outline in which a selection can find something, by their places in it, in the order in which they are read. To
 * read each block of what is finished took a new device 186 calls, and one that has all of it ten seconds.
 */
export async function readingOrder(
  { blocks }: Outline,
  { isOver, hints }: Pick<Selection, 'isOver' | 'hints'>,
  { from }: Pick<RoundHint, 'from'>,
): Promise<number[]> {
  const totals = new Map<string, number>()
  for (const { no, count } of blocks) totals.set(no, (totals.get(no) ?? 0) + count)
  const counters = isOver ? await offline.counters([...totals.keys()]).catch(() => null) : null
  const sumsOf = (no: string): Sums => counters?.get(no)?.sums ?? {}
  const over = new Set<string>()
  if (isOver && counters) for (const [no, total] of totals) if (isOver(sumsOf(no), total)) over.add(no)
  const all = blocks.flatMap(({ no }, index) => (over.has(no) ? [] : [index]))
  const [first] = all
  if (!hints || first === undefined) return all
  const begin =
    from > 0 && from < blocks.length ? from : first + blocksDone(blocks, first, sumsOf(blocks[first]?.no ?? ''))
  return [...all.filter((index) => index >= begin), ...all.filter((index) => index < begin)]
}

/**
 * How many blocks of the chapter that begins at `first` are behind a student who reads in order, as most do. Where one does not,
 * the blocks that were passed over come last.
 */
function blocksDone(blocks: readonly BlockRef[], first: number, { done = 0 }: Sums): number {
  const { no } = blocks[first] ?? {}
  let [left, passed] = [done, 0]
  for (const block of blocks.slice(first)) {
    if (block.no !== no || left < block.count) break
    left -= block.count
    passed += 1
  }
  return passed
}
