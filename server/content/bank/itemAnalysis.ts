import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** How a question did with those who answered it, each by their first answer to what it asks now. */
export interface Item {
  no: string
  type: string
  /** HTML. */
  stem: string
  students: number
  /** Share of right first answers, 0 to 1: the higher, the easier. */
  right: number
  /**
   * Correlation of being right here with the share of right ones among the same student's other first answers in the library
   * (corrected item-total correlation), -1 to 1. Null: fewer than `ENOUGH` students with `ENOUGH` others, or all alike.
   */
  discrimination: number | null
  /** Choices only: the wrong option chosen most, and by which share of the students. */
  wrong: { option: string; share: number } | null
}
/** Fewer make no correlation. */
const ENOUGH = 10

/** Of all questions of a library that somebody has answered; null: there is no such library. */
export async function analyseItems(db: Db, libraryNo: string): Promise<Item[] | null> {
  const library = await db.selectFrom('library').select('no').where('no', '=', libraryNo).executeTakeFirst()
  if (!library) return null
  const { rows } = await sql<Item>`
    with own as (
      select a.no, a.question_no, a.since, a.body from answerable a join question q on q.no = a.question_no
      where a.library_no = ${libraryNo} and a.chapter_no is not null and not q.retired
    ), firsts as materialized (
      select distinct on (o.uid, o.question_no) o.uid, o.question_no as no, o."right"::int as "right", o.payload -> 'response' -> 'ids' as ids
      from study_op o join own on own.no = o.question_no
      where o.kind = 'answer' and o.verdict = 'applied' and o."right" is not null
        and coalesce((o.payload ->> 'version')::int, 1) >= own.since
        and not exists (select from study_op r where r.uid = o.uid and r.question_no = o.question_no and r.kind = 'retract'
          and r.verdict = 'applied' and r.payload ->> 'target' = o.op_id::text)
      order by o.uid, o.question_no, o.effective_at, o.op_id
    ), sums as (select uid, sum("right") as s, count(*) as n from firsts group by uid),
    figures as (
      select f.no, count(*)::int as students, avg(f."right")::float as "right",
        count(*) filter (where u.n > ${ENOUGH}) as able,
        corr(f."right", (u.s - f."right")::float / (u.n - 1)) filter (where u.n > ${ENOUGH}) as r
      from firsts f join sums u on u.uid = f.uid group by f.no
    ), chosen as (
      select distinct on (f.no) f.no, option, count(*)::float as n from firsts f
        join own on own.no = f.no, jsonb_array_elements_text(case when jsonb_typeof(f.ids) = 'array' then f.ids else '[]' end) as option
      where own.body -> 'key' is not null and not own.body -> 'key' ? option
      group by f.no, option order by f.no, n desc, option
    )
    select g.no, own.body ->> 'type' as type, coalesce(part ->> 'stem', q.body ->> 'stem') as stem, g.students, g."right",
      case when g.able >= ${ENOUGH} then g.r end as discrimination,
      case when c.option is not null then json_build_object('option', c.option, 'share', c.n / g.students) end as wrong
    from figures g join own on own.no = g.no join question q on q.no = own.question_no left join chosen c on c.no = g.no
      left join lateral (select part from jsonb_array_elements(q.body::jsonb -> 'parts') as part where part ->> 'no' = g.no) p on true
    order by g."right", g.students desc, g.no`.execute(db)
  return rows
}
