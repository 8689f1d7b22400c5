import type { Glyph } from './page.ts'
import { characterOf } from './segments.ts'

/** Letters, figures and signs that a paper for these exams may hold. */
const KNOWN =
  /^[\s\p{Script=Han}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{N}\p{P}\p{S}\p{M}\u00ad\u200b-\u200f\u2060\ufeff]*$/u
/** A font that does not say which characters its glyphs are gives whatever number they have. */
export const isStrange = (glyph: Glyph): boolean => {
  const text = characterOf(glyph)
  return text === null || !KNOWN.test(text)
}
