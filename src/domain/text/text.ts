/** An 11-digit mobile with its middle four digits masked (spec.md §5). Anything else is shown as it is. */
export function maskMobile(mobile: string): string {
  return /^\d{11}$/.test(mobile) ? `${mobile.slice(0, 3)}****${mobile.slice(7)}` : mobile
}

/** The first and the last character of a name, for others to see: 王**明. */
export function maskName(name: string): string {
  const [first = '', ...others] = name
  return `${first}**${others.length > 1 ? others.at(-1) : ''}`
}

const SAYS_RIGHT = 'a t true 对 正确 对的 正确的 √ ✓ ✔ v 是 y yes'.split(' ')
const SAYS_WRONG = 'b f false 错 错误 不对 不正确 错的 错误的 × x ✗ ✘ ✕ 否 n no'.split(' ')

/** Answers of judge questions only: a lone t or f, and the usual words, become A (对) or B (错). null: none of them. */
export function judgeKey(answer: string): 'A' | 'B' | null {
  const word = answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s(（]+|[\s)）。.,;；!]+$/g, '')
  if (SAYS_RIGHT.includes(word)) return 'A'
  if (SAYS_WRONG.includes(word)) return 'B'
  return null
}

const IMAGE_TOKEN = /\[img:([^\s,\]]+)(?:,(\d{1,4}),(\d{1,4}))?\]/gi
const EMPTY_PARAGRAPH = /<p>(?:\s|&nbsp;|<br\s*\/?>)*<\/p>/gi

/** Image tokens `[img:url,width,height]` become inline images; the size is kept so that nothing jumps as they load. */
export function imageTokens(html: string): string {
  return html.replace(IMAGE_TOKEN, (_, url: string, width?: string, height?: string) => {
    const size = width && height ? ` width="${width}" height="${height}"` : ''
    return `<img src="${url.replaceAll('"', '%22')}"${size} alt="">`
  })
}

export const stripEmptyParagraphs = (html: string): string => html.replace(EMPTY_PARAGRAPH, '')

/** Private-use glyphs that word processors leave behind, where their meaning is known. */
const PRIVATE_USE: Record<string, string> = {
  '\uF06C': '•',
  '\uF0D8': '▶',
  '\uF075': '→',
  '\uF0B7': '•',
  '\uF0E8': '→',
  '\uF0A7': '•',
}

/**
 * CJK radicals up to U+2EBE that fonts share with a character, so that a PDF gives them for it; and one of Kangxi, whose normal form is
 * not the character that is written today.
 */
const SHARED = '⺂⺃⺅⺉⺎⺏⺐⺒⺓⺔⺕⺖⺘⺙⺛⺞⺠⺡⺣⺤⺦⺨⺫⺭⺯⺰⺱⺹⺺⺾⼾'
const MEANT = '乛乚亻刂兀尣尢巳幺彑彐忄扌攵旡歺民氵灬爫丬犭罒礻糹纟罓耂肀艹户'
/** CJK radicals from U+2EC1 on, which Unicode's normal forms leave as they are (EquivalentUnifiedIdeograph.txt). */
const RADICALS = '虎衤覀西见角角讠贝足车辶辶辶阝钅長镸长门阜阝雨青韦页风飞食食飠饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙'

/**
 * Characters as a Chinese reader means them: Kangxi and CJK radicals become the ordinary characters, private-use glyphs their
 * likeness, non-breaking and ideographic spaces plain ones. Nothing else of the text changes.
 */
export function ordinaryCharacters(text: string): string {
  return text
    .replace(
      /[\u2E80-\u2FDF]/g,
      (radical) =>
        MEANT[SHARED.indexOf(radical)] ?? RADICALS[radical.charCodeAt(0) - 0x2ec1] ?? radical.normalize('NFKC'),
    )
    .replace(/[\uE000-\uF8FF]/g, (glyph) => PRIVATE_USE[glyph] ?? '')
    .replace(/[\u00A0\u3000]/g, ' ')
    .replace(/[\u200B\uFEFF]/g, '')
}

/** Its beginning, with a sign that there is more. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** For search and for finding doubles: width, case, spaces and punctuation do not count. */
export function normaliseForSearch(text: string): string {
  return ordinaryCharacters(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, '')
}
