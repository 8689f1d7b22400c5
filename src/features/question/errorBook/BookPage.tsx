import { IconDots, IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type BookPart, countPhases, type Phase, PHASE_NAMES, PHASES } from '#src/domain/study/errorBook.ts'
import { useFetching } from '#src/offline/useOffline.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { StudySkeleton } from '../parts/StudySkeleton.tsx'
import classes from './Book.module.css'
import { BookList } from './BookList.tsx'
import { GroupList } from './GroupList.tsx'
import { GROUP_NAMES, groupName, inReadingOrder } from './groups.ts'
import { Review } from './Review.tsx'
import { type Book, useBook, useGrouped, useNames } from './useBook.ts'
import { useFetchAhead } from './useFetchAhead.ts'

const FilterSheet = lazy(() => import('./FilterSheet.tsx').then((m) => ({ default: m.FilterSheet })))
const MoreSheet = lazy(() => import('./MoreSheet.tsx').then((m) => ({ default: m.MoreSheet })))
const RuleDialog = lazy(() => import('./RuleDialog.tsx').then((m) => ({ default: m.RuleDialog })))
const PrintView = lazy(() => import('./PrintView.tsx').then((m) => ({ default: m.PrintView })))

interface BookPageProps {
  /** What the address asks for: a tab, a grouping and one of its groups. */
  part: BookPart
  onPart: (part: BookPart) => void
  /** Beside the heading: the way to the statistics. */
  stats?: ReactNode
}

/** 我的错题: what is due today, where every question stands, and the groups to study them by. */
export function BookPage(props: BookPageProps) {
  const book = useBook()
  const fetching = useFetching()
  const progress = useFetchAhead(book !== null && fetching === null)
  if (!book) return <StudySkeleton />
  const counts = countPhases(book.rows, book.rule)
  const empty = PHASES.every((phase) => counts[phase] === 0)
  // Nobody can say yet that there are none.
  if (empty && fetching) return <StudySkeleton says={fetching} />
  return (
    <div className={clsx(common.stack, classes.page)}>
      <div className={common.between}>
        <h1 className={common.title}>我的错题</h1>
        {props.stats}
      </div>
      {progress && (
        <p role="status" className={clsx(common.note, common.figures)}>
          正在下载错题 {progress.came}/{progress.of}
        </p>
      )}
      {fetching ? (
        // Half a record would say that its student has been away.
        <p role="status" className={clsx(common.note, common.figures)}>
          {fetching}
        </p>
      ) : (
        <Review plan={book.plan} paused={book.paused} />
      )}
      {empty ? <NoMisses /> : <Parts {...props} book={book} counts={counts} />}
    </div>
  )
}

function NoMisses() {
  return (
    <Empty of="paper" title="还没有错题">
      <p>在章节练习、题集里做错的题会马上收到这里，按记忆规律安排复习。</p>
      <Link to="/question/library" {...buttonLook()}>
        去题库练题
      </Link>
    </Empty>
  )
}

function Parts({ book, counts, part, onPart }: BookPageProps & { book: Book; counts: Record<Phase, number> }) {
  const [sheet, setSheet] = useState<'filter' | 'more' | 'rule' | 'print' | null>(null)
  const names = useNames()
  const { rule } = book
  const phase = part.phase ?? 'open'
  const shown = { ...part, phase }
  const grouped = useGrouped(book.rows, part.by)
  const rows = grouped && inReadingOrder(grouped, names)
  const close = () => setSheet(null)
  const filtered = `${PHASE_NAMES[phase]} · 按${part.by === 'library' ? '章节' : GROUP_NAMES[part.by ?? 'chapter']}`
  const hasAll = part.is === undefined && counts[phase] > 0
  return (
    <>
      <div className={common.between}>
        <p className={clsx(common.note, common.figures)}>
          {PHASES.map((each) => `${PHASE_NAMES[each]} ${counts[each]}`).join(' · ')}
        </p>
        <Button small look="quiet" tone="plain" className={classes.opensMore} onClick={() => setSheet('more')}>
          <IconDots size={20} aria-hidden="true" />
          更多
        </Button>
      </div>
      <div className={common.wrap}>
        {hasAll && <All phase={phase} count={counts[phase]} />}
        <Button small look="light" tone="plain" aria-label={`筛选：${filtered}`} onClick={() => setSheet('filter')}>
          <IconFilter size={18} aria-hidden="true" />
          {filtered}
        </Button>
      </div>
      {part.is === undefined && <GroupList rows={rows} rule={rule} part={shown} names={names} onPart={onPart} />}
      {rows && part.is !== undefined && (
        <BookList
          key={`${phase}:${part.by}:${part.is}`}
          title={groupName(part, names)}
          rows={rows}
          rule={rule}
          part={shown}
          onBack={() => onPart({ phase, by: part.by })}
        />
      )}
      <Suspense>
        {sheet === 'filter' && <FilterSheet counts={counts} part={shown} onPart={onPart} onClose={close} />}
        {sheet === 'more' && (
          <MoreSheet
            recited={hasAll ? phase : null}
            rule={rule}
            onPrint={() => setSheet('print')}
            onRule={() => setSheet('rule')}
            onClose={close}
          />
        )}
        {sheet === 'rule' && <RuleDialog rows={book.rows} rule={rule} onClose={close} />}
        {sheet === 'print' && rows && <PrintView rows={rows} rule={rule} part={shown} names={names} onClose={close} />}
      </Suspense>
    </>
  )
}

/** The way to all questions of a phase at once. */
const All = ({ phase, count }: { phase: Phase; count: number }) => (
  <Link
    to="/question/library_error_study/$no/$mode/$consolidate"
    params={{ no: 'all', mode: 'answer', consolidate: false }}
    search={{ phase }}
    {...buttonLook()}
  >
    全部练习 {count} 题
  </Link>
)
