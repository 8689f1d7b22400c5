import { DEVICE_KEYS } from '#src/device/keys.ts'
import type { PlainQuestion } from '#src/contract/question.ts'
import { isChoice } from '#src/domain/question/choice.ts'
import { shuffleOptions } from '#src/domain/question/letters.ts'
import { deviceMemory } from '#src/device/stores.ts'
import type { Item, PlayerState } from '../playerState.ts'

const SEEDS = 2 ** 31

/** Never 0, which means the bank's own order. */
export const newSeed = (random: () => number = Math.random): number => 1 + Math.floor(random() * SEEDS)

/** With the options in the order that they had in it; of a new batch as the student likes them. */
export function liked(state: PlayerState): PlayerState {
  const wanted = state.mode !== 'review' && deviceMemory.get(DEVICE_KEYS.shuffle)
  const seed = state.deal?.seed ?? (wanted ? newSeed() : 0)
  if (seed === 0) return state
  return { ...state, items: arranged(state.items, seed), deal: { choice: '', limitMs: 0, ...state.deal, seed } }
}

/** The same questions with their options in the order of this seed; 0: as in the bank. */
export const arranged = (items: readonly Item[], seed: number): Item[] =>
  items.map(({ bank, ...item }) => {
    const part = bank ?? item.part
    const made = seed === 0 ? part : inOrder(part, seed, item)
    return made === part ? { ...item, part } : { ...item, part: made, bank: part }
  })

const inOrder = (part: PlainQuestion, seed: number, { material }: Pick<Item, 'material'>): PlainQuestion =>
  isChoice(part) ? shuffleOptions(part, seed, part.analysis === '' ? material?.analysis : '') : part
