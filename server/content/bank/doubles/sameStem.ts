import type { Question } from '#src/contract/question.ts'
import { ordinaryCharacters } from '#src/domain/text/text.ts'

/** A choice as it is compared: its stem, its options and the right ones, without spaces and the marks of sentences. */
export interface Choice {
  stem: string
  options: string[]
  right: string[]
}

/** Null: it has no options of its own. */
export function choiceBy(question: Question): Choice | null {
  if (question.type !== 'single' && question.type !== 'multiple' && question.type !== 'indefinite') return null
  const { stem, options, key } = question
  return {
    stem: bare(stem),
    options: options.map(({ html }) => bare(html)),
    right: options.flatMap(({ id, html }) => (key.includes(id) ? [bare(html)] : [])).toSorted(),
  }
}

const bare = (html: string): string =>
  ordinaryCharacters(html)
    .normalize('NFKC')
    .replace(/<\/?(?:p|br|span)\b[^>]*>|[\s，。、；：？！（）,.;:?!()_]/g, '')

/**
 * Tells in Chinese how two choices of one stem are alike. Many questions share a stem such as 下列说法正确的是 and nothing else; so
 * they must share the right answer, or half of the options. Null: they do not, or are the same in all.
 */
export function likeness(one: Choice, other: Choice): string | null {
  if (one.stem === '' || one.stem !== other.stem || one.options.join('|') === other.options.join('|')) return null
  if (one.options.toSorted().join('|') === other.options.toSorted().join('|')) return '题干和选项相同，选项次序不同'
  const shared = one.options.filter((option) => other.options.includes(option)).length
  const half = Math.max(one.options.length, other.options.length) / 2
  return shared >= half || one.right.join('|') === other.right.join('|') ? '题干相同，选项不全相同' : null
}
