import type { CompositeQuestion, PlainQuestion } from '#src/contract/question.ts'
import { isChoice, letters } from '#src/domain/question/choice.ts'
import { typeName } from '#src/domain/question/typeName.ts'
import { keyText } from '#src/domain/question/types.ts'

/** A question as a paper has it: with the material that it belongs to. */
export interface PaperQuestion {
  part: PlainQuestion
  material: CompositeQuestion | null
}
interface PaperHead {
  title: string
  /** The line below the title. */
  note: string
  answers: boolean
}

/** Writes questions as one page of HTML: questions first, with answers and analyses on pages of their own if they are asked for. */
export function paperHtml(questions: readonly PaperQuestion[], { title, note, answers }: PaperHead): string {
  const asked = questions.map((each, i) => asking(each, i, questions[i - 1]))
  const answered = questions.map(answering)
  return [
    `<h1>${escaped(title)}</h1><p>${escaped(note)}</p>`,
    ...asked,
    ...(answers ? ['<h2 style="page-break-before: always">答案和解析</h2>', ...answered] : []),
  ].join('\n')
}

/** A material stands once, before the first of its questions. */
function asking({ part, material }: PaperQuestion, i: number, before: PaperQuestion | undefined): string {
  const isNew = material !== null && before?.material?.no !== material.no
  const options = 'options' in part && part.type !== 'judge' ? part.options : []
  return [
    isNew ? led('', material.stem) : '',
    led(`${i + 1}．（${typeName(part, material)}）`, part.stem),
    ...options.map(({ html }, at) => led(`${String.fromCharCode(65 + at)}．`, html)),
  ].join('')
}

function answering({ part, material }: PaperQuestion, i: number): string {
  // Paper plays no recording: what is said in it is the material's own analysis, and is read beside the sub-question's.
  const heard = material?.stem.includes('<audio') ? material.analysis : ''
  const analysis = part.analysis ? heard + part.analysis : (material?.analysis ?? '')
  const number = `${i + 1}．`
  const key =
    part.type === 'essay'
      ? led(`${number}【参考答案】`, part.reference || '请对照教材自评。')
      : `<p>${number}【答案】${escaped(keyText(part))}</p>`
  const reasons = isChoice(part)
    ? part.options.flatMap(({ id, why }) => (why ? [led(`${letters(part, [id])} 项：`, why)] : []))
    : []
  const explained = [analysis ? led('', analysis) : '', ...reasons].join('')
  return key + (explained === '' ? '' : led('【解析】', explained))
}

const BLOCK = /<(?:p|div|table|ul|ol|pre|blockquote|h[34]|hr)\b/
const FIRST = /^\s*<p\b[^>]*>/
/** Puts words before a text, into its first paragraph where it begins with one. */
function led(lead: string, html: string): string {
  const text = html.replaceAll(/<audio\b[^>]*>(?:<\/audio>)?/g, '［听力录音，请在应用里播放］')
  const first = FIRST.exec(text)?.[0]
  if (first !== undefined) return `${first}${lead}${text.slice(first.length)}`
  return BLOCK.test(text) ? `<p>${lead}</p>${text}` : `<p>${lead}${text}</p>`
}

const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (mark) => MARKS[mark] ?? mark)
