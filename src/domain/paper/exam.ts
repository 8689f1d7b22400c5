import { WITHOUT_ANSWER } from '../question/rules.ts'
import { askedPlain, rulesOfResponse } from '../question/types.ts'
import type { ExamFlag, ExamMode } from '#src/contract/sitting.ts'
import type { ExamHead, Unranked, Window } from '#src/contract/exam.ts'
import type { AskedQuestion, Question } from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'
import { dateOf, dayOf, startOf } from '../time/day.ts'
import { storable } from '../text/storable.ts'

/** 未开始, 进行中, 已结束. */
export type ExamState = 'coming' | 'running' | 'over'

/** @param now epoch ms, by the server's clock. The end of the window belongs to it no more. */
export function examState({ window }: Pick<ExamHead, 'window'>, now: number): ExamState {
  if (!window) return 'running'
  if (now < window.from) return 'coming'
  return now < window.to ? 'running' : 'over'
}

/**
 * When key, marks and ranking of an exam come out, epoch ms: once nobody can be ranked any more, since whoever knows the key could
 * still hand in. Null: at once, it has no window. A copy that a device kept may not know `rankClosesAt`.
 */
export const resultsAt = ({ window, rankClosesAt }: Pick<ExamHead, 'window' | 'rankClosesAt'>): number | null =>
  window && Math.max(window.to, rankClosesAt ?? window.to)

/** @param now epoch ms, by the server's clock. */
export const areResultsOut = (exam: Pick<ExamHead, 'window' | 'rankClosesAt'>, now: number): boolean =>
  now >= (resultsAt(exam) ?? 0)

/** How long a ranking stays open after the window where its exam does not say: what is handed in at zero is on its way. */
export const RANK_GRACE_MS = 600_000

/** Among fewer a place, an average or the best score says little of the paper, and much of who else took it: none is shown. */
export const RANKED_LEAST = 10
export const isPlaceTold = ({ ranked }: { ranked: number }): boolean => ranked >= RANKED_LEAST

/** One can apply until the window ends. */
export const mayApply = (exam: Pick<ExamHead, 'window' | 'applied'>, now: number): boolean =>
  !exam.applied && examState(exam, now) !== 'over'

/** When `examState` changes next, or results come out, epoch ms; null: never. */
export function nextChange(exam: Pick<ExamHead, 'window' | 'rankClosesAt'>, now: number): number | null {
  const { window } = exam
  const moments = window ? [window.from, window.to, resultsAt(exam) ?? window.to] : []
  return moments.find((at) => now < at) ?? null
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

/** A question without anything that tells its answer. */
export function asked(question: Question): AskedQuestion {
  if (question.type !== 'composite') return askedPlain(question)
  return { ...question, ...WITHOUT_ANSWER, parts: question.parts.map(askedPlain) }
}

/** What a sealed paper is bound to. */
export const sealOf = ({ no, rev }: { no: string; rev: string }): string => `exam ${no} ${rev}`

/** What a hand-in is the hash of: every choice that counts, in the order of the paper. */
export const sealText = (sittingId: string, given: readonly { questionNo: string; response: Response }[]): string =>
  storable([
    sittingId,
    given.map(({ questionNo, response }) => [questionNo, ...rulesOfResponse(response).sealed(response)]),
  ])

/** What a student reads out or copies of the hash: 8 characters, 32 bits, in two groups. */
export const receiptCode = (hash: string): string =>
  hash
    .slice(0, 8)
    .toUpperCase()
    .replace(/(?=.{4}$)/, '-')

const timeOf = (at: number): string =>
  `${dateOf(dayOf(at))} ${new Date(at - startOf(dayOf(at))).toISOString().slice(11, 19)}`

/** All that a receipt says, for a camera: what was handed in can be told from it years later. */
export const receiptText = (
  product: string,
  { id, hash, handedAt, answered }: { id: string; hash: string; handedAt: number; answered: number },
): string =>
  [
    `${product} 交卷回执`,
    `编号 ${id}`,
    `校验 ${hash}`,
    `交卷 ${timeOf(handedAt)}（北京时间）`,
    `作答 ${answered} 题`,
  ].join('\n')

/** Two clocks that are so close agree, and so long a hand-in may take to arrive. */
const NEAR_MS = 60_000

/** Why a sitting is not among the ranked ones; null: it is. */
export function whyUnranked(sitting: {
  mode: ExamMode
  flags: readonly ExamFlag[]
  /** It is the first one of this student that the server heard of. */
  first: boolean
  /** Its hash is that of its choices. */
  genuine: boolean
  /** When it says that it was begun, epoch ms. */
  startedAt: number
  /** When the server gave the paper to this student first, epoch ms: nobody begins without one. Null: never. */
  openedAt: number | null
  window: Window | null
  /** Epoch ms; null: no end. */
  arrivedAt: number
  rankClosesAt: number | null
}): Unranked | null {
  const { mode, flags, first, genuine, startedAt, openedAt, window, arrivedAt, rankClosesAt } = sitting
  if (mode === 'practice') return 'practice'
  if (!first) return 'again'
  if (window && (openedAt === null || openedAt >= window.to)) return 'after'
  if (flags.includes('clock') || (window && startedAt < (openedAt ?? 0) - NEAR_MS)) return 'clock'
  if (flags.includes('over')) return 'over'
  if (!genuine) return 'edited'
  return rankClosesAt !== null && arrivedAt > rankClosesAt ? 'closed' : null
}

/** The last choice, made at zero, is on its way to the disk. */
const GRACE_MS = 2_000

/** How long a sitting that began at `startedAt` may take, ms: never beyond the window's end. */
export const allowedMs = ({ minutes, window }: Pick<ExamHead, 'minutes' | 'window'>, startedAt: number): number =>
  Math.max(0, Math.min(minutes * 60_000, window ? window.to - startedAt : Number.POSITIVE_INFINITY))

/** Whether a choice was given in time, by the sitting's own clock. */
export const isInTime = (elapsedMs: number, allowed: number): boolean => elapsedMs <= allowed + GRACE_MS

/**
 * Whether a choice was made in time for a ranking: it had arrived by the end of its sitting, or its place among what its device did
 * is before that.
 * @param at its place, epoch ms by the server's clock (server/study/moments.ts). @param endedAt of the sitting, epoch ms.
 */
export const isShownInTime = ({ at, arrivedAt }: { at: number; arrivedAt: number }, endedAt: number): boolean =>
  Math.min(at, arrivedAt) <= endedAt + NEAR_MS

/** When a sitting was begun, sealed and had arrived, epoch ms by the server's clock, and how long it says that it took. */
export interface Course {
  startedAt: number
  handedAt: number
  arrivedAt: number
  elapsedMs: number
}
/** What is odd about a sitting. Whether it was begun and sealed then is known as far as it arrived at once (docs/decisions/exams.md). */
export function flagsOf({ startedAt, handedAt, arrivedAt, elapsedMs }: Course, allowed: number): ExamFlag[] {
  // A phone that was off at the end seals when it is on again; what counts was chosen by then.
  const atEnd = Math.abs(elapsedMs - allowed) <= NEAR_MS
  const sealedAt = atEnd ? Math.min(handedAt, startedAt + allowed) : handedAt
  const is: Record<ExamFlag, boolean> = {
    late: arrivedAt - sealedAt > NEAR_MS,
    clock: Math.abs(sealedAt - startedAt - elapsedMs) > NEAR_MS,
    over: Math.max(elapsedMs, sealedAt - startedAt) > allowed + NEAR_MS,
  }
  return (['late', 'clock', 'over'] as const).filter((flag) => is[flag])
}
