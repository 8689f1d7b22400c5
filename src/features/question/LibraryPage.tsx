import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, Suspense, useMemo } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import { libraryListQuery } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/question.ts'
import { useCounters } from '#src/offline/useOffline.ts'
import { useLastView } from '#src/session/lastView.ts'
import { CHAPTER_COUNTS, session } from '#src/session/session.ts'
import { useSession } from '#src/session/useSession.ts'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Select } from '#src/ui/Select.tsx'
import { NoMore } from '#src/ui/list/More.tsx'
import { usePlace, useReturning } from '#src/ui/list/useReturning.ts'
import { timeText } from '#src/ui/dates.ts'
import { LibraryCard, type LibraryCardProps } from './parts/LibraryCard.tsx'
import { LibrarySkeleton } from './parts/LibrarySkeleton.tsx'
import { SearchOpener } from './search/SearchOpener.tsx'
import type { SearchDialogProps } from './search/SearchDialog.tsx'
import classes from './LibraryPage.module.css'

interface LibraryPageProps {
  /** Starts a batch of a chapter or of a whole library. */
  onOpen: (no: string, count: number, title: string) => void
  /** Opens one question that was searched for. */
  onFound: SearchDialogProps['onOpen']
  onFoundLesson: SearchDialogProps['onOpenLesson']
  /** The way to 学习统计. */
  stats: ReactNode
}

/** Cards of libraries that are shown at once, as many as a direction commonly has: each takes a slow phone as long as twenty rows of a list. */
const AT_FIRST = 12

/** 题库: the libraries of the direction, each with its chapters and how far the student has come in them. */
export function LibraryPage({ onOpen, onFound, onFoundLesson, stats }: LibraryPageProps) {
  const { data, error, isPending, refetch, dataUpdatedAt, isError } = useQuery(libraryListQuery())
  const { chapterCount, exam } = useSession()
  useLastView(isPending || data?.length ? null : false)
  if (isPending) return <LibrarySkeleton />
  if (!data) return <ErrorCard error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.page}>
      <div className={clsx(common.row, classes.head)}>
        <div className={clsx(common.grow, classes.names)}>
          <h1 className={classes.heading}>题库</h1>
          <p className={clsx(common.note, classes.exam)}>{exam?.name}</p>
        </div>
        <Link to="/question_set/question_set_list" className={clsx(common.accent, classes.sets)}>
          题集测评
        </Link>
        <span className={classes.stats}>
          <Suspense>{stats}</Suspense>
        </span>
        <SearchOpener libraries={data} onOpen={onFound} onOpenLesson={onFoundLesson} />
        <label className={clsx(common.row, common.note)}>
          每组
          <Select
            value={chapterCount}
            onChange={(event) =>
              session.setChapterCount(
                CHAPTER_COUNTS.find((size) => size === Number(event.target.value)) ?? chapterCount,
              )
            }
          >
            {CHAPTER_COUNTS.map((size) => (
              <option key={size} value={size}>
                {size} 题
              </option>
            ))}
          </Select>
        </label>
      </div>
      {isError && error instanceof OfflineError && (
        <p className={clsx(common.small, common.warm, classes.stale)}>
          当前离线，显示的是 {timeText(dataUpdatedAt)} 的题库
        </p>
      )}
      {data.length === 0 ? (
        <Empty of="paper" />
      ) : (
        <Libraries
          libraries={data}
          count={chapterCount}
          onOpen={(no, title, size = chapterCount) => onOpen(no, size, title)}
        />
      )}
    </div>
  )
}

function Libraries({
  libraries,
  ...rest
}: Pick<LibraryCardProps, 'count' | 'onOpen'> & { libraries: readonly Library[] }) {
  const leaves = useMemo(
    () => libraries.flatMap((library) => library.chapters.map((chapter) => chapter.no)),
    [libraries],
  )
  const counters = useCounters(leaves)
  useLastView(counters && true)
  const before = usePlace('libraries')
  const { list, shown, more } = useReturning({
    name: 'libraries',
    rows: libraries,
    step: AT_FIRST,
    before,
    ready: true,
  })
  return (
    <>
      <div ref={list} className={clsx(common.stack, classes.list)}>
        {shown.map((library) => (
          <LibraryCard key={library.no} library={library} counters={counters} {...rest} />
        ))}
      </div>
      {more ?? <NoMore />}
    </>
  )
}
