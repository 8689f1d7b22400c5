import { IconPrinter, IconSettings } from '@tabler/icons-react'
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
import { groupName, inReadingOrder } from './groups.ts'
import { Review } from './Review.tsx'
import { ruleText } from './texts.ts'
import { type Book, useBook, useGrouped, useNames } from './useBook.ts'
import { useFetchAhead } from './useFetchAhead.ts'

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
  const [sheet, setSheet] = useState<'rule' | 'print' | null>(null)
  const names = useNames()
  const { rule } = book
  const phase = part.phase ?? 'open'
  const shown = { ...part, phase }
  const grouped = useGrouped(book.rows, part.by)
  const rows = grouped && inReadingOrder(grouped, names)
  return (
    <>
      <div className={common.wrap}>
        <Button look="light" tone="plain" onClick={() => setSheet('rule')}>
          <IconSettings size={18} aria-hidden="true" />
          {ruleText(rule)}
        </Button>
        <Button look="light" tone="plain" onClick={() => setSheet('print')}>
          <IconPrinter size={18} aria-hidden="true" />
          打印
        </Button>
      </div>
      <div className={clsx(common.stack, classes.tabs)} role="group" aria-label="掌握情况">
        {PHASES.map((each) => (
          <button
            key={each}
            type="button"
            className={classes.tab}
            aria-pressed={each === phase}
            onClick={() => onPart({ phase: each, by: part.by })}
          >
            {PHASE_NAMES[each]} <b className={clsx(common.heading, common.figures, classes.total)}>{counts[each]}</b>
          </button>
        ))}
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
        {sheet === 'rule' && <RuleDialog rows={book.rows} rule={rule} onClose={() => setSheet(null)} />}
        {sheet === 'print' && rows && (
          <PrintView rows={rows} rule={rule} part={shown} names={names} onClose={() => setSheet(null)} />
        )}
      </Suspense>
    </>
  )
}
