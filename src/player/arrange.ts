import type { PlainQuestion } from '#src/contract/question.ts'
import { shuffleOptions } from '#src/domain/letters.ts'
import type { Item } from './player.ts'

const SEEDS = 2 ** 31

/** Never 0, which means the bank's own order. */
export const newSeed = (random: () => number = Math.random): number => 1 + Math.floor(random() * SEEDS)

/** The same questions with their options in the order of this seed; 0: as in the bank. */
export const arranged = (items: readonly Item[], seed: number): Item[] =>
  items.map(({ bank, ...item }) => {
    const part = bank ?? item.part
    const made = seed === 0 ? part : inOrder(part, seed, item)
    return made === part ? { ...item, part } : { ...item, part: made, bank: part }
  })

const inOrder = (part: PlainQuestion, seed: number, { material }: Pick<Item, 'material'>): PlainQuestion =>
  'options' in part ? shuffleOptions(part, seed, part.analysis === '' ? material?.analysis : '') : part
