import type { Memory } from '#src/contract/study.ts'
import { type MemoryModel, recallAfter } from './review.ts'

/**
 * Memories are more or less firm than FSRS believes: it takes so many times as long until as much is forgotten. Students differ in it,
 * and so do the questions of one student. It cannot be read from a state: that holds the last answers alone, and a question that
 * was missed more often has had more of them.
 */

/** Standard deviations of the logarithm. They are assumed; `npm run bench -- plan` tells what follows where others are true. */
const STUDENTS = 0.4
const QUESTIONS = 0.5

/** The tenth, thirtieth, … ninetieth of a hundred students in a row, by how firm their memories are: normal quantiles. */
export const FIRMNESSES: readonly number[] = [-1.2816, -0.5244, 0, 0.5244, 1.2816].map((z) => Math.exp(STUDENTS * z))

/** The firmness of one question of a student (Box and Muller). */
export const drawFirmness = (student: number, random: () => number): number =>
  student * Math.exp(QUESTIONS * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))

/** Chance of knowing it after so many days. */
export const recallOf = (days: number, memory: Memory, firmness: number, model?: MemoryModel): number =>
  recallAfter(days, { ...memory, stability: memory.stability * firmness }, model)
