import * as v from 'valibot'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import { exam, type ExamPaper } from '#src/contract/exam.ts'
import { isFinal } from '#src/domain/record/handedIn.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import {
  examClock,
  examPaper,
  examReview,
  type ExamSitting,
  handedExamAnswers,
  lastExamSitting,
} from '#src/offline/drafts/exam.ts'
import { type DraftKind, readDraft, readDrafts } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import type { OpenedSitting } from '#src/sitting/engine/policy.ts'
import { begin, openSitting } from '#src/sitting/engine/sitting.ts'
import { examPolicy } from './policy.ts'
import { dropSealed } from './sealed.ts'

export type { ExamSitting }
export type OpenedExam = OpenedSitting<ExamPaper, ExamSitting>

const load = <V>(kind: DraftKind<V>, name: string): Promise<V | null> => readDraft(offline, kind, kind.key(name))
/** Whether a sitting that this device knows of is over for it: handed in here, or by the server with nothing left here to hand in. */
export const isHanded = (sitting: ExamSittingRecord | undefined, hasPaper: boolean): boolean =>
  sitting !== undefined && sitting.handedAt !== null && (isFinal(sitting) || !hasPaper)

export const readSitting = (no: string): Promise<ExamSitting | null> => load(lastExamSitting, no)
/** The sittings that were begun last on this device, one of each exam, handed in or not. */
export const readSittings = async (): Promise<ExamSitting[]> =>
  (await readDrafts(offline, lastExamSitting)).map(({ value }) => value)
/** Of this device; null: it was taken on another one. */
export const readPaper = (id: string): Promise<ExamPaper | null> => load(examPaper, id)
/** What of a paper is told outside of it. */
const PaperHead = v.pick(exam.paper.output, ['no', 'title', 'kind', 'minutes', 'window'])
export type PaperHead = v.InferOutput<typeof PaperHead>
export async function readPaperHead(id: string): Promise<PaperHead | null> {
  const head = v.safeParse(PaperHead, await offline.loadDraft(examPaper.key(id)).catch(() => null))
  return head.success ? head.output : null
}

/**
 * Begins: the clock runs from now on.
 * @throws StorageError when the device cannot keep it; then nothing has begun.
 */
export async function beginExam(paper: ExamPaper, id: string, mode: ExamSitting['mode']): Promise<OpenedExam> {
  const { no, rev } = paper
  const sitting = await begin(examPolicy, { id, exam: no, rev, mode, startedAt: serverNow() }, paper)
  void dropSealed(no)
  return openSitting(examPolicy, paper, sitting)
}

/** A sitting as it was left on this device. */
export async function openExam(no: string, id: string): Promise<OpenedExam | 'new' | 'handed'> {
  const sittings = await offline.things('exam').catch(() => new Map<string, never>())
  const [last, paper] = await Promise.all([readSitting(no), readPaper(id)])
  const sitting = last?.id === id ? last : null
  if (isHanded(sittings.get(id), sitting !== null && paper !== null)) return 'handed'
  return sitting && paper ? openSitting(examPolicy, paper, sitting) : 'new'
}

/** The lock of the tab that has a sitting open: two tabs would write over each other's choices. */
export const tabOf = (id: string): string => `exam:${id}`

/** As it was handed in on this device; null: on another one. */
export const readHanded = (id: string): Promise<Snapshot | null> => load(handedExamAnswers, id)
export const readReview = (id: string): Promise<Snapshot | null> => load(examReview, id)

/** Handed in and taken, a sitting needs its paper and its clock no more: report and analysis are made from the key. */
export const dropPaper = (id: string): Promise<unknown> =>
  Promise.allSettled([examPaper.key(id), examClock.key(id)].map((key) => offline.dropDraft(key)))
