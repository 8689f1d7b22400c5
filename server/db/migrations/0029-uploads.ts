import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What students upload, and the embedded bucket (docs/decisions/uploads-and-other-sites.md 0043). A file on the disk has a name of its own,
 * never its key: a key is text of a student. Parts of a file that is still to come stand beside it until it is whole.
 */
const statements = sql`
create table upload_prefix (
  uid text primary key references student (uid) on delete cascade,
  prefix text not null unique
);
create table bucket_object (
  key text primary key,
  uid text not null references student (uid) on delete cascade,
  file text not null unique,
  size bigint not null,
  type text not null,
  etag text not null,
  upload_id text,
  at bigint not null
);
create index bucket_object_of_student on bucket_object (uid);
create table bucket_upload (
  id text primary key,
  uid text not null references student (uid) on delete cascade,
  key text not null,
  at bigint not null
);
create index bucket_upload_of_student on bucket_upload (uid);
create table bucket_part (
  upload_id text not null references bucket_upload (id) on delete cascade,
  part int not null,
  file text not null unique,
  size bigint not null,
  etag text not null,
  primary key (upload_id, part)
);
`
export const uploads: Migration = { up: async (db) => void (await statements.execute(db)) }
