import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import {
  isPictureSource,
  isRecordingSource,
  MATH_ATTRIBUTES,
  MATH_TAGS,
  TEXT_ATTRIBUTES,
  TEXT_TAGS,
} from '#src/domain/text/html.ts'
import { imageTokens, ordinaryCharacters, stripEmptyParagraphs } from '#src/domain/text/text.ts'
import { pieces, tablesToHtml, toMathml } from '#server/content/media/formula.ts'

export interface RichText {
  html: string
  /** What its formulae were written in, by the MathML that was made of it. */
  formulae: ReadonlyMap<string, string>
  /** Chinese; the text is imported all the same. */
  warnings: string[]
}
/** Gives the public address of a picture or a recording that a file refers to, or null when there is none. */
export type Pictures = (source: string) => string | null
const NONE: ReadonlyMap<string, string> = new Map()
const noPictures: Pictures = (source) => (isPictureSource(source) || isRecordingSource(source) ? source : null)

const TAGS: readonly string[] = [...TEXT_TAGS, ...MATH_TAGS]
const BLOCK = /<(?:p|div|table|ul|ol|h3|h4|blockquote|pre|hr)\b/i
const options: sanitizeHtml.IOptions = {
  allowedTags: [...TAGS],
  allowedAttributes: {
    ...Object.fromEntries(Object.entries(TEXT_ATTRIBUTES).map(([tag, names]) => [tag, [...names]])),
    ...Object.fromEntries(MATH_TAGS.map((tag) => [tag, [...MATH_ATTRIBUTES]])),
  },
  allowedClasses: { mtd: ['tml-left', 'tml-right'] },
  allowedSchemes: ['https'],
  exclusiveFilter: ({ tag, attribs: { src = '' } }) =>
    (tag === 'img' && !isPictureSource(src)) || (tag === 'audio' && !isRecordingSource(src)),
}

const load: (name: 'sanitize-html') => typeof sanitizeHtml = createRequire(import.meta.url)
/** Loaded with the first text that needs it: its start takes longer than a thousand plain questions. */
const sanitize = (html: string): string => load('sanitize-html')(html, options)

/** Open tags at one place; the parser's time grows with the square of them. Paragraphs that nobody closed count as open, too. */
const DEEPEST = 2_000
const TAG = /<(\/?)[a-z][^<>]*>/gi
function isTooDeep(html: string): boolean {
  let open = 0
  for (const [, closing] of html.matchAll(TAG)) {
    open = Math.max(0, open + (closing ? -1 : 1))
    if (open > DEEPEST) return true
  }
  return false
}

/** One line without a sign that means anything below: most options and stems. It needs no parser. */
const PLAIN = /^[^<>&$\\[\]|\r\n\u00A0\uE000\uE001]*$/

/**
 * A bank's text as the HTML a student sees: formulae as MathML, pictures and recordings by their public addresses, everything else through
 * the one list of domain/text/html.ts. Line breaks of plain text become paragraphs. A formula that is a whole option stays beside its
 * letter.
 */
export function richText(source: string, pictures: Pictures = noPictures, isOption = false): RichText {
  if (PLAIN.test(source)) return { html: ordinaryCharacters(source).trim(), warnings: [], formulae: NONE }
  const warnings: string[] = []
  const formulae: string[] = []
  const latex = new Map<string, string>()
  const isDeep = isTooDeep(source)
  if (isDeep) warnings.push('标签套了太多层，只导入其中的文字')
  const text = tablesToHtml(
    imageTokens(
      decodedOnce(withoutMath(isDeep ? source.replace(TAG, '') : source, formulae))
        .replace(/\r\n?/g, '\n')
        .replace(MARKDOWN_PICTURE, '[img:$1]'),
    ),
  ).trim()
  const marked = pieces(text)
    .map((piece) =>
      'html' in piece
        ? withPictures(withRecordings(escapeStray(texMarks(piece.html)), pictures, warnings), pictures, warnings)
        : hold({ ...piece, display: piece.display && !isOption }, { formulae, latex, warnings }),
    )
    .join('')
    .replace(/``([^`'\n]{1,200})''/g, '“$1”')
    .replace(/\\textbf\s*\{([^{}\n]*)\}/g, '<b>$1</b>')
  if (/(?<!\\)\$/.test(marked) && !/\$\s?\d/.test(marked)) warnings.push('公式定界符 $ 不成对，按原文显示')
  const clean = stripEmptyParagraphs(sanitize(paragraphs(marked))).trim()
  // In a tag (an alt text, say) a formula's own quotes would end the attribute and let anything follow.
  const html = clean
    .replace(/<[^>]*>/g, (tag) => tag.replace(/\uE000\d+\uE001/g, ''))
    .replace(/\uE000(\d+)\uE001/g, (_, i: string) => formulae[Number(i)] ?? '')
    .replace(/[\uE000\uE001]/g, '')
  return { html, warnings, formulae: latex }
}

/** MathML that is there already, as in an export of ours, comes out as it came in: its no-break spaces are its spacing. */
const withoutMath = (source: string, formulae: string[]): string =>
  source
    .split(/(<math\b[^]*?<\/math>)/)
    .map((piece, i) => (i % 2 === 0 ? ordinaryCharacters(piece) : mark(sanitize(piece), formulae)))
    .join('')

interface Held {
  formulae: string[]
  latex: Map<string, string>
  warnings: string[]
}

const mark = (html: string, formulae: string[]): string => `\uE000${formulae.push(html) - 1}\uE001`

/** Formulae wait behind a mark (private-use characters, which the text has lost before) while the text around them is sanitised, so that `<` in them is not taken for a tag. */
function hold({ latex, display }: { latex: string; display: boolean }, into: Held): string {
  // Between two dollars of a text that held MathML.
  if (latex.includes('\uE000')) return `$${escapeStray(latex)}$`
  const mathml = toMathml(latex, display)
  if (mathml === null) {
    into.warnings.push(`公式无法识别，按原文显示：${latex.slice(0, 40)}`)
    const escaped = latex.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return mark(`<code>${escaped}</code>`, into.formulae)
  }
  const clean = sanitize(mathml)
  into.latex.set(clean, display ? `$$${latex}$$` : `$${latex}$`)
  return mark(clean, into.formulae)
}

/** `x<y` is not a tag. */
const escapeStray = (html: string): string =>
  html
    .replace(/<(?!\/?([a-z][a-z0-9]*)\b[^<>]*>)/gi, '&lt;')
    .replace(/<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi, (tag, name: string) =>
      isSurelyText(tag, name.toLowerCase()) ? tag.replace('<', '&lt;') : tag,
    )

const isSurelyText = (tag: string, name: string): boolean => {
  if (!TAGS.includes(name)) return tag.length <= 40 && isMathsLike(tag)
  return name.length === 1 && !REAL_TAG.test(tag)
}

/** Of the one-letter tags only what is surely one: `a<b且c>d` and `a<b and c>d` hold none. */
const REAL_TAG = /^<\/?[a-z](?:\s+[a-z][a-z:-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))*\s*\/?>$/i
/**
 * `a<b且c>d`: between the signs stand no attributes. Real unknown tags, closing ones too, are left for the sanitiser to remove: a
 * `<script>` that has lost its end would take the rest of the text with it.
 */
const isMathsLike = (tag: string): boolean =>
  !/^<\/[a-z][a-z0-9]*\s*>$|\s[a-z-]+\s*=\s*["']/i.test(tag) && /[\u4e00-\u9fff，、；+*/]|^<[a-z]\s*>?$/i.test(tag)

function withPictures(html: string, pictures: Pictures, warnings: string[]): string {
  return html.replace(
    /(<img\b[^>]*?\bsrc\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi,
    (_, head: string, a?: string, b?: string, c?: string) => {
      const source = a ?? b ?? c ?? ''
      const address = pictures(source)
      if (address === null) warnings.push(`图片不可用：${source.slice(0, 80)}`)
      return `${head}"${(address ?? '').replaceAll('"', '%22')}"`
    },
  )
}

/** With all that stands in it; one that nobody closed holds nothing. */
const AUDIO = /<audio\b[^>]*>(?:(?:(?!<\/?audio\b)[^])*<\/audio\s*>)?/gi
const SOURCE = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i
/** A recording is an address and nothing else: how it is played is the page's matter, and what a browser without sound would show is left out. */
function withRecordings(html: string, pictures: Pictures, warnings: string[]): string {
  return html.replace(AUDIO, (element) => {
    const [, a, b, c] = SOURCE.exec(element) ?? []
    const source = a ?? b ?? c ?? ''
    const address = pictures(source)
    if (address !== null && isRecordingSource(address)) return `<audio src="${address}"></audio>`
    warnings.push(`录音不可用，请换成放在题库文件旁边的 mp3：${source.slice(0, 80)}`)
    return ''
  })
}

const TABLE = /(<table\b[^]*?<\/table>)/i
function paragraphs(html: string): string {
  const pieces = html.split(TABLE)
  const around = pieces.filter((_, i) => i % 2 === 0)
  // The lines before and behind a table are paragraphs as they are without one.
  if (pieces.length > 1 && html.includes('\n') && !around.some((piece) => BLOCK.test(piece)))
    return pieces.map((piece, i) => (i % 2 === 0 ? paragraphs(`${piece}\n`) : piece)).join('')
  // A line ends in <pre> alone.
  if (BLOCK.test(html) || !html.includes('\n'))
    return html.replaceAll(/(<pre\b[^]*?<\/pre>)|\n/gi, (_, pre?: string) => pre ?? ' ')
  return html
    .split(/\n+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .reduce(joined, [])
    .map((line) => `<p>${line}</p>`)
    .join('')
}

/** A page's width in Chinese characters is hardly less. */
const WRAPPED = 26
const CHINESE = /[\u4e00-\u9fff]/g
/** Lines that were cut at the edge of a page go on: a long Chinese one that ends in the middle of a sentence, before no item of a list. */
function joined(lines: string[], line: string): string[] {
  const last = lines.at(-1)
  const goesOn =
    last !== undefined &&
    (/^[，。、；：？！”’）》」』]/.test(line) ||
      ((last.match(CHINESE)?.length ?? 0) >= WRAPPED &&
        /[\u4e00-\u9fff，、（《“A-Za-z\d]$/.test(last) &&
        /^[\u4e00-\u9fff“（《A-Za-z\d]/.test(line) &&
        !/^(?:[（(]?\d{1,2}[)）.．、]|[（(]?[一二三四五六七八九十]{1,3}[)）、.．]|[（(]?[A-H][)）.．、:：]|材料|解[:：]|答[:：]|图|表)/.test(
          line,
        )))
  return goesOn ? [...lines.slice(0, -1), last + line] : [...lines, line]
}

/** What TeX writes outside formulae: blanks to fill in, ends of lines. */
const texMarks = (text: string): string =>
  text
    .replace(/~?\\uline\s*\{[~\s]*\}~?/g, '____')
    .replace(/([（(])\s*~[~\s]*([)）])/g, '$1　$2')
    .replace(/\\\\[ \t]*(?=\n|$)/g, '')

/** As recognition software writes it. What is not one of a picture stays text. */
const MARKDOWN_PICTURE = /!\[[^\]\n]*\]\(([^\s(),\]]+)\)/g

/** Some banks escaped their entities twice: `&amp;ldquo;`, `&amp;#65292;`. */
const decodedOnce = (text: string): string => text.replace(/&amp;(#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8});/gi, '&$1;')
