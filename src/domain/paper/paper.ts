import type { Earned } from '#src/contract/sitting.ts'
import type { ListedType, PlainQuestion } from '#src/contract/question.ts'
import type { Paper, PaperEntry, PaperSection } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import { listedType } from '../question/listedType.ts'
import { isAnswered, mark } from '../question/marking.ts'
import type { Mark, Markable, PartialRule, Score } from '../question/rules.ts'
import { partsOf } from '../study/study.ts'

/** What marking reads of a paper. */
export type Markables = Pick<Paper, 'partial'> & { sections: readonly Pick<PaperSection, 'title' | 'entries'>[] }

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
  byType: (Tally & { type: ListedType })[]
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
  return tally(paper, (scored) => {
    const given = responses.get(scored.part.no)
    return given && isAnswered(given) ? markPart(scored, given, paper.partial) : null
  })
}

/** The same of a sitting of which only the marks are known. */
export function resultOfMarks(paper: Markables, marks: Earned['marks']): PaperResult {
  let at = 0
  return tally(paper, ({ full }) => {
    const score = marks[at++] ?? null
    return score === null ? null : { score, right: score === full }
  })
}

/** @param markOf null: nothing was given. Asked in the order of the paper. */
function tally(paper: Markables, markOf: (scored: PaperPart) => Mark | null): PaperResult {
  const bySection = paper.sections.map(({ title }) => ({ title, ...nothing() }))
  const byType = new Map<ListedType, Tally>()
  const whole = nothing()
  for (const [at, section] of paper.sections.entries())
    for (const scored of section.entries.flatMap(scoredParts)) {
      const type = listedType(scored.part)
      const given = markOf(scored)
      const earned = { score: 0, right: false, ...given, full: scored.full, answered: given !== null }
      const ofType = byType.get(type) ?? nothing()
      byType.set(type, ofType)
      for (const each of [whole, bySection[at], ofType]) if (each) count(each, earned)
    }
  return { ...whole, bySection, byType: [...byType].map(([type, sums]) => ({ type, ...sums })) }
}

const partsOfPaper = ({ sections }: Markables): PaperPart[] =>
  sections.flatMap(({ entries }) => entries.flatMap(scoredParts))

/** What is kept of a sitting that is handed in. What is in `given` was given, were it an essay with nothing in it. */
export function earnedBy(paper: Markables, given: ReadonlyMap<string, Response>): Earned {
  const parts = partsOfPaper(paper)
  const blank = parts.reduce((sum, { full }) => ({ ...sum, full: sum.full + full }), {
    score: 0,
    full: 0,
    right: 0,
    total: parts.length,
    marks: parts.map(() => null),
  })
  return withMarks(blank, parts, given, paper.partial)
}

/** With essays that the student has marked since. Nothing else of a sitting changes any more, and no essay twice. */
export function withEssays(paper: Markables, earned: Earned, given: ReadonlyMap<string, Response>): Earned {
  const parts = partsOfPaper(paper)
  const open = parts.filter(({ part }, i) => part.type === 'essay' && (earned.marks[i] ?? null) === null)
  const allowed = new Map([...given].filter(([no]) => open.some(({ part }) => part.no === no)))
  return withMarks(earned, parts, allowed, paper.partial)
}

function withMarks(
  before: Earned,
  parts: readonly PaperPart[],
  given: ReadonlyMap<string, Response>,
  rule: PartialRule,
): Earned {
  const marked = parts.map((scored) =>
    given.has(scored.part.no) ? markPart(scored, given.get(scored.part.no), rule) : null,
  )
  return {
    ...before,
    score: marked.reduce((sum, each) => sum + (each?.score ?? 0), before.score),
    right: marked.reduce((sum, each) => sum + (each?.right ? 1 : 0), before.right),
    marks: parts.map((_, i) => marked[i]?.score ?? before.marks[i] ?? null),
  }
}

const nothing = (): Tally => ({ score: 0, full: 0, right: 0, answered: 0, total: 0 })

function count(sums: Tally, earned: { score: Score; full: Score; right: boolean; answered: boolean }): void {
  sums.score += earned.score
  sums.full += earned.full
  sums.right += earned.right ? 1 : 0
  sums.answered += earned.answered ? 1 : 0
  sums.total += 1
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
