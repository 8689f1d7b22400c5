import type { Line } from '../paperAnswers.ts'
import { hasOptions, numberOf } from '../paperNumbers.ts'

/** A table of numbers and answers. */
export interface Answers {
  /** So many lines stand before it. */
  line: number
  pairs: [number: string, answer: string][]
}

const HEADING = /^[【[]?(?:参考|标准|正确)?答案(?:与|和|及)?(?:详?解析?)?[】\]]?\s*[:：]?$/
/**
 * Puts tables of answers among the lines, as a list of answers at the end is written. One that stands before questions cannot be: all
 * behind it would be taken for answers.
 */
export function answersPlaced(
  lines: readonly Line[],
  answers: readonly Answers[],
): { lines: Line[]; left: { line: number; reason: string }[] } {
  const placed: Line[] = []
  const left: { line: number; reason: string }[] = []
  let from = 0
  const copy = (to: number) => {
    placed.push(...lines.slice(from, to))
    from = to
  }
  let isBehind = false
  for (const { line, pairs } of answers) {
    copy(line)
    const filled = pairs.filter(([, answer]) => answer !== '')
    const n = Math.max(1, line)
    const isHeaded = isBehind || lines.slice(0, line).some(({ text }) => HEADING.test(text.trim()))
    if (filled.length === 0) left.push({ line: n, reason: '空白的答题表没有导入' })
    else if (filled.some(([number]) => !/^\d{1,4}$/.test(number)))
      left.push({ line: n, reason: '答案表里有的题号不是数字，没有采用：请写成“1. B”，一题一行' })
    else if (!isHeaded && asksBehind(lines.slice(line)))
      left.push({ line: n, reason: '答案表在题目之前，没有采用：请移到卷末，上面写“参考答案”' })
    else {
      if (!isHeaded) placed.push({ text: '参考答案', n })
      placed.push(...filled.map(([number, answer]) => ({ text: `${number}. ${answer}`, n })))
      isBehind = true
    }
  }
  copy(lines.length)
  return { lines: placed, left }
}

const asksBehind = (lines: readonly Line[]): boolean =>
  hasOptions(lines) || lines.some(({ text }) => numberOf(text.trim()) !== null)
