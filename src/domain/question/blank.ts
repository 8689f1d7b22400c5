import type { BlankQuestion } from '#src/contract/question.ts'
import { type AnswerRules, type MarkableWith, type ResponseOf, WITHOUT_ANSWER } from './rules.ts'

type Blanks = MarkableWith<'blanks'>

export const blank: AnswerRules<BlankQuestion, Blanks, ResponseOf<'blank'>> = {
  kind: 'blank',
  empty: ({ blanks }) => ({ kind: 'blank', texts: blanks.map(() => '') }),
  isAnswered: ({ texts }) => texts.some((text) => text.trim() !== ''),
  fits: ({ blanks }, { texts }) => texts.length <= blanks.length,
  goesOn: ({ blanks }, { texts }) => texts.length === blanks.length,
  mark(question, { texts }, full) {
    const { no, blanks } = question
    if (blanks.length === 0) throw new RangeError(`question ${no} has no blanks`)
    const filled = rightBlanks(question, texts).filter(Boolean).length
    return { score: Math.floor((full * filled) / blanks.length), right: filled === blanks.length }
  },
  practiceFull: () => 100,
  markable: ({ no, type, blanks, unordered }) => ({ no, type, blanks, unordered }),
  keyId: (question) => JSON.stringify(blank.markable(question)),
  asked: (question) => ({ ...question, ...WITHOUT_ANSWER, blanks: question.blanks.map(() => []), unordered: false }),
  keyText: ({ blanks }) => blanks.map((accepted) => accepted[0]).join('；'),
  answerText: (_, { texts }) => texts.map((text) => text || '（空）').join('；'),
  searchTexts: ({ blanks }) => blanks.map(([first = '']) => first),
  sealed: ({ texts }) => [texts],
}

/** Tells which blanks are filled rightly, in their order; where any order will do, as many as can be. */
export function rightBlanks({ blanks, unordered }: Blanks, texts: readonly string[]): boolean[] {
  const given = blanks.map((_, i) => foldText(texts[i] ?? ''))
  const accepted = blanks.map((list) => new Set(list.map(foldText)))
  const fits = (text: string, blank: number): boolean => text !== '' && (accepted[blank]?.has(text) ?? false)
  if (!unordered) return given.map(fits)
  const placed = matching(given, fits)
  return given.map((_, i) => placed.has(i))
}

/** The most texts that can each have a blank of their own, by their places (augmenting paths). */
function matching(texts: readonly string[], fits: (text: string, blank: number) => boolean): ReadonlySet<number> {
  const takenBy = new Map<number, number>()
  const place = (text: number, seen: Set<number>): boolean => {
    for (let blank = 0; blank < texts.length; blank++) {
      if (seen.has(blank) || !fits(texts[text] ?? '', blank)) continue
      seen.add(blank)
      const holder = takenBy.get(blank)
      if (holder === undefined || place(holder, seen)) {
        takenBy.set(blank, text)
        return true
      }
    }
    return false
  }
  for (const text of texts.keys()) place(text, new Set())
  return new Set(takenBy.values())
}

const MATHS = /^(?:[-+*/=<>^%()[\]{}]|\p{Sm})$/u
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * Returns the part of a filled-in text that counts: not width, case, spaces or punctuation. Signs of mathematics stay, and so does a point
 * before a digit and a comma or colon between digits: 3.14 is not 314, (1,2) is not (12) nor [1,2], 1:2 is not 12, ±1 is not
 * 1, x² is not x2.
 */
export function foldText(text: string): string {
  const raised = text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => `^${SUPERSCRIPTS.indexOf(digit)}`)
  const plain = raised.normalize('NFKC').toLowerCase().replace(/[−–—]/g, '-').replace(/∶/g, ':').replace(/\s+/g, '')
  // No look-behind: Safari knows it from 16.4 only.
  const betweenDigits = (at: number) => /^\d[,:]\d/.test(plain.slice(Math.max(0, at - 1)))
  return plain.replace(/\.(?!\d)|[^\P{P}.]|\p{S}/gu, (sign, at: number) =>
    MATHS.test(sign) || betweenDigits(at) ? sign : '',
  )
}
