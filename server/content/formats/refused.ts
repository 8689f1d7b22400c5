import type { Draft, Intake } from '#server/content/draft.ts'
import { lettersInOrder, twoReadings } from './options.ts'

/** Keeps out every question that can be understood in two ways; the report says which. */
export const refusingUnclear = (intake: Intake): Intake => ({
  ...intake,
  draft: (draft) => {
    const unclear = [draft, ...(draft.parts ?? [])].find(reasonOf)
    if (unclear) intake.report('fault', unclear.at || draft.at, reasonOf(unclear) ?? '')
    else intake.draft(draft)
  },
})

/** A stem without letters as its answer may speak of A. and B. as it likes: nobody looks for options in it. */
function reasonOf({ refused, stem, options = [], answer = '' }: Draft): string | undefined {
  if (refused !== undefined) return refused
  const letters = lettersInOrder(answer)
  const asksForLetters = letters.length > 0 && letters.every((letter) => /[A-Z]/.test(letter))
  return options.length < 2 && asksForLetters ? twoReadings(stem) : undefined
}
