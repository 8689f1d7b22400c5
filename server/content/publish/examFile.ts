import { readShape } from '#server/content/formats/fileShape.ts'
import { hash } from 'node:crypto'
import * as v from 'valibot'
import { AskedSections, ExamKind, type Window } from '#src/contract/exam.ts'
import { type PaperSection, Sections } from '#src/contract/questionSet.ts'
import { areResultsOut, asked, RANK_GRACE_MS, resultsAt } from '#src/domain/paper/exam.ts'
import { countParts, fullMarks } from '#src/domain/paper/paper.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type ExamRow, type Publication, readPublished, writeExam } from '#server/exam/store.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import { headsOf, judgePaper, Keys, PaperFields, readBank, reportUsed, Whole, writtenSections } from './paperFile.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'
import { Time, writeTime } from '#server/content/media/time.ts'

export const EXAM_FORMAT = 'lijian-exam/1'

/** The project's own JSON of an exam (docs/import.md): one paper and when it is held. */
const ExamFile = v.object({
  format: v.literal(EXAM_FORMAT, `format 应为 "${EXAM_FORMAT}"`),
  kind: ExamKind,
  intro: v.optional(v.string(), ''),
  directions: Keys,
  areas: Keys,
  price: v.optional(Whole, 0),
  vip: v.optional(v.boolean(), false),
  startsAt: v.optional(Time),
  endsAt: v.optional(Time),
  rankClosesAt: v.optional(Time),
  ...PaperFields,
})
type ExamFile = v.InferOutput<typeof ExamFile>
export type ExamFileInput = v.InferInput<typeof ExamFile>

export interface CheckedExam {
  file: string
  /** Null when the file cannot be read as an exam. */
  exam: ExamRow | null
  /** Questions in the file, as students count them. */
  total: number
  findings: Finding[]
}

/** Reads an exam and judges it against what the database holds, without changing anything. @param now epoch ms. */
export async function checkExam(db: Db | Tx, file: string, json: unknown, now = Date.now()): Promise<CheckedExam> {
  const { said: exam, findings } = readShape(ExamFile, file, json)
  if (!exam) return { file, exam: null, total: 0, findings }
  const report: Report = (level, at, reason) => void findings.push({ file, at, level, reason })
  await reportUsed(db, 'exam', [{ no: exam.no, at: 'no' }], report)
  await judgeScopes(db, [{ at: '', ...exam }], report)
  const bank = await readBank(db, [exam])
  const window = windowOf(exam, report)
  const sections = judgePaper(exam, '试卷', bank, report)
  const free = sections.flatMap(({ entries }) => entries).filter(({ question }) => bank.get(question.no)?.free)
  const row = rowOf(exam, window, sections)
  // An exam whose answers can be read elsewhere before its results are out tests nothing.
  if (window && free[0] && !areResultsOut(row, now))
    report(
      'consent',
      '试卷',
      `${free.length} 道题不参加考试也能看到答案，如 ${free[0].question.no}；请换成只供题集的题库（setsOnly）里的新题，确实不用保密再加 --yes 发布`,
    )
  await judgeResults(db, row, now, report)
  return { file, exam: row, total: row.count, findings }
}

/** Whoever has handed in knows the key by now: with more time, or another date, those who hand in after it would be ranked. */
async function judgeResults(db: Db | Tx, exam: ExamRow, now: number, report: Report): Promise<void> {
  const before = await readPublished(db, exam.no)
  const outAt = before && resultsAt(before)
  if (outAt === null || outAt > now || outAt >= (resultsAt(exam) ?? 0)) return
  report('fault', 'rankClosesAt', `成绩与解析已于 ${writeTime(outAt)} 公布，不能再延期；要再考一场，请换一个编号`)
}

function windowOf({ startsAt, endsAt, rankClosesAt, minutes }: ExamFile, report: Report): Window | null {
  if (minutes === 0) report('fault', 'minutes', '考试时长至少 1 分钟')
  if (rankClosesAt !== undefined && endsAt !== undefined && rankClosesAt < endsAt)
    report('fault', 'rankClosesAt', '排名截止时间不能早于考试结束时间')
  if (startsAt === undefined && endsAt === undefined) return null
  if (startsAt === undefined || endsAt === undefined) {
    report('fault', 'startsAt', '开始与结束时间要一起写；都不写，考试随时可以参加')
    return null
  }
  if (endsAt - startsAt < minutes * 60_000) report('fault', 'endsAt', `从开始到结束要够考一场：至少 ${minutes} 分钟`)
  return { from: startsAt, to: endsAt }
}

function rowOf(
  { no, title, kind, intro, directions, areas, price, vip, minutes, partial, rankClosesAt }: ExamFile,
  window: Window | null,
  sections: PaperSection[],
): ExamRow {
  const body = JSON.stringify(v.parse(Sections, sections))
  const asking = sections.map(({ entries, ...section }) => ({
    ...section,
    entries: entries.map(({ question, chapterNo, libraryNo, scores }) => {
      return { question: asked(question), chapterNo, libraryNo, scores }
    }),
  }))
  return {
    no,
    title,
    kind,
    directions,
    areas,
    price,
    vip,
    minutes,
    partial,
    window,
    body,
    // What tells an answer does not pass its schema.
    asked: JSON.stringify(v.parse(AskedSections, asking)),
    intro: richText(intro).html,
    rankClosesAt: rankClosesAt ?? (window && window.to + RANK_GRACE_MS),
    count: countParts(sections),
    full: fullMarks(sections),
    sections: headsOf(sections),
    rev: hash('sha256', JSON.stringify([partial, minutes, body]), 'base64url').slice(0, 10),
  }
}

/** Publishes a checked exam. @throws FileFault when it has faults. */
export const writeCheckedExam = (tx: Tx, checked: CheckedExam): Promise<Publication> =>
  writeExam(tx, faultless(checked, checked.exam))

/** A published exam as the file that would publish it again. */
export async function exportExam(db: Db, no: string): Promise<ExamFileInput | null> {
  const published = await readPublished(db, no)
  if (!published) return null
  const { window, rankClosesAt, full, sections: _, rev: _rev, count: _count, body, asked: _asked, ...head } = published
  // Checked when it was published.
  const sections: PaperSection[] = JSON.parse(body)
  return {
    format: EXAM_FORMAT,
    ...head,
    ...(window && { startsAt: writeTime(window.from), endsAt: writeTime(window.to) }),
    ...(rankClosesAt !== null && { rankClosesAt: writeTime(rankClosesAt) }),
    full: full / 100,
    sections: writtenSections(sections),
  }
}
