import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Contract } from '#src/contract/index.ts'
import type { CourseDetail, CourseHead, FoundSaid, Lesson, LessonMedia } from '#src/contract/course.ts'
import type { Output } from '#src/contract/endpoint.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Asker, courseEnd, FOR_GOOD, isFree, packageEnd, wasLessonOpenTo } from '#server/rights/store.ts'
import { inScope } from '#server/structural/store.ts'

type PackageHead = Output<Contract['course']['packages']>[number]

/** Of what is bought until `r.until`. */
const until = sql`case when r.until < ${FOR_GOOD} then r.until end as until`

const head: RawBuilder<CourseHead> = sql<CourseHead>`c.no, c.title, c.kind, c.price, c.vip, c.days, c.withdrawn, r.open, r."byVip",
  case when c.price > 0 and r.until < ${FOR_GOOD} then r.until end as until,
  (select json_build_object('no', s.no, 'name', s.name) from subject s where s.no = c.subject_no) as subject,
  c.cover, c.teacher, c.published_at as at, c.seconds, c.lessons,
  case when r.open or not c.withdrawn then c.trials else 0 end as trials`

/** Courses `c` with what of them is the asker's, `r`. */
const courses = ({ uid, now }: Asker): RawBuilder<unknown> => sql`course c
  cross join lateral ${courseEnd(uid, now)} e
  cross join lateral (select e.until, e.vip and c.price > 0 as "byVip", e.until is not null or ${isFree(uid)} as open) r`

/** Lessons of a course by unit, related libraries that a student can open, and packages that it is sold in. */
const inside: RawBuilder<CourseDetail> = sql<CourseDetail>`c.intro, c.about_teacher as "aboutTeacher",
  (select coalesce(json_agg(json_build_object('no', u.no, 'title', u.title, 'lessons', u.lessons) order by u.position), '[]')
    from (select u.no, u.title, u.position, json_agg(json_build_object('no', l.no, 'title', l.title, 'seconds', l.seconds,
        'trial', l.trial and (r.open or not c.withdrawn), 'bytes', l.bytes, 'rev', l.rev, 'edition', l.edition,
        'sizes', coalesce(l.media -> 'sizes', '[]'),
        'subtitles', json_array_length(l.media -> 'subtitles') > 0) order by l.position) as lessons
      from course_unit u join lesson l on l.unit_no = u.no and not l.retired where u.course_no = c.no group by u.no) u) as units,
  (select coalesce(json_agg(json_build_object('no', b.no, 'title', b.title) order by array_position(c.libraries, b.no)), '[]')
    from library b where b.no = any(c.libraries) and not b.sets_only) as libraries,
  (select coalesce(json_agg(json_build_object('title', h -> 'title', 'bytes', h -> 'bytes',
      'src', case when r.open then h -> 'src' end) order by i), '[]')
    from json_array_elements(c.handouts) with ordinality as a(h, i) where r.open or not c.withdrawn) as handouts,
  (select coalesce(json_agg(json_build_object('no', p.no, 'title', p.title, 'price', p.price) order by p.position, p.no), '[]')
    from course_package p join package_course m on m.package_no = p.no
    where m.course_no = c.no and m.position is not null and not p.withdrawn) as packages`

/** @param limit so many of them, from the first; null: all. */
export async function readCourses(
  db: Db,
  scope: Scope,
  asker: Asker,
  limit: number | null = null,
): Promise<CourseHead[]> {
  const { rows } = await sql<CourseHead>`
    select ${head} from ${courses(asker)} where not c.withdrawn and ${inScope('c', scope)} order by c.position, c.no limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Null when there is no such course. */
export async function readCourse(db: Db, no: string, asker: Asker): Promise<CourseDetail | null> {
  const { rows } = await sql<CourseDetail>`
    select ${head}, ${inside} from ${courses(asker)} where c.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** Bought, though it may be over, or begun; what was watched last first, then what never was. */
export async function readMine(db: Db, uid: string, now: number): Promise<CourseHead[]> {
  const { rows } = await sql<CourseHead>`
    with watched as (
      select l.course_no, max(r.last_at) as at from study_record r join lesson l on l.no = r.id
      where r.uid = ${uid} and r.kind = 'lesson' group by l.course_no
    ), bought as (
      select no from entitlement where uid = ${uid} and kind = 'course'
      union select m.course_no from entitlement e join package_course m on m.package_no = e.no
      where e.uid = ${uid} and e.kind = 'package'
    )
    select ${head} from ${courses({ uid, now })} left join watched w on w.course_no = c.no
    where w.at is not null or c.no in (select no from bought)
    order by w.at desc nulls last, c.position, c.no`.execute(db)
  return rows
}

const packageHead = sql<PackageHead>`p.no, p.title, p.price, p.vip, p.days, p.withdrawn,
  r.until is not null as open, r.vip as "byVip", ${until}, p.cover, p.intro`
const packages = ({ uid, now }: Asker): RawBuilder<unknown> =>
  sql`course_package p cross join lateral ${packageEnd(uid, now)} r`

export async function readPackages(db: Db, scope: Scope, asker: Asker): Promise<PackageHead[]> {
  const { rows } = await sql<PackageHead>`
    select ${packageHead}, (select coalesce(json_agg(m.course_no order by m.position), '[]') from package_course m
      where m.package_no = p.no and m.position is not null) as courses
    from ${packages(asker)} where not p.withdrawn and ${inScope('p', scope)} order by p.position, p.no`.execute(db)
  return rows
}

/** Null when there is no such package. */
export async function readPackage(
  db: Db,
  no: string,
  asker: Asker,
): Promise<Output<Contract['course']['package']> | null> {
  const { rows } = await sql<Omit<PackageHead, 'courses'>>`
    select ${packageHead} from ${packages(asker)} where p.no = ${no}`.execute(db)
  const [found] = rows
  if (!found) return null
  const { rows: held } = await sql<CourseDetail>`
    select ${head}, ${inside} from ${courses(asker)} join package_course m on m.course_no = c.no and m.package_no = ${no}
    where m.position is not null order by m.position`.execute(db)
  return { ...found, courses: held }
}

/** What decides who may have a part of a course, and what to buy. */
export interface ForSale {
  open: boolean
  title: string
  vip: boolean
  packages: string[]
  /** It was the asker's. */
  over: boolean
  /** Sold no more, but in the packages. */
  withdrawn: boolean
}
/** Of course `c`; whether it is open stands beside it. */
const forSale = (uid: string | null): RawBuilder<Omit<ForSale, 'open'>> => sql`
  c.title, c.vip, c.withdrawn, (select e.until from ${courseEnd(uid, 0)} e) is not null as over,
  (select coalesce(json_agg(p.title order by p.position, p.no), '[]') from course_package p
    join package_course m on m.package_no = p.no
    where m.course_no = c.no and m.position is not null and not p.withdrawn) as packages`

export interface LessonForAsker
  extends
    ForSale,
    Pick<
      LessonMedia,
      'lesson' | 'course' | 'kind' | 'rev' | 'edition' | 'renditions' | 'subtitles' | 'rightUntil' | 'questions'
    > {
  seconds: number
}

/**
 * The questions of lesson `l` that are in their libraries still. Only what everybody may read anyway is given, so nothing that is
 * sold or kept for an exam is told by a lesson (docs/decisions/lessons.md 0083).
 */
const asked: RawBuilder<LessonMedia['questions']> = sql`(
  select coalesce(json_agg(json_build_object('at', a.at, 'question', q.body, 'chapterNo', h.no, 'libraryNo', h.library_no)
      order by a.at, a.i), '[]')
  from rows from (json_to_recordset(l.questions) as (at int, no text)) with ordinality as a(at, no, i)
    join question q on q.no = a.no and q.free and not q.retired join chapter h on h.no = q.chapter_no)`

/** Null when there is no such lesson, or not any more. */
export async function readLesson(db: Db, no: string, { uid, now }: Asker): Promise<LessonForAsker | null> {
  const { rows } = await sql<LessonForAsker>`
    select l.no as lesson, c.no as course, c.kind, l.rev, l.edition, l.media -> 'renditions' as renditions, l.media -> 'subtitles' as subtitles,
      l.seconds, r.open or (l.trial and not c.withdrawn) as open, ${asked} as questions,
      case when c.price > 0 and not l.trial and r.until < ${FOR_GOOD} then r.until end as "rightUntil", ${forSale(uid)}
    from lesson l join ${courses({ uid, now })} on c.no = l.course_no
    where l.no = ${no} and not l.retired`.execute(db)
  return rows[0] ?? null
}

export interface OpenLesson extends Pick<FoundSaid, 'course' | 'lesson'> {
  rev: string
}
/**
 * Every lesson that opens to the asker as `readLesson` says, in the order of lists: of the courses on offer in this direction and
 * area, and of those that are theirs, wherever they belong.
 */
export async function readOpenLessons(db: Db, scope: Scope, asker: Asker): Promise<OpenLesson[]> {
  const { rows } = await sql<OpenLesson>`
    with mine as materialized (
      select c.no, c.title, c.kind, c.subject_no, c.position, c.withdrawn, r.open from ${courses(asker)}
      where (not c.withdrawn and ${inScope('c', scope)}) or (r.open and (c.withdrawn or r.until is not null))
    )
    select json_build_object('no', m.no, 'title', m.title, 'kind', m.kind, 'open', m.open, 'subject', m.subject_no) as course,
      json_build_object('no', l.no, 'title', l.title) as lesson, l.rev
    from mine m join lesson l on l.course_no = m.no and not l.retired join course_unit u on u.no = l.unit_no
    where m.open or (l.trial and not m.withdrawn)
    order by m.position, m.no, u.position, l.position`.execute(db)
  return rows
}

/** Names of the subtitles that revs of lessons have. */
export async function readSubtitleFiles(
  db: Db,
  revs: readonly string[],
): Promise<{ rev: string; subtitles: { lang: string; name: string }[] }[]> {
  if (revs.length === 0) return []
  const { rows } = await sql<{ rev: string; subtitles: { lang: string; name: string }[] }>`
    select distinct on (l.rev) l.rev, (select coalesce(json_agg(json_build_object('lang', s -> 'lang', 'name', s -> 'file' -> 'name')
        order by i), '[]') from json_array_elements(l.media -> 'subtitles') with ordinality as a(s, i)) as subtitles
    from lesson l where l.rev = any(${revs}) order by l.rev`.execute(db)
  return rows
}

/** Of the courses that have a handout one that is the asker's, else the first to buy. Null: none has it. */
export async function readHandout(db: Db, src: string, { uid, now }: Asker): Promise<ForSale | null> {
  const { rows } = await sql<ForSale>`
    select r.open, ${forSale(uid)} from ${courses({ uid, now })} cross join json_array_elements(c.handouts) h
    where h ->> 'src' = ${src} order by r.open desc, c.withdrawn, c.position, c.no limit 1`.execute(db)
  return rows[0] ?? null
}

/** A document is had by signed address alone: courses have it as a handout, and none of them is free and offered. */
export async function isSold(db: Db, src: string): Promise<boolean> {
  const { rows } = await sql<{ sold: boolean | null }>`
    select bool_and(c.price > 0 or c.withdrawn) as sold from course c cross join json_array_elements(c.handouts) h where h ->> 'src' = ${src}`.execute(
    db,
  )
  return rows[0]?.sold ?? false
}

export interface LessonLength {
  no: string
  course: string
  seconds: number
}
/** Reads lessons that this student may have or once had, also retired ones: one who has watched may tell of it afterwards. */
export const readLengths = (db: Db, uid: string, nos: readonly string[]): Promise<LessonLength[]> =>
  db
    .selectFrom('lesson as m')
    .innerJoin('course as c', 'c.no', 'm.course_no')
    .select(['m.no', 'm.course_no as course', 'm.seconds'])
    .where('m.no', 'in', nos)
    .where(wasLessonOpenTo(uid))
    .execute()

const SECRET = 'media.secret'

/** What addresses of lessons are signed with: made once, by whichever server starts first, and the same for all. */
export async function readSecret(db: Db): Promise<string> {
  const made = randomBytes(32).toString('base64')
  await sql`insert into setting (key, value) values (${SECRET}, ${made}) on conflict do nothing`.execute(db)
  const row = db.selectFrom('setting').select('value').where('key', '=', SECRET)
  return (await row.executeTakeFirstOrThrow()).value
}

export interface LessonRow {
  no: string
  title: string
  seconds: number
  trial: boolean
  bytes: number
  rev: string
  /** `sizes` are absent in what was imported before qualities were kept apart. */
  media: Pick<LessonMedia, 'renditions' | 'subtitles'> & Pick<Lesson, 'sizes'>
  /** The lesson asks these while it plays; they are in the order of time. */
  questions: { at: number; no: string }[]
}
export interface CourseRow extends Pick<
  CourseDetail,
  'no' | 'title' | 'kind' | 'cover' | 'teacher' | 'aboutTeacher' | 'intro' | 'price' | 'vip' | 'days' | 'withdrawn'
> {
  subject: string | null
  directions: string[]
  areas: string[]
  /** When it is said to be published, epoch ms; null: as it was, or now. */
  at: number | null
  libraries: string[]
  handouts: { title: string; src: string; bytes: number }[]
  units: { no: string; title: string; lessons: LessonRow[] }[]
}
/** How many lessons are new, have other files, and are gone. */
export interface CourseWritten {
  added: number
  changed: number
  retired: number
}

/** Publishes a course. Lessons that are not in it any more are retired; what students have watched of them stays. */
export async function writeCourse(tx: Tx, course: CourseRow, now: number): Promise<CourseWritten> {
  const { subject, aboutTeacher, at, units, cover, handouts, ...same } = course
  const lessons = units.flatMap((unit) => unit.lessons)
  const kept = lessons.map(({ no }) => no)
  const row = {
    ...same,
    seconds: lessons.reduce((sum, lesson) => sum + lesson.seconds, 0),
    trials: lessons.filter(({ trial }) => trial).length,
    lessons: kept,
    subject_no: subject,
    about_teacher: aboutTeacher,
    cover: JSON.stringify(cover),
    handouts: JSON.stringify(handouts),
    ...(at !== null && { published_at: at }),
  }
  await tx
    .insertInto('course')
    .values({ published_at: now, ...row, position: sql`(select coalesce(max(position) + 1, 0) from course)` })
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  const before = await tx
    .selectFrom('lesson')
    .select(['no', 'rev'])
    .where('course_no', '=', course.no)
    .where('retired', '=', false)
    .execute()
  const revs = new Map(before.map(({ no, rev }) => [no, rev]))
  for (const [position, unit] of units.entries()) await writeUnit(tx, course.no, position, unit)
  const { rows } = await sql`update lesson set retired = true
    where course_no = ${course.no} and not retired and no <> all(${kept}) returning no`.execute(tx)
  return {
    added: kept.filter((no) => !revs.has(no)).length,
    changed: lessons.filter(({ no, rev }) => revs.has(no) && revs.get(no) !== rev).length,
    retired: rows.length,
  }
}

async function writeUnit(
  tx: Tx,
  course_no: string,
  position: number,
  { no, title, lessons }: CourseRow['units'][number],
): Promise<void> {
  await tx
    .insertInto('course_unit')
    .values({ no, course_no, title, position })
    .onConflict((c) => c.column('no').doUpdateSet({ title, position }))
    .execute()
  for (const [place, { media, questions, ...lesson }] of lessons.entries()) {
    const written = { media: JSON.stringify(media), questions: JSON.stringify(questions) }
    const row = { ...lesson, ...written, unit_no: no, position: place, retired: false }
    await tx
      .insertInto('lesson')
      .values({ ...row, course_no })
      .onConflict((c) => c.column('no').doUpdateSet({ ...row, edition: NEXT_EDITION }))
      .execute()
  }
}
/** Other files, also those of an older version, are a newer edition; a title or a place is none. */
const NEXT_EDITION = sql<number>`lesson.edition + (lesson.rev <> excluded.rev)::int`

export interface PackageRow extends Omit<PackageHead, 'open' | 'byVip' | 'until'> {
  directions: string[]
  areas: string[]
}

/** Publishes a package of courses. Who bought it keeps what it leaves out. @returns whether it is new. */
export async function writePackage(tx: Tx, { courses: nos, cover, ...same }: PackageRow): Promise<boolean> {
  const row = { ...same, cover: JSON.stringify(cover) }
  const { no } = same
  const before = await tx.selectFrom('course_package').select('no').where('no', '=', no).executeTakeFirst()
  await tx
    .insertInto('course_package')
    .values({ ...row, position: sql`(select coalesce(max(position) + 1, 0) from course_package)` })
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  await tx.updateTable('package_course').set({ position: null }).where('package_no', '=', no).execute()
  for (const [position, course_no] of nos.entries())
    await tx
      .insertInto('package_course')
      .values({ package_no: no, course_no, position })
      .onConflict((c) => c.columns(['package_no', 'course_no']).doUpdateSet({ position }))
      .execute()
  return !before
}

/** A course as it was published, without the lessons that it has left. Null: there is none. */
export async function readPublishedCourse(db: Db, no: string): Promise<CourseRow | null> {
  const { rows } = await sql<CourseRow>`
    select c.no, c.title, c.kind, c.subject_no as subject, c.teacher, c.about_teacher as "aboutTeacher", c.intro, c.cover,
      c.directions, c.areas, c.price, c.vip, c.days, c.withdrawn, c.published_at as at, c.libraries, c.handouts,
      (select json_agg(json_build_object('no', u.no, 'title', u.title, 'lessons', u.lessons) order by u.position)
        from (select u.no, u.title, u.position, json_agg(json_build_object('no', l.no, 'title', l.title, 'seconds', l.seconds,
            'trial', l.trial, 'bytes', l.bytes, 'rev', l.rev, 'media', l.media,
            'questions', l.questions) order by l.position) as lessons
          from course_unit u join lesson l on l.unit_no = u.no and not l.retired where u.course_no = c.no group by u.no) u) as units
    from course c where c.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** The same of a package. */
export async function readPublishedPackage(db: Db, no: string): Promise<PackageRow | null> {
  const { rows } = await sql<PackageRow>`
    select p.no, p.title, p.intro, p.cover, p.directions, p.areas, p.price, p.vip, p.days, p.withdrawn,
      (select json_agg(m.course_no order by m.position) from package_course m
        where m.package_no = p.no and m.position is not null) as courses
    from course_package p where p.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** Which folders of files lessons name, retired ones too. */
export async function readRevs(db: Db | Tx): Promise<Set<string>> {
  return new Set((await db.selectFrom('lesson').select('rev').distinct().execute()).map(({ rev }) => rev))
}
