import type { SittingRecord, Earned, PaperRef } from '#src/contract/sitting.ts'
import type { Response } from '#src/contract/response.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { earnedBy, type Markables, withEssays } from '#src/domain/paper/paper.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { grown, type SittingKind, type ThingFact } from '#src/domain/record/things.ts'
import type { Db } from '#server/db/open.ts'
import { readPaperToMark } from '#server/questionSet/store.ts'
import { readPaperToMark as readTestingToMark } from '#server/testing/store.ts'
import type { Known, OpRow, Target } from './rows.ts'

/** What is known of sittings and their papers when an op is judged. */
export interface Sittings {
  targets: ReadonlyMap<string, Target>
  /** Handed in, by their ids; of this student only. */
  sittings: ReadonlyMap<string, SittingRecord>
  /** By `paperKey`. */
  papers: ReadonlyMap<string, Markables>
}

const paperKey = (ref: PaperRef): string =>
  JSON.stringify([ref.of, ref.no, ref.rev, ...(ref.of === 'set' ? [ref.itemNo, ref.trial] : [])])

type SittingFact = Extract<ThingFact, { kind: SittingKind }>
/** `early`: something that it needs has not come yet. */
type Found = { earned: Earned } | { code: 'early' | 'finished' | 'unknown_paper'; msg: string }

/** What a sitting's op names. Checked by their schema, as every payload here. */
export const answersOf = ({ answers, choices = answers }: Record<string, unknown>): string[] =>
  Array.isArray(choices) ? choices : []

/** Of what an op names, what is not here: the device gives these answers again, and only these. */
export const missingOf = (payload: Record<string, unknown>, { targets }: Pick<Sittings, 'targets'>): string[] =>
  answersOf(payload).filter((opId) => !targets.has(opId))

/** Marks a sitting by this server's copy of the paper. What the device thinks of it is not asked. */
export function judgeSitting(fact: SittingFact, { targets, sittings, papers }: Sittings): Found {
  const before = sittings.get(fact.payload.attemptId)
  if (fact.kind === 'handIn' && before) return { code: 'finished', msg: '这次作答已经交过卷' }
  const paper = fact.kind === 'handIn' ? fact.payload.paper : before?.paper
  const answers = fact.payload.answers.map((opId) => targets.get(opId))
  // Fewer answers than it says is no score.
  if (!paper || answers.includes(undefined)) return { code: 'early', msg: '缺少这次交卷的部分作答，没有计分' }
  const markables = papers.get(paperKey(paper))
  if (!markables) return { code: 'unknown_paper', msg: '试卷不存在或已下架' }
  const given = givenBy(answers)
  return { earned: before ? withEssays(markables, before, given) : earnedBy(markables, given) }
}

/** Answers that were refused, and ops that are none, give nothing; of two answers to a question the later one counts. */
const givenBy = (answers: readonly (Target | undefined)[]): Map<string, Response> =>
  new Map(
    answers
      .flatMap((each) => (each?.verdict === 'applied' && each.kind === 'answer' ? [each] : []))
      .sort(byTime)
      .map(({ questionNo, response }) => [questionNo ?? '', response]),
  )

export const sittingsIn = ({ records }: Pick<Known, 'records'>): Map<string, SittingRecord> =>
  // Only a sitting goes in under this kind.
  new Map(records.flatMap(({ kind, id, body }) => (kind === 'attempt' ? [[id, body as SittingRecord]] : [])))

/** Papers of the sittings that a batch is about. */
export async function readPapers(
  db: Db,
  uid: string,
  ops: readonly { op: OpRecord; payload: Record<string, unknown> | null }[],
  known: Known,
): Promise<Map<string, Markables>> {
  // Checked by their schema.
  const handedIn = ops.flatMap(({ op, payload }) =>
    op.kind === 'handIn' && payload ? [payload.paper as PaperRef] : [],
  )
  const before = [...sittingsIn(known).values()].map(({ paper }) => paper)
  const papers = new Map<string, Markables>()
  for (const [key, ref] of new Map([...handedIn, ...before].map((paper) => [paperKey(paper), paper]))) {
    const paper = await (ref.of === 'set' ? readPaperToMark(db, uid, ref) : readTestingToMark(db, ref.no, ref.rev))
    if (paper) papers.set(key, paper)
  }
  return papers
}

/** What becomes of the sittings with one more thing done: a later op of the batch goes on from it. */
export function follow(sittings: Map<string, SittingRecord>, fact: ThingFact): void {
  if (fact.kind !== 'handIn' && fact.kind !== 'selfMark') return
  const id = fact.payload.attemptId
  const body = sittings.get(id)
  const thing = grown(body ? { kind: 'attempt', id, body } : null, fact)
  if (thing?.kind === 'attempt') sittings.set(id, thing.body)
}

/** What is no answer, or was refused. */
export const otherTarget = ({ op_id, kind, effective_at, question_no, verdict }: OpRow): Target => ({
  opId: op_id,
  questionNo: question_no,
  verdict,
  kind,
  at: effective_at,
  right: false,
  spentMs: 0,
  response: { kind: 'choice', ids: [] },
})
