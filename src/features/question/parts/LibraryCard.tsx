import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Suspense, useMemo, useState } from 'react'
import type { Chapter, Library } from '#src/contract/question.ts'
import type { Counters } from '#src/offline/index.ts'
import common from '#src/ui/common.module.css'
import { useGrowing } from '#src/ui/list/More.tsx'
import { optional } from '#src/ui/optional.ts'
import { Bar, ChapterRow, studyWay } from './ChapterRow.tsx'
import { byParent, sum } from './chapterTree.ts'
import classes from './LibraryCard.module.css'

const PackBar = optional(() => import('../downloads/PackBar.tsx').then((m) => m.PackBar))
const SetupSheet = optional(() => import('./afterFirst.ts').then((m) => m.SetupSheet))

export interface LibraryCardProps {
  library: Library
  /** Null until read. */
  counters: ReadonlyMap<string, Counters> | null
  /** Questions in a batch. */
  count: number
  /** Starts a chapter in a way that its address does not say. */
  onOpen: (no: string, title: string, size?: number) => void
}

/** One library: what is done of it, and its chapter tree; a tap on a chapter starts it. */
export function LibraryCard({ library, counters, count, onOpen }: LibraryCardProps) {
  const children = useMemo(() => byParent(library.chapters), [library])
  const top = children.get(null) ?? NO_CHAPTERS
  const { shown, more } = useGrowing(top, AT_FIRST)
  const progress = sum(top, children, counters)
  const go = progress.done > 0 ? '继续' : '开始'
  const [setting, setSetting] = useState<Chapter | null>(null)
  const [here, setHere] = useState<ReadonlySet<string>>(NONE)
  return (
    <section className={clsx(common.card, classes.card)} aria-labelledby={library.no} data-row={library.no}>
      <div className={clsx(common.row, classes.head)}>
        <div className={common.grow}>
          <h2 id={library.no} className={clsx(common.subheading, classes.name)}>
            {library.title}
          </h2>
          <p className={clsx(common.caption, classes.about)}>
            {library.subject.name} · {library.total} 题
          </p>
        </div>
        <Link
          {...studyWay(library, count)}
          className={clsx(common.row, common.strong, common.link, classes.go)}
          aria-label={`${go} ${library.title}`}
        >
          <IconPlayerPlayFilled size={15} aria-hidden="true" />
          {go}
        </Link>
      </div>
      <Bar progress={progress} total={library.total} />
      <div className={classes.chapters}>
        <ul className={classes.tree}>
          {shown.map((chapter) => (
            <ChapterRow
              key={chapter.no}
              chapter={chapter}
              tree={children}
              counters={counters}
              here={here}
              count={count}
              onSetUp={setSetting}
            />
          ))}
        </ul>
      </div>
      {more}
      <div className={classes.pack}>
        <Suspense>
          <PackBar library={library} onHere={setHere} />
        </Suspense>
      </div>
      {setting && (
        <Suspense>
          <SetupSheet
            no={setting.no}
            onStart={(size) => onOpen(setting.no, setting.title, size)}
            onClose={() => setSetting(null)}
          />
        </Suspense>
      )}
    </section>
  )
}

const NONE: ReadonlySet<string> = new Set()
const NO_CHAPTERS: readonly Chapter[] = []
/** Chapters of a library that are shown at once. */
const AT_FIRST = 40
