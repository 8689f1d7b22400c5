import { around, type Box } from './page.ts'
import { type Segment, textOf } from './segments.ts'

/** Text that is read from top to bottom. */
export interface Region<S extends Segment = Segment> extends Box {
  segments: S[]
  /** Regions of one name are as wide as each other: a page in two columns has 0/2 and 1/2. */
  name: string
}

/** A gutter is at least so wide, and so few lines cross it. */
const LEAST_GUTTER = 9
const MOST_CROSSING = 0.2
/** Less lines beside each other are options, or a table. */
const LEAST_LINES = 4
/** A column is at least so much of the text wide. */
const LEAST_WIDTH = 0.16
const DEEPEST = 3

/** Divides a page where it is set in columns, and gives what is read first first. */
export function regionsOf<S extends Segment>(segments: readonly S[], name = '', depth = 0): Region<S>[] {
  if (segments.length === 0) return []
  const whole = (): Region<S>[] => [{ ...around(segments), segments: [...segments], name }]
  const gutter = depth < DEEPEST ? gutterOf(segments) : null
  if (!gutter) return whole()
  const bands = bandsOf(segments, gutter)
  if (!bands.some(({ isParted }) => isParted)) return whole()
  return bands.flatMap((band) => {
    if (!band.isParted) return [{ ...around(band.segments), segments: band.segments, name: `${name}-` }]
    const left = band.segments.filter((each) => each.right <= gutter.right)
    const right = band.segments.filter((each) => each.right > gutter.right)
    return [...regionsOf(left, `${name}l`, depth + 1), ...regionsOf(right, `${name}r`, depth + 1)]
  })
}

interface Gutter {
  left: number
  right: number
}
const BIN = 3
/** The widest strip that few lines cross. */
function gutterOf(segments: readonly Segment[]): Gutter | null {
  const { left: from, right: to } = around(segments)
  const crossing = Array.from({ length: Math.ceil((to - from) / BIN) + 1 }, () => 0)
  for (const { left, right } of segments)
    for (let bin = Math.floor((left - from) / BIN); bin <= Math.floor((right - from) / BIN); bin++)
      crossing[bin] = (crossing[bin] ?? 0) + 1
  const lines = new Set(segments.map(({ baseline }) => Math.round(baseline / 2))).size
  const isFree = (bin: number) => (crossing[bin] ?? 0) <= MOST_CROSSING * lines
  const least = LEAST_WIDTH * (to - from)
  let best: Gutter | null = null
  for (let bin = Math.ceil(least / BIN); bin * BIN < to - from - least;) {
    let end = bin
    while (isFree(end) && end * BIN < to - from - least) end++
    const strip = { left: from + bin * BIN, right: from + end * BIN }
    if (strip.right - strip.left > (best ? best.right - best.left : LEAST_GUTTER - BIN)) best = strip
    bin = end + 1
  }
  return best && narrowed(best, segments)
}

/** Of a strip that some lines reach into, the part that none but those which cross all of it does. */
function narrowed(strip: Gutter, segments: readonly Segment[]): Gutter | null {
  const middle = (strip.left + strip.right) / 2
  const { right: left } = around(segments.filter((each) => each.right <= middle))
  const { left: right } = around(segments.filter((each) => each.left >= middle))
  return Number.isFinite(left) && Number.isFinite(right) && right - left >= LEAST_GUTTER ? { left, right } : null
}

interface Band<S> {
  segments: S[]
  isParted: boolean
}
/** Divides the lines at those that cross the gutter. */
function bandsOf<S extends Segment>(segments: readonly S[], gutter: Gutter): Band<S>[] {
  const sorted = segments.toSorted((a, b) => a.baseline - b.baseline)
  const bands: Band<S>[] = []
  let open: S[] = []
  let crossing: S[] = []
  const close = () => {
    if (open.length > 0) bands.push({ segments: open, isParted: isParted(open, gutter) })
    open = []
  }
  const closeCrossing = () => {
    if (crossing.length > 0) bands.push({ segments: crossing, isParted: false })
    crossing = []
  }
  for (const each of sorted) {
    const crosses = each.left < gutter.right - 1 && each.right > gutter.left + 1
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

const LETTER = /^[（(]?([B-H])\s?[)）.．、:：]/
/** Lines that are nearer to each other are one. */
const LINE = 3
const LETTERS = /[（(]?([A-G])\s?[)）.．、:：]/g
/** Lines stand on both sides, and those on the right are no options that go on from those on the left. */
function isParted(segments: readonly Segment[], gutter: Gutter): boolean {
  const left = segments.filter(({ right }) => right <= gutter.left + 1)
  const right = segments.filter((each) => each.left >= gutter.right - 1)
  if (linesIn(left) < LEAST_LINES || linesIn(right) < LEAST_LINES) return false
  const beginning = firstOfLines(right)
  const beside = Map.groupBy(left, ({ baseline }) => Math.round(baseline / LINE))
  const going = beginning.filter(({ glyphs, baseline }) => {
    const letter = LETTER.exec(textOf(glyphs).trim())?.[1]
    if (letter === undefined) return false
    const at = Math.round(baseline / LINE)
    const before = [at - 1, at, at + 1].flatMap((each) => beside.get(each) ?? [])
    const last = [...textOf(before.flatMap((each) => each.glyphs)).matchAll(LETTERS)].at(-1)?.[1]
    return last !== undefined && last.charCodeAt(0) + 1 === letter.charCodeAt(0)
  })
  return going.length < beginning.length / 2
}

const linesIn = (segments: readonly Segment[]): number => firstOfLines(segments).length
function firstOfLines(segments: readonly Segment[]): Segment[] {
  const sorted = segments.toSorted((a, b) => a.baseline - b.baseline || a.left - b.left)
  return sorted.filter((each, i) => {
    const before = sorted[i - 1]
    return !before || each.baseline - before.baseline > each.size / 2
  })
}
