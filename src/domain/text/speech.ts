import { formulaSpeech } from './formulaSpeech.ts'
import { textWith } from './plainText.ts'
import { spokenSigns } from './spokenChars.ts'

/** A piece for a voice to read in one breath. */
export interface Speech {
  text: string
  lang: 'zh' | 'en'
}

const PICTURE = /<img\b[^>]*>/gi
const ALT = /\balt="([^"]+)"/i
/** Ends of blocks: a voice pauses there, too. */
const BLOCK_END = /<\/(?:p|li|tr|h[1-6]|div)>|<br\s*\/?>/gi
const GAP = /[_＿]{2,}(?:\s*[（(]?\s*(\d{1,2})\s*[）)]?\s*[_＿]{2,})?/g
/** The answer is to be put here: nobody reads the brackets out. */
const BRACKET_GAP = /[（(][\s\u3000]*[）)]/g

/** The text of HTML as it is read aloud: formulae and signs in words, pictures named, gaps called 空格. */
export function spokenText(html: string): string {
  const told = html
    .replace(PICTURE, (picture) => {
      const [, alt] = ALT.exec(picture) ?? []
      return alt ? `，图，${alt}，` : '，这里有图，请看屏幕，'
    })
    .replace(BLOCK_END, '。$&')
  return spokenSigns(
    textWith(told, formulaSpeech)
      .replace(GAP, (_, no?: string) => (no ? `，第${no}空，` : '空格'))
      .replace(BRACKET_GAP, ''),
  )
    .replace(/\s*([，。、；：？！])[\s，。]*/g, '$1')
    .replace(/^[，。、；\s]+/, '')
    .trim()
}

/** A piece has at most so many characters: some browsers fall silent in the middle of a long one. */
const BREATH = 90
const ENGLISH = /[A-Za-z][A-Za-z'’,;:\-“”"()\d ]*(?:\s[A-Za-z'’,;:\-“”"()\d]+){2,}[.?!]?/g
/** A phrase is read by a voice of its own language; the letters of a formula are not one. */
const isPhrase = (text: string): boolean => (text.match(/[A-Za-z]{2,}/g)?.length ?? 0) > 1

/** Cuts what `spokenText` gives into what is read in one breath, each in its language. */
export function breaths(text: string): Speech[] {
  const pieces: Speech[] = []
  let from = 0
  const add = (piece: string, lang: Speech['lang']) => {
    for (const part of cut(piece)) pieces.push({ text: part, lang })
  }
  for (const { 0: english, index } of text.matchAll(ENGLISH)) {
    if (!isPhrase(english)) continue
    add(text.slice(from, index), 'zh')
    add(english, 'en')
    from = index + english.length
  }
  add(text.slice(from), 'zh')
  return pieces
}

const lastOf = (text: string, signs: readonly string[]): number =>
  Math.max(...signs.map((sign) => text.lastIndexOf(sign)))

/** Whole sentences as far as they fit, else at commas, else anywhere. */
function cut(text: string): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > BREATH) {
    const head = rest.slice(0, BREATH)
    const sentence = lastOf(head, ['。', '！', '？', '；', '!', '?', ';', '. '])
    const comma = lastOf(head, ['，', '、', ',', '：', ' '])
    const end = sentence > 0 ? sentence + 1 : comma > 0 ? comma + 1 : BREATH
    parts.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...parts, rest]
    .map((part) => part.replace(/^[，。、；：\s]+/, ''))
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}
