import * as v from 'valibot'
import { ExamMode } from '#src/contract/sitting.ts'
import { exam } from '#src/contract/exam.ts'
import { declareDraft } from './kind.ts'
import { Snapshot } from './practice.ts'
import { Elapsed } from './sitting.ts'

const examDraft = { writtenBy: 'exam' } as const

const ExamSitting = v.object({
  id: v.string(),
  exam: v.string(),
  rev: v.string(),
  mode: ExamMode,
  startedAt: v.number(),
})
/** Times by the server's clock as far as it is known, epoch ms. */
export type ExamSitting = v.InferOutput<typeof ExamSitting>
/** The sitting of an exam that was begun last on this device, by the exam's number. */
export const lastExamSitting = declareDraft({ ...examDraft, prefix: 'exam', schema: ExamSitting, life: 'kept' })

// All that follow are kept by the sitting's id, unless they say otherwise.

/** Says how far the sitting's clock had come when it was written last. */
export const examClock = declareDraft({ ...examDraft, prefix: 'examClock', schema: Elapsed, life: 'task' })
/** The paper as it was when the sitting began, whatever becomes of the exam. */
export const examPaper = declareDraft({ ...examDraft, prefix: 'examPaper', schema: exam.paper.output, life: 'task' })
/** Holds the choices. */
export const examAnswers = declareDraft({ ...examDraft, prefix: 'examState', schema: Snapshot, life: 'kept' })
/** The same once it is handed in, apart: a tab that has it open still cannot write over what was handed in. */
export const handedExamAnswers = declareDraft({ ...examDraft, prefix: 'examHanded', schema: Snapshot, life: 'kept' })
/** The sitting as it is looked through, with the student's own marks of essays. */
export const examReview = declareDraft({ ...examDraft, prefix: 'examReview', schema: Snapshot, life: 'kept' })
/** Its answers are in the study record already. */
export const examRecorded = declareDraft({ ...examDraft, prefix: 'examBook', schema: v.literal(true), life: 'kept' })

const EndedExam = v.object({ id: v.string(), no: v.string(), title: v.string() })
export type EndedExam = v.InferOutput<typeof EndedExam>
/** A sitting that was handed in because its time was over, while nobody had it open: the student is told of it. */
export const endedExam = declareDraft({ ...examDraft, prefix: 'examEnded', schema: EndedExam, life: 'task' })

const SealedExam = v.object({ ...exam.sealed.output.entries, key: v.optional(v.string()) })
export type SealedExam = v.InferOutput<typeof SealedExam>
/** A paper fetched before its exam opens, by the exam's number; with its key once that was given. */
export const sealedExam = declareDraft({ ...examDraft, prefix: 'examSealed', schema: SealedExam, life: 'task' })
