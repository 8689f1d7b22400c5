import type { BlankQuestion, ChoiceQuestion, EssayQuestion, PlainQuestion } from '#src/contract/question.ts'
import type { Response } from '#src/contract/response.ts'

/** Integer hundredths of a mark: 1.5 marks is 150. Never a float, so sums are exact. */
export type Score = number
/** What a partly right multiple choice earns. A wrong option earns nothing under every rule (错选不得分). */
export type PartialRule = 'none' | 'half' | 'per-option'
export interface Mark {
  score: Score
  right: boolean
}
/** What marking reads of a question. */
export type Markable =
  | Pick<ChoiceQuestion, 'no' | 'type' | 'key'>
  | Pick<BlankQuestion, 'no' | 'type' | 'blanks' | 'unordered'>
  | (Pick<EssayQuestion, 'no' | 'type'> & { scoring: readonly { score: Score }[] })
type Kind<Field extends string> = Extract<Markable, Record<Field, unknown>>
const MATHS = /^(?:[-+*/=<>^%()[\]{}]|\p{Sm})$/u
const NOTHING: Mark = { score: 0, right: false }

/**
 * Marks one answer out of `full`. A response of another kind than the question's is simply not right: students' input never
 * throws.
 * @param full in hundredths, a non-negative integer
 * @throws RangeError for a question without an answer, or a `full` that is not a non-negative integer: faults of ours.
 */
export function mark(question: Markable, response: Response, full: Score, partial: PartialRule = 'none'): Mark {
  if (!Number.isSafeInteger(full) || full < 0) throw new RangeError(`full marks must be whole hundredths, not ${full}`)
  if (question.type === 'blank') return response.kind === 'blank' ? markBlanks(question, response.texts, full) : NOTHING
  if (question.type === 'essay') return response.kind === 'essay' ? markTicks(question, response.ticked, full) : NOTHING
  return response.kind === 'choice' ? markChoice(question, new Set(response.ids), full, partial) : NOTHING
}

/** What practice shows, where no paper sets its rules: an essay out of the sum of its points, everything else by its share. */
export function practiceMark(question: PlainQuestion, response: Response): Mark & { full: Score } {
  const full =
    question.type === 'essay' && question.scoring.length > 0
      ? question.scoring.reduce((sum, point) => sum + point.score, 0)
      : 100
  return { ...mark(question, response, full, 'per-option'), full }
}

/** Tells whether a response is one to such a question at all. */
export function fits(question: Markable, response: Response): boolean {
  if (question.type === 'blank') return response.kind === 'blank' && response.texts.length <= question.blanks.length
  if (question.type === 'essay' || response.kind !== 'choice') return response.kind === question.type
  const takesOne = question.type === 'single' || question.type === 'judge'
  return !takesOne || response.ids.length <= 1
}

export const isRight = (question: Markable, response: Response): boolean => mark(question, response, 0).right

function markChoice(question: Kind<'key'>, chosen: ReadonlySet<string>, full: Score, partial: PartialRule): Mark {
  const key = new Set(question.key)
  if (key.size === 0) throw new RangeError(`question ${question.no} has no right answer`)
  for (const id of chosen) if (!key.has(id)) return NOTHING
  if (chosen.size === key.size) return { score: full, right: true }
  if (chosen.size === 0 || partial === 'none') return NOTHING
  // Rounded down, so that parts never add up to more than the whole.
  return { score: Math.floor(partial === 'half' ? full / 2 : (full * chosen.size) / key.size), right: false }
}

function markBlanks(question: Kind<'blanks'>, texts: readonly string[], full: Score): Mark {
  const { blanks } = question
  if (blanks.length === 0) throw new RangeError(`question ${question.no} has no blanks`)
  const filled = rightBlanks(question, texts).filter(Boolean).length
  return { score: Math.floor((full * filled) / blanks.length), right: filled === blanks.length }
}

/** Which blanks are filled rightly, in their order; where any order will do, as many as can be. */
export function rightBlanks({ blanks, unordered }: Kind<'blanks'>, texts: readonly string[]): boolean[] {
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

function markTicks(question: Kind<'scoring'>, ticked: readonly number[], full: Score): Mark {
  const ticks = new Set(ticked)
  if (question.scoring.length === 0) return ticks.has(0) ? { score: full, right: true } : NOTHING
  const total = question.scoring.reduce((sum, point) => sum + point.score, 0)
  const got = question.scoring.reduce((sum, point, i) => sum + (ticks.has(i) ? point.score : 0), 0)
  const right = question.scoring.every((_, i) => ticks.has(i))
  // The points' own scores are shares of `full`, which a paper may set otherwise.
  return { score: right || total === 0 ? (right ? full : 0) : Math.floor((full * got) / total), right }
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * What counts of a filled-in text: not width, case, spaces or punctuation. Signs of mathematics stay, and so does a point
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

export function isAnswered(response: Response): boolean {
  if (response.kind === 'choice') return response.ids.length > 0
  if (response.kind === 'blank') return response.texts.some((text) => text.trim() !== '')
  return response.text.trim() !== '' || response.ticked.length > 0
}

export function emptyResponse(question: PlainQuestion): Response {
  if (question.type === 'blank') return { kind: 'blank', texts: question.blanks.map(() => '') }
  if (question.type === 'essay') return { kind: 'essay', text: '', ticked: [] }
  return { kind: 'choice', ids: [] }
}
