import { sql } from 'kysely'
import { dayOf } from '#src/domain/time/day.ts'
import type { Db } from '#server/db/open.ts'

/** An answer as a memory knows it. */
export interface PastAnswer {
  /** Days since the answer before; 0 of the first. */
  days: number
  right: boolean
  /** Epoch ms. */
  at: number
}
/** All answers of a student that stand, in the order of their time, by question. */
export type Histories = ReadonlyMap<string, readonly PastAnswer[]>

interface Row {
  no: string
  at: number
  right: boolean
}

/** Reads them in the order in which they are folded (domain/study: `byTime`). */
export async function readHistories(db: Db, uid: string): Promise<Histories> {
  const { rows } = await sql<Row>`
    select o.question_no as no, o.effective_at as at, coalesce(o."right", false) as "right"
    from study_op o
    where o.uid = ${uid} and o.kind = 'answer' and o.verdict = 'applied' and not exists (
      select from study_op r where r.uid = o.uid and r.kind = 'retract' and r.verdict = 'applied'
        and r.question_no = o.question_no and r.payload ->> 'target' = o.op_id::text)
    order by o.question_no, o.effective_at, o.op_id`.execute(db)
  const byQuestion = Map.groupBy(rows, ({ no }) => no)
  return new Map([...byQuestion].map(([no, answers]) => [no, answers.map((row, i) => answered(row, answers[i - 1]))]))
}

const answered = ({ at, right }: Row, before: Row | undefined): PastAnswer => ({
  at,
  right,
  days: before ? Math.max(0, dayOf(at) - dayOf(before.at)) : 0,
})
