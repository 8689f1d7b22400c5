import type { Draft } from '#server/content/draft.ts'

type Warn = (reason: string) => void

/** Those that earn everything; only when there is none, as in a multiple choice, those that earn a part. */
export function rightOnes<C extends { earns: number }>(choices: readonly C[], warn: Warn): C[] {
  const earning = choices.filter(({ earns }) => earns > 0)
  const whole = earning.filter(({ earns }) => earns >= 100)
  if (whole.length > 0 && whole.length < earning.length) warn('只得部分分数的答案不算正确，其权重没有保留')
  return whole.length > 0 ? whole : earning
}

export const letter = (i: number): string => String.fromCharCode(65 + i)

interface Option {
  text: string
  /** Percent of the marks. */
  earns: number
  /** What is told to who takes it. */
  feedback: string
}
export function chosenFrom(head: Draft, options: readonly Option[], warn: Warn): Draft {
  const right = rightOnes(options, warn)
  return {
    ...head,
    type: right.length > 1 ? 'multiple' : 'single',
    options: options.map(({ text }) => text),
    answer: right.map((each) => letter(options.indexOf(each))).join(''),
    reasons: Object.fromEntries(options.map(({ feedback }, i) => [letter(i), feedback])),
  }
}

/** What is told of an accepted answer is told of the question: a blank has no options to tell it of. */
export function filledIn(head: Draft, accepted: readonly Option[], warn: Warn): Draft {
  const right = rightOnes(accepted, warn)
  // Written with a backslash it is the sign itself.
  if (right.some(({ text }) => /(?<!\\)\*/.test(text))) warn('简答答案中的通配符 * 按原文保留')
  const analysis = together(head.analysis, ...right.map(({ feedback }) => feedback))
  return { ...head, analysis, type: 'blank', blanks: [right.map(({ text }) => text.replaceAll('\\*', '*'))] }
}

/** Items as a file gives them whose order is the answer; the import shuffles them (bank/understand.ts). */
export const inRightOrder = (head: Draft, texts: readonly string[]): Draft => ({
  ...head,
  type: 'order',
  options: [...texts],
  answer: texts.map((_, i) => letter(i)).join(''),
})

/** Each left side becomes a single choice among all right sides; right sides without a left one are there to mislead. */
export function matched(head: Draft, pairs: readonly { left: string; right: string }[]): Draft {
  const options = [...new Set(pairs.map(({ right }) => right))]
  const parts = pairs
    .filter(({ left }) => left.trim() !== '')
    .map(({ left, right }) => ({ at: '', type: 'single', stem: left, options, answer: letter(options.indexOf(right)) }))
  return { ...head, type: 'composite', parts }
}

/** True or false, feedback of either: `feedback.right` to who says 对. */
export const trueOrFalse = (head: Draft, isTrue: boolean, feedback: { right: string; wrong: string }): Draft => ({
  ...head,
  type: 'judge',
  answer: isTrue ? '对' : '错',
  reasons: { A: feedback.right, B: feedback.wrong },
})

/**
 * What is asked in one text. A part without a stem of its own is a gap: it is named by its number, which stands in the text (`gap`).
 * Gaps that are all written in make a 填空题; one part alone is the question itself; otherwise each is a 小题.
 */
export function assembled(head: Draft, parts: readonly Draft[]): Draft {
  const [first] = parts
  if (first && parts.length === 1) {
    const analysis = together(head.analysis, first.analysis)
    return { ...head, ...first, stem: [head.stem, first.stem].filter(Boolean).join('\n'), analysis }
  }
  if (first && parts.every(({ type, stem }) => type === 'blank' && stem === ''))
    return {
      ...head,
      analysis: together(head.analysis, ...parts.map(({ analysis }) => analysis)),
      type: 'blank',
      blanks: parts.flatMap(({ blanks = [] }) => blanks),
    }
  return {
    ...head,
    type: 'composite',
    parts: parts.map((part, i) => ({ ...part, stem: part.stem || `第（${i + 1}）空` })),
  }
}
/** How a gap shows in its text. @param n from 1 */
export const gap = (n: number): string => `（${n}）____`

/** What is told, without saying anything twice. */
const together = (...feedback: (string | undefined)[]): string =>
  [...new Set(feedback.map((text = '') => text))].filter(Boolean).join('\n')
