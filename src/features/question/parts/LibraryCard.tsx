import { IconAdjustmentsHorizontal, IconChevronDown, IconPlayerPlayFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Suspense, useMemo, useState } from 'react'
import type { Chapter, Library } from '#src/contract/question.ts'
import type { Counters } from '#src/offline/index.ts'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useGrowing } from '#src/ui/list/More.tsx'
import { optional } from '#src/ui/optional.ts'
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
interface Progress {
  done: number
  right: number
}

/** One library: what is done of it, and its chapter tree; a tap on a chapter starts it. */
export function LibraryCard({ library, counters, count, onOpen }: LibraryCardProps) {
  const children = useMemo(() => byParent(library.chapters), [library])
  const top = children.get(null) ?? NO_CHAPTERS
  const { shown, more } = useGrowing(top, AT_FIRST)
  const progress = sum(top, children, counters)
  const [setting, setSetting] = useState<Chapter | null>(null)
  const [here, setHere] = useState<ReadonlySet<string>>(NONE)
  return (
    <section className={clsx(common.card, classes.card)} aria-labelledby={library.no} data-row={library.no}>
      <div className={clsx(common.row, classes.head)}>
        <div className={common.grow}>
          <h2 id={library.no} className={common.subheading}>
            {library.title}
          </h2>
          <p className={clsx(common.caption, classes.about)}>
            {library.subject.name} · {library.total} 题
          </p>
        </div>
        <Link {...studyWay(library, count)} className={clsx(common.row, common.strong, common.link, classes.go)}>
          <IconPlayerPlayFilled size={15} aria-hidden="true" />
          {progress.done > 0 ? '继续' : '开始'}
        </Link>
      </div>
      <Bar progress={progress} total={library.total} />
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

const studyWay = ({ no, title }: Pick<Chapter, 'no' | 'title'>, count: number) =>
  ({ to: '/question/library_study/$no/$count/$title', params: { no, count, title } }) as const

const NONE: ReadonlySet<string> = new Set()
const NO_CHAPTERS: readonly Chapter[] = []
/** Chapters of a library that are shown at once. */
const AT_FIRST = 40

type Tree = ReadonlyMap<string | null, readonly Chapter[]>

interface ChapterRowProps extends Pick<LibraryCardProps, 'counters' | 'count'> {
  chapter: Chapter
  tree: Tree
  /** Chapters that are whole on this device. */
  here: ReadonlySet<string>
  onSetUp: (chapter: Chapter) => void
}

function ChapterRow(props: ChapterRowProps) {
  const { chapter, tree, counters, here, count, onSetUp } = props
  const [open, setOpen] = useState(false)
  const below = tree.get(chapter.no) ?? []
  const progress = sum([chapter], tree, counters)
  const accuracy = progress.done > 0 ? Math.round((progress.right / progress.done) * 100) : null
  return (
    <li>
      <div className={clsx(common.row, classes.row)}>
        <Link {...studyWay(chapter, count)} className={clsx(common.wrap, common.grow, common.link, classes.chapter)}>
          <span className={classes.title}>{chapter.title}</span>
          <span className={clsx(common.wrap, common.caption, common.figures, classes.progress)}>
            <span className={classes.figure}>
              {progress.done}/{chapter.total}
            </span>
            {isHere(chapter, tree, here) && <span className={classes.figure}>可离线</span>}
            {accuracy !== null && <span className={classes.figure}>正确率 {accuracy}%</span>}
          </span>
          <Bar progress={progress} total={chapter.total} />
        </Link>
        {below.length > 0 && (
          <IconButton
            aria-expanded={open}
            aria-label={`${open ? '收起' : '展开'} ${chapter.title}`}
            onClick={() => setOpen(!open)}
          >
            <IconChevronDown size={20} className={open ? classes.opened : undefined} />
          </IconButton>
        )}
        <IconButton aria-label={`练习设置 ${chapter.title}`} onClick={() => onSetUp(chapter)}>
          <IconAdjustmentsHorizontal size={20} aria-hidden="true" />
        </IconButton>
      </div>
      {open && (
        <ul className={classes.below}>
          {below.map((each) => (
            <ChapterRow key={each.no} {...props} chapter={each} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Bar({ progress, total }: { progress: Progress; total: number }) {
  const part = total > 0 ? Math.min(100, (progress.done / total) * 100) : 0
  return (
    <span className={classes.bar} aria-hidden="true">
      <span className={classes.done} style={{ width: `${part}%` }} />
    </span>
  )
}

/** All of it is on this device. */
const isHere = ({ no }: Chapter, tree: Tree, here: ReadonlySet<string>): boolean =>
  tree.get(no)?.every((each) => isHere(each, tree, here)) ?? here.has(no)

/** Counters are kept per leaf; a chapter's are the sum over its leaves. */
function sum(chapters: readonly Chapter[], tree: Tree, counters: ReadonlyMap<string, Counters> | null): Progress {
  return chapters.reduce<Progress>(
    (all, { no }) => {
      const own = counters?.get(no)
      const below = sum(tree.get(no) ?? [], tree, counters)
      return {
        done: all.done + below.done + (own?.sums.done ?? 0),
        right: all.right + below.right + (own?.sums.right ?? 0),
      }
    },
    { done: 0, right: 0 },
  )
}

function byParent(chapters: readonly Chapter[]): Tree {
  const tree = new Map<string | null, Chapter[]>()
  for (const chapter of chapters) tree.set(chapter.parent, [...(tree.get(chapter.parent) ?? []), chapter])
  return tree
}
