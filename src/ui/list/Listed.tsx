import { onlineManager } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Fragment, type ReactNode, useEffect, useEffectEvent } from 'react'
import { isAway, SERVER_FAULT, wordsOf } from '#src/domain/app/failureWords.ts'
import common from '../common.module.css'
import { Empty } from '../Empty.tsx'
import { Button } from '../Button.tsx'
import { ErrorCard } from '../ErrorCard.tsx'
import classes from './Listed.module.css'
import listing from './Listing.module.css'
import end from './More.module.css'
import { More, NoMore } from './More.tsx'
import type { Place } from './place.ts'
import { Shapes } from './Skeleton.tsx'
import { usePlace, useReturning } from './useReturning.ts'

/** Rows of a list on this device that are shown at first, and added at its end. */
const STEP = 40
/** Rows of a page that the server gives. */
const PAGE = 20
/** From so many on, blocks of rows out of sight are left out of layout: each costs the browser a look a frame. */
const LONG = 60
const BLOCK = 24
/** Said, because what stands in a block is no longer an item of its own accord. */
export const ITEM = { role: 'listitem' }
const LIST = { role: 'list' }
/** A longer list is not fetched again page by page when it is come back to. */
const MOST_AGAIN = 400

/** As React Query says it. */
interface Source {
  data: unknown
  error: unknown
  isPending: boolean
  refetch: () => unknown
}
interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => unknown
}

export interface ListedProps<T> {
  /** Of the list, among all that the screen shows; another name is another list. */
  name?: string
  label?: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Where the rows come from; left out, they are here. */
  from?: Source
  /** Of a list that the server gives page by page: the rest of it. */
  pages?: Pages
  /** What is said, or done, where there is nothing. */
  empty?: ReactNode
  rowClass?: string | undefined
  /** List items behind the last row. */
  after?: ReactNode
  /** What is said when it is not here and nobody answers. */
  away?: string
  children: (row: T) => ReactNode
}

/**
 * Any list of what can be opened: coming, failed, empty, growing, at its end. Who comes back to it finds it as long as it was, at
 * the row that they left.
 */
export function Listed<T>({ name = 'list', ...props }: ListedProps<T>) {
  // A list that is another one has its own length and place.
  return <OneList key={name} name={name} {...props} />
}

function OneList<T>(props: ListedProps<T> & { name: string }) {
  const { name, rows, from, pages, empty, after, away } = props
  const before = usePlace(name)
  const waiting = usePagesAgain(rows.length, pages, before)
  const isHere = !from || from.data !== undefined
  const step = pages ? Number.POSITIVE_INFINITY : STEP
  const { list, shown, more } = useReturning({ name, rows, step, before, ready: isHere && !waiting })
  if (from?.isPending) return <Shapes heights={[96, 96, 96, 96]} className={listing.list} />
  if (!isHere) return <ErrorCard error={from.error} onRetry={() => void from.refetch()} {...(away && { away })} />
  if (rows.length === 0 && !after && !pages?.hasNextPage)
    return typeof empty === 'object' ? empty : <Empty of="paper">{empty && <p>{empty}</p>}</Empty>
  return (
    <>
      <Rows {...props} rows={shown} list={list} after={more ? null : after} />
      {more}
      {pages && <Rest pages={pages} count={rows.length} />}
      {!more && !pages?.hasNextPage && rows.length > (pages ? PAGE : STEP) && <NoMore />}
    </>
  )
}

type RowsProps<T> = Pick<ListedProps<T>, 'label' | 'rows' | 'keyOf' | 'rowClass' | 'after' | 'children'> & {
  list: React.Ref<HTMLDivElement>
}
function Rows<T>({ list, label, rows, keyOf, rowClass, after, children }: RowsProps<T>) {
  const blocks = Array.from({ length: Math.ceil(rows.length / BLOCK) || 1 }, (_, i) =>
    rows.slice(i * BLOCK, (i + 1) * BLOCK),
  )
  return (
    <div ref={list} {...LIST} className={common.stack} aria-label={label} data-long={rows.length > LONG || undefined}>
      {blocks.map((block, i) => (
        // A block is a place in the list; it says nothing of itself.
        <div key={i} className={classes.block}>
          <ul role="none" className={listing.list}>
            {block.map((row) => (
              <li key={keyOf(row)} {...ITEM} data-row={keyOf(row)} className={rowClass}>
                {children(row)}
              </li>
            ))}
            {i === blocks.length - 1 && after}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** The next page comes as the end is scrolled to; one that failed says so, and leaves alone what is shown. */
function Rest({ pages, count }: { pages: Pages; count: number }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = pages
  const failed = isFetchNextPageError && !isFetchingNextPage
  const again = useEffectEvent(() => void (failed && fetchNextPage()))
  const offline = failed && error instanceof Error && error.name === 'OfflineError'
  useEffect(() => {
    if (!offline) return
    // A late answer may have told of the network before this page was given up.
    if (onlineManager.isOnline()) again()
    return onlineManager.subscribe((online) => online && again())
  }, [offline])
  if (isFetchingNextPage)
    return (
      <p className={clsx(common.wrap, common.note, end.end)} role="status">
        正在加载...
      </p>
    )
  if (failed)
    return (
      <div className={clsx(common.wrap, common.note, end.end)} role="alert">
        <span>{isAway(error) ? '网络不可用，后面的内容联网后可查看' : wordsOf(error, SERVER_FAULT)}</span>
        <Button small look="light" onClick={() => void fetchNextPage()}>
          重试
        </Button>
      </div>
    )
  return hasNextPage ? <More key={count} onMore={() => void fetchNextPage()} /> : <Fragment />
}

/** Who comes back to a list that the memory has let go gets its pages again. True while they come. */
function usePagesAgain(count: number, pages: Pages | undefined, before: Place | null): boolean {
  const wanted = Math.min(before?.rows ?? 0, MOST_AGAIN)
  const missing = !!pages?.hasNextPage && !pages.isFetchNextPageError && count > 0 && count < wanted
  const fetching = pages?.isFetchingNextPage ?? false
  const fetchNext = useEffectEvent(() => void pages?.fetchNextPage())
  useEffect(() => {
    if (missing && !fetching) fetchNext()
  }, [missing, fetching])
  return missing
}
