import { ADDED_TYPES } from '#src/contract/addedTypes.ts'
import { Ready, Refusal } from './handlers.ts'

/**
 * A paper as it is sent to an app that knows these added types of questions.
 * @throws Refusal when the paper has a question that the app cannot show.
 */
export function answerable(json: string, known: ReadonlySet<string>): Ready {
  const others = ADDED_TYPES.filter((type) => !known.has(type))
  // A quotation mark within a text is written as \", so these are the questions' own fields.
  if (others.some((type) => new RegExp(`"type":\\s*"${type}"`).test(json)))
    throw new Refusal('这份试卷有新的题型，请先更新：关闭应用再打开，或刷新页面')
  return new Ready(json)
}
