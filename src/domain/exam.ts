import type { ExamHead } from '../contract/exam.ts'

/** 未开始, 进行中, 已结束. */
export type ExamState = 'coming' | 'running' | 'over'

/** @param now epoch ms, by the server's clock. The end of the window belongs to it no more. */
export function examState({ window }: Pick<ExamHead, 'window'>, now: number): ExamState {
  if (!window) return 'running'
  if (now < window.from) return 'coming'
  return now < window.to ? 'running' : 'over'
}

/** One can apply until the window ends. */
export const mayApply = (exam: Pick<ExamHead, 'window' | 'applied'>, now: number): boolean =>
  !exam.applied && examState(exam, now) !== 'over'

/**
 * When `examState` changes next, epoch ms; null: never.
 */
export function nextChange({ window }: Pick<ExamHead, 'window'>, now: number): number | null {
  if (!window || now >= window.to) return null
  return now < window.from ? window.from : window.to
}
