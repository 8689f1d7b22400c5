import type { ChoiceQuestion } from '#src/contract/question.ts'
import { seeded, shuffled } from './shuffle.ts'
import { plainText } from '../text/plainText.ts'

/** Formulae whole, other tags, and text between them. */
const PIECES = /<math[\s\S]*?<\/math>|<[^>]*>|[^<]+/gi
const BREAK = /^<(?:\/?(?:p|div|li|ul|ol|table|tr|td|th)\b|br)/i
const WORD = /[A-Za-z0-9Ａ-Ｚ]+/g
const JOINED = /^\s*(?:[、,，/]|和|与|及|或)\s*$/

/** What stands before or behind the letters of options; 选A为对象 and 由A、B两点 are not of them. */
const CALLED = /(?:选择?[为：:]?|答案(?:[为是：:]|应?[为是选])?|排除|错选|漏选|误选)\s*[（(“"]?\s*$/
const CALLED_END = /^\s*(?:[）)”"]\s*)?(?:[。．.，,；;、！!\n]|$)/
const OPTION = /选项\s*[（(“"]?\s*$/
const NAMED =
  /^\s*[）)”"]?\s*(?:[两二三四]?[个]?选?项|[均都皆]?(?:正确|错误|不正确|不选|不符合|符合题意|当选|说法)|[均都]?[对错](?=[。．，,；;、！!\n]|$))/
const HEADED = /(?:^|[\n。；;！!])\s*[（(]?$/
const HEADING = /^\s*(?:[.．、:：](?!\d)|[)）])\s*\S/
/** Places of options in words, or options that speak of others: true in the bank's order alone. */
const PLACES = /第[一二三四五六1-8①-⑧][个]?选?项|[前后首末][一两二三四几]?[个]?选项|前[两二三]项|后[两二三]项|最后一项/
const OTHERS =
  /^以上|(?:以上|上述)(?:各|全|选|说法|答案|[三四两]?[项者]|都[不是正对错]|均[不正对错])|^[都均皆]不?(?:[是对错]|正确)$|^[都均]有$|选项|前[两二三]项|[A-H]\s*[、,，和与及]\s*[A-H]|of the above|both of/i

/** A word that may name options, in a text whose breaks are \n and whose formulae are one sign each. */
interface Named {
  from: number
  to: number
  ids: string[]
}

/**
 * The options in an order of this seed, and the letters in the analysis and the reasons with them. Answers name options by id,
 * so a mark never changes. The very question when that is not safe: its text speaks of an option's place, or has letters that
 * may be something else (point A, plan B).
 * @param shared an analysis that is shown for this question but written for its whole material.
 */
export function shuffleOptions<Q extends ChoiceQuestion>(question: Q, seed: number, shared = ''): Q {
  if (question.type === 'judge') return question
  const ids = question.options.map(({ id }) => id)
  if (!isFree(question) || namedIn(shared, ids)?.length !== 0) return question
  const texts = [question.analysis, ...question.options.map(({ why = '' }) => why)]
  const named = new Map(texts.map((text) => [text, namedIn(text, ids)]))
  if ([...named.values()].includes(null)) return question
  const order = shuffled(question.options, seeded(`${seed}:${question.no}`))
  const letterOf = new Map(order.map(({ id }, i) => [id, ids[i] ?? id]))
  const now = (text: string) => renamed(text, named.get(text) ?? [], letterOf)
  const options = order.map((option) => (option.why ? { ...option, why: now(option.why) } : option))
  return { ...question, options, analysis: now(question.analysis) }
}

/** No option, nor the stem, says where an option stands. */
function isFree({ options, stem }: ChoiceQuestion): boolean {
  const texts = options.map(({ html }) => plainText(html))
  if (/[A-H]\s*选?项|选项\s*[A-H]/.test(plainText(stem)) || PLACES.test(plainText(stem))) return false
  return !texts.some((text) => OTHERS.test(text) || /^[A-H]+$/.test(text))
}

interface Piece {
  html: string
  /** What a reader sees of it. */
  text: string
  /** Where that begins in the whole text. */
  from: number
}

function pieces(html: string): Piece[] {
  let from = 0
  return (html.match(PIECES) ?? []).map((piece) => {
    const text = !piece.startsWith('<') ? piece : BREAK.test(piece) ? '\n' : piece.startsWith('<math') ? '∎' : ''
    from += text.length
    return { html: piece, text, from: from - text.length }
  })
}

/** Where options are named. Null: something there cannot be told from a name of one. */
function namedIn(html: string, ids: readonly string[]): Named[] | null {
  const all = pieces(html)
  const text = all.map((piece) => piece.text).join('')
  // A formula that is nothing but a letter may be the key as well as a point.
  if (PLACES.test(text) || all.some(({ html }) => html.startsWith('<math') && /^[A-H]+$/.test(plainText(html))))
    return null
  const words = [...text.matchAll(WORD)].flatMap((match): Named[] => {
    const named = match[0].normalize('NFKC').split('')
    const options = named.every((letter, i) => ids.includes(letter) && named.indexOf(letter) === i)
    return options ? [{ from: match.index, to: match.index + match[0].length, ids: named }] : []
  })
  return groups(words, text).every((group) => isName(group, text)) ? words : null
}

/** Words that stand together: A、B 和 C. */
function groups(words: readonly Named[], text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  for (const { from, to } of words) {
    const last = found.at(-1)
    if (last && JOINED.test(text.slice(last.to, from))) last.to = to
    else found.push({ from, to })
  }
  return found
}

function isName({ from, to }: { from: number; to: number }, text: string): boolean {
  const before = text.slice(0, from)
  const after = text.slice(to)
  return (
    NAMED.test(after) ||
    OPTION.test(before) ||
    (CALLED.test(before) && CALLED_END.test(after)) ||
    (HEADED.test(before) && HEADING.test(after))
  )
}

function renamed(html: string, named: readonly Named[], letterOf: ReadonlyMap<string, string>): string {
  const newOf = new Map(
    named.map(({ from, ids }) => [
      from,
      ids
        .map((id) => letterOf.get(id) ?? id)
        .sort()
        .join(''),
    ]),
  )
  // A word never reaches over a tag, so its place in the whole is its piece's and its own.
  return pieces(html)
    .map((piece) =>
      piece.html === piece.text
        ? piece.html.replace(WORD, (word, at: number) => newOf.get(piece.from + at) ?? word)
        : piece.html,
    )
    .join('')
}
