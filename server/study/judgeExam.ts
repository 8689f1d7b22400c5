import type { ExamSittingRecord, ExamFlag } from '#src/contract/sitting.ts'
import { allowedMs, flagsOf } from '#src/domain/paper/exam.ts'
import { isFinal } from '#src/domain/record/handedIn.ts'
import { grown, type ThingFact } from '#src/domain/record/things.ts'
import type { Db } from '#server/db/open.ts'
import { type Held, readHeld } from '#server/exam/store.ts'
import type { Known, Target } from './rows.ts'
import type { Heard } from './store.ts'

/** What is known of sittings of exams when an op is judged. */
export interface ExamSittings {
  targets: ReadonlyMap<string, Target>
  /** By their ids; of this student only. */
  examSittings: ReadonlyMap<string, ExamSittingRecord>
  /** By `examKey`. */
  exams: ReadonlyMap<string, Held>
}
type Begin = Extract<ThingFact, { kind: 'examBegin' }>
type HandIn = Extract<ThingFact, { kind: 'examHandIn' }>
/** `early`: a choice that it names has not come yet. */
type Found = { flags: ExamFlag[] } | { code: 'early' | 'finished' | 'other' | 'unknown_paper'; msg: string }

const examKey = ({ exam, rev }: { exam: string; rev: string }): string => `${exam} ${rev}`

/** What is begun or handed in under the id of a sitting must be that sitting's. */
const isOther = (
  said: Pick<ExamSittingRecord, 'exam' | 'rev' | 'mode'>,
  before: ExamSittingRecord | undefined,
): boolean =>
  before !== undefined && (before.exam !== said.exam || before.rev !== said.rev || before.mode !== said.mode)
const OTHER = { code: 'other' as const, msg: '与这次考试开考时的场次、试卷或方式不一致' }

/** Null: it may begin, or has begun. */
export const judgeBegin = ({ payload }: Begin, { examSittings }: Pick<ExamSittings, 'examSittings'>) =>
  isOther(payload, examSittings.get(payload.attemptId)) ? OTHER : null

/** @param now when it arrived, epoch ms. */
export function judgeExam({ at, payload }: HandIn, now: number, sittings: ExamSittings): Found {
  const before = sittings.examSittings.get(payload.attemptId)
  if (isOther(payload, before)) return OTHER
  if (before && isFinal(before)) return { code: 'finished', msg: '这次考试已经交过卷' }
  // Fewer choices than it says is no hand-in.
  if (payload.choices.some((opId) => !sittings.targets.has(opId)))
    return { code: 'early', msg: '缺少这次考试的部分作答，没有收卷' }
  const held = sittings.exams.get(examKey(payload))
  if (!held) return { code: 'unknown_paper', msg: '试卷不存在或已下架' }
  if (payload.mode === 'practice') return { flags: [] }
  const { elapsedMs } = payload
  const startedAt = before?.startedAt ?? at - elapsedMs
  return { flags: flagsOf({ startedAt, handedAt: at, arrivedAt: now, elapsedMs }, allowedMs(held, startedAt)) }
}

export const examSittingsIn = ({ records }: Pick<Known, 'records'>): Map<string, ExamSittingRecord> =>
  // Only a sitting goes in under this kind.
  new Map(records.flatMap(({ kind, id, body }) => (kind === 'exam' ? [[id, body as ExamSittingRecord]] : [])))

/** The exams that a batch hands in. */
export async function readExamsOf(
  db: Db,
  ops: readonly { op: { kind: string }; payload: Record<string, unknown> | null }[],
): Promise<Map<string, Held>> {
  const refs = new Map(
    ops.flatMap(({ op, payload }) => {
      if (op.kind !== 'examHandIn' || !payload) return []
      const ref = { exam: String(payload.exam), rev: String(payload.rev) }
      return [[examKey(ref), ref]]
    }),
  )
  const exams = new Map<string, Held>()
  for (const [key, { exam, rev }] of refs) {
    const held = await readHeld(db, exam, rev)
    if (held) exams.set(key, held)
  }
  return exams
}

/** Whether something here is handed in by its device after the server has done it. */
export function replacesSeal(
  ops: readonly { op: { kind: string }; payload: Record<string, unknown> | null }[],
  known: Pick<Known, 'records'>,
): boolean {
  const sittings = examSittingsIn(known)
  return ops.some(
    ({ op, payload }) => op.kind === 'examHandIn' && sittings.get(String(payload?.attemptId))?.by === 'server',
  )
}

/** Of each sitting that is begun or handed in whether it is handed in, in the order in which they are first told of. */
export function heardIn(judged: readonly { thing: ThingFact | null }[]): Heard[] {
  const heard = new Map<string, Heard>()
  for (const { thing } of judged) {
    if (thing?.kind !== 'examBegin' && thing?.kind !== 'examHandIn') continue
    const { attemptId, exam } = thing.payload
    const handed = thing.kind === 'examHandIn' || heard.get(attemptId)?.handed === true
    heard.set(attemptId, { exam, attemptId, handed })
  }
  return [...heard.values()]
}

/** What becomes of the sittings with one more thing done: a later op of the batch goes on from it. */
export function followExam(sittings: Map<string, ExamSittingRecord>, fact: ThingFact): void {
  if (fact.kind !== 'examBegin' && fact.kind !== 'examHandIn') return
  const id = fact.payload.attemptId
  const body = sittings.get(id)
  const thing = grown(body ? { kind: 'exam', id, body } : null, fact)
  if (thing?.kind === 'exam') sittings.set(id, thing.body)
}
