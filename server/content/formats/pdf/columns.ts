import { isLabelled } from '../paperText.ts'
import { around, type Box } from './page.ts'
import { type Segment, textOf } from './segments.ts'

/** Text that is read from top to bottom. */
export interface Region<S extends Segment = Segment> extends Box {
  segments: S[]
  /** Regions of one name are as wide as each other: a page in two columns has 0/2 and 1/2. */
  name: string
}

/** A gutter is at least so wide, and such a share of the lines may cross it: a strip that none does is looked at first. */
const LEAST_GUTTER = 9
const MOST_CROSSING = [0.02, 0.06, 0.12, 0.2]
const MOST_STRIPS = 4
/** Fewer lines beside each other are options, or a table. */
const LEAST_LINES = 4
/** Fewer of them stand beside a gutter that other pages have, too, at the end of a column. */
const KNOWN_LINES = 1
/** A column is at least so much of the text wide. */
const LEAST_WIDTH = 0.16
const DEEPEST = 3

/**
 * Divides pages where they are set in columns, and gives what is read first first. A gutter that is on other pages, too, needs few lines
 * beside it: the last page may have no more.
 */
export function columnsOf<S extends Segment>(pages: readonly (readonly S[])[]): Region<S>[][] {
  const found: Gutter[][] = pages.map((segments) => {
    const gutters: Gutter[] = []
    regionsOf(segments, { known: [], found: gutters })
    return gutters
  })
  const known = found
    .flat()
    .filter((each) => found.filter((others) => others.some((one) => isSame(one, each))).length >= pages.length / 4)
  return pages.map((segments) => regionsOf(segments, { known, found: [] }))
}
const centre = ({ left, right }: Gutter): number => (left + right) / 2
const isSame = (a: Gutter, b: Gutter): boolean => Math.abs(centre(a) - centre(b)) < LEAST_GUTTER

interface Search {
  /** Gutters of a quarter of the pages at least. */
  known: readonly Gutter[]
  /** Those of this one are put there. */
  found: Gutter[]
}
function regionsOf<S extends Segment>(segments: readonly S[], search: Search, name = '', depth = 0): Region<S>[] {
  if (segments.length === 0) return []
  const known = search.known.flatMap((each) => narrowed(each, segments) ?? [])
  for (const gutter of depth < DEEPEST ? [...known, ...guttersOf(segments)] : []) {
    const isKnown = search.known.some((each) => each.left < gutter.right && each.right > gutter.left)
    const bands = bandsOf(segments, gutter, isKnown ? KNOWN_LINES : LEAST_LINES)
    if (!bands.some(({ isParted }) => isParted)) continue
    search.found.push(gutter)
    return bands.flatMap((band) => regionsIn(band, gutter, search, { name, depth }))
  }
  return [{ ...around(segments), segments: [...segments], name }]
}

function regionsIn<S extends Segment>(
  band: Band<S>,
  gutter: Gutter,
  search: Search,
  { name, depth }: { name: string; depth: number },
): Region<S>[] {
  if (!band.isParted) return [{ ...around(band.segments), segments: band.segments, name: `${name}-` }]
  const left = band.segments.filter((each) => each.right <= gutter.right)
  const right = band.segments.filter((each) => each.right > gutter.right)
  return [...regionsOf(left, search, `${name}l`, depth + 1), ...regionsOf(right, search, `${name}r`, depth + 1)]
}

interface Gutter {
  left: number
  right: number
}
const BIN = 3
/** The strips that few lines cross: those that the fewest do come first, and of these the widest. */
function guttersOf(segments: readonly Segment[]): Gutter[] {
  const { left: from, right: to } = around(segments)
  const crossing = Array.from({ length: Math.ceil((to - from) / BIN) + 1 }, () => 0)
  for (const { left, right } of segments)
    for (let bin = Math.floor((left - from) / BIN); bin <= Math.floor((right - from) / BIN); bin++)
      crossing[bin] = (crossing[bin] ?? 0) + 1
  const lines = firstOfLines(segments).length
  const least = LEAST_WIDTH * (to - from)
  return MOST_CROSSING.flatMap((share) => {
    const strips: Gutter[] = []
    for (let bin = Math.ceil(least / BIN); bin * BIN < to - from - least;) {
      let end = bin
      while ((crossing[end] ?? 0) <= share * lines && end * BIN < to - from - least) end++
      if ((end - bin) * BIN > LEAST_GUTTER - 2 * BIN) strips.push({ left: from + bin * BIN, right: from + end * BIN })
      bin = end + 1
    }
    return strips
      .toSorted((a, b) => b.right - b.left - (a.right - a.left))
      .slice(0, MOST_STRIPS)
      .flatMap((strip) => narrowed(strip, segments) ?? [])
  })
}

/** A strip is tried at so many places: lines on its left may end anywhere in it, as those of another page are shorter. */
const TRIED = 8

/** Returns the part of a strip that no line reaches into but those which cross all of it: as few as can be. */
function narrowed(strip: Gutter, segments: readonly Segment[]): Gutter | null {
  const tried = Array.from({ length: TRIED - 1 }, (_, i) => {
    const wall = strip.left + ((strip.right - strip.left) * (i + 1)) / TRIED
    const { right: left } = around(segments.filter((each) => each.right <= wall))
    const { left: right } = around(segments.filter((each) => each.left >= wall))
    return { left, right, crossing: segments.filter((each) => each.left < wall && each.right > wall).length }
  }).filter(({ left, right }) => Number.isFinite(left) && Number.isFinite(right) && right - left >= LEAST_GUTTER)
  const [best] = tried.toSorted((a, b) => a.crossing - b.crossing || b.right - b.left - (a.right - a.left))
  return best ? { left: best.left, right: best.right } : null
}

interface Band<S> {
  segments: S[]
  isParted: boolean
}
/** Divides the lines at those that cross the gutter. */
function bandsOf<S extends Segment>(segments: readonly S[], gutter: Gutter, least: number): Band<S>[] {
  const sorted = segments.toSorted((a, b) => a.baseline - b.baseline)
  const isTitle = titleIn(segments, gutter)
  const bands: Band<S>[] = []
  let open: S[] = []
  let crossing: S[] = []
  const close = () => {
    if (open.length > 0) bands.push({ segments: open, isParted: isParted(open, gutter, least) })
    open = []
  }
  const closeCrossing = () => {
    if (crossing.length > 0) bands.push({ segments: crossing, isParted: false })
    crossing = []
  }
  for (const each of sorted) {
    const crosses = (each.left < gutter.right - 1 && each.right > gutter.left + 1) || isTitle(each)
    const isBeside = crossing.some(({ baseline, size }) => Math.abs(baseline - each.baseline) < size / 2)
    if (crosses) {
      close()
      crossing.push(each)
    } else if (isBeside) crossing.push(each)
    else {
      closeCrossing()
      open.push(each)
    }
  }
  close()
  closeCrossing()
  return bands.reduce<Band<S>[]>((joined, band) => {
    const last = joined.at(-1)
    if (last && !last.isParted && !band.isParted) last.segments.push(...band.segments)
    else joined.push(band)
    return joined
  }, [])
}

/** So much larger than other text. */
const LARGER = 1.2
/** Tells a title over all columns: it may be no wider than one of them, but begins where none does. */
function titleIn(segments: readonly Segment[], gutter: Gutter): (segment: Segment) => boolean {
  const { left } = around(segments)
  const sizes = segments.map(({ size }) => size).toSorted((a, b) => a - b)
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0
  return (each) =>
    each.size > LARGER * usual && [left, gutter.right].every((edge) => Math.abs(each.left - edge) > 2 * usual)
}

const LETTER = /^[（(]?([B-H])\s?[)）.．、:：]/
/** Lines of a column begin where it does, or so much of the size behind that. */
const INDENT = 3
/** Lines that are nearer to each other are one. */
const LINE = 3
const LETTERS = /[（(]?([A-G])\s?[)）.．、:：]/g
/** Lines stand on both sides, and those on the right are no options that go on from those on the left. */
function isParted(segments: readonly Segment[], gutter: Gutter, least: number): boolean {
  const left = segments.filter(({ right }) => right <= gutter.left + 1)
  const right = segments.filter((each) => each.left >= gutter.right - 1)
  if (![left, right].every((side) => isColumn(side, least))) return false
  const begun = firstOfLines(right)
  if (begun.filter((each) => each.left - gutter.right < INDENT * each.size).length < begun.length / 2) return false
  const going = begun.filter(goingOnFrom(left)).length
  return least === KNOWN_LINES ? going <= begun.length / 2 : going < begun.length / 2
}

/** Tells options that go on from those beside them, where these do not go on below with the same letter themselves. */
function goingOnFrom(left: readonly Segment[]): (segment: Segment) => boolean {
  const beside = Map.groupBy(left, ({ baseline }) => Math.round(baseline / LINE))
  const firsts = firstOfLines(left)
  return ({ glyphs, baseline, size }) => {
    const letter = letterOf(glyphs)
    if (letter === undefined) return false
    const at = Math.round(baseline / LINE)
    const before = [at - 1, at, at + 1].flatMap((each) => beside.get(each) ?? [])
    const last = [...textOf(before.flatMap((each) => each.glyphs)).matchAll(LETTERS)].at(-1)?.[1]
    if (last === undefined || last.charCodeAt(0) + 1 !== letter.charCodeAt(0)) return false
    const below = firsts.find((each) => each.baseline > baseline + size / 2 && begins(textOf(each.glyphs).trim()))
    return below === undefined || letterOf(below.glyphs) !== letter
  }
}
const letterOf = (glyphs: Segment['glyphs']): string | undefined => LETTER.exec(textOf(glyphs).trim())?.[1]

/** So much of the size. */
const WORDED = 5
const BEGINS = /^[（(【[]?(?:[A-H]|\d{1,4})\s?[)）】\].．、:：]/
const begins = (text: string): boolean => BEGINS.test(text) || isLabelled(text)
/** Most lines of a column are of words, or begin a question or an option: brackets that stand at the end of lines are none. */
function isColumn(segments: readonly Segment[], least: number): boolean {
  const lines = linesOf(segments)
  const worded = lines.filter((line) => {
    const { left, right } = around(line)
    const [first] = line
    return first && (right - left > WORDED * first.size || begins(textOf(first.glyphs).trim()))
  })
  return lines.length >= least && worded.length > lines.length / 2
}

const firstOfLines = (segments: readonly Segment[]): Segment[] => linesOf(segments).flatMap(([first]) => first ?? [])
function linesOf(segments: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = []
  for (const each of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const last = lines.at(-1)
    if (last?.[0] && each.baseline - last[0].baseline <= each.size / 2) last.push(each)
    else lines.push([each])
  }
  return lines.map((line) => line.toSorted((a, b) => a.left - b.left))
}
