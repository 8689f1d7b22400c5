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

/** When `examState` changes next, epoch ms; null: never. */
export function nextChange({ window }: Pick<ExamHead, 'window'>, now: number): number | null {
  if (!window || now >= window.to) return null
  return now < window.from ? window.from : window.to
}

const RANK: Record<ExamState, number> = { running: 0, coming: 1, over: 2 }

/** What matters most first: under way (those that end, the sooner the earlier), to come, over (the last one first). */
export function bySchedule(now: number) {
  const end = ({ window }: Pick<ExamHead, 'window'>) => window?.to ?? Number.MAX_SAFE_INTEGER
  return (a: Pick<ExamHead, 'window'>, b: Pick<ExamHead, 'window'>): number => {
    const [of, other] = [examState(a, now), examState(b, now)]
    if (of !== other) return RANK[of] - RANK[other]
    if (of === 'coming') return (a.window?.from ?? 0) - (b.window?.from ?? 0)
    return of === 'over' ? end(b) - end(a) : end(a) - end(b)
  }
}
