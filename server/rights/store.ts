import { type RawBuilder, sql } from 'kysely'

/**
 * Who may have which questions and courses: the conditions of every statement that gives some (docs/decisions/0025, 0031), on
 * the aliases `l` of a library, `s` of a set, `x` of an exam, `q` of a question, `c` of a course and `p` of a package of courses.
 */

/** Who asks, and when: epoch ms. */
export interface Asker {
  uid: string | null
  now: number
}

/** Its chapters are for everybody; the questions of others come in sets alone. */
export const isListed: RawBuilder<boolean> = sql<boolean>`not l.sets_only`

/** The whole set: it is free, or this person's at the moment `now`, in epoch ms. */
export const isOpenTo = (uid: string | null, now: number): RawBuilder<boolean> => sql<boolean>`(s.price = 0
  or exists (select from entitlement e where e.uid = ${uid} and e.kind = 'set' and e.no = s.no and e.until > ${now}))`

/** An exam may be applied for and taken: it is free, or this person's. */
export const isExamOpenTo = (uid: string | null, now: number): RawBuilder<boolean> => sql<boolean>`(x.price = 0
  or exists (select from entitlement e where e.uid = ${uid} and e.kind = 'exam' and e.no = x.no and e.until > ${now}))`

/** `isOpenTo` once: a sitting may come long after it was done, and what one has done counts. */
export const wasOpenTo = (uid: string): RawBuilder<boolean> => sql<boolean>`(s.price = 0
  or exists (select from entitlement e where e.uid = ${uid} and e.kind = 'set' and e.no = s.no))`

/**
 * A question of one's record, where anybody may put any number: it was free once, is of a set that one has bought, or of an exam
 * that one had applied for and has handed in, when its key is released (epoch ms `now`).
 */
export const mayRead = (uid: string, now: number): RawBuilder<boolean> => sql<boolean>`(q.free
  or exists (select from exam_question m join exam x on x.no = m.exam_no
    join exam_apply a on a.exam_no = x.no and a.uid = ${uid}
    join study_record r on r.uid = ${uid} and r.kind = 'exam' and r.body ->> 'exam' = x.no and r.body ->> 'handIn' <> ''
    where m.question_no = q.no and (x.ends_at is null or x.ends_at <= ${now}))
  or exists (select from set_question m join entitlement e on e.kind = 'set' and e.no = m.set_no
    where m.question_no = q.no and e.uid = ${uid}))`

/** The end of what was bought for good: as far as a time can be. */
export const FOR_GOOD = 8_640_000_000_000_000

/** Course `c` costs this person nothing: it is free and offered, or they had begun it. */
export const isFree = (uid: string | null): RawBuilder<boolean> => sql<boolean>`(c.price = 0 and (not c.withdrawn
  or exists (select from study_record b join lesson m on m.no = b.id
    where b.uid = ${uid} and b.kind = 'lesson' and m.course_no = c.no)))`

/** When what this person has bought of course `c`, alone or in a package, ends, epoch ms; null: nothing, or it is over at `now`. */
export const courseEnd = (uid: string | null, now: number): RawBuilder<number | null> => sql<number | null>`(
  select max(e.until) from entitlement e where e.uid = ${uid} and e.until > ${now} and (
    (e.kind = 'course' and e.no = c.no)
    or (e.kind = 'package' and exists (select from package_course m where m.package_no = e.no and m.course_no = c.no))))`

/** The same of package `p`. */
export const packageEnd = (uid: string | null, now: number): RawBuilder<number | null> => sql<number | null>`(
  select e.until from entitlement e where e.uid = ${uid} and e.kind = 'package' and e.no = p.no and e.until > ${now})`

/** The same of VIP package `p`. */
export const vipEnd = (uid: string | null, now: number): RawBuilder<number | null> => sql<number | null>`(
  select e.until from entitlement e where e.uid = ${uid} and e.kind = 'vip' and e.no = p.no and e.until > ${now})`
