import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { Chapter } from '#src/contract/question.ts'
import type { Counters } from '#src/offline/index.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { isHere, type Progress, sum, type Tree } from './chapterTree.ts'
import classes from './ChapterRow.module.css'

/** Where a chapter or a library is studied, in batches of so many. */
export const studyWay = ({ no, title }: Pick<Chapter, 'no' | 'title'>, count: number) =>
  ({ to: '/question/library_study/$no/$count/$title', params: { no, count, title } }) as const

interface ChapterRowProps {
  chapter: Chapter
  tree: Tree
  /** Null until read. */
  counters: ReadonlyMap<string, Counters> | null
  /** Chapters that are whole on this device. */
  here: ReadonlySet<string>
  /** Questions in a batch. */
  count: number
  onSetUp: (chapter: Chapter) => void
}

/**
 * A chapter: its name, and below it how far the student has come and what can be done. A tap anywhere else in it starts it, too. What
 * opens the chapters below stands beside the name, so that the figures have room for one line on a phone.
 */
export function ChapterRow(props: ChapterRowProps) {
  const { chapter, tree, counters, here, count, onSetUp } = props
  const [open, setOpen] = useState(false)
  const { title } = chapter
  const below = tree.get(chapter.no) ?? []
  const progress = sum([chapter], tree, counters)
  const way = studyWay(chapter, count)
  const go = progress.done > 0 ? '继续' : '开始'
  return (
    <li>
      <div className={classes.row}>
        <div className={clsx(common.row, classes.first)} data-opens={below.length > 0 || undefined}>
          <Link {...way} className={clsx(common.grow, common.link, classes.title)}>
            {title}
          </Link>
          {below.length > 0 && (
            <div className={clsx(common.fixed, classes.acts)}>
              <Button
                small
                look="quiet"
                tone="plain"
                className={classes.act}
                aria-expanded={open}
                aria-label={`${open ? '收起' : '展开'} ${title}`}
                onClick={() => setOpen(!open)}
              >
                {open ? '收起' : '展开'}
                <IconChevronDown size={16} className={open ? classes.opened : undefined} aria-hidden="true" />
              </Button>
            </div>
          )}
        </div>
        <div className={clsx(common.row, classes.second)}>
          <div className={clsx(common.grow, common.column)}>
            <Figures progress={progress} total={chapter.total} isHere={isHere(chapter, tree, here)} />
            <Bar progress={progress} total={chapter.total} />
          </div>
          <div className={clsx(common.row, common.fixed, classes.acts)}>
            <Button
              small
              look="quiet"
              tone="plain"
              className={classes.act}
              aria-label={`练习设置 ${title}`}
              onClick={() => onSetUp(chapter)}
            >
              设置
            </Button>
            <Link {...way} {...GO} aria-label={`${go} ${title}`}>
              {go}
            </Link>
          </div>
        </div>
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

const look = buttonLook({ small: true, look: 'quiet' })
const GO = { ...look, className: clsx(look.className, classes.act) }

function Figures({ progress: { done, right }, total, isHere }: { progress: Progress; total: number; isHere: boolean }) {
  return (
    <p className={clsx(common.wrap, common.caption, common.figures, classes.figures)}>
      <span className={classes.figure}>
        {done}/{total}
      </span>
      {done > 0 && <span className={classes.figure}>正确率 {Math.round((right / done) * 100)}%</span>}
      {isHere && <span className={classes.figure}>可离线</span>}
    </p>
  )
}

export function Bar({ progress, total }: { progress: Progress; total: number }) {
  const part = total > 0 ? Math.min(100, (progress.done / total) * 100) : 0
  return (
    <span className={classes.bar} aria-hidden="true">
      <span className={classes.done} style={{ width: `${part}%` }} />
    </span>
  )
}
