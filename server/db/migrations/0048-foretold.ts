import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Forecasts of answers and of exam days are kept beside what came, and so is what was tried with each student's answers. The index
 * reads the whole record, and answers wait to be written meanwhile; the last line, for which ops cannot even be read, is short.
 */
const statements = sql`
create index study_record_exam_date on study_record ((body ->> 'value')) where kind = 'setting' and id = 'examDate';
create table memory_fit (
  uid text primary key references student (uid) on delete cascade,
  next_rev bigint not null,
  tried_at bigint not null,
  reviews int not null,
  kept boolean not null,
  common_loss double precision not null,
  own_loss double precision not null
);
create table exam_forecast (
  uid text not null references student (uid) on delete cascade,
  exam_day int not null,
  horizon int not null,
  made_at bigint not null,
  studied int not null,
  known real,
  low real,
  high real,
  came real,
  compared boolean not null default false,
  primary key (uid, exam_day, horizon)
);
create index exam_forecast_open on exam_forecast (exam_day) where not compared;
create index exam_forecast_of_day on exam_forecast (exam_day, horizon);
alter table study_op add column foretold smallint;
`

export const foretold: Migration = { up: async (db) => void (await statements.execute(db)) }
