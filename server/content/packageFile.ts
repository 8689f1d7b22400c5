import path from 'node:path'
import { sql } from 'kysely'
import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type PackageRow, readPublishedPackage, writePackage } from '#server/course/store.ts'
import { storeFiles } from './besides.ts'
import { readCover, SoldFields } from './courseFile.ts'
import { FileFault, type Finding } from './draft.ts'
import { pictureFinder } from './import.ts'
import { judgeScope, nothingRead, type Report, usedBy, Whole } from './paperFile.ts'
import { richText } from './richText.ts'

export const PACKAGE_FORMAT = 'lijian-package/1'

/** The project's own JSON of a package of courses (docs/import.md). */
const PackageFile = v.object({
  format: v.literal(PACKAGE_FORMAT, `format 应为 "${PACKAGE_FORMAT}"`),
  ...SoldFields,
  price: v.pipe(Whole, v.minValue(1, '课程包要有价格：免费的课程不用购买')),
  courses: v.pipe(v.array(No), v.minLength(2, '课程包至少有两门课程')),
})
export type PackageFileInput = v.InferInput<typeof PackageFile>

export interface CheckedPackage {
  file: string
  /** Null when the file cannot be read as a package. */
  pack: PackageRow | null
  /** Courses in it. */
  total: number
  findings: Finding[]
  /** Pictures by their public names. */
  files: Map<string, Buffer>
}

/** Judges a package against the courses that the database holds and those of the same import. */
export async function checkPackage(
  db: Db | Tx,
  file: string,
  json: unknown,
  alongside: ReadonlyMap<string, number> = new Map(),
): Promise<CheckedPackage> {
  const parsed = v.safeParse(PackageFile, json)
  const checked: CheckedPackage = { file, pack: null, total: 0, findings: [], files: new Map() }
  if (!parsed.success) return { ...checked, findings: nothingRead(file, parsed.issues) }
  const report: Report = (level, at, reason) => void checked.findings.push({ file, at, level, reason })
  const { format: _, cover: name, intro, ...pack } = parsed.output
  checked.total = pack.courses.length
  const used = await usedBy(db, 'package', pack.no)
  if (used) report('fault', 'no', `编号 ${pack.no} 已被${used}使用`)
  await judgeScope(db, pack, report)
  await judgeCourses(db, pack.courses, alongside, report)
  const folder = path.dirname(file)
  const cover = await readCover(folder, name, checked.files, report)
  if (cover) checked.pack = { ...pack, cover, intro: richText(intro, pictureFinder(folder, checked.files)).html }
  return checked
}

async function judgeCourses(
  db: Db | Tx,
  nos: readonly string[],
  alongside: ReadonlyMap<string, number>,
  report: Report,
): Promise<void> {
  const { rows } = await sql<{ no: string; price: number }>`
    select no, price from course where no = any(${nos})`.execute(db)
  const prices = new Map([...rows.map(({ no, price }) => [no, price] as const), ...alongside])
  for (const [i, no] of nos.entries()) {
    const price = prices.get(no)
    if (price === undefined) report('fault', `courses[${i}]`, `课程 ${no} 不存在，请先导入或一起导入`)
    else if (price === 0) report('warning', `courses[${i}]`, `课程 ${no} 是免费的，不用购买`)
    if (nos.indexOf(no) < i) report('fault', `courses[${i}]`, `课程 ${no} 重复`)
  }
}

/** Publishes a checked package. @throws FileFault when it has faults. */
export async function writeCheckedPackage(
  tx: Tx,
  { file, pack, findings, files }: CheckedPackage,
  mediaDir: string,
): Promise<boolean> {
  const fault = findings.find(({ level }) => level === 'fault')
  if (!pack || fault) throw new FileFault(`${file}：${fault?.at} ${fault?.reason}`)
  await storeFiles(mediaDir, files)
  return writePackage(tx, pack)
}

/** A published package as the file that would publish it again, with the file that it names: its name there, its name here. */
export async function exportPackage(db: Db, no: string) {
  const pack = await readPublishedPackage(db, no)
  if (!pack) return null
  const cover = path.basename(pack.cover.src)
  const json: PackageFileInput = { format: PACKAGE_FORMAT, ...pack, cover }
  return { json, files: [[cover, cover] as const] }
}
