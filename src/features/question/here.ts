import type { Library } from '#src/contract/question.ts'
import { type BlockOnDevice, chaptersOnDevice, questionsOnDevice, type Reader } from '#src/offline/onDevice.ts'
import { session } from '#src/session/session.ts'

/** Who studies what now. */
export function readerNow(): Reader {
  const { area, sg_key: exam } = session.scope()
  return { owner: session.owner(), area, exam }
}

/** Blocks of questions that this device holds for them, by place. */
export const blocksHere = (): Promise<Map<string, BlockOnDevice>> => questionsOnDevice(readerNow())

/** Leaf chapters of a library that can be studied whole without a network. */
export const chaptersHere = ({ no, chapters }: Library): Promise<Set<string>> =>
  chaptersOnDevice(readerNow(), new Set([no, ...chapters.map((chapter) => chapter.no)]))
