import { useQuery } from '@tanstack/react-query'
import { chapterAfter } from '#src/domain/question/chapters.ts'
import { Button } from '#src/ui/Button.tsx'
import { libraryListQuery } from '../queries.ts'

export interface NextChapterProps {
  /** The chapter that was studied. */
  no: string
  onGo: (chapter: { no: string; title: string }) => void
}

/** The way on from a chapter, where its library is known and has one after it. */
export function NextChapter({ no, onGo }: NextChapterProps) {
  const { data } = useQuery(libraryListQuery())
  const next = data?.map(({ chapters }) => chapterAfter(no, chapters)).find((found) => found !== null)
  if (!next) return null
  return (
    <Button look="light" onClick={() => onGo(next)}>
      下一章：{next.title}
    </Button>
  )
}
