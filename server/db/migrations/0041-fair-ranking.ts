import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * When a student was given an exam's paper first. Those who had applied before it was noted have 0, which is in time: nothing is
 * known against them. A ranking says who handed in late, and one of an exam with a window always ends.
 */
const statements = sql`
alter table exam_apply add column opened_at bigint default 0;
alter table exam_apply alter column opened_at drop default;
alter table exam_entry add column late boolean not null default false;
update exam_entry e set late = true from study_record r
  where e.score is not null and r.uid = e.uid and r.kind = 'exam' and r.id = e.attempt_id
    and (r.body -> 'flags')::jsonb @> '["late"]';
update exam set rank_closes_at = ends_at + 600000 where ends_at is not null and rank_closes_at is null;
`

export const fairRanking: Migration = { up: async (db) => void (await statements.execute(db)) }
