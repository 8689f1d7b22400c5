import { readFileSync } from 'node:fs'

/** A question as a foreign bank has it, in the words of our own JSON. */
export interface SourceRow {
  type: string
  stem: string
  options?: string[]
  answer: string
  analysis?: string
  difficulty?: number
}
type Fields = Record<string, unknown>
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const readLines = (file: string): Fields[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Fields)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** GAOKAO-Bench and GAOKAO-MM choices: options stand in the stem, pictures (MM) in a list of their own. */
export function gaokaoBench(file: string): SourceRow[] {
  const { example } = readJson(file) as { example: Fields[] }
  return example.map((row) => {
    const answer = list(row.answer).map(text).join('')
    const pictures = list(row.picture).map((each) => `[img:${text(each).replace('../Data/', '')}]`)
    return {
      type: answer.length > 1 ? 'multiple' : 'single',
      stem: [...pictures, text(row.question)].join('\n'),
      answer,
      analysis: text(row.analysis),
    }
  })
}

/** AGIEval: options marked "(A)", answers "B", "A B D", "AD" or ["A","D"]. */
export const agiEval = (file: string): SourceRow[] =>
  readLines(file).map((row) => {
    const answer = Array.isArray(row.label) ? row.label.map(text).join('') : text(row.label)
    return {
      type: answer.replace(/\s/g, '').length > 1 ? 'multiple' : 'single',
      stem: [text(row.passage), text(row.question)].join('\n').trim(),
      options: list(row.options).map(text),
      answer,
    }
  })

/** TAL-SCQ5K: all maths between double dollars. */
export const tal = (file: string): SourceRow[] =>
  readLines(file).map((row) => ({
    type: 'single',
    stem: text(row.problem),
    options: list(row.answer_option_list).map((each) => text((list(each)[0] as Fields | undefined)?.content)),
    answer: text(row.answer_value),
    analysis: list(row.answer_analysis).map(text).join('\n'),
    difficulty: Number(row.difficulty) + 1,
  }))

/** 毛概, 习概: options by letter. */
export const maogai = (file: string): SourceRow[] =>
  (readJson(file) as Fields[]).map((row) => ({
    type: text(row.question_type),
    stem: text(row.question_text),
    options: Object.values(row.options as Fields).map(text),
    answer: text(row.correct_answer),
  }))

/** What is answered in writing: GAOKAO-Bench's subjective files and AGIEval's cloze. */
export const written = (file: string): SourceRow[] =>
  (file.endsWith('.jsonl') ? readLines(file) : (readJson(file) as { example: Fields[] }).example).map((row) => ({
    type: 'essay',
    stem: text(row.question),
    answer: text(row.answer),
    analysis: text(row.analysis),
  }))

/** LUNA: options in a list, backslashes escaped twice; what has no options is written. */
export const luna = (file: string): SourceRow[] =>
  readLines(file).map((row) => {
    const options = list(row.ques_options).map((option) => text(option).replaceAll('\\\\', '\\'))
    const answer = text(row.ques_answer)
    return options.length > 0
      ? { type: answer.length > 1 ? 'multiple' : 'single', stem: text(row.ques_content), options, answer }
      : { type: 'essay', stem: text(row.ques_content), answer }
  })

/** The rows as a library that the importer reads. */
export const asOwnJson = (rows: readonly SourceRow[]) => ({
  format: 'lijian/1',
  subject: { no: 'foreign', name: '外部题库' },
  library: { no: 'FOREIGN', title: '外部题库' },
  chapters: [{ no: 'FOREIGN_c1', parent: null, title: '全部' }],
  questions: rows.map((row) => ({ ...row, chapter: 'FOREIGN_c1' })),
})
