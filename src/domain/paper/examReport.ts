import { BANDS, type ExamKey } from '#src/contract/exam.ts'
import type { ListedType, PlainQuestion } from '#src/contract/question.ts'
import { listedType } from '../question/listedType.ts'
import { isAnswered } from '../question/marking.ts'
import type { Score } from '../question/rules.ts'
import { scoredParts } from './paper.ts'

/** self: an essay that the student has yet to mark. */
export type Outcome = 'right' | 'partial' | 'wrong' | 'blank' | 'self'

/** One answerable question of a sitting that has its key. */
export interface SatQuestion {
  /** 第 n 题. */
  n: number
  /** Its section's place in the paper. */
  section: number
  part: PlainQuestion
  points: PlainQuestion['points']
  chapterNo: string
  libraryNo: string
  full: Score
  /** An essay's is the student's own; null: not marked yet. */
  score: Score | null
  outcome: Outcome
  spentMs: number
}

/**
 * The questions of a sitting in the order of its paper.
 * @param own marks that the student has given to essays, by question.
 * @param looked ms on the screen, by question, where this device knows them: of what was left blank, too.
 */
export function satQuestions(
  { sections, given, earned }: Pick<ExamKey, 'sections' | 'given' | 'earned'>,
  own: ReadonlyMap<string, Score>,
  looked: ReadonlyMap<string, number> = new Map(),
): SatQuestion[] {
  const answers = new Map(given.map((each) => [each.questionNo, each]))
  return sections
    .flatMap(({ entries }, section) =>
      entries.flatMap((entry) => scoredParts(entry).map((scored) => ({ ...scored, entry, section }))),
    )
    .map(({ part, full, section, entry: { question, chapterNo, libraryNo } }, i) => {
      const answer = answers.get(part.no)
      const answered = answer !== undefined && isAnswered(answer.response)
      const marked = part.type === 'essay' ? (own.get(part.no) ?? null) : (earned.marks[i] ?? 0)
      const score = answered ? marked : 0
      const points = part.points.length > 0 ? part.points : question.points
      const outcome = answered ? outcomeOf(score, full) : 'blank'
      const spentMs = Math.max(answer?.spentMs ?? 0, looked.get(part.no) ?? 0)
      return { n: i + 1, section, part, points, chapterNo, libraryNo, full, score, outcome, spentMs }
    })
}

function outcomeOf(score: Score | null, full: Score): Outcome {
  if (score === null) return 'self'
  if (score === full) return 'right'
  return score > 0 ? 'partial' : 'wrong'
}

export interface Sums {
  right: number
  total: number
  score: Score
  full: Score
}
/** What machines have marked; of nothing but essays what the student gave, which is then `self`. */
export function sumsOf(questions: readonly SatQuestion[]): Sums & { self: boolean } {
  const self = questions.every(({ part }) => part.type === 'essay')
  const byMachine = questions.map((each) => (each.part.type === 'essay' ? { ...each, score: 0 } : each))
  return { ...sumOf(self ? questions : byMachine), self }
}

/** In the order in which the types first come. */
export function byType(questions: readonly SatQuestion[]): [type: ListedType, SatQuestion[]][] {
  const found = new Map<ListedType, SatQuestion[]>()
  for (const question of questions) {
    const type = listedType(question.part)
    found.set(type, [...(found.get(type) ?? []), question])
  }
  return [...found]
}

/** What a sitting earned in one 知识点; of questions that have none, in their chapter. */
export interface Topic extends Sums {
  key: string
  /** Null: it is a chapter, which its libraries name. */
  name: string | null
  /** Where most of its marks were lost; the first one of several. */
  chapterNo: string
  libraryNo: string
}

/** By point, most marks lost first. A question with two points counts in both; an essay not marked yet in none. */
export function topicsOf(questions: readonly SatQuestion[]): Topic[] {
  const found = new Map<string, SatQuestion[]>()
  const names = new Map<string, string>()
  for (const question of questions) {
    if (question.score === null) continue
    for (const { no, name } of question.points) names.set(no, name)
    const keys = question.points.length > 0 ? question.points.map(({ no }) => no) : [`chapter:${question.chapterNo}`]
    for (const key of new Set(keys)) found.set(key, [...(found.get(key) ?? []), question])
  }
  const topics = [...found].map(([key, list]) => ({
    key,
    name: names.get(key) ?? null,
    ...sumOf(list),
    ...homeOf(list),
  }))
  return topics.sort((a, b) => lostIn(b) - lostIn(a) || a.score * b.full - b.score * a.full)
}

export const lostIn = ({ score, full }: Sums): Score => full - score

function sumOf(questions: readonly SatQuestion[]): Sums {
  const sums = { right: 0, total: questions.length, score: 0, full: 0 }
  for (const { outcome, score, full } of questions) {
    sums.right += outcome === 'right' ? 1 : 0
    sums.score += score ?? 0
    sums.full += full
  }
  return sums
}

function homeOf(questions: readonly SatQuestion[]): Pick<Topic, 'chapterNo' | 'libraryNo'> {
  const lost = new Map<string, Score>()
  for (const { chapterNo, score, full } of questions)
    lost.set(chapterNo, (lost.get(chapterNo) ?? 0) + full - (score ?? 0))
  const most = Math.max(...lost.values())
  const { chapterNo = '', libraryNo = '' } = questions.find((each) => lost.get(each.chapterNo) === most) ?? {}
  return { chapterNo, libraryNo }
}

/** The band of the distribution of scores that a score belongs to; full marks to the last one. */
export const bandOf = (score: Score, full: Score): number =>
  full === 0 ? 0 : Math.min(BANDS - 1, Math.floor((score * BANDS) / full))
