import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A student's record becomes one kind of row: the state of a question, a day, a folder, a setting, a report. What was wrong
 * once is in the error book from now on; what FSRS knows begins with the next answer.
 */
const statements = sql`
alter table answerable add column points text[] not null default '{}';
update answerable a set points = array(select p ->> 'no' from json_array_elements(q.body -> 'points') p)
  from question q where q.no = a.no;
update answerable a set points = array(select p ->> 'no' from json_array_elements(part -> 'points') p)
  from question q, json_array_elements(case when q.type = 'composite' then q.body -> 'parts' else '[]' end) part
  where part ->> 'no' = a.no;

create table study_record (
  uid text not null references student (uid) on delete cascade,
  kind text not null,
  id text not null,
  rev bigint not null,
  last_at bigint not null,
  last_op text not null,
  body json not null,
  primary key (uid, kind, id)
);
create index study_record_rev on study_record (uid, rev);
insert into study_record (uid, kind, id, rev, last_at, last_op, body)
  select uid, 'state', question_no, rev, last_at, last_op::text, json_strip_nulls(json_build_object('times', times, 'wrong', wrong,
    'streak', streak, 'lastAt', last_at, 'lastRight', last_right, 'lastResponse', last_response, 'spentMs', spent_ms,
    'book', case when wrong > 0 then json_build_object('rights', streak, 'since', last_at, 'from', 'library', 'out', false) end))
  from study_state;
drop table study_state;
`

export const studyRecord: Migration = { up: async (db) => void (await statements.execute(db)) }
