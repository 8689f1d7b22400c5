import { IconCalendarEvent, IconChevronRight } from '@tabler/icons-react'
import { onlineManager, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useSyncExternalStore } from 'react'
import { OfflineError } from '#src/api/errors.ts'
import { MAX_WORDS_CHARS, type NewsHead } from '#src/contract/news.ts'
import { dayOf, dayOfDate } from '#src/domain/time/day.ts'
import { byNewest } from '#src/domain/app/news.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { Listed } from '#src/ui/list/Listed.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { fetchLatest } from './ahead.ts'
import { found, type Here, useHere } from './here.ts'
import classes from './News.module.css'
import { Calendar, TICK_MS } from './parts/Calendar.tsx'
import { NewsCard } from './parts/NewsCard.tsx'
import { calendarQuery, newsListQuery, newsSearchQuery } from './queries.ts'
import { awayText } from './texts.ts'
import { useWords } from '#src/ui/text/useWords.ts'

/** What is shown; it stands in the address, so that who comes back finds it. */
export interface NewsView {
  category?: string | undefined
  q?: string | undefined
  part?: 'calendar' | undefined
}
interface NewsListPageProps {
  view: NewsView
  onView: (view: NewsView) => void
  onCalendar: () => void
  /** From the calendar. */
  onLeave: () => void
}

/** 资讯: by category, searched, without end; and the exam calendar. */
export function NewsListPage({ onLeave, ...props }: NewsListPageProps) {
  return props.view.part === 'calendar' ? <Calendar onLeave={onLeave} /> : <News {...props} />
}

function News({ view, onView, onCalendar }: Omit<NewsListPageProps, 'onLeave'>) {
  const { category, q = '' } = view
  const { data: all } = useInfiniteQuery(newsListQuery())
  const { query, rows, here } = useRows(category, q)
  const { words, onWords } = useWords(q, (next) => onView({ category, q: next || undefined }))
  const categories = all?.pages[0]?.categories ?? here?.categories ?? []
  const isHere = all !== undefined
  useEffect(() => {
    if (isHere) void fetchLatest().catch(() => {})
  }, [isHere])
  const nameOf = ({ category: no }: NewsHead) =>
    category ? '' : (categories.find((each) => each.no === no)?.name ?? '')
  return (
    <div className={clsx(listing.page, listing.wide)}>
      <h1 className={listing.pageTitle}>资讯</h1>
      <CalendarLink onOpen={onCalendar} />
      <SearchField
        aria-label="搜索资讯"
        placeholder="搜标题、摘要、正文"
        maxLength={MAX_WORDS_CHARS}
        defaultValue={words}
        onWords={onWords}
      />
      <div className={classes.tabs}>
        <Chips
          label="资讯分类"
          options={[
            { value: undefined, label: '全部' },
            ...categories.map(({ no, name }) => ({ value: no, label: name })),
          ]}
          chosen={category}
          onPick={(no) => onView({ category: no, q: view.q })}
        />
      </div>
      {here && <Stale here={here} searching={q !== ''} />}
      <Listed
        name={`news ${category ?? ''} ${q}`}
        label="资讯"
        {...(query && { from: query, pages: query })}
        rows={rows}
        keyOf={({ id }) => id}
        empty={q ? '没有找到。换一个更短的词试试。' : undefined}
      >
        {(head) => <NewsCard head={head} category={nameOf(head)} within={category} />}
      </Listed>
    </div>
  )
}

/** What the worker has kept answers a call, too: that alone is no network. */
const isOnline = () => navigator.onLine && onlineManager.isOnline()
function watchOnline(listener: () => void): () => void {
  const stop = onlineManager.subscribe(listener)
  for (const event of ['online', 'offline']) window.addEventListener(event, listener)
  return () => {
    stop()
    for (const event of ['online', 'offline']) window.removeEventListener(event, listener)
  }
}

/** What the server gives; without a network what is here besides, or instead. */
function useRows(category: string | undefined, q: string) {
  const online = useSyncExternalStore(watchOnline, isOnline)
  const list = useInfiniteQuery({ ...newsListQuery(category), enabled: q === '' })
  const search = useInfiniteQuery({ ...newsSearchQuery(q, category), enabled: q !== '' })
  const query = q === '' ? list : search
  const fetched: NewsHead[] = query.data?.pages.flatMap(({ items }) => items) ?? []
  const here = useHere(!online || query.error instanceof OfflineError)
  const own = here && here.articles.length > 0 ? found(here, category, q) : null
  if (!own) return { query, rows: fetched, here: query.data ? here : null }
  const rows = [...new Map([...own, ...fetched].map((head) => [head.id, head])).values()].sort(byNewest)
  return { query: query.data ? query : null, rows, here }
}

/** That what stands here is not today's, and what a search looks in. */
function Stale({ here: { at, articles }, searching }: { here: Here; searching: boolean }) {
  const since = at === null ? '' : `，缓存于 ${timeText(at)}`
  return (
    <p className={clsx(common.small, common.warm, classes.hint)} role="status">
      {searching
        ? `当前离线，只搜索已保存的 ${articles.length} 条资讯${since}`
        : `当前离线，可读 ${articles.length} 条资讯${since}`}
    </p>
  )
}

/** The way to the calendar, with what comes next in it. */
function CalendarLink({ onOpen }: { onOpen: () => void }) {
  const { data = [] } = useQuery(calendarQuery())
  const today = dayOf(useServerNow(TICK_MS))
  const next = data.find(({ to }) => dayOfDate(to) >= today)
  return (
    <button type="button" className={clsx(common.row, common.accent, classes.calendar)} onClick={onOpen}>
      <IconCalendarEvent size={22} className={common.fixed} aria-hidden="true" />
      <b className={common.fixed}>考试日历</b>
      <span className={clsx(common.grow, common.small)}>
        {next ? `${next.title} · ${awayText(next, today)}` : '报名、考试、成绩的时间'}
      </span>
      <IconChevronRight size={18} className={common.fixed} aria-hidden="true" />
    </button>
  )
}
