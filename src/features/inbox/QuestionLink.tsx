import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import type { StudyState } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { session } from '#src/session/session.ts'
import common from '#src/ui/common.module.css'
import { buttonLook } from '#src/ui/Button.tsx'

const NONE: ReadonlyMap<string, StudyState> = new Map()

/** Where the record has these questions; null until first read. */
export function useStates(questionNos: readonly string[]): ReadonlyMap<string, StudyState> | null {
  const key = questionNos.join()
  const read = useCallback(() => offline.states(key === '' ? [] : key.split(',')), [key])
  const { data, failed } = useRecord(read)
  return data ?? (failed ? NONE : null)
}

interface QuestionLinkProps {
  questionNo: string
  /** Where it is; undefined: nobody here knows. */
  home: Pick<StudyState, 'chapterNo' | 'libraryNo'> | undefined
  onLeave: () => void
}

/** Opens a question where it is now. */
export function QuestionLink({ questionNo, home, onLeave }: QuestionLinkProps) {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  if (!home) return null
  if (home.chapterNo === null) return <span className={common.caption}>已下架</span>
  const { chapterNo } = home
  const { chapter } = homeOf(libraries, home)
  const params = { no: chapterNo, count: session.get().chapterCount, title: chapter?.title ?? '题目' }
  return (
    <Link
      {...buttonLook({ small: true, look: 'light' })}
      to="/question/library_study/$no/$count/$title"
      params={params}
      search={{ q: questionNo }}
      onClick={onLeave}
    >
      查看题目
    </Link>
  )
}
