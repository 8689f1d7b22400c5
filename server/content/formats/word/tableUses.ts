import { headAmong, type Headers, headersOf, type Row } from '../tableHead.ts'
import type { Placeholders } from './placeholders.ts'
import { answersOf, bankRows, htmlOf, isForMarks, layoutLines, seemsToAsk, type Table } from './tables.ts'

/** A table in a paper is for one of these: a bank of questions, a list of answers, boxes for marks, or a part of the text. */
export type TableUse =
  | { is: 'bank'; rows: Row[] }
  | { is: 'answers'; pairs: [number: string, answer: string][] }
  | { is: 'marks' }
  | { is: 'lines'; lines: string[] }

export const FOR_MARKS = '登记分数的表格没有导入'

export function tableUse(table: Table, held: Placeholders, headers: Headers): TableUse {
  const rows = bankRows(table, held)
  if (isBank(rows, headers)) return { is: 'bank', rows }
  const pairs = answersOf(table, held)
  if (pairs) return { is: 'answers', pairs }
  if (isForMarks(table, held)) return { is: 'marks' }
  const unread = table.hasNested
    ? held.add({ kind: 'problem', reason: '表格里套着表格，读不出怎样排列：请拆成一个表格' })
    : ''
  const lines = layoutLines(table, held) ?? [htmlOf(table, held) + askedIn(table, held)]
  return { is: 'lines', lines: lines.map((line, i) => (i === lines.length - 1 ? line + unread : line)) }
}

function isBank(rows: readonly Row[], headers: Headers): boolean {
  const head = headAmong(rows, headers)
  return head !== undefined && headersOf(head, headers).some((name) => name === '答案' || name.startsWith('选项'))
}

const askedIn = (table: Table, held: Placeholders): string =>
  seemsToAsk(table)
    ? held.add({
        kind: 'problem',
        reason: '这道题后面的表格里有编号的文字，像是题目：请把题目写在表格外，或填进有“题干”“答案”列的表格',
      })
    : ''
