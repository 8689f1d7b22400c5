import { type Draft, FileFault } from './draft.ts'
import { splitOptions } from './options.ts'

export interface Row {
  /** From 1; of a row of several lines its last. */
  line: number
  cells: string[]
}
/** Foreign header → our header. */
type Headers = Readonly<Record<string, string>>

export const NO_STEM = '第一行没有“题干”列；列名不同时请用 --map 原列名=题干'
const headersOf = (head: Row, headers: Headers): string[] =>
  head.cells.map((cell) => (Object.hasOwn(headers, cell.trim()) && headers[cell.trim()]) || cell.trim())

/** Whether a sheet is one of questions. */
export const hasStems = ([head]: readonly Row[], headers: Headers): boolean =>
  head !== undefined && headersOf(head, headers).includes('题干')

/** Questions of a table, as they end; rows below each other with one 材料编号 are one 材料题. @throws FileFault */
export async function* drafts(rows: Iterable<Row> | AsyncIterable<Row>, headers: Headers): AsyncGenerator<Draft> {
  let names: string[] | null = null
  let open: { group: string; draft: Draft } | null = null
  for await (const row of rows) {
    const { line, cells } = row
    if (!names) {
      if (!hasStems([row], headers)) throw new FileFault(NO_STEM)
      names = headersOf(row, headers)
      continue
    }
    if (cells.every((cell) => cell.trim() === '')) continue
    const field = fieldsOf(names, cells)
    const group = field('材料编号') ?? ''
    const each = draft(`第${line}行`, field)
    if (open && group === open.group) {
      open.draft.parts?.push(each)
      continue
    }
    if (open) yield open.draft
    open = group === '' ? null : { group, draft: material(group, field('材料'), each) }
    if (!open) yield each
  }
  if (!names) throw new FileFault(NO_STEM)
  if (open) yield open.draft
}

type Field = (name: string) => string | undefined
const fieldsOf =
  (names: readonly string[], cells: readonly string[]): Field =>
  (name) =>
    cells[names.indexOf(name)]?.trim() || undefined

/** Numbers that count within the table alone, 1, 2, 3, are none of a question: every table has them. */
const isNumberOfItsOwn = (group: string): boolean => /^[A-Za-z]\w*$/.test(group)

const material = (group: string, text: string | undefined, first: Draft): Draft => ({
  at: first.at,
  no: isNumberOfItsOwn(group) ? group : undefined,
  chapter: first.chapter,
  type: '材料题',
  stem: text ?? '',
  points: first.points,
  difficulty: first.difficulty,
  source: first.source,
  year: first.year,
  parts: [first],
})

const LETTERS = 'ABCDEFGHIJ'.split('')
function draft(at: string, field: Field): Draft {
  const lettered = LETTERS.map((letter) => field(`选项${letter}`) ?? field(letter) ?? '')
  const cell = field('选项') ?? ''
  const inOneCell =
    splitOptions(cell)?.options ?? cell.split(/\n|\|(?=\s*[（(]?[A-H][)）.．、:：])/).map((option) => option.trim())
  const number = (name: string) => (field(name) === undefined ? undefined : Number(field(name)))
  return {
    at,
    no: field('编号'),
    chapter: field('章节'),
    type: field('题型'),
    stem: field('题干') ?? '',
    options: lettered.some(Boolean) ? lettered : inOneCell.length > 1 ? inOneCell : undefined,
    reasons: Object.fromEntries(LETTERS.map((letter) => [letter, field(`${letter}解析`) ?? ''])),
    answer: field('答案'),
    scoring: field('采分点')?.split('\n').map(scoringPoint),
    analysis: field('解析'),
    points: field('知识点')
      ?.split(/[;；,，、]/)
      .map((name) => name.trim())
      .filter(Boolean),
    difficulty: number('难度'),
    source: field('来源'),
    year: number('年份'),
    unordered: field('无序') === '是',
  }
}

/** 要点（2分）. */
function scoringPoint(line: string): { text: string; score: number } {
  const [, text, score] = /^(.*?)\s*[（(]\s*(\d+(?:\.\d+)?)\s*分\s*[)）]\s*$/.exec(line.trim()) ?? []
  return { text: text ?? line.trim(), score: score === undefined ? Number.NaN : Number(score) }
}
