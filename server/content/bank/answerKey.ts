import { answerLetters, withoutMarkers } from '#server/content/formats/options.ts'

/** Reads which options of a choice an answer names: `AC`, `A|C`, `答案：A+C`, `选C`, `C.1949年`, `1949年`. */
export type AnswerKey = { letters: string[] } | { fault: string }

/** A letter at the beginning or behind a separator, and a sign or white between it and the text of its option. */
const NAMED = /(?:^|[\s;,、|/])[([【]?([A-Z])(?:[)\]】]\s*|\s*[.、:]\s*|\s+)/g
const SEPARATORS = [/[;|\n]/, /[,、/]/]
const SHOWN = 20

/** @returns null where the answer names none of these options. */
export function keyIn(answer: string, options: readonly string[]): AnswerKey | null {
  const letters = answerLetters(withoutChoose(answer))
  if (letters) return { letters }
  const texts = withoutMarkers(options).map(squeezed)
  return byLettersAndTexts(answer, texts, options) ?? byTexts(answer, texts)
}

/** A label that belongs to no answer, whatever is asked: 答案：. */
export const withoutLabel = (answer: string): string =>
  answer.replace(/^\s*(?:[【[](?:正确|标准|参考)?答案[】\]]\s*[:：]?|(?:正确|标准|参考)?答案\s*[:：])\s*(?=\S)/, '')

const withoutChoose = (answer: string): string => answer.replace(/^\s*(?:故|应|该)?选择?\s*(?=[（(]?[A-Za-zＡ-Ｚ])/, '')

/** Letters with the texts of their options. Where a text is another option's nobody can tell which of both is meant. */
function byLettersAndTexts(answer: string, texts: readonly string[], options: readonly string[]): AnswerKey | null {
  const plain = answer.normalize('NFKC').trim()
  const marks = [...plain.matchAll(NAMED)]
  const [first] = marks
  if (!first || first.index > 0) return null
  const parts = marks.map((mark, i) => ({
    letter: mark[1] ?? '',
    text: squeezed(plain.slice(mark.index + mark[0].length, marks[i + 1]?.index)),
  }))
  // The text of an option may hold a letter and a white.
  const whole = { letter: first[1] ?? '', text: squeezed(plain.slice(first[0].length)) }
  const isNamed = ({ letter, text }: typeof whole) => texts[letter.charCodeAt(0) - 65] === text
  if (isNamed(whole)) return { letters: [whole.letter] }
  const wrong = parts.find((part) => !isNamed(part))
  if (!wrong) return { letters: [...new Set(parts.map(({ letter }) => letter))].sort() }
  const own = options[wrong.letter.charCodeAt(0) - 65]
  return own === undefined
    ? null
    : {
        fault: `答案“${answer.slice(0, SHOWN)}”里，字母 ${wrong.letter} 与写的内容不一致：选项 ${wrong.letter} 是“${own.slice(0, SHOWN)}”`,
      }
}

function byTexts(answer: string, texts: readonly string[]): AnswerKey | null {
  for (const parts of [[answer], ...SEPARATORS.map((sign) => answer.normalize('NFKC').split(sign))]) {
    const found = parts.map((part) => texts.indexOf(squeezed(part)))
    if (found.every((at) => at >= 0))
      return { letters: [...new Set(found)].sort((a, b) => a - b).map((at) => String.fromCharCode(65 + at)) }
  }
  return null
}

/** Two texts are compared without tags, white and the full stop at the end. */
const squeezed = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .normalize('NFKC')
    .replaceAll(/\s+/g, '')
    .replace(/[。.;,]+$/, '')
