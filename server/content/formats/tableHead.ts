import { FileFault } from '#server/content/draft.ts'

export interface Row {
  /** From 1; of a row of several lines its last. */
  line: number
  /** They are HTML: the cells as they are shown, with their marks. */
  cells: string[]
  /** The same without any marks, where they differ. */
  plain?: string[]
  pictures?: { column: number; source: string }[]
  /** Columns whose cell goes on from the row above. */
  goesOn?: number[]
}

/** Foreign header → our header. */
export type Headers = Readonly<Record<string, string>>

/** Others call our columns by these names. Spaces, stars, brackets and width do not count. */
const SYNONYMS: Readonly<Record<string, string>> = {
  题干: '题干 题目 试题 问题 题目内容 试题内容 题干内容 试题题干 题目题干 题目描述 问题内容 question stem',
  答案: '答案 正确答案 标准答案 参考答案 试题答案 题目答案 正确选项 答案选项 answer key',
  题型: '题型 类型 题目类型 试题类型 题目题型 试题题型 type',
  解析: '解析 答案解析 试题解析 题目解析 答题解析 解释 详解 analysis explanation',
  选项: '选项 选项内容 备选项 全部选项 备选答案 options',
  章节: '章节 所属章节 章节名称 目录 chapter',
  知识点: '知识点 考点 所属知识点 知识点名称',
  难度: '难度 难易度 难易程度 难度等级 difficulty',
  来源: '来源 出处 试题来源 题目来源',
  年份: '年份 年度',
  采分点: '采分点 评分标准 评分细则',
  字数要求: '字数要求 字数 词数 词数要求 words',
  图片: '图片 题图 配图 插图 题干图片',
}
const CALLED = new Map(
  Object.entries(SYNONYMS).flatMap(([ours, names]) => names.split(' ').map((name) => [name, ours] as const)),
)
const FIGURES = '一二三四五六七八九十'

const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\((?!\d+\))[^)]*\)|\[[^\]]*\]|【[^】]*】|[\s*★☆:。]/g, '')
    .toLowerCase()

/** Our name of a column that is called so; null: none. */
function oursOf(name: string): string | null {
  const plain = plainName(name)
  const letter = /^(?:选项|备选|option_?)?([a-j])(?:选项|项)?$/.exec(plain)?.[1]
  if (letter) return `选项${letter.toUpperCase()}`
  const reason = /^(?:选项)?([a-j])(?:选项|项)?解析$/.exec(plain)?.[1]
  if (reason) return `${reason.toUpperCase()}解析`
  const [, figure = ''] = /^(?:选项|option_?)(10|[1-9]|[一二三四五六七八九十])$/.exec(plain) ?? []
  if (figure !== '') return `选项${String.fromCharCode(64 + (Number(figure) || FIGURES.indexOf(figure) + 1))}`
  return CALLED.get(plain) ?? null
}

/**
 * Our names of a head's columns: by `--map`, as they are, or by what others call them.
 * @throws FileFault when two columns may be the same one of ours
 */
export function headersOf({ cells, plain = cells }: Row, headers: Headers): string[] {
  const given = plain.map((cell) => cell.trim())
  const sure = given.map((name) => (Object.hasOwn(headers, name) ? headers[name] : undefined) ?? null)
  const exact = given.map((name, i) => sure[i] ?? (oursOf(name) === name || name in SYNONYMS ? name : null))
  const guessed = given.map((name, i) => exact[i] ?? (exact.includes(oursOf(name)) ? null : oursOf(name)))
  for (const [i, ours] of guessed.entries()) {
    const rivals = given.filter((_, at) => ours !== null && exact[at] === null && guessed[at] === ours)
    if (exact[i] === null && rivals.length > 1)
      throw new FileFault(`“${rivals.join('”“')}”都可能是“${ours}”列，请指明一列，如 --map ${rivals[0]}=${ours}`)
  }
  return given.map((name, i) => guessed[i] ?? name)
}

/** Rows that may stand above the head: a title, who made it, how to fill it in. */
export const MOST_ABOVE = 10
const isHead = (row: Row, headers: Headers): boolean => {
  const names = (row.plain ?? row.cells).filter((cell) => cell.trim() !== '')
  const mapped = names.map((name) => headers[name.trim()] ?? oursOf(name) ?? name.trim())
  return mapped.includes('题干') && (names.length > 1 || names[0]?.trim() === '题干')
}

/** The first of the rows that is a head of questions; undefined: none of those where one may stand. */
export const headAmong = (rows: readonly Row[], headers: Headers): Row | undefined =>
  rows.slice(0, MOST_ABOVE).find((row) => isHead(row, headers))

/** Makes the fault of a table whose first rows hold no head of one of questions. */
export function withoutStem(head: Row | undefined): FileFault {
  const names = (head?.plain ?? head?.cells ?? []).map((cell) => cell.trim()).filter(Boolean)
  const found =
    names.length > 0
      ? `（有：${names
          .slice(0, 12)
          .map((name) => name.slice(0, 20))
          .join('、')}）`
      : ''
  const likely = names.find((name) => /题|问|question|stem/i.test(name)) ?? '原列名'
  return new FileFault(
    `前 ${MOST_ABOVE} 行没有“题干”列${found}；列名不同时请用 --map ${likely}=题干，空白的表格可用 template 写出`,
  )
}

/** Options without a column of answers are questions that nobody can mark. @throws FileFault */
export function refuseWithoutKey(names: readonly string[]): void {
  if (names.includes('答案') || !names.some((name) => name.startsWith('选项'))) return
  const known = new Set(Object.keys(SYNONYMS))
  const likely = names.find((name) => !known.has(name) && /答|对|key|answer|correct/i.test(name)) ?? '原列名'
  throw new FileFault(
    `有选项列而没有“答案”列（有：${names.filter(Boolean).slice(0, 12).join('、')}）；请用 --map ${likely}=答案 指明，隐藏的列加 --hidden`,
  )
}
