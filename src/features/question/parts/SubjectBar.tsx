import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'
import common from '#src/ui/common.module.css'
import { Chips } from '#src/ui/list/Chips.tsx'
import type { Subject } from '../subject.ts'
import classes from './SubjectBar.module.css'

interface SubjectBarProps {
  subjects: readonly Subject[]
  chosen: string
  onPick: (no: string) => void
  /** What stays in sight beside them. */
  children: ReactNode
}

/** The subjects, below the header however far the page is scrolled. */
export function SubjectBar({ subjects, chosen, onPick, children }: SubjectBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const line = bar.current?.querySelector<HTMLElement>('[role="group"]')
    const chip = line?.querySelectorAll('button')[subjects.findIndex(({ no }) => no === chosen)]
    // Only along the line: the page stays where it is.
    if (chip && line) line.scrollLeft = chip.offsetLeft - line.offsetLeft - (line.clientWidth - chip.offsetWidth) / 2
  }, [chosen, subjects])
  return (
    <div ref={bar} className={clsx(common.row, classes.bar)}>
      <div className={clsx(common.grow, classes.subjects)}>
        <Chips
          inLine
          label="科目"
          options={subjects.map(({ no, name }) => ({ value: no, label: name }))}
          chosen={chosen}
          onPick={onPick}
        />
      </div>
      <div className={common.fixed}>{children}</div>
    </div>
  )
}
