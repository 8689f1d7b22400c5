import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What a list says of a course's lessons stands with the course, written when it is published: a list of all courses, and with it
 * every home page, read each lesson that there is. `lessons` are their numbers in their order, the retired left out.
 */
const statements = sql`
alter table course add column seconds int not null default 0, add column trials int not null default 0,
  add column lessons text[] not null default '{}';
update course c set seconds = x.seconds, trials = x.trials, lessons = x.lessons from (
  select l.course_no, sum(l.seconds)::int as seconds, count(*) filter (where l.trial)::int as trials,
    array_agg(l.no order by u.position, l.position) as lessons
  from lesson l join course_unit u on u.no = l.unit_no where not l.retired group by l.course_no) x
where x.course_no = c.no;
alter table course alter column seconds drop default, alter column trials drop default, alter column lessons drop default;
create index course_place on course (position, no);
`

export const courseSums: Migration = { up: async (db) => void (await statements.execute(db)) }
