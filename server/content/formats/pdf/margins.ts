import { FileFault } from '#server/content/draft.ts'
import { numberOf } from '../paperNumbers.ts'
import { isLabelled } from '../paperText.ts'
import { heightOf, type Page, type Picture, widthOf } from './page.ts'
import { type Segment, segmentsOf, textOf } from './segments.ts'

export interface Body {
  page: Page
  segments: Segment[]
  pictures: Picture[]
}
interface Line {
  page: number
  text: string
  baseline: number
  segments: Segment[]
}

/** A page with more pieces of text is no paper. */
const MOST_SEGMENTS = 6000
/** Lines from the edge that may be a header or a footer. */
const DEEPEST = 3
/** Headers and footers stand so near to the edge. */
const EDGE = 0.13
/** So much of a page is a margin: what stands there, apart from all else, is no text of a question. */
const MARGIN = 0.075
const APART = 2.2
/** Pages on which a header must be, of those of its side: odd and even pages may have their own. */
const LEAST_SHARE = 0.4

/** Takes off what stands on every page: headers, footers, page numbers, and pictures such as logos. */
export function bodiesOf(pages: readonly Page[]): {
  bodies: Body[]
  /** Texts that were taken off. */
  left: string[]
  hasLogos: boolean
} {
  const bodies = pages.map((page): Body => {
    const segments = segmentsOf(page.glyphs)
    if (segments.length > MOST_SEGMENTS)
      throw new FileFault(`第${page.number}页的文字太零碎，读不出次序：请重新导出成 PDF`)
    return { page, segments, pictures: page.pictures }
  })
  const edges = bodies.map(({ segments, page }) => edgesOf(segments, page))
  const repeated = repeatedIn(edges)
  const left = new Set<string>()
  for (const [i, body] of bodies.entries()) {
    const gone = new Set<Segment>()
    for (const side of ['top', 'bottom'] as const)
      for (const [depth, line] of (edges[i]?.[side] ?? []).entries()) {
        const isGone =
          repeated.has(keyOf(line)) || isPageNumber(line.text) || isInMargin(body.page, edges[i]?.[side] ?? [], depth)
        if (!isGone) break
        left.add(line.text)
        for (const each of line.segments) gone.add(each)
      }
    body.segments = body.segments.filter((each) => !gone.has(each))
  }
  const seen = withoutLogos(bodies)
  // A scan is told by itself.
  const hasLogos = seen.some(
    ({ page, pictures }) => !page.isRecognised && page.glyphs.length > 0 && pictures.length < page.pictures.length,
  )
  return { bodies: seen, left: [...left], hasLogos }
}

interface Edges {
  top: Line[]
  bottom: Line[]
}
function edgesOf(segments: readonly Segment[], { height, number }: Page): Edges {
  const lines: Line[] = []
  for (const each of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const last = lines.at(-1)
    if (last && each.baseline - last.baseline < each.size / 2) last.segments.push(each)
    else lines.push({ page: number, text: '', baseline: each.baseline, segments: [each] })
  }
  for (const line of lines)
    line.text = line.segments
      .toSorted((a, b) => a.left - b.left)
      .map(({ glyphs }) => textOf(glyphs).trim())
      .join('  ')
  const top = lines.slice(0, DEEPEST + 1).filter(({ baseline }) => baseline < EDGE * height)
  const bottom = lines.slice(-DEEPEST - 1).filter(({ baseline }) => baseline > (1 - EDGE) * height)
  return { top, bottom: bottom.toReversed() }
}

/** The same text but for a number that counts pages, at the same height. */
const keyOf = ({ text, baseline, page }: Line): string =>
  `${Math.round(baseline / 4)} ${text.replaceAll(/\s/g, '').replaceAll(/\d+/g, (figures) => `#${Number(figures) - page}`)}`

function repeatedIn(edges: readonly Edges[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { top, bottom } of edges)
    for (const line of [...top, ...bottom])
      // A question, an option or an answer stands where it does by chance.
      if (numberOf(line.text) === null && !isLabelled(line.text) && !/^[（(]?[A-H]\s?[)）.．、]/.test(line.text))
        counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  const least = Math.max(2, LEAST_SHARE * edges.length)
  return new Set([...counts].flatMap(([key, count]) => (count >= least ? [key] : [])))
}

const PAGE_NUMBER =
  /^(?:.{0,40}\s)?(?:[-—–·•~]\s*\d{1,4}\s*[-—–·•~]|第\s*\d{1,4}\s*页(?:\s*[,，/（(]?\s*共\s*\d{1,4}\s*页\s*[)）]?)?|\d{1,4}\s*\/\s*\d{1,4}|page\s*\d{1,4}(?:\s*of\s*\d{1,4})?)(?:\s.{0,40})?$/i
const isPageNumber = (text: string): boolean => PAGE_NUMBER.test(text)

/** Something alone in the margin, with more white than between any lines to what is next. */
function isInMargin({ height }: Page, lines: readonly Line[], depth: number): boolean {
  const [line, next] = [lines[depth], lines[depth + 1]]
  if (!line || !next) return false
  const size = Math.max(...line.segments.map((each) => each.size))
  const isAtEdge = line.baseline < MARGIN * height || line.baseline > (1 - MARGIN) * height
  return isAtEdge && Math.abs(next.baseline - line.baseline) > APART * size && numberOf(line.text) === null
}

const placeOf = ({ left, top, right, bottom, name }: Picture): string =>
  [left, top, right, bottom].map(Math.round).join(' ') + (name ?? '')
/** Pictures that stand at one place of most pages, and those that lie behind all of a page. */
function withoutLogos(bodies: Body[]): Body[] {
  const counts = new Map<string, number>()
  for (const { pictures } of bodies)
    for (const each of new Set(pictures.map(placeOf))) counts.set(each, (counts.get(each) ?? 0) + 1)
  const least = Math.max(2, LEAST_SHARE * bodies.length)
  return bodies.map((body) => ({
    ...body,
    pictures: body.pictures.filter((each) => (counts.get(placeOf(each)) ?? 0) < least && !isGround(each, body.page)),
  }))
}
const GROUND = 0.7
const isGround = (picture: Picture, { width, height }: Page): boolean =>
  widthOf(picture) * heightOf(picture) > GROUND * width * height
