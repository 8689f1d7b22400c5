import { sql } from 'kysely'
import type { Response } from '#src/contract/response.ts'
import { byTime, type Moment } from '#src/domain/study/moment.ts'
import { type Fact, QUESTION_KINDS, type QuestionKind, standing } from '#src/domain/study/study.ts'
import type { RecordRow, RevisedRow } from './rows.ts'
import type { Db } from '#server/db/open.ts'

/** Response of the op `o` without an essay's text, which nothing is marked by. */
export const UNTOLD =
  sql.raw(`case when o.payload #>> '{response,kind}' = 'essay' then jsonb_set(o.payload -> 'response', '{text}', '""')
  else o.payload -> 'response' end`)

/**
 * Everything that was done with some questions, for folding it again together with what is `added` now. Of essays only the text
 * that the state will show is read.
 */
export async function readFacts(
  db: Db,
  uid: string,
  questionNos: string[],
  added: readonly Fact[] = [],
): Promise<Fact[]> {
  const { rows } = await sql<Moment & { kind: QuestionKind; payload: object; right: boolean | null }>`
    select o.op_id as "opId", o.kind, o.effective_at as at, o."right",
      case when o.kind = 'answer' then jsonb_set(o.payload, '{response}', ${UNTOLD}) else o.payload end as payload
    from study_op o
    where o.uid = ${uid} and o.question_no = any(${questionNos}) and o.verdict = 'applied' and o.kind = any(${QUESTION_KINDS})`.execute(
    db,
  )
  // Only payloads that their schema had passed are stored as applied.
  const facts = rows.map(({ payload, right, ...moment }) => ({ ...payload, ...moment, right: right ?? false }) as Fact)
  return withLastTexts(db, uid, facts, added)
}

async function withLastTexts(db: Db, uid: string, facts: readonly Fact[], added: readonly Fact[]): Promise<Fact[]> {
  const byQuestion = Map.groupBy([...facts, ...added], ({ questionNo }) => questionNo)
  const last = [...byQuestion.values()].flatMap((all) => {
    const answer = standing(all)
      .filter((fact) => fact.kind === 'answer')
      .sort(byTime)
      .at(-1)
    return answer?.response.kind === 'essay' ? [answer.opId] : []
  })
  if (last.length === 0) return [...facts]
  const { rows } = await sql<{ opId: string; response: Response }>`
    select op_id as "opId", payload -> 'response' as response
    from study_op where uid = ${uid} and op_id = any(${last}::uuid[])`.execute(db)
  const told = new Map(rows.map(({ opId, response }) => [opId, response]))
  return facts.map((fact) => {
    const response = told.get(fact.opId)
    return response && fact.kind === 'answer' ? { ...fact, response } : fact
  })
}

/** They go on from the stored state in the order of their time. All others look at what was done before. */
const ONWARD: readonly string[] = ['answer', 'book', 'cause'] satisfies Fact['kind'][]
export const mustFoldAgain = (added: readonly (Moment & { kind: string })[], state: RevisedRow | undefined): boolean =>
  added.some(({ kind }) => !ONWARD.includes(kind)) ||
  (state !== undefined && added.some((fact) => byTime(fact, momentOf(state)) < 0))

export const momentOf = ({ lastAt, lastOp }: RecordRow): Moment => ({ at: lastAt, opId: lastOp })
