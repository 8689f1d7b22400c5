import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * `held`: the server has sealed this sitting from what it had, and its device may still bring more, so it is not counted yet
 * (docs/decisions/exam-results.md 0068). The last index finds the sittings that are open when their exam ends.
 */
const statements = sql`
alter table exam_entry add column held boolean not null default false;
drop index exam_entry_waiting;
create index exam_entry_waiting on exam_entry (handed_at) where handed_at is not null and not counted and not held;
create index exam_entry_held on exam_entry (exam_no) where held;
create index study_record_open_exam on study_record ((body ->> 'exam'), uid, id)
  where kind = 'exam' and body ->> 'handedAt' is null;
`

export const heldEntries: Migration = { up: async (db) => void (await statements.execute(db)) }
