import { judgeKey } from '#src/domain/text/text.ts'
import { difficultyOf } from '#server/content/difficulty.ts'
import type { Draft } from '#server/content/draft.ts'
import { divideAtMarks } from './optionMarks.ts'
import { headAmong, type Headers, headersOf, MOST_ABOVE, refuseWithoutKey, type Row, withoutStem } from './tableHead.ts'

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
  let typeColumn: string | undefined
  let open: { group: string; draft: Draft } | null = null
  const above: Row[] = []
  for await (const row of wholeRows(rows, () => names ?? [])) {
    if (!names) {
      above.push(row)
      if (!headAmong(above, headers)) {
        if (above.length === MOST_ABOVE) break
        continue
      }
      names = headersOf(row, headers)
      refuseWithoutKey(names)
      typeColumn = calledOtherwise(row, names, '题型')
      for (const [i, name] of names.entries())
        if (name !== '' && (!COLUMNS.has(name) || names.indexOf(name) < i)) unused(name)
      continue
    }
    if (isEmpty(row)) continue
    const fields = fieldsOf(names, row)
    const group = groupOf(fields)
    const each = { ...draft(`第${row.line}行`, fields), typeColumn }
    if (open && group === open.group) {
      open.draft.parts?.push(each)
      continue
    }
    if (open) yield open.draft
    open = group === '' ? null : { group, draft: material(fields, each) }
    if (!open) yield each
  }
  if (!names) throw withoutStem(above[0])
  if (open) yield open.draft
}

/** Names a column of ours as the file does; undefined: it is called as we call it, or is not there. */
function calledOtherwise({ cells, plain = cells }: Row, names: readonly string[], ours: string): string | undefined {
  const name = plain[names.indexOf(ours)]?.trim()
  return name === ours ? undefined : name
}

const isEmpty = ({ cells, pictures = [] }: Row): boolean =>
  pictures.length === 0 && cells.every((cell) => cell.trim() === '')

/** Rows with one number, or that one material covers as a merged cell. */
const groupOf = ({ plain, content, goesOn }: Fields): string =>
  plain('材料编号') ?? (goesOn('材料') || content('材料') ? (content('材料') ?? '') : '')

/** A stem that is merged over rows without an answer of their own is of one question: its options stand below each other. */
async function* wholeRows(
  rows: Iterable<Row> | AsyncIterable<Row>,
  names: () => readonly string[],
): AsyncGenerator<Row> {
  let open: Row | null = null
  for await (const row of rows) {
    const [stem, answer] = ['题干', '答案'].map((name) => names().indexOf(name))
    const answersItself = !row.goesOn?.includes(answer ?? -1) && row.cells[answer ?? -1]?.trim()
    if (open && row.goesOn?.includes(stem ?? -1) && !answersItself) {
      open = together(open, row)
      continue
    }
    if (open) yield open
    open = row
  }
  if (open) yield open
}

function together(one: Row, other: Row): Row {
  const joined = (cells: readonly string[], more: readonly string[]) =>
    Array.from({ length: Math.max(cells.length, more.length) }, (_, i) =>
      [cells[i], other.goesOn?.includes(i) ? '' : more[i]].filter((text) => text?.trim()).join('\n'),
    )
  return {
    ...one,
    cells: joined(one.cells, other.cells),
    plain: joined(one.plain ?? one.cells, other.plain ?? other.cells),
    pictures: [...(one.pictures ?? []), ...(other.pictures ?? [])],
  }
}

interface Fields {
  /** Without marks: numbers, names, letters. */
  plain: (name: string) => string | undefined
  /** With its marks and pictures. */
  content: (name: string) => string | undefined
  goesOn: (name: string) => boolean
}

/** A picture outside the columns of texts belongs to the stem. */
function fieldsOf(names: readonly string[], { cells, plain = cells, pictures = [], goesOn = [] }: Row): Fields {
  const holds = (column: number, name: string) => {
    const own = names[column] ?? ''
    return own === name || (name === '题干' && !TEXTS.has(own))
  }
  return {
    plain: (name) => plain[names.indexOf(name)]?.trim() || undefined,
    content: (name) => {
      const hung = pictures.filter(({ column }) => holds(column, name)).map(({ source }) => `<img src="${source}">`)
      return [cells[names.indexOf(name)]?.trim(), ...hung].filter(Boolean).join('\n') || undefined
    },
    goesOn: (name) => goesOn.includes(names.indexOf(name)),
  }
}

/** Whether it may number a question everywhere. Numbers that count within the file, 1, 2, 3, are in every file. */
export const isOfSystem = (no: string): boolean => /^[A-Za-z]\w{0,39}$/.test(no)

const material = ({ plain, content }: Fields, first: Draft): Draft => ({
  at: first.at,
  no: isOfSystem(plain('材料编号') ?? '') ? plain('材料编号') : undefined,
  chapter: first.chapter,
  type: '材料题',
  stem: content('材料') ?? '',
  points: first.points,
  difficulty: first.difficulty,
  source: first.source,
  year: first.year,
  parts: [first],
})

const LETTERS = 'ABCDEFGHIJ'.split('')
const TEXTS = new Set(
  '题干 材料 选项 答案 采分点 解析'
    .split(' ')
    .concat(LETTERS.flatMap((letter) => [letter, `选项${letter}`, `${letter}解析`])),
)
const COLUMNS = new Set(
  '编号 章节 题型 题干 选项 答案 采分点 字数要求 解析 知识点 难度 来源 年份 无序 材料编号 材料 图片'
    .split(' ')
    .concat(LETTERS.flatMap((letter) => [letter, `选项${letter}`, `${letter}解析`])),
)
function draft(at: string, { plain, content }: Fields): Draft {
  const lettered = LETTERS.map((letter) => content(`选项${letter}`) ?? content(letter) ?? '')
  const inOneCell = optionsOf(content('选项') ?? '')
  const number = (name: string) => (plain(name) === undefined ? undefined : Number(plain(name)))
  const [answer, shown, level] = [plain('答案'), content('答案'), plain('难度')]
  return {
    at,
    no: plain('编号'),
    chapter: plain('章节'),
    type: plain('题型'),
    stem: content('题干') ?? '',
    options: lettered.some(Boolean) ? lettered : inOneCell,
    reasons: Object.fromEntries(LETTERS.map((letter) => [letter, content(`${letter}解析`) ?? ''])),
    answer,
    // An essay's has marks and pictures, too.
    ...(shown !== answer && { reference: shown }),
    words: plain('字数要求'),
    scoring: content('采分点')?.split('\n').map(scoringPoint),
    analysis: content('解析'),
    points: plain('知识点')
      ?.split(/[;；,，、]/)
      .map((name) => name.trim())
      .filter(Boolean),
    difficulty: level === undefined ? undefined : difficultyOf(level),
    source: plain('来源'),
    year: number('年份'),
    unordered: plain('无序') === '是',
  }
}

/** Divides the options of one cell. Returns undefined when it is empty, and the cell whole when it can be divided in two ways. */
function optionsOf(cell: string): string[] | undefined {
  if (cell === '') return undefined
  const divided = divideAtMarks(cell)
  if (divided && 'readings' in divided) return [cell]
  const marked = divided?.options ?? cell.split(/\n|\|(?=\s*[（(]?[A-H][)）.．、:：])/).map((option) => option.trim())
  const words = cell.split(/\s*[|/;；,，、\s]\s*/)
  // Any sign may stand between 对 and 错: they are options and nothing else.
  return marked.length === 1 && words.length === 2 && words.every(judgeKey) ? words : marked
}

/** 要点（2分）. The score is NaN where none is written. */
export function scoringPoint(line: string): { text: string; score: number } {
  const [, text, score] = /^(.*?)\s*[（(]\s*(\d+(?:\.\d+)?)\s*分\s*[)）]\s*$/.exec(line.trim()) ?? []
  return { text: text ?? line.trim(), score: score === undefined ? Number.NaN : Number(score) }
}
