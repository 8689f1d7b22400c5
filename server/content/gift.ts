import path from 'node:path'
import {
  type GIFTQuestion,
  type MultipleChoice,
  type Numerical,
  type NumericalFormat,
  parse,
  type TextFormat,
} from 'gift-pegjs'
import type { Draft, Finding } from './draft.ts'

/** Moodle GIFT. Questions are separated by blank lines and parsed one by one, so that a fault names its own. */
export function readGift(source: string, file: string): { drafts: Draft[]; findings: Finding[] } {
  const drafts: Draft[] = []
  const findings: Finding[] = []
  let chapter: string | undefined
  for (const { text, line } of sections(source)) {
    const at = `第${line}行`
    const report = (level: Finding['level'], reason: string) => findings.push({ file, at, level, reason })
    try {
      for (const question of parse(`${text}\n\n`)) {
        if (question.type === 'Category')
          chapter = path.posix.normalize(question.title.replace(/^\$\w+\$\/?/, '')).replace(/^\/|\/$/g, '')
        else if (question.type === 'Description') report('warning', '说明文字（Description）没有答案，未导入')
        else drafts.push({ ...draft(question, (reason) => report('warning', reason)), at, chapter })
      }
    } catch (error) {
      report('fault', `不是有效的 GIFT 题目：${error instanceof Error ? error.message.slice(0, 120) : ''}`)
    }
  }
  return { drafts, findings }
}

function sections(source: string): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = []
  let lines: string[] = []
  const flush = (line: number) => {
    // A section of comments alone holds no question.
    if (lines.some((each) => each.trim() !== '' && !each.trim().startsWith('//')))
      found.push({ text: lines.join('\n'), line: line - lines.length })
    lines = []
  }
  const all = source.replace(/\r\n?/g, '\n').split('\n')
  for (const [i, line] of all.entries()) {
    if (line.trim() === '') flush(i + 1)
    else lines.push(line)
  }
  flush(all.length + 1)
  return found
}

const textOf = (text: TextFormat | null): string => text?.text ?? ''
type Answered = Exclude<GIFTQuestion, { type: 'Category' | 'Description' }>

function draft(question: Answered, warn: (reason: string) => void): Draft {
  const head = { at: '', stem: textOf(question.stem), analysis: textOf(question.globalFeedback) }
  switch (question.type) {
    case 'MC':
      return choice(question, head, warn)
    case 'TF':
      return {
        ...head,
        type: 'judge',
        answer: question.isTrue ? '对' : '错',
        // By the format the first is for who answers wrong, whatever the parser calls it.
        reasons: {
          [question.isTrue ? 'B' : 'A']: textOf(question.trueFeedback),
          [question.isTrue ? 'A' : 'B']: textOf(question.falseFeedback),
        },
      }
    case 'Short': {
      const right = rightOnes(question.choices, warn)
      const accepted = right.map((each) => textOf(each.text))
      if (accepted.some((text) => text.includes('*'))) warn('简答答案中的通配符 * 按原文保留')
      return { ...head, analysis: analysisOf(head, right), type: 'blank', blanks: [accepted] }
    }
    case 'Numerical':
      return numerical(question, head, warn)
    case 'Essay':
      return { ...head, type: 'essay', reference: head.analysis }
    case 'Matching': {
      // Each left side becomes a single choice among all right sides.
      const options = [...new Set(question.matchPairs.map((pair) => pair.subanswer))]
      const parts = question.matchPairs
        .filter((pair) => textOf(pair.subquestion) !== '')
        .map((pair) => ({
          at: '',
          type: 'single',
          stem: textOf(pair.subquestion),
          options,
          answer: String.fromCharCode(65 + options.indexOf(pair.subanswer)),
        }))
      return { ...head, type: 'composite', parts }
    }
    default:
      return head
  }
}

/** Those that earn everything; only when there is none, as in a multiple choice, those that earn a part. */
function rightOnes<C extends { isCorrect: boolean; weight: number | null }>(
  choices: readonly C[],
  warn: (reason: string) => void,
): C[] {
  const earning = choices.filter((each) => each.isCorrect || (each.weight ?? 0) > 0)
  const whole = earning.filter((each) => (each.weight ?? 100) >= 100)
  if (whole.length > 0 && whole.length < earning.length) warn('只得部分分数的答案不算正确，其权重没有保留')
  return whole.length > 0 ? whole : earning
}

function choice(question: MultipleChoice, head: Draft, warn: (reason: string) => void): Draft {
  const letterOf = (each: (typeof question.choices)[number]) => String.fromCharCode(65 + question.choices.indexOf(each))
  const answer = rightOnes(question.choices, warn).map(letterOf)
  const options = question.choices.map((each) => textOf(each.text))
  return {
    ...head,
    type: answer.length > 1 ? 'multiple' : 'single',
    options,
    answer: answer.join(''),
    reasons: Object.fromEntries(question.choices.map((each) => [letterOf(each), textOf(each.feedback)])),
  }
}

/** What is told of an accepted answer is told of the question: a blank has no options to tell it of. */
const analysisOf = (head: Draft, right: readonly { feedback: TextFormat | null }[]): string =>
  [...new Set([head.analysis, ...right.map((each) => textOf(each.feedback))])].filter(Boolean).join('\n')

function numerical(question: Numerical, head: Draft, warn: (reason: string) => void): Draft {
  const right = Array.isArray(question.choices) ? rightOnes(question.choices, warn) : []
  const formats = Array.isArray(question.choices) ? right.map((each) => each.text) : [question.choices]
  if (formats.some((format) => format.type !== 'simple' && format.range !== 0))
    warn('数值题的误差范围没有保留，只收中心值')
  const accepted = formats.map(centre).filter((text) => text !== '')
  return { ...head, analysis: analysisOf(head, right), type: 'blank', blanks: [accepted] }
}

function centre({ number, numberHigh, numberLow }: NumericalFormat): string {
  if (number !== undefined) return String(number)
  return numberHigh !== undefined && numberLow !== undefined ? String((numberHigh + numberLow) / 2) : ''
}
