import { useQuery } from '@tanstack/react-query'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { blocksHere } from '#src/features/question/here.ts'
import type { WaitingOp } from '#src/offline/index.ts'

export interface Place {
  /** Library and chapter, where this device knows them; '' for what belongs to no question. */
  text: string
  chapter: { no: string; title: string } | null
}

/** What a student calls the place of an op: numbers of questions are for programs. */
export function usePlaces(): (op: Pick<WaitingOp, 'place'>) => Place {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  return ({ place }) => {
    if (!place) return { text: '', chapter: null }
    const { text, chapter = null } = homeOf(libraries, place)
    return { text: text || '其他章节', chapter }
  }
}

/** The question, or the material that holds it, among those on this device; null when it is not here. */
export async function findQuestion(chapterNo: string, questionNo: string): Promise<{ q: string; at: number } | null> {
  for (const block of (await blocksHere()).values()) {
    if (block.chapterNo !== chapterNo) continue
    const questions = await block.read().catch(() => [])
    const found = questions.find((question) => partsOf(question).some(({ no }) => no === questionNo))
    if (found) return { q: found.no, at: block.at }
  }
  return null
}
