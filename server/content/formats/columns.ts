/** The letters that a table has columns for. */
export const COLUMN_LETTERS = 'ABCDEF'.split('')
/** The columns of a table of questions, as an export and the template write them; of a reader's point of view see docs/import.md. */
export const COLUMNS = [
  '编号',
  '章节',
  '题型',
  '材料编号',
  '材料',
  '题干',
  ...COLUMN_LETTERS.map((letter) => `选项${letter}`),
  '答案',
  '采分点',
  '字数要求',
  '解析',
  ...COLUMN_LETTERS.map((letter) => `${letter}解析`),
  '知识点',
  '难度',
  '来源',
  '年份',
  '无序',
] as const
export type Columns = Partial<Record<string, string | number>>
