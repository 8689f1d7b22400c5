import type { ExamHead } from '#src/contract/exam.ts'
import { examState } from '#src/domain/paper/exam.ts'
import listing from '#src/ui/list/Listing.module.css'
import { STATE_NAMES } from '../texts.ts'

/** Where an exam is in time, and whether this student takes part. */
export function State({ exam, now }: { exam: ExamHead; now: number }) {
  const state = examState(exam, now)
  return (
    <>
      <span className={listing.badge} data-look={state}>
        {STATE_NAMES[state]}
      </span>
      {exam.applied && <span className={listing.badge}>已报名</span>}
    </>
  )
}
