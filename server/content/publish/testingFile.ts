import { readShape } from '#server/content/formats/fileShape.ts'
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { type PaperSection, Sections } from '#src/contract/questionSet.ts'
import { No } from '#src/contract/scalar.ts'
import { type Band, type Guide, type Start, TestingKind } from '#src/contract/testing.ts'
import { countParts, fullMarks } from '#src/domain/paper/paper.ts'
import type { CourseRow } from '#server/course/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Publication, readPublished, type TestingRow, writeTesting } from '#server/testing/store.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import {
  headsOf,
  judgePaper,
  Keys,
  PaperFields,
  readBank,
  reportUsed,
  SectionFields,
  Whole,
  writtenSections,
} from './paperFile.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'

export const TESTING_FORMAT = 'lijian-testing/1'

const Percent = v.pipe(
  v.number(),
  v.integer('from 应为整数'),
  v.minValue(0, 'from 不能小于 0'),
  v.maxValue(100, 'from 不能大于 100'),
)
const Bands = v.optional(
  v.pipe(
    v.array(
      v.object({
        from: Percent,
        advice: v.pipe(v.string(), v.trim(), v.nonEmpty('建议不能为空'), v.maxLength(300, '建议最多300字')),
        start: v.optional(
          v.array(
            v.union(
              [v.object({ chapter: No }), v.object({ set: No })],
              '应写成 { "chapter": 编号 } 或 { "set": 编号 }',
            ),
          ),
          [],
        ),
      }),
    ),
    v.check(
      (bands) => bands.every(({ from }, i) => from > (bands[i - 1]?.from ?? -1)),
      '各档的 from 应从小到大，不能相同',
    ),
    v.check((bands) => (bands[0]?.from ?? 0) === 0, '第一档的 from 应为 0，否则分数低的学生看不到建议'),
  ),
  [],
)
type BandsFile = v.InferOutput<typeof Bands>

/** The project's own JSON of a testing (docs/import.md): one paper and what its results mean. */
const TestingFile = v.object({
  format: v.literal(TESTING_FORMAT, `format 应为 "${TESTING_FORMAT}"`),
  ...PaperFields,
  kind: TestingKind,
  intro: v.optional(v.string(), ''),
  directions: Keys,
  areas: Keys,
  unit: v.optional(v.object({ course: No, no: No })),
  minutes: v.optional(Whole, 0),
  guide: Bands,
  sections: v.pipe(v.array(v.object({ ...SectionFields, guide: Bands })), v.minLength(1, '至少要有一个大题')),
})
type TestingFile = v.InferOutput<typeof TestingFile>
export type TestingFileInput = v.InferInput<typeof TestingFile>

export interface CheckedTesting {
  file: string
  /** Null when the file cannot be read as a testing. */
  testing: TestingRow | null
  /** Questions in the file, as students count them. */
  total: number
  findings: Finding[]
}

/** Courses of the same import by number. */
type Alongside = ReadonlyMap<string, Pick<CourseRow, 'units'>>

/** Reads a testing and judges it against what the database holds and comes alongside, without changing anything. */
export async function checkTesting(
  db: Db | Tx,
  file: string,
  json: unknown,
  alongside: Alongside = new Map(),
): Promise<CheckedTesting> {
  const { said: testing, findings } = readShape(TestingFile, file, json)
  if (!testing) return { file, testing: null, total: 0, findings }
  const report: Report = (level, at, reason) => void findings.push({ file, at, level, reason })
  await reportUsed(db, 'testing', [{ no: testing.no, at: 'no' }], report)
  await judgeScopes(db, [{ at: '', ...testing }], report)
  await judgeUnit(db, testing, alongside, report)
  const bank = await readBank(db, [testing])
  const sections = judgePaper(testing, '试卷', bank, report)
  const sold = sections.flatMap(({ entries }) => entries).filter(({ question }) => !bank.get(question.no)?.free)
  if (sold[0])
    report(
      'warning',
      '试卷',
      `${sold.length} 道题原来只供题集，发布后任何人都能看到，收不回来，如 ${sold[0].question.no}`,
    )
  const row = rowOf(testing, sections, await readGuide(db, testing, report))
  return { file, testing: row, total: row.count, findings }
}

async function judgeUnit(db: Db | Tx, { unit }: TestingFile, alongside: Alongside, report: Report): Promise<void> {
  if (!unit) return
  const { no, course } = unit
  const coming = alongside.get(course)
  const there = coming
    ? coming.units.some((each) => each.no === no)
    : await db
        .selectFrom('course_unit')
        .select('no')
        .where('no', '=', no)
        .where('course_no', '=', course)
        .executeTakeFirst()
  if (!there) report('fault', 'unit', `课程 ${course} 里没有单元 ${no}，请先导入课程或一起导入`)
}

/** The guide with the names of what it points to. */
async function readGuide(db: Db | Tx, { guide, sections }: TestingFile, report: Report): Promise<Guide> {
  const all = [guide, ...sections.map((section) => section.guide)]
  const nos = all.flat().flatMap(({ start }) => start.map((each) => ('set' in each ? each.set : each.chapter)))
  const { rows } = await sql<Start>`
    select 'chapter' as to, c.no, c.title from chapter c join library l on l.no = c.library_no
      where c.no = any(${nos}) and not l.sets_only
    union all select 'chapter', no, title from library where no = any(${nos}) and not sets_only
    union all select 'set', no, title from question_set where no = any(${nos})`.execute(db)
  const named = (bands: BandsFile, at: string): Band[] =>
    bands.map(({ start, ...band }, b) => ({
      ...band,
      start: start.flatMap((each, s) => {
        const [to, no] = 'set' in each ? (['set', each.set] as const) : (['chapter', each.chapter] as const)
        const found = rows.find((row) => row.to === to && row.no === no)
        if (found) return [found]
        const what = to === 'set' ? `题集 ${no}` : `章节或题库 ${no}`
        report('fault', `${at}[${b}].start[${s}]`, `${what} 不存在，或学生不能直接打开`)
        return []
      }),
    }))
  return {
    whole: named(guide, 'guide'),
    sections: sections.map((section, i) => named(section.guide, `sections[${i}].guide`)),
  }
}

function rowOf(testing: TestingFile, sections: PaperSection[], guide: Guide): TestingRow {
  const { no, title, kind, intro, directions, areas, unit, minutes, partial } = testing
  const body = JSON.stringify(v.parse(Sections, sections))
  return {
    no,
    title,
    kind,
    directions,
    areas,
    partial,
    guide,
    body,
    intro: richText(intro).html,
    unit: unit ?? null,
    minutes: minutes || null,
    count: countParts(sections),
    full: fullMarks(sections),
    sections: headsOf(sections),
    // All that a score depends on.
    rev: hash('sha256', JSON.stringify([partial, body]), 'base64url').slice(0, 10),
    questions: sections.flatMap(({ entries }) => entries.map(({ question }) => question.no)),
  }
}

/** Publishes a checked testing. @throws FileFault when it has faults. */
export const writeCheckedTesting = (tx: Tx, checked: CheckedTesting): Promise<Publication> =>
  writeTesting(tx, faultless(checked, checked.testing))

/** A published testing as the file that would publish it again. */
export async function exportTesting(db: Db, no: string): Promise<TestingFileInput | null> {
  const published = await readPublished(db, no)
  if (!published) return null
  const { unit, minutes, full, guide, body, sections: _, count: _count, rev: _rev, ...head } = published
  // Checked when it was published.
  const sections: PaperSection[] = JSON.parse(body)
  return {
    format: TESTING_FORMAT,
    ...head,
    ...(unit && { unit }),
    minutes: minutes ?? 0,
    full: full / 100,
    guide: writtenBands(guide.whole),
    sections: writtenSections(sections).map((section, i) => ({
      ...section,
      guide: writtenBands(guide.sections[i] ?? []),
    })),
  }
}

const writtenBands = (bands: readonly Band[]): v.InferInput<typeof Bands> =>
  bands.map((band) => ({
    ...band,
    start: band.start.map(({ to, no }) => (to === 'set' ? { set: no } : { chapter: no })),
  }))
