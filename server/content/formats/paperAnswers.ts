/** A line of a paper with its number in the file, from 1. */
export interface Line {
  text: string
  n: number
  /** It begins no question, whatever number stands at its start. */
  isWithin?: boolean
  /** It begins a question, whatever number came before. */
  isBegin?: boolean
}
/** 一、单项选择题 */
export const SECTION = /^[（(]?([一二三四五六七八九十]+)[)）]?\s*[、.．]\s*(.{2,40})$/

interface ListedAnswer {
  answer?: string | undefined
  analysis?: string | undefined
}
export interface Answers {
  /** @param section 一 of its heading, '' without one */
  of: (section: string, number: number) => ListedAnswer | undefined
  /** Gives what was not taken: a run of another length, and answers that no question has asked for so far. */
  left: () => { n: number; reason: string }[]
}
/** Answers may stand behind the heading itself, in a line of any length. */
const HEADED = /^[（(]?([一二三四五六七八九十]+)[)）]?\s*[、.．]\s*(.+)$/
/** They begin there with a number and its sign; the marks of the part have none. */
const FIRST = /(?<!\d)\d{1,4}\s*(?:[.．、:：]|[-—–~～－至到]+\s*\d)/

const RUN = /(\d{1,4})\s*[-—–~～－至到]+\s*(\d{1,4})\s*[.．、:：]?\s*((?:[A-H√×✓✗对错][\s、,，]*)+)/g
const ONE = /(?<!\d)(\d{1,4})\s*[.．、:：]\s*/g

interface Entry extends ListedAnswer {
  n: number
  number: number
  isAsked: boolean
  /** Several answers were given, and they differ. */
  isUnclear: boolean
}

/**
 * The list of answers at the end of a paper: `1-5 ABCDA`, `6. B 7. AC`, a line each with its 解析, under the headings of the paper
 * or without any.
 */
export function answersAtEnd(lines: readonly Line[]): Answers {
  const found = new Map<string, Entry>()
  const odd: { n: number; reason: string }[] = []
  let section = ''
  let last: ListedAnswer | undefined
  for (const { text: line, n } of lines) {
    const heading = HEADED.exec(line)
    const first = heading ? FIRST.exec(heading[2] ?? '') : null
    if (heading) section = heading[1] ?? ''
    if (heading && !first) continue
    const text = heading && first ? (heading[2] ?? '').slice(first.index) : line
    const add = (number: number, answer: ListedAnswer) => {
      const before = found.get(`${section} ${number}`)
      const differs = Boolean(before?.answer && answer.answer && before.answer !== answer.answer)
      // A list of solutions may follow the list of answers.
      // Nobody knows which of them is meant: none is taken, so that the question is refused for want of one.
      const isUnclear = differs || Boolean(before?.isUnclear)
      const entry: Entry = {
        answer: isUnclear ? undefined : (answer.answer ?? before?.answer),
        analysis: answer.analysis ?? before?.analysis,
        n,
        number,
        isAsked: false,
        isUnclear,
      }
      if (differs)
        odd.push({ n, reason: `答案里有两个第 ${number} 题，答案不同，都没有采用：分段的请写上“一、”“二、”` })
      found.set(`${section} ${number}`, entry)
      last = entry
    }
    const rest = text.replaceAll(RUN, (whole, from: string, to: string, letters: string) => {
      const each = letters.match(/[A-H√×✓✗对错]/g) ?? []
      const asked = Number(to) - Number(from) + 1
      if (each.length !== asked) {
        odd.push({ n, reason: `“${whole.trim().slice(0, 30)}”有 ${asked} 题、${each.length} 个答案，没有采用` })
        return whole
      }
      for (const [i, answer] of each.entries()) add(Number(from) + i, { answer })
      return ' '
    })
    // A run with too few or too many letters answers none of its questions, and is no part of the answer before it either.
    const besides = rest.replaceAll(RUN, '')
    if (besides !== text && /^[\s;；,，、。]*$/.test(besides)) continue
    const marks = [...rest.matchAll(ONE)]
    // A number within a solution begins no answer of its own: only what all of the line's numbers agree on.
    const heads = marks.filter(({ index }, i) =>
      i === 0 ? index === 0 || rest.slice(0, index).trim() === '' : isShort(rest, marks, i),
    )
    for (const [i, mark] of heads.entries()) {
      const to = heads[i + 1]?.index ?? rest.length
      add(Number(mark[1]), split(rest.slice(mark.index + mark[0].length, to).trim()))
    }
    if (heads.length === 0 && last && rest.trim() !== '') {
      const more = split(rest.trim())
      if (more.analysis !== undefined) last.analysis = [last.analysis, more.analysis].filter(Boolean).join('\n')
      else if (last.analysis === undefined) last.answer = [last.answer, more.answer].filter(Boolean).join('\n')
      else last.analysis += `\n${more.answer ?? ''}`
    }
  }
  return {
    of: (of, number) => {
      const entry = found.get(`${of} ${number}`) ?? found.get(` ${number}`)
      if (entry) entry.isAsked = true
      return entry
    },
    left: () => [
      ...odd,
      ...[...found.values()].flatMap(({ n, number, isAsked }) =>
        isAsked ? [] : [{ n, reason: `答案里有第 ${number} 题，试卷里没有这道题，请核对题号` }],
      ),
    ],
  }
}

/** Before a further number of a line stands an answer of letters alone. */
const isShort = (text: string, marks: readonly RegExpExecArray[], i: number): boolean => {
  const before = marks[i - 1]
  const mark = marks[i]
  if (!before || !mark) return false
  return /^[A-H√×✓✗对错正确误\s;；,，、]+$/.test(text.slice(before.index + before[0].length, mark.index))
}

const split = (text: string): ListedAnswer => {
  const at = /[【[]?(?:答案)?(?:解析|详解|分析)[】\]]?\s*[:：]?/.exec(text)
  const answer = (at ? text.slice(0, at.index) : text).replace(/^[【[]?答案[】\]]?\s*[:：]?/, '').trim()
  return {
    answer: answer || undefined,
    analysis: at ? text.slice(at.index + at[0].length).trim() : undefined,
  }
}
