import type { Memory } from '#src/contract/study.ts'
import { type MemoryModel, modelOf, recallAfter, remembered } from '#src/domain/study/review.ts'
import type { PastAnswer, Histories } from './log.ts'

/** Fits parameters of FSRS to what a student has answered, and keeps them only if they foretell later answers better. */

/** Fewer reviews say too little of a student. */
export const LEAST_REVIEWS = 400
/**
 * Parameters are fitted to the newest ones: they tell most of how the student remembers now, and to hand over many more holds up
 * everybody else's calls.
 */
const MOST_REVIEWS = 6_000
/** Parameters are tried on the last of the reviews, after they were fitted to those before. */
const TRIED_SHARE = 0.2
/** The optimiser leaves questions out that were answered more often than this. */
const LONGEST = 64
/** Chances closer to 0 or 1 than this would make one surprise count for everything. */
const LEAST_CHANCE = 0.001
const DIGITS = 4
const RATINGS = { again: 1, good: 3 } as const

export interface Fitted {
  /** Null where most people's parameters foretell as well, or better. */
  weights: number[] | null
  /** Log-loss a review of what was foretold of the last ones: by most people's parameters, and by the student's own. */
  loss: { common: number; own: number }
}

/** An answer that came a day or more after another one to its question: what a model foretells. */
const isReview = ({ days }: PastAnswer): boolean => days > 0

export const countReviews = (histories: Histories): number =>
  [...histories.values()].reduce((sum, answers) => sum + answers.filter(isReview).length, 0)

export async function fitTo(histories: Histories): Promise<Fitted> {
  const times = [...histories.values()].flatMap((answers) => answers.filter(isReview).map(({ at }) => at))
  times.sort((a, b) => a - b)
  const recent = times.slice(-MOST_REVIEWS)
  const [from, split] = [recent[0] ?? 0, recent[Math.floor(recent.length * (1 - TRIED_SHARE))] ?? 0]
  const tried = await train(histories, (at) => at >= from && at < split)
  if (!tried) return UNFITTED
  const isLate = ({ at }: PastAnswer) => at >= split
  const common = surprises(histories, isLate)
  const own = surprises(histories, isLate, modelOf(tried))
  const loss = { common: mean(common), own: mean(own) }
  return { weights: isBetter(common, own) ? await train(histories, (at) => at >= from) : null, loss }
}
const UNFITTED: Fitted = { weights: null, loss: { common: 0, own: 0 } }

/** Log-loss of each review that `counts`: what a model thought of what came. */
export function surprises(
  histories: Histories,
  counts: (answer: PastAnswer) => boolean,
  model?: MemoryModel,
): number[] {
  const found: number[] = []
  for (const answers of histories.values()) {
    let memory: Memory | undefined
    for (const answer of answers) {
      const { days, right } = answer
      if (memory && isReview(answer) && counts(answer)) found.push(surprise(recallAfter(days, memory, model), right))
      memory = remembered(memory, days, right, model)
    }
  }
  return found
}

const surprise = (chance: number, right: boolean): number =>
  -Math.log(Math.max(LEAST_CHANCE, Math.min(1 - LEAST_CHANCE, right ? chance : 1 - chance)))

/** Tells whether the mean difference is above its standard error: reviews that are foretold equally well differ by chance, too. */
function isBetter(common: readonly number[], own: readonly number[]): boolean {
  const gains = common.map((loss, i) => loss - (own[i] ?? loss))
  const gain = mean(gains)
  const variance = mean(gains.map((each) => (each - gain) ** 2))
  return gain > Math.sqrt(variance / gains.length)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/**
 * Only who has a fit to make loads what makes it: it is a program of its own for each kind of machine.
 * @returns null where the reviews that count are too few for it, or say nothing.
 */
async function train(histories: Histories, counts: (at: number) => boolean): Promise<number[] | null> {
  const { computeParameters, FSRSBindingItem, FSRSBindingReview } = await import('@open-spaced-repetition/binding')
  const items = [...histories.values()].flatMap((answers) => {
    const first = answers.slice(0, LONGEST)
    if (!first.some((answer) => isReview(answer) && counts(answer.at))) return []
    const reviews = first.map(({ right, days }) => new FSRSBindingReview(right ? RATINGS.good : RATINGS.again, days))
    return first.flatMap((answer, i) =>
      isReview(answer) && counts(answer.at) ? [new FSRSBindingItem(reviews.slice(0, i + 1))] : [],
    )
  })
  const weights = await computeParameters(items, { enableShortTerm: true }).catch((error: unknown) => {
    if (String(error).includes('NotEnoughData')) return null
    throw error
  })
  if (!weights?.every(Number.isFinite)) return null
  // Devices get them as text: they are the same here as there.
  return weights.map((weight) => Number(weight.toFixed(DIGITS)))
}
