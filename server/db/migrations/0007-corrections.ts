import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Questions get versions (docs/decisions/questions.md 0021). `answerable.since` is the version since which a question asks what it asks
 * now, `keyed` the one since which it has its key; `answerable_past` holds every earlier key with the asking that it belongs to and the
 * last version that had it. `remark` are answers to be marked again, student by student. `tally` counts first answers by what was chosen;
 * `tally_queue` is what is not counted in yet.
 */
const statements = sql`
alter table question add column version int not null default 1;
create table question_version (
  question_no text not null references question (no),
  version int not null,
  hash text not null,
  body json not null,
  replaced_at bigint not null,
  primary key (question_no, version)
);
alter table answerable add column since int not null default 1, add column keyed int not null default 1;
create table answerable_past (
  no text not null references answerable (no),
  since int not null,
  upto int not null,
  body json not null,
  primary key (no, upto)
);
create table remark (
  id bigint generated always as identity primary key,
  nos text[] not null,
  at bigint not null,
  cursor text not null default '',
  done_at bigint
);
create index remark_open on remark (id) where done_at is null;

create table tally (
  question_no text not null,
  since int not null,
  pick text not null,
  n int not null,
  "right" int not null,
  primary key (question_no, since, pick)
);
create table tally_queue (
  question_no text not null,
  since int not null,
  pick text not null,
  n int not null,
  "right" int not null
);
create index report_open on study_record ((body ->> 'questionNo'))
  where kind = 'report' and body ->> 'status' = 'received';

update study_op set payload = payload || '{"version":1}' where kind = 'answer' and verdict = 'applied' and not payload ? 'version';
insert into tally_queue (question_no, since, pick, n, "right")
  select question_no, 1, coalesce((select string_agg(distinct id, '' order by id)
    from jsonb_array_elements_text(payload -> 'response' -> 'ids') id), ''), 1, "right"::int
  from (select distinct on (uid, question_no) * from study_op
    where kind = 'answer' and verdict = 'applied' and question_no is not null
      and payload -> 'response' ->> 'kind' <> 'essay' order by uid, question_no, effective_at, op_id) first;
`

export const corrections: Migration = { up: async (db) => void (await statements.execute(db)) }
