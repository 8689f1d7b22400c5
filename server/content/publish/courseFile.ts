import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import * as v from 'valibot'
import { CourseKind } from '#src/contract/course.ts'
import { No } from '#src/contract/scalar.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { CourseRow } from '#server/course/store.ts'
import type { Media } from '#server/content/media/arriving.ts'
import { besides, hashedName } from '#server/content/media/mediaFiles.ts'
import { readCover } from '#server/content/media/cover.ts'
import type { Finding, Report } from '#server/content/draft.ts'
import { judgeHandout } from '#server/content/handout/handoutFile.ts'
import { pictureFinder } from '#server/content/media/picture.ts'
import { readShape } from '#server/content/formats/fileShape.ts'
import { type LessonFiles, readLessonFiles } from '#server/content/media/lessonFiles.ts'
import { judgeQuestions, LessonQuestions, orderQuestions } from './lessonQuestions.ts'
import { Keys, reportUsed, Title, Whole, Withdrawn } from './paperFile.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'
import { Time } from '#server/content/media/time.ts'

export const COURSE_FORMAT = 'lijian-course/1'

/** What courses and packages both say of what they cost. */
export const SoldFields = {
  no: No,
  title: Title,
  intro: v.optional(v.string(), ''),
  cover: v.string('缺少封面图片的文件名'),
  directions: Keys,
  areas: Keys,
  price: v.optional(Whole, 0),
  vip: v.optional(v.boolean(), false),
  days: v.optional(v.nullable(v.pipe(Whole, v.minValue(1, '有效天数至少为 1'))), null),
  withdrawn: Withdrawn,
}
const Lang = v.pipe(v.string(), v.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, '语言应写成 zh-CN 这样的代码'))
const LessonFile = v.object({
  no: No,
  title: Title,
  trial: v.optional(v.boolean(), false),
  seconds: v.optional(v.pipe(Whole, v.minValue(1, '时长至少 1 秒'))),
  media: v.pipe(v.array(v.string()), v.minLength(1, '至少要有一个音视频文件')),
  subtitles: v.optional(v.array(v.object({ lang: Lang, label: Title, file: v.string() })), []),
  questions: LessonQuestions,
})
const UnitFile = v.object({
  no: No,
  title: Title,
  lessons: v.pipe(v.array(LessonFile), v.minLength(1, '至少要有一课')),
})
/** The project's own JSON of a course (docs/import.md), beside the files that it names. */
const CourseFile = v.object({
  format: v.literal(COURSE_FORMAT, `format 应为 "${COURSE_FORMAT}"`),
  ...SoldFields,
  kind: CourseKind,
  subject: v.optional(v.nullable(No), null),
  teacher: v.pipe(v.string(), v.trim(), v.nonEmpty('缺少讲师姓名'), v.maxLength(30, '讲师姓名最多30字')),
  aboutTeacher: v.optional(v.string(), ''),
  at: v.optional(Time),
  libraries: v.optional(v.array(No), []),
  handouts: v.optional(v.array(v.object({ title: Title, file: v.string() })), []),
  units: v.pipe(v.array(UnitFile), v.minLength(1, '至少要有一个单元')),
})
type CourseFile = v.InferOutput<typeof CourseFile>
export type CourseFileInput = v.InferInput<typeof CourseFile>

export interface CheckedCourse {
  file: string
  /** Null when the file cannot be read as a course, or its files cannot. */
  course: CourseRow | null
  /** Lessons in the file. */
  total: number
  findings: Finding[]
  media: Media
}
/** A course with what its file says of it, also when that names files that are no good. */
export interface ReadCourse extends CheckedCourse {
  source: CourseFile | null
}

/** Reads a course and all files that it names. @param copies of pictures that lay on other sites. */
export async function readCourse(
  file: string,
  json: unknown,
  copies: ReadonlyMap<string, Buffer> = new Map(),
): Promise<ReadCourse> {
  const { said: source, findings } = readShape(CourseFile, file, json)
  const files = new Map(copies)
  const lessons: LessonFiles[] = []
  const read: ReadCourse = { file, course: null, total: 0, findings, media: { files, lessons }, source: null }
  if (!source) return read
  const report: Report = (level, at, reason, mend) =>
    void findings.push({ file, at, level, reason, ...(mend && { mend }) })
  const folder = path.dirname(file)
  const cover = await readCover(folder, source.cover, files, report)
  const handouts = await readHandouts(folder, source.handouts, files, report)
  const units = await readUnits(folder, source, lessons, report)
  const course = cover && handouts && units ? rowOf(source, { cover, handouts, units }, folder, files) : null
  return { ...read, course, total: source.units.reduce((n, unit) => n + unit.lessons.length, 0), source }
}

/** Judges a course that was read against what the database holds, without changing anything. */
export async function judgeCourse(db: Db | Tx, { source, ...read }: ReadCourse): Promise<CheckedCourse> {
  if (!source) return read
  const findings = [...read.findings]
  const report: Report = (level, at, reason) => void findings.push({ file: read.file, at, level, reason })
  await judgeNumbers(db, source, report)
  await judgeScopes(db, [{ ...source, at: '' }], report)
  await judgeLinks(db, source, report)
  await judgeQuestions(db, source.units, report)
  return { ...read, findings }
}

/** Every number of a course with its place in the file and what it numbers. */
export const numbersOf = ({ no, units }: Pick<CourseFile, 'no'> & { units: Numbered[] }) => [
  { at: 'no', no, what: '课程' },
  ...units.flatMap((unit, u) => [
    { at: `units[${u}].no`, no: unit.no, what: '单元' },
    ...unit.lessons.map((lesson, l) => ({ at: `units[${u}].lessons[${l}].no`, no: lesson.no, what: '课时' })),
  ]),
]
interface Numbered {
  no: string
  lessons: { no: string }[]
}

/** A number is its course's, unit's or lesson's for ever: nothing else has it, in this file, in another course, of another kind. */
async function judgeNumbers(db: Db | Tx, course: CourseFile, report: Report): Promise<void> {
  const own = numbersOf(course)
  const nos = own.map(({ no }) => no)
  const { rows } = await sql<{ no: string; what: string; course: string }>`
    select no, what, course from (
      select no, '课程' as what, no as course from course union all select no, '单元', course_no from course_unit
      union all select no, '课时', course_no from lesson
    ) known where no = any(${nos})`.execute(db)
  for (const { at, no, what } of own) {
    const other = rows.find((row) => row.no === no && (row.course !== course.no || row.what !== what))
    if (other) report('fault', at, `编号 ${no} 已被${other.what}使用`)
  }
  await reportUsed(db, 'course', own, report)
}

/** What a course names outside of itself, and what names it. */
async function judgeLinks(db: Db | Tx, { no, subject, libraries, units }: CourseFile, report: Report): Promise<void> {
  if (subject !== null && !(await db.selectFrom('subject').select('no').where('no', '=', subject).executeTakeFirst()))
    report('fault', 'subject', `科目 ${subject} 不存在，请先导入这一科的题库`)
  const { rows: open } = await sql<{ no: string }>`
    select no from library where no = any(${libraries}) and not sets_only`.execute(db)
  for (const [i, library] of libraries.entries())
    if (!open.some((each) => each.no === library))
      report('fault', `libraries[${i}]`, `题库 ${library} 不存在，或学生不能直接打开`)
  const { rows: quizzes } = await sql<{ no: string; unit: string }>`
    select no, unit_no as unit from testing where course_no = ${no}`.execute(db)
  for (const quiz of quizzes)
    if (!units.some((unit) => unit.no === quiz.unit))
      report('fault', 'units', `测评 ${quiz.no} 属于单元 ${quiz.unit}，不能去掉这个单元`)
}

async function readHandouts(
  folder: string,
  named: CourseFile['handouts'],
  files: Map<string, Buffer>,
  report: Report,
): Promise<CourseRow['handouts'] | null> {
  const handouts: CourseRow['handouts'] = []
  for (const [i, { title, file }] of named.entries()) {
    const at = besides(folder, file)
    const bytes = at === null ? null : await readFile(at).catch(() => null)
    if (!bytes) report('fault', `handouts[${i}]`, `${file} 不存在，应放在课程文件旁边或其下级文件夹`)
    else if (await judgeHandout(file, bytes, (level, reason) => report(level, `handouts[${i}]`, reason))) {
      const name = hashedName(bytes, 'pdf')
      files.set(name, bytes)
      handouts.push({ title, src: `/media/${name}`, bytes: bytes.length })
    }
  }
  return handouts.length === named.length ? handouts : null
}

async function readUnits(
  folder: string,
  { kind, units }: CourseFile,
  found: LessonFiles[],
  report: Report,
): Promise<CourseRow['units'] | null> {
  let whole = true
  const read: CourseRow['units'] = []
  for (const [u, { no, title, lessons }] of units.entries()) {
    const rows: CourseRow['units'][number]['lessons'] = []
    for (const [l, lesson] of lessons.entries()) {
      const place = `units[${u}].lessons[${l}]`
      const reportHere: Report = (level, at, reason, mend) => report(level, `${place}.${at}`, reason, mend)
      const files = await readLessonFiles({ folder, kind }, lesson, reportHere)
      if (!files) {
        whole = false
        continue
      }
      const { sources: _, ...row } = files
      const questions = orderQuestions(lesson.questions, files.seconds, reportHere)
      rows.push({ no: lesson.no, title: lesson.title, trial: lesson.trial, ...row, questions })
      found.push(files)
    }
    read.push({ no, title, lessons: rows })
  }
  return whole ? read : null
}

function rowOf(
  course: CourseFile,
  read: Pick<CourseRow, 'cover' | 'handouts' | 'units'>,
  folder: string,
  files: Map<string, Buffer>,
): CourseRow {
  const pictures = pictureFinder(folder, files)
  const { format: _, at, ...source } = course
  return {
    ...source,
    ...read,
    at: at ?? null,
    intro: richText(source.intro, pictures).html,
    aboutTeacher: richText(source.aboutTeacher, pictures).html,
  }
}
