import type { ListedType } from '#src/contract/question.ts'
import { judgeKey } from '#src/domain/text/text.ts'
import { asksForComposition } from '#server/content/composition.ts'
import type { Draft } from '#server/content/draft.ts'
import { answerLetters, lettersInOrder, splitOptions, twoReadings } from '#server/content/formats/options.ts'
import { keyIn } from './answerKey.ts'

/** Tells the type of a question that names none from its options and its answer. */
export function guessedType(draft: Draft): ListedType {
  if (draft.blanks?.length) return 'blank'
  const answer = (draft.answer ?? '').normalize('NFKC')
  const letters = answerLetters(answer)
  const options = draft.options?.length ? draft.options : splitOptions(draft.stem)?.options
  if (options) {
    const named = keyIn(answer, options)
    return named && 'letters' in named && named.letters.length > 1 ? 'multiple' : 'single'
  }
  if (saysRightOrWrong(answer)) return 'judge'
  // Letters that answer nothing are of a choice that has lost its options: said, not taken for the answer of an essay.
  const areLost = letters && /^[A-H\s,、]{1,16}$/.test(answer)
  if (areLost || asksForUnclear(draft)) return 'single'
  return asksForComposition(draft.stem) ? 'composition' : 'essay'
}

/** A stem without letters as its answer may speak of A. and B. as it likes: nobody looks for options in it. */
function asksForUnclear({ stem, answer = '' }: Draft): boolean {
  const letters = lettersInOrder(answer)
  return letters.length > 0 && letters.every((letter) => /[A-Z]/.test(letter)) && twoReadings(stem) !== undefined
}

/** A lone A or B is rather the letter of an option that has been lost. */
export const saysRightOrWrong = (answer: string): boolean =>
  judgeKey(answer) !== null && !/^[ab]$/i.test(answer.normalize('NFKC').trim())
