import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** First answers are counted anew: what was taken back had been counted, and the answer after it once more. */
const statements = sql`
delete from tally;
delete from tally_queue;
insert into tally_queue (question_no, since, pick, n, "right")
  select first.question_no,
    coalesce((select p.since from answerable_past p where p.no = a.no and first.version < a.since and p.upto >= first.version
      order by p.upto limit 1), a.since),
    coalesce((select string_agg(distinct id, '' order by id) from jsonb_array_elements_text(first.response -> 'ids') id), ''),
    1, first."right"::int
  from (
    select distinct on (o.uid, o.question_no) o.question_no, o."right", o.payload -> 'response' as response,
      (o.payload ->> 'version')::int as version
    from study_op o
    where o.kind = 'answer' and o.verdict = 'applied' and not exists (
      select from study_op r where r.uid = o.uid and r.question_no = o.question_no and r.kind = 'retract'
        and r.verdict = 'applied' and (r.payload ->> 'target')::uuid = o.op_id)
    order by o.uid, o.question_no, o.effective_at, o.op_id
  ) first
  join answerable a on a.no = first.question_no
  where first.response ->> 'kind' <> 'essay';
`

export const firstAnswers: Migration = { up: async (db) => void (await statements.execute(db)) }
