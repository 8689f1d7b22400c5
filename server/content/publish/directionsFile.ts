import { readJsonFile } from '#server/content/formats/jsonText.ts'
import { readShape } from '#server/content/formats/fileShape.ts'
import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'
import type { Db } from '#server/db/open.ts'
import { directionsInUse, type Structure } from '#server/structural/store.ts'
import { faultsOf, type Finding } from '#server/content/draft.ts'
import { Keys } from './paperFile.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'

/** What an operator claims by setting them (operator_content). */
export const DIRECTIONS = 'directions:'
const DIRECTIONS_FORMAT = 'lijian-directions/1'
const Name = v.pipe(v.string(), v.trim(), v.nonEmpty('名称不能为空'), v.maxLength(30, '名称最多30字'))
const About = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40, '一句话说明最多40字')), '')
const Subjects = v.optional(v.pipe(v.array(No), v.maxLength(50, '科目最多50个')), [])
const some = <T>(items: v.GenericSchema<unknown, T>, message: string) => v.pipe(v.array(items), v.minLength(1, message))
const DirectionsFile = v.object({
  format: v.literal(DIRECTIONS_FORMAT, `format 应为 "${DIRECTIONS_FORMAT}"`),
  categories: some(
    v.object({
      no: No,
      name: Name,
      directions: some(
        v.object({ key: No, name: Name, about: About, areas: Keys, subjects: Subjects }),
        '每个类别至少要有一个方向',
      ),
    }),
    '至少要有一个类别',
  ),
})
export type Categories = Structure['categories']

export interface CheckedDirections {
  /** Null when the file has a fault. */
  categories: Categories | null
  findings: Finding[]
}

/** Reads the whole list of what one may prepare for; a direction that is not in it any more must be in nobody's way. */
export async function checkDirections(db: Db, file: string): Promise<CheckedDirections> {
  const report = (level: Finding['level'], at: string, reason: string) =>
    void findings.push({ file, level, at, reason })
  const { said, findings } = readShape(DirectionsFile, file, await readJsonFile(file))
  if (!said) return { categories: null, findings }
  const { categories } = said
  const directions = categories.flatMap((category, i) =>
    category.directions.map((each, n) => ({ ...each, at: `categories[${i}].directions[${n}]` })),
  )
  reportDoubles(
    categories.map(({ no }, i) => ({ key: no, at: `categories[${i}].no` })),
    '类别编号',
    report,
  )
  reportDoubles(directions, '方向编号', report)
  for (const { at, subjects } of directions)
    reportDoubles(
      subjects.map((key, n) => ({ key, at: `${at}.subjects[${n}]` })),
      '科目编号',
      report,
    )
  await judgeScopes(
    db,
    directions.map(({ at, areas }) => ({ at, directions: [], areas })),
    report,
  )
  const kept = new Set(directions.map(({ key }) => key))
  for (const { key, what } of await directionsInUse(db))
    if (!kept.has(key))
      report('fault', 'categories', `方向 ${key} 还有内容在用：${what}。先把这些内容改到别的方向，或保留它`)
  return { categories: faultsOf(findings).length > 0 ? null : categories, findings }
}

function reportDoubles(
  all: readonly { key: string; at: string }[],
  what: string,
  report: (level: 'fault', at: string, reason: string) => void,
): void {
  const seen = new Set<string>()
  for (const { key, at } of all) {
    if (seen.has(key)) report('fault', at, `${what} ${key} 用了两次`)
    seen.add(key)
  }
}

/** As a file that would set it again. */
export const exportDirections = (categories: Categories): object => ({ format: DIRECTIONS_FORMAT, categories })
