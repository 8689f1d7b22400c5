import path from 'node:path'
import * as v from 'valibot'
import {
  type GIFTQuestion,
  type Numerical,
  type NumericalFormat,
  parse,
  type TextChoice,
  type TextFormat,
} from 'gift-pegjs'
import { chosenFrom, filledIn, matched, rightOnes, trueOrFalse } from './answers.ts'
import { asksForComposition } from '#server/content/composition.ts'
import type { Draft, Intake } from '#server/content/draft.ts'
import { isOfSystem } from './tableRows.ts'

/** Moodle GIFT. Questions are separated by blank lines and parsed one by one, so that a fault names its own. */
export async function readGift(lines: AsyncIterable<string>, intake: Intake): Promise<void> {
  let chapter: string | undefined
  for await (const { text, line } of sections(lines)) {
    const at = `第${line}行`
    const warn = (reason: string) => intake.report('warning', at, reason)
    const drafts: Draft[] = []
    try {
      for (const question of parse(`${text}\n\n`)) {
        if (question.type === 'Category')
          chapter = path.posix.normalize(question.title.replace(/^\$\w+\$\/?/, '')).replace(/^\/|\/$/g, '')
        else if (question.type === 'Description') warn('说明文字（Description）没有答案，未导入')
        else drafts.push({ ...draft(question, warn), ...knownOf(question), at, chapter })
      }
    } catch (error) {
      intake.report('fault', at, `不是有效的 GIFT 题目：${placeOf(error, line)}${HINT}`)
    }
    for (const each of drafts) intake.draft(each)
  }
}

const HINT = '题与题之间要空一行，每题一对花括号；题目里的 ~ = # { } : 前面要加反斜杠'
/** The parser tells where it stopped, and does so in English. */
const SyntaxFault = v.object({
  location: v.object({ start: v.object({ line: v.number(), column: v.number() }) }),
})
/** Says where a question cannot be read any further. @param first the line of the file on which the question begins */
function placeOf(error: unknown, first: number): string {
  const fault = v.safeParse(SyntaxFault, error)
  if (!fault.success) return ''
  const { line, column } = fault.output.location.start
  return `从第${first + line - 1}行第${column}个字起读不下去。`
}

/** What stands in a comment before the question: `// [id:q1] [tag:军史]`. */
const knownOf = ({ id, tags }: Answered): Pick<Draft, 'no' | 'points'> => ({
  no: id && isOfSystem(id) ? id : undefined,
  points: tags && tags.length > 0 ? [...new Set(tags)] : undefined,
})

interface Section {
  text: string
  line: number
}
async function* sections(lines: AsyncIterable<string>): AsyncGenerator<Section> {
  let [section, n]: [string[], number] = [[], 0]
  for await (const line of lines) {
    n++
    if (line.trim() !== '') section.push(line)
    else if (section.length > 0) {
      yield* whole(section, n)
      section = []
    }
  }
  yield* whole(section, n + 1)
}

/** Of comments alone, a section holds no question. @param end the line behind it */
const whole = (section: readonly string[], end: number): Section[] =>
  section.some((each) => !each.trim().startsWith('//'))
    ? [{ text: section.join('\n'), line: end - section.length }]
    : []

const textOf = (text: TextFormat | null): string => text?.text ?? ''
type Answered = Exclude<GIFTQuestion, { type: 'Category' | 'Description' }>
type Warn = (reason: string) => void

function draft(question: Answered, warn: Warn): Draft {
  const head = { at: '', stem: textOf(question.stem), analysis: textOf(question.globalFeedback) }
  switch (question.type) {
    case 'MC':
      return chosenFrom(head, question.choices.map(option), warn)
    case 'TF': {
      // By the format the first is for who answers wrong, whatever the parser calls it.
      const [wrong, right] = [textOf(question.trueFeedback), textOf(question.falseFeedback)]
      return trueOrFalse(head, question.isTrue, question.isTrue ? { right, wrong } : { right: wrong, wrong: right })
    }
    case 'Short':
      return filledIn(head, question.choices.map(option), warn)
    case 'Numerical':
      return numerical(question, head, warn)
    case 'Essay':
      return { ...head, type: asksForComposition(head.stem) ? 'composition' : 'essay', reference: head.analysis }
    case 'Matching':
      return matched(
        head,
        question.matchPairs.map(({ subquestion, subanswer }) => ({ left: textOf(subquestion), right: subanswer })),
      )
    default:
      return head
  }
}

interface Weighed {
  isCorrect: boolean
  weight: number | null
  feedback: TextFormat | null
}
const earnedBy = ({ isCorrect, weight }: Weighed): number => weight ?? (isCorrect ? 100 : 0)
const option = (choice: TextChoice) => ({
  text: textOf(choice.text),
  earns: earnedBy(choice),
  feedback: textOf(choice.feedback),
})

function numerical({ choices }: Numerical, head: Draft, warn: Warn): Draft {
  const given = Array.isArray(choices)
    ? choices.map((each) => ({ format: each.text, earns: earnedBy(each), feedback: textOf(each.feedback) }))
    : [{ format: choices, earns: 100, feedback: '' }]
  const named = given.map((each) => ({ ...each, text: centre(each.format) })).filter(({ text }) => text !== '')
  const range = rightOnes(named, () => {})
    .map(({ format }) => rangeOf(format))
    .find((each) => each !== null)
  if (range) return { ...head, type: 'blank', answer: range, refused: refusedFor(range) }
  return filledIn(head, named, warn)
}

/** A 填空题 accepts what is written in it and nothing else, so whoever answers within a range would be marked wrong. */
const refusedFor = (range: string): string =>
  `答案是一个范围（${range}），填空题只认写出来的答案，范围里别的数会被判错。请逐个写出算对的答案，如 {=3.14 =3.142}，或改成选择题`

/** Says in Chinese which range a file means; null when it means one number. */
function rangeOf({ number, range = 0, numberHigh, numberLow }: NumericalFormat): string | null {
  if (number !== undefined) return range === 0 ? null : `${number}±${range}`
  return numberHigh === numberLow ? null : `${numberLow} 到 ${numberHigh}`
}

function centre({ number, numberHigh, numberLow }: NumericalFormat): string {
  if (number !== undefined) return String(number)
  return numberHigh !== undefined && numberLow !== undefined ? String((numberHigh + numberLow) / 2) : ''
}

/** Formulae hold braces that are no answers. */
const FORMULA = /\$\$[^$]+\$\$|\$(?!CATEGORY)[^$\n]+\$|\\\(.*?\\\)|\\\[[^]*?\\\]/g
/** A block in braces; `\{`, `x^{2}`, `a_{1}` and `\frac{1}{2}` begin none. */
const BLOCK = /(?<!\\|[\^}]|[A-Za-z\d)]_|\\[A-Za-z]+)\{((?:\\.|[^\\{}])*)\}/g
const COMMAND = /^[^\S\n]*(?:\$CATEGORY:|::(?:\\.|[^\n:\\])+::)/m
/** A line that gives the answer, as papers have it; behind 答案： a block of GIFT may stand, too. */
const KEY =
  /^[^\S\n]*[【[]?(?:参考|正确|标准)?答案[】\]]?(?:[^\S\n]*[:：](?![^\S\n]*\{\})|[^\S\n]*$|(?<=[】\]])(?![^\S\n]*\{\}))/m

/**
 * Tells whether a text is GIFT: half of its sections, which empty lines part, answer themselves in braces, or a command of GIFT
 * stands in it. Sets, code and formulae in a paper have braces, too.
 */
export function isGift(source: string): boolean {
  const text = source.replaceAll(/^[^\S\n]*\/\/.*$/gm, '').replaceAll(FORMULA, '')
  if (COMMAND.test(text)) return true
  if (KEY.test(text.replaceAll(BLOCK, '{}'))) return false
  const sections = text.split(/\n\s*\n/).filter((section) => section.trim() !== '')
  const answering = sections.filter(
    (section) => !/^\s*A\s*[.．、]/m.test(section) && [...section.matchAll(BLOCK)].some(isAnswer),
  )
  return answering.length > 0 && answering.length * 2 >= sections.length
}

/** `{}` behind a bracket or a sign of code is code: main() {}. */
function isAnswer({ 1: inside = '', index, input }: RegExpMatchArray): boolean {
  const text = inside.trim()
  if (text === '') return !/[)=:>]\s*$/.test(input?.slice(0, index) ?? '')
  if (/^(?:T|F|TRUE|FALSE)\s*(?:#.*)?$/is.test(text) || text.startsWith('#')) return true
  return /^=|^~[^]*(?:=|~?%)/.test(text)
}
