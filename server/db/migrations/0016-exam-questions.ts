import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Every question that an exam ever had: who has sat it may read them in their record once its key is released. How long a sitting
 * lasts is frozen with its paper. What is asked tells no hash of a question any more: who tries keys could tell the right one by it.
 */
const statements = sql`
create table exam_question (
  question_no text not null references question (no),
  exam_no text not null references exam (no),
  primary key (question_no, exam_no)
);
insert into exam_question (question_no, exam_no)
  select distinct e -> 'question' ->> 'no', p.exam_no
  from exam_paper p, json_array_elements(p.body::json) s, json_array_elements(s -> 'entries') e;
alter table exam_paper add column minutes int;
update exam_paper p set minutes = x.minutes from exam x where x.no = p.exam_no;
alter table exam_paper alter column minutes set not null;
update exam_paper set asked = regexp_replace(asked, '"rev":"[A-Za-z0-9_-]+",', '', 'g');
`

export const examQuestions: Migration = { up: async (db) => void (await statements.execute(db)) }
