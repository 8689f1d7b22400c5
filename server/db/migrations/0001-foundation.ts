import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tables of a student have the student first in their primary key, so that they can be spread by student. */
const statements = sql`
create table student (
  uid text primary key,
  mobile text not null unique,
  nickname text not null,
  portrait text not null default '',
  password text,
  created_at bigint not null,
  study_rev bigint not null default 0
);
create table session (
  token_hash text primary key,
  uid text not null references student (uid) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  seen_at bigint not null
);
create index session_of_student on session (uid);
create table image_code (mobile text primary key, code text not null, expires_at bigint not null);
create table sms_code (mobile text primary key, code_hash text not null, expires_at bigint not null, wrong int not null default 0);
create table rate (key text primary key, window_start bigint not null, hits int not null);
create table setting (key text primary key, value text not null);

create table area (key text primary key, name text not null, position int not null);
create table exam_category (no text primary key, name text not null, position int not null);
create table exam_direction (
  key text primary key,
  category_no text not null references exam_category (no),
  name text not null,
  position int not null,
  areas text[] not null default '{}'
);
create table subject (no text primary key, name text not null, position int not null);
create table point (
  no text primary key,
  subject_no text not null references subject (no),
  parent text references point (no),
  name text not null,
  position int not null
);
create table library (
  no text primary key,
  subject_no text not null references subject (no),
  title text not null,
  directions text[] not null default '{}',
  areas text[] not null default '{}',
  position int not null
);
create table chapter (
  no text primary key,
  library_no text not null references library (no),
  parent text references chapter (no),
  title text not null,
  position int not null,
  total int not null default 0
);
create index chapter_of_library on chapter (library_no, position);
create table question (
  no text primary key,
  chapter_no text references chapter (no) on delete set null,
  position int not null,
  type text not null,
  hash text not null,
  body jsonb not null,
  retired boolean not null default false
);
create index question_of_chapter on question (chapter_no, position);
create table answerable (
  no text primary key,
  question_no text not null references question (no),
  chapter_no text references chapter (no) on delete set null,
  library_no text references library (no) on delete set null,
  body jsonb not null
);
create index answerable_of_question on answerable (question_no);
create table block (
  chapter_no text not null references chapter (no) on delete cascade,
  at int not null,
  rev text not null,
  count int not null,
  body text not null,
  primary key (chapter_no, at)
);

create table study_op (
  uid text not null references student (uid) on delete cascade,
  op_id uuid not null,
  device uuid not null,
  seq bigint not null,
  stream text not null,
  kind text not null,
  v int not null,
  payload jsonb not null,
  payload_hash text not null,
  ctx jsonb not null,
  client_at bigint not null,
  effective_at bigint not null,
  verdict text not null,
  code text,
  msg text,
  "right" boolean,
  question_no text,
  created_at bigint not null,
  primary key (uid, op_id)
);
create index study_op_of_question on study_op (uid, question_no) where question_no is not null;
create index study_op_of_device on study_op (uid, device, seq);
create table study_device (
  uid text not null references student (uid) on delete cascade,
  device uuid not null,
  ack_seq bigint not null,
  seen_at bigint not null,
  primary key (uid, device)
);
create table study_state (
  uid text not null references student (uid) on delete cascade,
  question_no text not null,
  rev bigint not null,
  times int not null,
  wrong int not null,
  streak int not null,
  last_at bigint not null,
  last_op uuid not null,
  last_right boolean not null,
  last_response jsonb not null,
  spent_ms bigint not null,
  primary key (uid, question_no)
);
create index study_state_rev on study_state (uid, rev);
`

export const foundation: Migration = { up: async (db) => void (await statements.execute(db)) }
