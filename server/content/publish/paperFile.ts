import { sql } from 'kysely'
import * as v from 'valibot'
import type { Question } from '#src/contract/question.ts'
import { PartialCredit, type PaperSection } from '#src/contract/questionSet.ts'
import { No } from '#src/contract/scalar.ts'
import { countParts, fullMarks } from '#src/domain/paper/paper.ts'
import { partsOf } from '#src/domain/study/study.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Report } from '#server/content/draft.ts'
import { contentOf } from '#server/content/bank/doubles/content.ts'
import { textPieces } from '#server/content/formats/fileText.ts'

/** Papers as files write them, in sets, exams and testings: sections of questions of the bank with their marks. */

export const Title = v.pipe(v.string(), v.trim(), v.nonEmpty('名称不能为空'), v.maxLength(100, '名称最多100字'))
export const Whole = v.pipe(v.number(), v.integer('应为整数'), v.minValue(0, '不能是负数'), v.maxValue(2_000_000_000))
/** Marks with at most two decimals, as hundredths are the smallest there are. */
const Marks = v.pipe(
  v.number('分值应为数字'),
  v.minValue(0, '分值不能是负数'),
  v.maxValue(10_000, '分值过大'),
  v.check((marks) => Math.abs(marks * 100 - Math.round(marks * 100)) < 1e-6, '分值最多两位小数'),
)
export const Keys = v.optional(v.array(v.string()), [])
export const Withdrawn = v.optional(v.boolean('withdrawn 应为 true 或 false'), false)
/** One line that a page has so much room for. */
export const line = (what: string, most: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(`${what}不能为空`), v.maxLength(most, `${what}最多${most}字`))
/** Width or height of a picture. */
export const Pixels = v.pipe(v.number(), v.integer('宽高应为整数'), v.minValue(1, '宽高至少为 1'), v.maxValue(10_000))

const FORMATS = {
  'lijian-set/': 'set',
  'lijian-exam/': 'exam',
  'lijian-testing/': 'testing',
  'lijian-news/': 'news',
  'lijian-course/': 'course',
  'lijian-package/': 'package',
  'lijian-books/': 'book',
  'lijian-vip/': 'vip',
} as const
export type Published = (typeof FORMATS)[keyof typeof FORMATS]

/** What a file says that it publishes; null for a bank, and for what cannot be read at all. */
export async function publishedIn(file: string): Promise<Published | null> {
  const format = String(await formatOf(file))
  return Object.entries(FORMATS).find(([start]) => format.startsWith(start))?.[1] ?? null
}

/** Read no further than to where it stands. */
async function formatOf(file: string): Promise<unknown> {
  const { JSONParser } = await import('@streamparser/json')
  const parser = new JSONParser({ paths: ['$.format'], keepStack: false })
  const found: unknown[] = []
  parser.onValue = ({ value }) => void found.push(value)
  try {
    for await (const piece of textPieces(file)) {
      if (piece !== '') parser.write(piece)
      if (found.length > 0) break
    }
  } catch {
    // No JSON, or no file: its reader says so.
  }
  return found[0]
}

export const SectionFields = {
  title: Title,
  note: v.optional(v.string(), ''),
  questions: v.pipe(
    v.array(v.object({ no: No, score: v.union([Marks, v.array(Marks)], '分值应为数字，或每小题一个的数组') })),
    v.minLength(1, '至少要有一道题'),
  ),
}
/** A paper's own fields. `full`, where it is given, must be what the marks add up to. */
export const PaperFields = {
  no: No,
  title: Title,
  minutes: Whole,
  partial: v.optional(PartialCredit, 'none'),
  full: v.optional(Marks),
  sections: v.pipe(v.array(v.object(SectionFields)), v.minLength(1, '至少要有一个大题')),
}
const PaperFile = v.object(PaperFields)
export type PaperFile = v.InferOutput<typeof PaperFile>

/** A number with its place in the file, and what it numbers when the file holds several kinds. */
interface Numbered {
  no: string
  at: string
  as?: Published | 'calendar'
}

/** Numbers are unique in the whole product: those that stand in the file twice, or that something of another kind has. */
export async function reportUsed(
  db: Db | Tx,
  own: Published,
  numbers: readonly Numbered[],
  report: Report,
): Promise<void> {
  const { rows } = await sql<{ kind: string; name: string; no: string }>`
    select kind, name, no from (
      select 'set' as kind, '题集' as name, no from question_set union all select 'set', '套卷', no from set_item
      union all select 'exam', '考试', no from exam union all select 'testing', '测评', no from testing
      union all select 'news', '资讯', no from news union all select 'calendar', '考试日历', no from calendar_entry
      union all select 'course', '课程', no from course union all select 'course', '单元', no from course_unit
      union all select 'course', '课时', no from lesson union all select 'package', '课程包', no from course_package
      union all select 'book', '图书', no from book union all select 'book', '图书规格', no from book_variant
      union all select 'vip', '会员功能包', no from vip_package union all select 'vip', '会员时长', no from vip_duration
    ) published where no = any(${numbers.map(({ no }) => no)})`.execute(db)
  const first = new Map<string, string>()
  for (const { no, at, as = own } of numbers) {
    const same = first.get(no)
    if (same) report('fault', at, `编号 ${no} 与 ${same} 重复`)
    else first.set(no, at)
    const used = rows.find((row) => row.no === no && row.kind !== as)
    if (used) report('fault', at, `编号 ${no} 已被${used.name}使用`)
  }
}

export interface Known {
  question: Question
  /** Anybody may have it already. */
  free: boolean
  rev: string
  chapterNo: string
  libraryNo: string
}

/** The questions that the papers name and that are not retired. */
export async function readBank(db: Db | Tx, papers: readonly PaperFile[]): Promise<Map<string, Known>> {
  const nos = papers.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions.map(({ no }) => no)))
  const { rows } = await sql<Known>`
    select q.body as question, q.free, left(q.hash, 10) as rev, c.no as "chapterNo", c.library_no as "libraryNo"
    from question q join chapter c on c.no = q.chapter_no where q.no = any(${nos}) and not q.retired`.execute(db)
  return new Map(rows.map((row) => [row.question.no, row]))
}

/** What anybody may know of a paper. */
export const headsOf = (sections: readonly PaperSection[]) =>
  sections.map((section) => ({
    title: section.title,
    note: section.note,
    count: countParts([section]),
    full: fullMarks([section]),
  }))

/** Published sections as a file writes them. */
export const writtenSections = (sections: readonly PaperSection[]) =>
  sections.map(({ title, note, entries }) => ({
    title,
    note,
    questions: entries.map(({ question, scores }) => ({ no: question.no, score: scores.map((score) => score / 100) })),
  }))

/** The sections of a paper with the questions as they are now; what is wrong with it is reported. */
export function judgePaper(item: PaperFile, at: string, bank: Map<string, Known>, report: Report): PaperSection[] {
  const contents = new Map<string, string[]>()
  const sections = item.sections.map(({ title, note, questions }, s) => ({
    title,
    note,
    entries: questions.flatMap(({ no, score }, q) => {
      const place = `${at}.sections[${s}].questions[${q}]`
      const known = bank.get(no)
      if (!known) {
        report('fault', place, `题目 ${no} 不存在或已下架，请先导入题库`)
        return []
      }
      const content = contentOf(known.question)
      const alike = contents.get(content) ?? []
      // Two numbers that look alike may be meant so, as far as anybody can tell from here.
      if (alike.includes(no)) report('fault', place, `题目 ${no} 重复：一套卷里一题只出现一次`)
      else if (alike[0]) report('warning', place, `题目 ${no} 与 ${alike[0]} 内容相同，请确认不是重复`)
      contents.set(content, [...alike, no])
      const parts = partsOf(known.question).length
      const marks = Array.isArray(score) ? score : Array.from({ length: parts }, () => score)
      if (marks.length !== parts) report('fault', place, `题目 ${no} 有 ${parts} 小题，给了 ${marks.length} 个分值`)
      return [{ ...known, scores: marks.map((mark) => Math.round(mark * 100)) }]
    }),
  }))
  const full = fullMarks(sections)
  if (item.full !== undefined && full !== Math.round(item.full * 100))
    report('fault', at, `各题分值之和为 ${full / 100}，与满分 ${item.full} 不符`)
  return sections
}
