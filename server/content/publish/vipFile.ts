import { readShape } from '#server/content/formats/fileShape.ts'
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'
import type { VipUnlock } from '#src/contract/vip.ts'
import type { Db, Tx } from '#server/db/open.ts'
import {
  type PackageRow,
  readKnown,
  readPublished,
  type VipRows,
  type VipWritten,
  writeVip,
} from '#server/vip/store.ts'
import { Fen } from './bookFile.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import { Keys, line, reportUsed, Title, Withdrawn } from './paperFile.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'

export const VIP_FORMAT = 'lijian-vip/1'

// A column of the table is as wide as a thumb on a small phone.
const Has = v.union([v.boolean(), line('对比表里的说明', 8)], '应为 true、false 或最多8字的说明')
const UnlockFile = v.union(
  [
    v.strictObject({ kind: v.literal('function'), title: line('功能名称', 20) }),
    v.strictObject({ kind: v.picklist(['set', 'exam', 'course', 'package', 'library']), no: v.optional(No) }),
  ],
  '应写成 { "kind": "set" }（全部标 VIP 的题集）、{ "kind": "exam", "no": 编号 } 或 { "kind": "function", "title": 名称 }',
)
type UnlockFile = v.InferOutput<typeof UnlockFile>
const DAYS = 'days 应为天数（1 到 3660 的整数）或 "exam"（到考试当天）'
const DurationFile = v.object({
  no: No,
  name: line('时长名称', 8),
  days: v.union(
    [v.literal('exam'), v.pipe(v.number(), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(3_660, DAYS))],
    DAYS,
  ),
  price: Fen,
})
const PackageFile = v.object({
  no: No,
  title: v.pipe(Title, v.maxLength(12, '名称最多12字')),
  summary: line('简介', 40),
  intro: v.pipe(v.string(), v.trim(), v.nonEmpty('介绍不能为空')),
  features: v.optional(v.record(No, Has), {}),
  unlocks: v.pipe(v.array(UnlockFile), v.minLength(1, '至少要写一项开通后可用的内容')),
  durations: v.pipe(v.array(DurationFile), v.minLength(1, '至少要有一种时长'), v.maxLength(8, '时长最多8种')),
  directions: Keys,
  areas: Keys,
  withdrawn: Withdrawn,
})
type PackageFile = v.InferOutput<typeof PackageFile>
/** The project's own JSON of VIP packages and of the table that compares them (docs/import.md). */
const VipFile = v.object({
  format: v.literal(VIP_FORMAT, `format 应为 "${VIP_FORMAT}"`),
  features: v.optional(
    v.pipe(
      v.array(v.object({ no: No, name: line('对比项', 12), free: v.optional(Has, false) })),
      v.maxLength(30, '对比项最多30行'),
    ),
    [],
  ),
  packages: v.optional(v.array(PackageFile), []),
})
type VipFile = v.InferOutput<typeof VipFile>
export type VipFileInput = v.InferInput<typeof VipFile>

export interface CheckedVip {
  file: string
  /** Null when the file cannot be read as VIP packages. */
  vip: VipRows | null
  /** Packages. */
  total: number
  findings: Finding[]
}

/** Reads packages and judges them against what the database holds, without changing anything. */
export async function checkVip(db: Db | Tx, file: string, json: unknown): Promise<CheckedVip> {
  const { said, findings } = readShape(VipFile, file, json)
  if (!said) return { file, vip: null, total: 0, findings }
  const { features, packages } = said
  const report: Report = (level, at, reason) => void findings.push({ file, at, level, reason })
  await judgeNumbers(db, said, report)
  await judgeScopes(
    db,
    packages.map(({ directions, areas }, p) => ({ at: `packages[${p}]`, directions, areas })),
    report,
  )
  const titles = await readTitles(db, packages)
  const rows = packages.map((each, p) => packageRow(each, `packages[${p}]`, titles, report))
  return { file, vip: { features, packages: rows }, total: packages.length, findings }
}

async function judgeNumbers(db: Db | Tx, { features, packages }: VipFile, report: Report): Promise<void> {
  const durations = packages.flatMap((each, p) =>
    each.durations.map(({ no }, d) => ({ no, at: `packages[${p}].durations[${d}].no`, of: each.no })),
  )
  const numbers = [...packages.map(({ no }, p) => ({ no, at: `packages[${p}].no` })), ...durations]
  await reportUsed(db, 'vip', numbers, report)
  const known = await readKnown(
    db,
    durations.map(({ no }) => no),
  )
  for (const { no, at, of } of durations) {
    const owner = known.packageOf.get(no) ?? of
    if (owner !== of) report('fault', at, `时长编号 ${no} 已被功能包 ${owner} 使用`)
  }
  const lines = features.length > 0 ? features.map(({ no }) => no) : known.features
  for (const [i, no] of features.map((feature) => feature.no).entries())
    if (lines.indexOf(no) < i) report('fault', `features[${i}].no`, `对比项编号 ${no} 重复`)
  for (const [p, each] of packages.entries())
    for (const no of Object.keys(each.features))
      if (!lines.includes(no))
        report('fault', `packages[${p}].features.${no}`, `对比项 ${no} 不存在，请写在 features 里`)
}

/** What can be unlocked under these numbers: `kind no` to title. */
async function readTitles(db: Db | Tx, packages: readonly PackageFile[]): Promise<Map<string, string>> {
  const nos = packages.flatMap(({ unlocks }) => unlocks.flatMap((each) => ('no' in each && each.no ? [each.no] : [])))
  const { rows } = await sql<{ key: string; title: string }>`
    select 'set ' || no as key, title from question_set where no = any(${nos})
    union all select 'exam ' || no, title from exam where no = any(${nos})
    union all select 'course ' || no, title from course where no = any(${nos})
    union all select 'package ' || no, title from course_package where no = any(${nos})
    union all select 'library ' || no, title from library where no = any(${nos})`.execute(db)
  return new Map(rows.map(({ key, title }) => [key, title]))
}

function packageRow(
  { intro, unlocks, durations, ...rest }: PackageFile,
  at: string,
  titles: ReadonlyMap<string, string>,
  report: Report,
): PackageRow {
  const { html, warnings } = richText(intro)
  for (const warning of new Set(warnings)) report('warning', `${at}.intro`, warning)
  const row = {
    ...rest,
    intro: html,
    unlocks: unlocks.map((unlock, u) => unlockRow(unlock, `${at}.unlocks[${u}]`, titles, report)),
    durations: durations.map(({ days, ...duration }) => ({ ...duration, days: days === 'exam' ? null : days })),
  }
  return { ...row, rev: hash('sha256', JSON.stringify(row), 'base64url').slice(0, 10) }
}

function unlockRow(unlock: UnlockFile, at: string, titles: ReadonlyMap<string, string>, report: Report): VipUnlock {
  if (unlock.kind === 'function') return { kind: unlock.kind, no: null, title: unlock.title }
  const { kind, no } = unlock
  if (no === undefined) return { kind, no: null, title: '' }
  const title = titles.get(`${kind} ${no}`)
  if (title === undefined) report('fault', at, `编号 ${no} 不存在，或不是这一类`)
  return { kind, no, title: title ?? '' }
}

/** Publishes checked packages, all or nothing. @throws FileFault when they have faults. */
export const writeCheckedVip = (tx: Tx, checked: CheckedVip): Promise<VipWritten> =>
  writeVip(tx, faultless(checked, checked.vip))

/** All packages, in the operator's commands. */
const ALL_VIP = 'vip'

/** Published packages as the file that would publish them again, with the whole table of comparison: one, or all. */
export async function exportVip(db: Db, no: string): Promise<VipFileInput | null> {
  const { features, packages } = await readPublished(db, no === ALL_VIP ? null : no)
  if (packages.length === 0) return null
  return {
    format: VIP_FORMAT,
    features,
    packages: packages.map(({ unlocks, durations, ...each }) => ({
      ...each,
      unlocks: unlocks.map(({ kind, no: of, title }) =>
        kind === 'function' ? { kind, title } : { kind, ...(of !== null && { no: of }) },
      ),
      durations: durations.map(({ days, ...duration }) => ({ ...duration, days: days ?? ('exam' as const) })),
    })),
  }
}
