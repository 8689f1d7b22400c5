import { IconClipboardCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
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
    <Link {...wayTo(open)} className={classes.runningCard}>
      <IconClipboardCheck size={24} aria-hidden="true" />
      <span>
        <b>{open.paper.title}</b>
        {runningText(open, leftMs)}
      </span>
    </Link>
  )
}
