import { clsx } from 'clsx'
import { type BookGroup, type BookPart, PHASE_NAMES, type Phase } from '#src/domain/study/errorBook.ts'
import type { Counters } from '#src/offline/index.ts'
import { Chevron } from '#src/ui/Chevron.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { NoMore } from '#src/ui/list/More.tsx'
import { usePlace, useReturning } from '#src/ui/list/useReturning.ts'
import classes from './Book.module.css'
import { GROUP_NAMES, groupLines, type Names } from './groups.ts'
import { StudyLinks } from './StudyLinks.tsx'

const NOTHING: Record<Phase, string> = {
  open: '没有未掌握的题，很好。再错的题会回到这里。',
  firm: '没有巩固中的题。错题答对一次就到这里。',
  done: '还没有已消灭的题。达到移出规则的题会放在这里，不会消失。',
}

/** Two screens of a phone: each group has two ways to study it, and each way costs a slow phone 2 ms. */
const AT_FIRST = 20

interface GroupListProps {
  /** Null until they are read. */
  rows: readonly Counters[] | null
  rule: number
  part: BookPart & { phase: Phase }
  names: Names
  onPart: (part: BookPart) => void
}

/** The groups of a phase under one grouping: how many each has, 练习, 背题, and the way to its questions. */
export function GroupList({ rows, rule, part, names, onPart }: GroupListProps) {
  const { phase, by = 'chapter' } = part
  const lines = rows ? groupLines(rows, { phase, by }, rule, names) : []
  if (rows && lines.length === 0)
    return (
      <Empty of="paper">
        <p>{NOTHING[phase]}</p>
      </Empty>
    )
  return <Groups key={`${phase}:${by}`} phase={phase} by={by} lines={lines} ready={rows !== null} onPart={onPart} />
}

interface GroupsProps extends Pick<GroupListProps, 'onPart'> {
  phase: Phase
  by: BookGroup
  lines: ReturnType<typeof groupLines>
  ready: boolean
}

function Groups({ phase, by, lines, ready, onPart }: GroupsProps) {
  const name = `groups ${phase} ${by}`
  const { list, shown, more } = useReturning({ name, rows: lines, step: AT_FIRST, before: usePlace(name), ready })
  return (
    <div ref={list}>
      <ul aria-busy={!ready} aria-label={`${PHASE_NAMES[phase]}，按${by === 'library' ? '题库' : GROUP_NAMES[by]}`}>
        {shown.map((line) => (
          <li
            key={`${line.by}:${line.is}`}
            className={clsx(common.row, classes.group)}
            data-row={`${line.by}:${line.is}`}
            data-below={line.below}
          >
            <button
              type="button"
              className={clsx(common.row, common.grow, classes.open)}
              onClick={() => onPart({ phase, by: line.by, is: line.is })}
            >
              <span className={clsx(common.grow, !line.below && common.strong, classes.name)}>{line.name}</span>
              <b className={clsx(common.fixed, common.quiet, common.figures, classes.count)}>{line.count} 题</b>
              <Chevron />
            </button>
            <StudyLinks part={{ phase, by: line.by, is: line.is }} name={line.name} />
          </li>
        ))}
      </ul>
      {more ?? (lines.length > AT_FIRST && <NoMore />)}
    </div>
  )
}
