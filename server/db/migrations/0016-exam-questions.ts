import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Every question that an exam ever had: who has sat it may read them in their record once its key is released. */
const statements = sql`
create table exam_question (
  question_no text not null references question (no),
  exam_no text not null references exam (no),
  primary key (question_no, exam_no)
);
insert into exam_question (question_no, exam_no)
  select distinct e -> 'question' ->> 'no', p.exam_no
  from exam_paper p, json_array_elements(p.body::json) s, json_array_elements(s -> 'entries') e;
`

export const examQuestions: Migration = { up: async (db) => void (await statements.execute(db)) }
