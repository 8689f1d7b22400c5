import type { ExamHead } from '#src/contract/exam.ts'
import { examState } from '#src/domain/paper/exam.ts'
import { STATE_NAMES } from '../texts.ts'

/** Where an exam is in time, and whether this student takes part. */
export function State({ exam, now }: { exam: ExamHead; now: number }) {
  const state = examState(exam, now)
  return (
    <>
      <span data-look={state}>{STATE_NAMES[state]}</span>
      {exam.applied && <span>已报名</span>}
    </>
  )
}
