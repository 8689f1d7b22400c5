import { judgeKey } from '#src/domain/text.ts'
import { type Draft, FileFault } from '#server/content/draft.ts'
import { splitOptions } from './options.ts'

export interface Row {
  /** From 1; of a row of several lines its last. */
  line: number
  cells: string[]
}
/** Foreign header → our header. */
type Headers = Readonly<Record<string, string>>

/** What is said of a table whose first row is no head of one of questions. */
export function withoutStem(head: Row | undefined): FileFault {
  const names = head?.cells.filter((cell) => cell.trim() !== '').slice(0, 12) ?? []
  const found = names.length > 0 ? `（有：${names.map((name) => name.trim().slice(0, 20)).join('、')}）` : ''
  return new FileFault(`第一行没有“题干”列${found}；列名不同时请用 --map 原列名=题干，空白的表格可用 template 写出`)
}
const headersOf = (head: Row, headers: Headers): string[] =>
  head.cells.map((cell) => (Object.hasOwn(headers, cell.trim()) && headers[cell.trim()]) || cell.trim())

/** Whether a sheet is one of questions. */
export const hasStems = ([head]: readonly Row[], headers: Headers): boolean =>
  head !== undefined && headersOf(head, headers).includes('题干')

/**
 * Questions of a table, as they end; rows below each other with one 材料编号 are one 材料题.
 * @param unused is told each column that nothing reads
 * @throws FileFault
 */
export async function* drafts(
  rows: Iterable<Row> | AsyncIterable<Row>,
  headers: Headers,
  unused: (name: string) => void,
): AsyncGenerator<Draft> {
  let names: string[] | null = null
  let open: { group: string; draft: Draft } | null = null
  for await (const row of rows) {
    const { line, cells } = row
    if (!names) {
      if (!hasStems([row], headers)) throw withoutStem(row)
      names = headersOf(row, headers)
      for (const [i, name] of names.entries())
        if (name !== '' && (!COLUMNS.has(name) || names.indexOf(name) < i)) unused(name)
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
  if (!names) throw withoutStem(undefined)
  if (open) yield open.draft
}

type Field = (name: string) => string | undefined
const fieldsOf =
  (names: readonly string[], cells: readonly string[]): Field =>
  (name) =>
    cells[names.indexOf(name)]?.trim() || undefined

/** Whether it may number a question everywhere. Numbers that count within the file, 1, 2, 3, are in every file. */
export const isOfSystem = (no: string): boolean => /^[A-Za-z]\w{0,39}$/.test(no)

const material = (group: string, text: string | undefined, first: Draft): Draft => ({
  at: first.at,
  no: isOfSystem(group) ? group : undefined,
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
const COLUMNS = new Set(
  '编号 章节 题型 题干 选项 答案 采分点 解析 知识点 难度 来源 年份 无序 材料编号 材料'
    .split(' ')
    .concat(LETTERS.flatMap((letter) => [letter, `选项${letter}`, `${letter}解析`])),
)
function draft(at: string, field: Field): Draft {
  const lettered = LETTERS.map((letter) => field(`选项${letter}`) ?? field(letter) ?? '')
  const inOneCell = optionsOf(field('选项') ?? '')
  const number = (name: string) => (field(name) === undefined ? undefined : Number(field(name)))
  return {
    at,
    no: field('编号'),
    chapter: field('章节'),
    type: field('题型'),
    stem: field('题干') ?? '',
    options: lettered.some(Boolean) ? lettered : inOneCell,
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

/** The options of one cell; undefined when it is empty. */
function optionsOf(cell: string): string[] | undefined {
  if (cell === '') return undefined
  const marked =
    splitOptions(cell)?.options ?? cell.split(/\n|\|(?=\s*[（(]?[A-H][)）.．、:：])/).map((option) => option.trim())
  const words = cell.split(/\s*[|/;；,，、\s]\s*/)
  // Any sign may stand between 对 and 错: they are options and nothing else.
  return marked.length === 1 && words.length === 2 && words.every(judgeKey) ? words : marked
}

/** 要点（2分）. */
function scoringPoint(line: string): { text: string; score: number } {
  const [, text, score] = /^(.*?)\s*[（(]\s*(\d+(?:\.\d+)?)\s*分\s*[)）]\s*$/.exec(line.trim()) ?? []
  return { text: text ?? line.trim(), score: score === undefined ? Number.NaN : Number(score) }
}
