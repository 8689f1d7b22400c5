import { readShape } from '#server/content/formats/fileShape.ts'
import path from 'node:path'
import { sql } from 'kysely'
import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type CourseRow, type PackageRow, readPublishedPackage, writePackage } from '#server/course/store.ts'
import type { Media } from '#server/content/media/arriving.ts'
import { SoldFields } from './courseFile.ts'
import { readCover } from '#server/content/media/cover.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import { pictureFinder } from '#server/content/media/picture.ts'
import { reportUsed, Whole } from './paperFile.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'

export const PACKAGE_FORMAT = 'lijian-package/1'

/** The project's own JSON of a package of courses (docs/import.md). */
const PackageFile = v.object({
  format: v.literal(PACKAGE_FORMAT, `format 应为 "${PACKAGE_FORMAT}"`),
  ...SoldFields,
  price: v.pipe(Whole, v.minValue(1, '课程包要有价格：免费的课程不用购买')),
  courses: v.pipe(v.array(No), v.minLength(2, '课程包至少有两门课程')),
})
type PackageFile = v.InferOutput<typeof PackageFile>
export type PackageFileInput = v.InferInput<typeof PackageFile>

export interface CheckedPackage {
  file: string
  /** Null when the file cannot be read as a package. */
  pack: PackageRow | null
  /** Courses in it. */
  total: number
  findings: Finding[]
  media: Media
}
export interface ReadPackage extends CheckedPackage {
  source: PackageFile | null
}

/** Reads a package and its picture. @param copies of pictures that lay on other sites. */
export async function readPackage(
  file: string,
  json: unknown,
  copies: ReadonlyMap<string, Buffer> = new Map(),
): Promise<ReadPackage> {
  const { said: source, findings } = readShape(PackageFile, file, json)
  const files = new Map(copies)
  const read: ReadPackage = { file, pack: null, total: 0, findings, media: { files, lessons: [] }, source: null }
  if (!source) return read
  const folder = path.dirname(file)
  const { format: _, cover: name, intro, ...head } = source
  const cover = await readCover(folder, name, files, (level, at, reason) => findings.push({ file, at, level, reason }))
  const pack = cover && { ...head, cover, intro: richText(intro, pictureFinder(folder, files)).html }
  return { ...read, pack, total: source.courses.length, source }
}

/** Judges a package that was read against the courses that the database holds and those of the same import. */
export async function judgePackage(
  db: Db | Tx,
  { source, ...read }: ReadPackage,
  alongside: ReadonlyMap<string, Offered> = new Map(),
): Promise<CheckedPackage> {
  if (!source) return read
  const findings = [...read.findings]
  const report: Report = (level, at, reason) => void findings.push({ file: read.file, at, level, reason })
  await reportUsed(db, 'package', [{ no: source.no, at: 'no' }], report)
  await judgeScopes(db, [{ at: '', ...source }], report)
  await judgeCourses(db, source.courses, alongside, report)
  return { ...read, findings }
}

/** What of a course its packages depend on. */
type Offered = Pick<CourseRow, 'price' | 'withdrawn'>

async function judgeCourses(
  db: Db | Tx,
  nos: readonly string[],
  alongside: ReadonlyMap<string, Offered>,
  report: Report,
): Promise<void> {
  const { rows } = await sql<Offered & { no: string }>`
    select no, price, withdrawn from course where no = any(${nos})`.execute(db)
  const courses = new Map<string, Offered>([...rows.map((row) => [row.no, row] as const), ...alongside])
  for (const [i, no] of nos.entries()) {
    const course = courses.get(no)
    if (!course) report('fault', `courses[${i}]`, `课程 ${no} 不存在，请先导入或一起导入`)
    else if (course.price === 0) report('warning', `courses[${i}]`, `课程 ${no} 是免费的，不用购买`)
    if (course?.withdrawn) report('warning', `courses[${i}]`, `课程 ${no} 已下架，只随课程包提供`)
    if (nos.indexOf(no) < i) report('fault', `courses[${i}]`, `课程 ${no} 重复`)
  }
}

/** Publishes a checked package. @returns whether it is new. @throws FileFault when it has faults. */
export const writeCheckedPackage = (tx: Tx, checked: CheckedPackage): Promise<boolean> =>
  writePackage(tx, faultless(checked, checked.pack))

/** A published package as the file that would publish it again, with the file that it names: its name there, its name here. */
export async function exportPackage(db: Db, no: string) {
  const pack = await readPublishedPackage(db, no)
  if (!pack) return null
  const cover = path.basename(pack.cover.src)
  const json: PackageFileInput = { format: PACKAGE_FORMAT, ...pack, cover }
  return { json, files: [[cover, cover] as const] }
}
