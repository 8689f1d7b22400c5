import type { PlainQuestion } from '#src/contract/question.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import { asDraft, type Format, type Leaving } from './asDraft.ts'
import { COLUMN_LETTERS, COLUMNS, type Columns } from './columns.ts'
import { type Bank, type Draft, FileFault, type Placed } from '#server/content/draft.ts'

/** A workbook is made in memory; Excel itself ends at 1,048,576 rows. */
const MOST_ROWS = 100_000

export function writeCsv(frame: Bank, leaving: AsyncIterable<Leaving>): Format {
  const left = new Map<string, number>()
  async function* chunks() {
    const { stringify } = await import('csv-stringify/sync')
    // Excel takes a file for UTF-8 by its first three bytes alone.
    yield `\uFEFF${stringify([[...COLUMNS]])}`
    // A spreadsheet would run some cells as formulae: an apostrophe stops it, which the import takes back (readers.ts).
    for await (const row of rowsOf(frame, leaving, left))
      yield stringify([COLUMNS.map((name) => row[name] ?? '')], { escape_formulas: true })
  }
  return { chunks: chunks(), left: () => leftOut(left) }
}

export function writeXlsx(frame: Bank, leaving: AsyncIterable<Leaving>): Format {
  const left = new Map<string, number>()
  async function* chunks() {
    const rows: Columns[] = []
    for await (const row of rowsOf(frame, leaving, left)) {
      if (rows.length >= MOST_ROWS) throw new FileFault(`超过 ${MOST_ROWS} 行，请导出为 .csv 或 .json`)
      rows.push(row)
    }
    yield await workbook(rows)
  }
  return { chunks: chunks(), left: () => leftOut(left) }
}

const WIDE = ['题干', '材料', '解析']
/** The bytes of a workbook with one sheet of questions, its head in sight. */
export async function workbook(rows: readonly Columns[]): Promise<Buffer> {
  const { default: writeXlsxFile } = await import('write-excel-file/node')
  const head = COLUMNS.map((value) => ({ value, fontWeight: 'bold' as const }))
  const body = rows.map((row) => COLUMNS.map((name) => cell(row[name])))
  const columns = COLUMNS.map((name) => ({ width: WIDE.includes(name) ? 40 : name.length > 4 ? 14 : 12 }))
  return writeXlsxFile([head, ...body], { sheet: '题目', columns, stickyRowsCount: 1 }).toBuffer()
}
const cell = (value: string | number | undefined) =>
  value === undefined || value === '' ? null : { value, wrap: true, alignVertical: 'top' as const }

async function* rowsOf(
  frame: Bank,
  leaving: AsyncIterable<Leaving>,
  left: Map<string, number>,
): AsyncGenerator<Columns> {
  const pathOf = pathsOf(frame)
  const nameOf = new Map(frame.points.map(({ no, name }) => [no, name]))
  const names = (nos: readonly string[] = []) => nos.map((no) => nameOf.get(no) ?? no).join('；')
  const leave = (reason: string) => void left.set(reason, (left.get(reason) ?? 0) + 1)
  for await (const each of leaving) {
    const draft = asDraft(each)
    const chapter = pathOf(each.chapterNo)
    if (each.question.type !== 'composite') {
      yield { ...columnsOf(draft, each.question, leave), 章节: chapter, 知识点: names(draft.points) }
      continue
    }
    if (draft.analysis) leave('材料题大题的解析')
    if (each.question.kind) leave('材料题的名称（阅读理解、完形填空）')
    for (const [i, part] of each.question.parts.entries()) {
      const source = draft.parts?.[i]
      if (!source) continue
      yield {
        ...columnsOf(source, part, leave),
        章节: chapter,
        知识点: names(source.points),
        材料编号: draft.no ?? '',
        材料: i === 0 ? draft.stem : '',
      }
    }
  }
}

function columnsOf(
  draft: Omit<Draft, 'at' | 'parts'>,
  question: PlainQuestion,
  leave: (reason: string) => void,
): Columns {
  const { no = '', stem, options = [], reasons = {}, analysis = '', difficulty = 3, source = '', year, scoring } = draft
  if (options.length > COLUMN_LETTERS.length) leave('第 6 个以后的选项')
  if (question.type === 'blank' && question.blanks.flat().some((text) => /[;；\n|]|\/\//.test(text)))
    leave('填空答案里的分号、竖线、双斜线')
  const answer =
    question.type === 'blank'
      ? question.blanks.map((accepted) => accepted.join('//')).join(';')
      : (draft.reference ?? draft.answer ?? '')
  return {
    编号: no,
    题型: TYPE_NAMES[namedType(question)],
    题干: stem,
    答案: answer,
    采分点: scoring?.map(({ text, score }) => `${text}（${score}分）`).join('\n') ?? '',
    字数要求: draft.words ?? '',
    解析: analysis,
    难度: difficulty,
    来源: source,
    ...(year !== undefined && { 年份: year }),
    无序: draft.unordered ? '是' : '',
    ...Object.fromEntries(COLUMN_LETTERS.map((letter, i) => [`选项${letter}`, options[i] ?? ''])),
    ...Object.fromEntries(COLUMN_LETTERS.map((letter) => [`${letter}解析`, reasons[letter] ?? ''])),
  }
}

/** A chapter's titles from the top. */
export function pathsOf({ chapters }: Pick<Bank, 'chapters'>): (no: Placed['chapterNo']) => string {
  const paths = new Map<string, string>()
  for (const { no, parent, title } of chapters) paths.set(no, parent ? `${paths.get(parent) ?? ''}/${title}` : title)
  return (no) => paths.get(no) ?? ''
}

const leftOut = (left: ReadonlyMap<string, number>): string[] =>
  [...left].map(([reason, count]) => `${reason}（${count} 处）没有导出：表格没有放它的列，请用 .json`)
