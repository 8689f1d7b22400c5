import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import { libraryListQuery } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/question.ts'
import { useCounters } from '#src/offline/useOffline.ts'
import { useLastView } from '#src/session/lastView.ts'
import { CHAPTER_COUNTS, session } from '#src/session/session.ts'
import { useSession } from '#src/session/useSession.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Select } from '#src/ui/Select.tsx'
import { NoMore } from '#src/ui/list/More.tsx'
import { usePlace, useReturning } from '#src/ui/list/useReturning.ts'
import { timeText } from '#src/ui/dates.ts'
import { optional } from '#src/ui/optional.ts'
import { LibraryCard, type LibraryCardProps } from './parts/LibraryCard.tsx'
import { LibrarySkeleton } from './parts/LibrarySkeleton.tsx'
import { SubjectBar } from './parts/SubjectBar.tsx'
import { SearchOpener } from './search/SearchOpener.tsx'
import type { SearchDialogProps } from './search/SearchDialog.tsx'
import { chooseSubject, openSubject, subjectsOf } from './subject.ts'
import classes from './LibraryPage.module.css'

const DownloadAll = optional(() => import('./downloads/DownloadAll.tsx').then((m) => m.DownloadAll))

interface LibraryPageProps {
  /** Starts a batch of a chapter or of a whole library. */
  onOpen: (no: string, count: number, title: string) => void
  /** Opens one question that was searched for. */
  onFound: SearchDialogProps['onOpen']
  onFoundLesson: SearchDialogProps['onOpenLesson']
  /** The way to 学习统计. */
  stats: ReactNode
}

/** Cards of libraries of a subject that are shown at once: each takes a slow phone as long as twenty rows of a list. */
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
        <div className={common.grow}>
          <h1 className={classes.heading}>题库</h1>
          <p className={clsx(common.note, classes.exam)}>{exam?.name}</p>
        </div>
        <div className={clsx(common.row, classes.ways)}>
          <Link to="/question_set/question_set_list" {...buttonLook({ small: true, look: 'quiet' })}>
            题集测评
          </Link>
          <span className={classes.stats}>
            <Suspense>{stats}</Suspense>
          </span>
        </div>
        <label className={clsx(common.row, common.fixed, common.note)}>
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
          search={<SearchOpener libraries={data} onOpen={onFound} onOpenLesson={onFoundLesson} />}
        />
      )}
    </div>
  )
}

interface LibrariesProps extends Pick<LibraryCardProps, 'count' | 'onOpen'> {
  libraries: readonly Library[]
  search: ReactNode
}

/** One subject at a time; its choice and 搜题 stay in sight. */
function Libraries({ libraries, search, ...rest }: LibrariesProps) {
  const [chosen, setChosen] = useState(() => openSubject(libraries))
  const subjects = useMemo(() => subjectsOf(libraries), [libraries])
  // The operator may have withdrawn it meanwhile.
  const subject = subjects.some(({ no }) => no === chosen) ? chosen : openSubject(libraries)
  const open = useMemo(() => libraries.filter((library) => library.subject.no === subject), [libraries, subject])
  const leaves = useMemo(() => open.flatMap(({ chapters }) => chapters.map(({ no }) => no)), [open])
  const counters = useCounters(leaves)
  useLastView(counters && true)
  const before = usePlace('libraries')
  const { list, shown, more } = useReturning({ name: 'libraries', rows: open, step: AT_FIRST, before, ready: true })
  const pick = (no: string) => {
    chooseSubject(no)
    setChosen(no)
    // A student who had scrolled on starts at the top of the other one.
    const top = list.current?.getBoundingClientRect().top ?? 0
    if (top < 0) list.current?.scrollIntoView()
  }
  return (
    <>
      <div className={classes.all}>
        <Suspense>
          <DownloadAll libraries={libraries} />
        </Suspense>
      </div>
      <SubjectBar subjects={subjects} chosen={subject} onPick={pick}>
        {search}
      </SubjectBar>
      <div ref={list} className={clsx(common.stack, classes.list)}>
        {shown.map((library) => (
          <LibraryCard key={library.no} library={library} counters={counters} {...rest} />
        ))}
      </div>
      {more ?? (open.length > AT_FIRST && <NoMore />)}
    </>
  )
}
