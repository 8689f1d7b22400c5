import { scripts } from './formulaLine.ts'
import { formulaText } from './formulaText.ts'
import { decoded } from './mathml.ts'

const FORMULA = /(<math\b[\s\S]*?<\/math>)/i
const BLOCK = /^<math[^>]*\bdisplay="block"/i
/** They stand within a word: 遵<b>义</b> is one. */
const INLINE = /<\/?(?:b|strong|i|em|u|s|span|code)\b[^>]*>/gi
const SCRIPT = /<(sub|sup)>([^<]*)<\/\1>/gi

/** The text of HTML, for search, comparison, lists and titles: never put back into a page. Formulae are written as a line. */
export const plainText = (html: string): string => textWith(html, formulaText)

/** @param formulaOf makes a text of one `<math>` element */
export const textWith = (html: string, formulaOf: (mathml: string) => string): string =>
  html
    .split(FORMULA)
    .map((piece, at) => (at % 2 === 0 ? textOf(piece) : BLOCK.test(piece) ? ` ${formulaOf(piece)} ` : formulaOf(piece)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

const textOf = (html: string): string =>
  decoded(
    html
      .replace(INLINE, '')
      .replace(SCRIPT, (_, tag: string, text: string) =>
        tag.toLowerCase() === 'sub' ? scripts(text, '') : scripts('', text),
      )
      .replace(/<[^>]*>/g, ' '),
  )
