import type { PlainQuestion } from '../contract/question.ts'
import type { Paper, PaperEntry, PaperSection } from '../contract/questionSet.ts'
import type { Response } from '../contract/response.ts'
import { isAnswered, mark, type Markable, type PartialRule, type Score } from './marking.ts'
import { partsOf } from './study.ts'

/** What marking reads of a paper. */
type Markables = Pick<Paper, 'partial'> & { sections: readonly Pick<PaperSection, 'title' | 'entries'>[] }

/** One answerable question of a paper with its full marks. */
export interface PaperPart {
  part: PlainQuestion
  full: Score
}

export interface Tally {
  score: Score
  full: Score
  /** Questions wholly right. */
  right: number
  answered: number
  total: number
}
export interface PaperResult extends Tally {
  bySection: (Tally & { title: string })[]
  /** In the order in which the types first come. */
  byType: (Tally & { type: PlainQuestion['type'] })[]
}

/**
 * The parts of an entry with the marks of each.
 * @throws RangeError when there are not as many scores as parts: a fault of publishing.
 */
export function scoredParts({ question, scores }: Pick<PaperEntry, 'question' | 'scores'>): PaperPart[] {
  const parts = partsOf(question)
  if (parts.length !== scores.length)
    throw new RangeError(`${question.no} has ${parts.length} parts, not ${scores.length}`)
  return parts.map((part, i) => ({ part, full: scores[i] ?? 0 }))
}

/** Full marks in hundredths. */
export const fullMarks = (sections: readonly Pick<PaperSection, 'entries'>[]): Score =>
  sections.reduce((all, { entries }) => entries.reduce((sum, { scores }) => scores.reduce(add, sum), all), 0)
const add = (a: number, b: number): number => a + b

/** Marks one part by the paper's rule; nothing given is 0. */
export const markPart = (
  { part, full }: { part: Markable; full: Score },
  given: Response | undefined,
  rule: PartialRule,
) => (given && isAnswered(given) ? mark(part, given, full, rule) : { score: 0, right: false })

/** What a sitting earned. `responses` by question number; the same on device and server, in whole hundredths throughout. */
export function markPaper(paper: Markables, responses: ReadonlyMap<string, Response>): PaperResult {
  const bySection = paper.sections.map(({ title }) => ({ title, ...nothing() }))
  const byType = new Map<PlainQuestion['type'], Tally>()
  const whole = nothing()
  for (const [at, section] of paper.sections.entries())
    for (const scored of section.entries.flatMap(scoredParts)) {
      const { type, no } = scored.part
      const given = responses.get(no)
      const earned = {
        ...markPart(scored, given, paper.partial),
        full: scored.full,
        answered: given !== undefined && isAnswered(given),
      }
      const ofType = byType.get(type) ?? nothing()
      byType.set(type, ofType)
      for (const tally of [whole, bySection[at], ofType]) if (tally) count(tally, earned)
    }
  return { ...whole, bySection, byType: [...byType].map(([type, tally]) => ({ type, ...tally })) }
}

const nothing = (): Tally => ({ score: 0, full: 0, right: 0, answered: 0, total: 0 })

function count(tally: Tally, earned: { score: Score; full: Score; right: boolean; answered: boolean }): void {
  tally.score += earned.score
  tally.full += earned.full
  tally.right += earned.right ? 1 : 0
  tally.answered += earned.answered ? 1 : 0
  tally.total += 1
}

export const countParts = (sections: readonly Pick<PaperSection, 'entries'>[]): number =>
  sections.reduce((all, { entries }) => entries.reduce((sum, { scores }) => sum + scores.length, all), 0)

/** The first `allowed` questions, materials whole, so that the last one may carry it over; sections that are left empty go. */
export function trialOf<S extends { entries: readonly Pick<PaperEntry, 'scores'>[] }>(
  sections: readonly S[],
  allowed: number,
): S[] {
  let given = 0
  return sections.flatMap((section) => {
    const entries = section.entries.filter(({ scores }) => {
      if (given >= allowed) return false
      given += scores.length
      return true
    })
    return entries.length > 0 ? [{ ...section, entries }] : []
  })
}

/** 1.5 marks are 150: as a student reads them. */
export const marksText = (score: Score): string => String(score / 100)
