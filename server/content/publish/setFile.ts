import { readShape } from '#server/content/formats/fileShape.ts'
import { hash } from 'node:crypto'
import * as v from 'valibot'
import { type PaperSection, Sections, SetKind } from '#src/contract/questionSet.ts'
import { No } from '#src/contract/scalar.ts'
import { countParts, fullMarks, trialOf } from '#src/domain/paper/paper.ts'
import type { Db, Tx } from '#server/db/open.ts'
import {
  foreignItems,
  type ItemRow,
  readPublished,
  type SetRow,
  type SetWritten,
  writeSet,
} from '#server/questionSet/store.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import { judgePaper, Keys, PaperFields, type PaperFile, readBank, reportUsed, Title, Whole } from './paperFile.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'

export const SET_FORMAT = 'lijian-set/1'
/** The project's own JSON of a set (docs/import.md): papers of explicit questions. */
const SetFile = v.object({
  format: v.literal(SET_FORMAT, `format 应为 "${SET_FORMAT}"`),
  no: No,
  title: Title,
  kind: SetKind,
  intro: v.optional(v.string(), ''),
  directions: Keys,
  areas: Keys,
  price: v.optional(Whole, 0),
  vip: v.optional(v.boolean(), false),
  trial: v.optional(Whole, 10),
  items: v.pipe(v.array(v.object(PaperFields)), v.minLength(1, '至少要有一套卷')),
})
export type SetFile = v.InferOutput<typeof SetFile>
export type SetFileInput = v.InferInput<typeof SetFile>

export interface CheckedSet {
  file: string
  /** Null when the file cannot be read as a set. */
  set: { row: SetRow; items: ItemRow[] } | null
  /** Questions in the file, as students count them. */
  total: number
  findings: Finding[]
}

/** Reads a set and judges it against the questions that the database holds, without changing anything. */
export async function checkSet(db: Db | Tx, file: string, json: unknown): Promise<CheckedSet> {
  const { said, findings } = readShape(SetFile, file, json)
  if (!said) return { file, set: null, total: 0, findings }
  const { items, format: _, ...head } = said
  const report: Report = (level, at, reason) => void findings.push({ file, at, level, reason })
  const bank = await readBank(db, items)
  const foreign = await foreignItems(
    db,
    head.no,
    items.map(({ no }) => no),
  )
  for (const no of foreign) report('fault', 'items', `套卷编号 ${no} 已被其他题集使用`)
  const numbers = [{ no: head.no, at: 'no' }, ...items.map(({ no }, i) => ({ no, at: `items[${i}].no` }))]
  await reportUsed(db, 'set', numbers, report)
  await judgeScopes(db, [{ at: '', ...head }], report)
  let allowed = head.trial
  const rows = items.map((item, i) => {
    const at = `items[${i}]`
    const row = itemRow(item, judgePaper(item, at, bank, report), allowed)
    allowed = Math.max(0, allowed - (row.count - row.trial_locked))
    const given = row.entries.slice(row.tried).filter(({ question_no }) => bank.get(question_no)?.free)
    if (head.price > 0 && given[0]) report('warning', at, toldFree(given.length, given[0].question_no))
    return row
  })
  const row = { ...head, intro: richText(head.intro).html }
  return { file, set: { row, items: rows }, total: rows.reduce((sum, { count }) => sum + count, 0), findings }
}

/** Something that anybody has cannot be sold. */
const toldFree = (count: number, first: string): string =>
  `${count} 道题不购买也能看到（现在或曾经在公开题库、免费题集、试做题里），如 ${first}；要只给购买者，请换成只供题集的题库（setsOnly）里的新题`

/** Publishes a checked set. @throws FileFault when it has faults. */
export function writeCheckedSet(tx: Tx, checked: CheckedSet): Promise<SetWritten> {
  const { row, items } = faultless(checked, checked.set)
  return writeSet(tx, row, items)
}

/** A published set as the file that would publish it again. */
export async function exportSet(db: Db, no: string): Promise<SetFile | null> {
  const published = await readPublished(db, no)
  if (!published) return null
  const { position: _, ...head } = published.set
  const items = published.items.map(({ sections, ...item }) => {
    const own = published.entries.filter((entry) => entry.item_no === item.no)
    return {
      ...item,
      full: own.flatMap(({ scores }) => scores).reduce((a, b) => a + b, 0) / 100,
      sections: sections.map((section, at) => ({
        ...section,
        questions: own
          .filter((entry) => entry.section === at)
          .map(({ question_no, scores }) => ({ no: question_no, score: scores.map((score) => score / 100) })),
      })),
    }
  })
  return { format: SET_FORMAT, ...head, items }
}

function itemRow({ no, title, minutes, partial }: PaperFile, sections: PaperSection[], allowed: number): ItemRow {
  // Written with its contract, so that it is served without being parsed.
  const body = JSON.stringify(v.parse(Sections, sections))
  const trial = trialOf(sections, allowed)
  const count = countParts(sections)
  return {
    no,
    title,
    minutes,
    partial,
    count,
    full_score: fullMarks(sections),
    sections: sections.map((section) => ({ title: section.title, note: section.note })),
    // All that a score depends on.
    rev: hash('sha256', JSON.stringify([partial, countParts(trial), body]), 'base64url').slice(0, 10),
    body,
    trial: JSON.stringify(v.parse(Sections, trial)),
    trial_locked: count - countParts(trial),
    tried: trial.reduce((n, { entries }) => n + entries.length, 0),
    entries: sections.flatMap(({ entries }, section) =>
      entries.map(({ question, rev, scores }) => ({ section, question_no: question.no, rev, scores })),
    ),
  }
}
