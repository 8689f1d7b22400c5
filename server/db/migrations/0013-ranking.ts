import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * One row a student and exam: the first sitting that the server heard of, which alone is ranked; `handed_at` is when its hand-in
 * arrived, `score` stays null when it is not ranked. `exam_tally` counts ranked scores, of the whole paper (part 0) and of its
 * sections (from 1 on): a place among a million is a sum over its few rows.
 */
const statements = sql`
create table exam_entry (
  exam_no text not null references exam (no),
  uid text not null references student (uid) on delete cascade,
  attempt_id text not null,
  handed_at bigint,
  counted boolean not null default false,
  score int,
  elapsed_ms bigint,
  primary key (exam_no, uid)
);
create index exam_entry_waiting on exam_entry (handed_at) where handed_at is not null and not counted;
create index exam_entry_rank on exam_entry (exam_no, score desc, elapsed_ms) where score is not null;
create table exam_tally (
  exam_no text not null references exam (no),
  rev text not null,
  part smallint not null,
  score int not null,
  n int not null,
  primary key (exam_no, part, rev, score)
);
insert into exam_entry (exam_no, uid, attempt_id, handed_at)
  select distinct on (x.no, r.uid) x.no, r.uid, r.id, case when r.body ->> 'handIn' <> '' then r.last_at end
  from study_record r join exam x on x.no = r.body ->> 'exam'
  where r.kind = 'exam' order by x.no, r.uid, (r.body ->> 'startedAt')::bigint, r.id;
`

export const ranking: Migration = { up: async (db) => void (await statements.execute(db)) }
