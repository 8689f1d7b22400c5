import * as v from 'valibot'
import type { Question } from '#src/contract/question.ts'
import { No } from '#src/contract/scalar.ts'

/** A question as a file gives it, before it is understood. Everything is text; what is missing is left out. */
export interface Draft {
  /** Where in the file: 第3行, questions[12]. Named in every finding. */
  at: string
  no?: string | undefined
  /** A chapter's number, or its titles from the top joined by `/`. */
  chapter?: string | undefined
  type?: string | undefined
  /** The column that was taken for the type by a name that may mean something else, such as 类型. */
  typeColumn?: string | undefined
  stem: string
  options?: string[] | undefined
  /** 逐项解析 by the option's letter. */
  reasons?: Record<string, string> | undefined
  answer?: string | undefined
  blanks?: string[][] | undefined
  unordered?: boolean | undefined
  reference?: string | undefined
  scoring?: { text: string; score: number }[] | undefined
  /** It says how long a composition shall be: 不少于800字. */
  words?: string | undefined
  analysis?: string | undefined
  points?: string[] | undefined
  difficulty?: number | undefined
  source?: string | undefined
  year?: number | undefined
  parts?: Draft[] | undefined
  /** The reader tells these of the question, in Chinese; it is imported all the same. */
  notes?: string[] | undefined
  /** Why the reader cannot tell what the file means, in Chinese; the question is refused for this reason. */
  refused?: string | undefined
}

interface BankChapter {
  no: string
  parent: string | null
  title: string
  /** Left out: as they follow each other. */
  position?: number
}
/** A library and what belongs to it but its questions. */
export interface Bank {
  subject: { no: string; name: string }
  points: { no: string; parent: string | null; name: string; position?: number }[]
  library: { no: string; title: string; directions: string[]; areas: string[]; setsOnly?: boolean | undefined }
  chapters: BankChapter[]
}

/** Gets what a reader finds, as it finds it: nothing of a large file need stay in memory. */
export interface Intake {
  draft: (draft: Draft) => void
  report: Report
  /** A picture that came in the file, by the name that the texts have for it. */
  picture: (name: string, bytes: Uint8Array) => void
}

export interface Finding {
  file: string
  at: string
  /** A fault keeps the question out; a warning does not; what asks for consent is published with the operator's --yes alone. */
  level: 'fault' | 'consent' | 'warning'
  /** Chinese: what is wrong and what to do. */
  reason: string
  /** A file that is whole, but not what phones play: it can be made so. */
  mend?: { file: string; kind: 'video' | 'audio' } | undefined
}

/** Says what is wrong, and where in the file. */
export type Report = (level: Finding['level'], at: string, reason: string, mend?: Finding['mend']) => void

/** The file cannot be read at all. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** What was read of a file and what was found in it, without changing anything. */
interface Judged {
  file: string
  findings: readonly Finding[]
}
export const faultsOf = (findings: readonly Finding[]): Finding[] => findings.filter(({ level }) => level === 'fault')
/** Picks the findings that keep a file from being published. @param consented the operator has said yes to what asks for it. */
export const stopping = (findings: readonly Finding[], consented: boolean): Finding[] =>
  findings.filter(({ level }) => level === 'fault' || (level === 'consent' && !consented))

/** What a file holds, for writing it. @throws FileFault when it has faults, or could not be read. */
export function faultless<T>({ file, findings }: Judged, held: T | null): T {
  const [fault] = faultsOf(findings)
  if (held === null || fault) throw new FileFault(`${file}：${fault?.at} ${fault?.reason}`)
  return held
}

const Title = v.pipe(v.string(), v.trim(), v.nonEmpty('名称不能为空'), v.maxLength(100, '名称最多100字'))
const Keys = v.optional(v.array(v.string()), [])

/** Every number once and every parent before its children: so there is no cycle, and file order is reading order. */
const tree = <T extends { no: string; parent: string | null }>(what: string) =>
  v.rawCheck<T[]>(({ dataset, addIssue }) => {
    const seen = new Set<string>()
    for (const { no, parent } of dataset.typed ? dataset.value : []) {
      if (seen.has(no)) addIssue({ message: `${what}编号 ${no} 重复` })
      if (parent !== null && !seen.has(parent))
        addIssue({ message: `${what} ${no} 的上级 ${parent} 不存在，或没有写在它之前` })
      seen.add(no)
    }
  })

/** The project's own JSON (docs/import.md) without its questions: each of them is checked by itself, so that faults name it. */
export const JsonBank = v.object({
  format: v.literal('lijian/1', 'format 应为 "lijian/1"'),
  subject: v.object({ no: No, name: Title }),
  points: v.optional(v.pipe(v.array(v.object({ no: No, parent: v.nullable(No), name: Title })), tree('知识点')), []),
  library: v.object({
    no: No,
    title: Title,
    directions: Keys,
    areas: Keys,
    /** Left out, a library stays as it is: opening one cannot be taken back. */
    setsOnly: v.optional(v.boolean('setsOnly 应为 true 或 false')),
  }),
  chapters: v.pipe(
    v.array(v.object({ no: No, parent: v.nullable(No), title: Title })),
    v.minLength(1, '至少要有一个章节'),
    tree('章节'),
  ),
  questions: v.literal('array'),
})

const text = v.optional(v.string('应为文字'))
const plainJson = {
  no: v.optional(No),
  chapter: text,
  type: v.string('缺少题型 type'),
  stem: v.string('缺少题干 stem'),
  options: v.optional(v.array(v.string('选项应为文字'), '选项应为数组')),
  reasons: v.optional(v.record(v.string(), v.string('应为文字'), 'reasons 应为按选项字母写的解析')),
  answer: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string()), v.boolean()], '答案应为文字'),
      v.transform((a) => (Array.isArray(a) ? a.join('\n') : String(a))),
    ),
  ),
  blanks: v.optional(v.array(v.array(v.string()), 'blanks 应为每空可接受答案的数组')),
  unordered: v.optional(v.boolean()),
  reference: text,
  scoring: v.optional(v.array(v.object({ text: v.string(), score: v.number() }))),
  words: v.optional(v.string('words 应为文字，如“不少于800字”')),
  analysis: text,
  points: v.optional(v.array(v.string())),
  difficulty: v.optional(v.number()),
  source: text,
  year: v.optional(v.number()),
}
export const JsonQuestion = v.object({ ...plainJson, parts: v.optional(v.array(v.object(plainJson))) })

/** A question that has been understood, and where in its library it stands. */
export interface Placed {
  chapterNo: string
  question: Question
}
