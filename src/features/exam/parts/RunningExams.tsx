import { clsx } from 'clsx'
import { IconClipboardCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import common from '#src/ui/common.module.css'
import type { OpenSitting } from '../ended.ts'
import { useLeft, useOpenSittings } from '../useOpenSittings.ts'
import { runningText, wayTo } from './ExamBar.tsx'
import classes from '../Exams.module.css'

/** On the home page: what is under way comes before what can be gone on with at any time. */
export function RunningExams() {
  const { open } = useOpenSittings()
  return open.map((each) => <Running key={each.sitting.id} open={each} />)
}

function Running({ open }: { open: OpenSitting }) {
  const leftMs = useLeft(open)
  return (
    <Link {...wayTo(open)} className={clsx(common.card, common.row, common.link, classes.running)}>
      <IconClipboardCheck size={24} className={clsx(common.fixed, common.warm)} aria-hidden="true" />
      <span className={clsx(common.column, common.grow)}>
        <b className={common.ellipsis}>{open.paper.title}</b>
        <span className={clsx(common.note, common.figures)}>{runningText(open, leftMs)}</span>
      </span>
    </Link>
  )
}
