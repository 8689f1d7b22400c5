import { judgeKey } from '#src/domain/text/text.ts'
import type { Draft } from '#server/content/draft.ts'
import { splitOptions, withoutMarkers } from '#server/content/formats/options.ts'
import { keyIn } from './answerKey.ts'

interface Judgement {
  key: 'A' | 'B'
  /** The options that stood in it are taken out. */
  stem: string
  /** They are keyed by our letters, in which A is 对. */
  reasons: Draft['reasons']
}

/** Cells that only say that there is nothing. */
const NOTHING = /^[/\\—–\-*无空\s]*$/

/**
 * Reads what a 判断题 answers. Its own options decide what a letter means: many banks write 错误 first. An answer that no option
 * of it gives is refused, because nobody can tell which of both is right.
 */
export function judgement({ stem, options = [], answer = '', reasons }: Draft): Judgement | { fault: string } {
  const word = /^[ab]$/i.test(answer.normalize('NFKC').trim()) ? null : judgeKey(answer)
  const own = options.filter((text) => !NOTHING.test(text))
  const inStem = own.length > 0 ? null : optionsIn(stem)
  const texts = inStem?.options ?? withoutMarkers(own)
  const letters = texts.map(meaning)
  const isPair = letters.length === 2 && letters.includes('A') && letters.includes('B')
  if (texts.length > 0 && !isPair)
    return { fault: `判断题的选项应为一对一错，文件里是：${texts.join('、').slice(0, 40)}；请核对题型和答案` }
  const named = isPair ? keyIn(answer, texts) : null
  const chosen = named && 'letters' in named ? named.letters : null
  const key = word ?? (isPair ? byLetter(chosen, letters) : judgeKey(answer))
  if (!key) return { fault: answer.trim() ? `判断题答案“${answer.slice(0, 20)}”应为对或错` : '缺少答案' }
  return { key, stem: inStem?.stem ?? stem, reasons: letters[0] === 'B' ? exchanged(reasons) : reasons }
}

/** Reads what an option says. A letter says nothing: it only names an option. */
const meaning = (text: string): 'A' | 'B' | null =>
  /^[ab]$/i.test(text.trim()) ? null : judgeKey(text.replaceAll(/<[^>]*>/g, ''))

function byLetter(chosen: readonly string[] | null, letters: readonly ('A' | 'B' | null)[]): 'A' | 'B' | null {
  const [letter, ...others] = chosen ?? []
  return letter && others.length === 0 ? (letters[letter.charCodeAt(0) - 65] ?? null) : null
}

/** A stem may speak of points A and B: only what says 对 and 错 is taken out of it. */
function optionsIn(stem: string): ReturnType<typeof splitOptions> {
  const found = splitOptions(stem)
  return found?.options.every((text) => meaning(text)) ? found : null
}

const OTHER: Record<string, string> = { A: 'B', B: 'A' }
const exchanged = (reasons: Draft['reasons'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reasons).map(([letter, text]) => {
      const plain = letter.trim().normalize('NFKC').toUpperCase()
      return [OTHER[plain] ?? plain, text]
    }),
  )
