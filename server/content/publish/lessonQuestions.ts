import { sql } from 'kysely'
import * as v from 'valibot'
import { type Question, TYPE_NAMES } from '#src/contract/question.ts'
import { No } from '#src/contract/scalar.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import type { LessonRow } from '#server/course/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Report } from '#server/content/draft.ts'

/** Questions of the bank that a lesson asks while it plays (docs/decisions/lessons.md 0083). */

const WRITTEN = /^(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]\d)$/
const secondsOf = (text: string): number => {
  const [, hours = '0', minutes, onlyMinutes, seconds = '0'] = WRITTEN.exec(text) ?? []
  return Number(hours) * 3_600 + Number(minutes ?? onlyMinutes ?? 0) * 60 + Number(seconds)
}
const FORM = '时刻应写成秒数（整数）、"1:35" 或 "1:02:35"'
const At = v.union(
  [v.pipe(v.number(), v.integer(), v.minValue(0)), v.pipe(v.string(), v.regex(WRITTEN), v.transform(secondsOf))],
  FORM,
)
export const LessonQuestions = v.optional(v.array(v.object({ at: At, no: No })), [])
type Named = v.InferOutput<typeof LessonQuestions>

/** The questions in the order of time, once the length of their lesson is known. */
export function orderQuestions(named: Named, seconds: number, report: Report): LessonRow['questions'] {
  for (const [i, { at }] of named.entries())
    if (at < 1 || at >= seconds)
      report('fault', `questions[${i}].at`, `时刻要在开头之后、结尾之前：这一课长 ${clockText(seconds)}`)
  return named.toSorted((one, other) => one.at - other.at)
}

/** Published questions as a file writes them. */
export const writtenQuestions = (questions: LessonRow['questions']): v.InferInput<typeof LessonQuestions> =>
  questions.map(({ at, no }) => ({ at: clockText(at), no }))

/** A lesson stands still meanwhile: what takes ten minutes belongs into the quiz of its unit. */
const ANSWERED_AT_ONCE: readonly Question['type'][] = ['single', 'multiple', 'indefinite', 'judge', 'blank', 'order']

/** Reports questions that a lesson cannot ask, and those that it would tell. */
export async function judgeQuestions(
  db: Db | Tx,
  units: readonly { lessons: readonly { questions: Named }[] }[],
  report: Report,
): Promise<void> {
  const all = units.flatMap(({ lessons }) => lessons.flatMap(({ questions }) => questions.map(({ no }) => no)))
  if (all.length === 0) return
  const { rows } = await sql<{ no: string; type: Question['type']; free: boolean }>`
    select no, type, free from question where no = any(${all}) and not retired and chapter_no is not null`.execute(db)
  const known = new Map(rows.map((row) => [row.no, row]))
  for (const [u, { lessons }] of units.entries())
    for (const [l, { questions }] of lessons.entries()) {
      const nos = questions.map(({ no }) => no)
      for (const [i, no] of nos.entries()) {
        const fault = nos.indexOf(no) < i ? `题目 ${no} 重复：一课里一题只出现一次` : faultOf(no, known.get(no))
        if (fault !== null) report('fault', `units[${u}].lessons[${l}].questions[${i}]`, fault)
      }
    }
}

function faultOf(no: string, known: { type: Question['type']; free: boolean } | undefined): string | null {
  if (!known) return `题目 ${no} 不存在或已下架，请先导入题库`
  if (!ANSWERED_AT_ONCE.includes(known.type))
    return `题目 ${no} 是${TYPE_NAMES[known.type]}，课时里停下来作答的只能是选择题、判断题、填空题或排序题`
  // Lessons on trial are open to everybody: what is sold or kept for an exam would be told by them.
  if (!known.free) return `题目 ${no} 只供题集或考试，放进课时就泄露了；请换成学生可以直接打开的题库里的题`
  return null
}
