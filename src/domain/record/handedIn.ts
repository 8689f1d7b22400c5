import type { ExamSittingRecord } from '#src/contract/sitting.ts'

/** Whether a sitting of an exam was handed in by its device. What the server handed in for it gives way to that. */
export const isFinal = ({ handedAt, by }: Pick<ExamSittingRecord, 'handedAt' | 'by'>): boolean =>
  handedAt !== null && by !== 'server'
