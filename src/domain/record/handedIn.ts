import type { ExamAttempt } from '#src/contract/attempt.ts'

/** Whether a sitting of an exam was handed in by its device. What the server handed in for it gives way to that. */
export const isFinal = ({ handedAt, by }: Pick<ExamAttempt, 'handedAt' | 'by'>): boolean =>
  handedAt !== null && by !== 'server'
