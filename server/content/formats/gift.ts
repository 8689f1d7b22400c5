import path from 'node:path'
import {
  type GIFTQuestion,
  type Numerical,
  type NumericalFormat,
  parse,
  type TextChoice,
  type TextFormat,
} from 'gift-pegjs'
import { chosenFrom, filledIn, matched, rightOnes, trueOrFalse } from './answers.ts'
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
      const why = error instanceof Error ? error.message.slice(0, 120) : ''
      intake.report('fault', at, `不是有效的 GIFT 题目：${why}`)
    }
    for (const each of drafts) intake.draft(each)
  }
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
      return { ...head, type: 'essay', reference: head.analysis }
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
  if (rightOnes(named, () => {}).some(({ format }) => format.type !== 'simple' && format.range !== 0))
    warn('数值题的误差范围没有保留，只收中心值')
  return filledIn(head, named, warn)
}

function centre({ number, numberHigh, numberLow }: NumericalFormat): string {
  if (number !== undefined) return String(number)
  return numberHigh !== undefined && numberLow !== undefined ? String((numberHigh + numberLow) / 2) : ''
}
