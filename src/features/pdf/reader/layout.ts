/** CSS px, or points of a page at scale 1. */
export interface Size {
  width: number
  height: number
}
export interface Layout {
  scale: number
  /** Of each page, from the top of the first one's margin; CSS px. */
  tops: readonly number[]
  heights: readonly number[]
  /** What stands at the window's left edge before anybody scrolls sideways. */
  home: number
  /** All pages with the margins around them, and as wide as their window at least. */
  width: number
  height: number
}
/** Where text stands on most pages: points left (negative) and right of their middle, as pages of every width share that. */
export interface Column {
  left: number
  right: number
}
/** A place in the document that stays when pages change their size: a page, from 0, and parts of its height and width. */
export interface Spot {
  page: number
  y: number
  x: number
}
/** CSS px around and between pages. */
export const GAP = 10
export const MIN_SCALE = 0.3
export const MAX_SCALE = 5
/** A page wider than that is no easier to read. */
const WIDEST_FIT = 940

export const clampScale = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale))

/** A window narrower than that, a phone's, has no room for the margins of paper. */
const NARROW = 600
/** CSS px beside text where those are left out. */
const EDGE = 6
/** Letters as large as on paper need no more room. */
const ON_PAPER = 96 / 72
/** A small page that filled a wide window would show a few lines of huge letters. */
const LARGEST_FIT = 1.25 * ON_PAPER

/**
 * The scale at which the widest page fills a window, as far as that is good to read; on a phone, at which the text does.
 * @param column null: pages have no margins worth leaving out.
 */
export function fitScale(sizes: readonly Size[], windowWidth: number, column: Column | null): number {
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 1)
  const whole = Math.min((Math.min(windowWidth, WIDEST_FIT) - 2 * GAP) / widest, LARGEST_FIT)
  if (!column || windowWidth >= NARROW) return clampScale(whole)
  const text = (windowWidth - 2 * EDGE) / (column.right - column.left)
  return clampScale(Math.min(text, Math.max(whole, ON_PAPER)))
}

/** 110 %: letters a little larger than on paper. */
const READING = (1.1 * 96) / 72
const MUCH_LARGER = 1.6
/** The scale to read at where the whole width is too small, or one that is much larger than that. */
export const readingScale = (fit: number): number => clampScale(Math.max(READING, fit * MUCH_LARGER))

/** Pages one below the other. */
export function layOut(
  sizes: readonly Size[],
  scale: number,
  windowWidth: number,
  column: Column | null = null,
): Layout {
  const tops: number[] = []
  const heights: number[] = []
  let top = GAP
  let widest = 0
  for (const { width, height } of sizes) {
    tops.push(top)
    heights.push(height * scale)
    top += height * scale + GAP
    widest = Math.max(widest, width * scale)
  }
  const width = Math.max(widest + 2 * GAP, windowWidth)
  // The text in the window's middle, or as near to it as the pages' edges allow.
  const middle = column ? ((column.left + column.right) / 2) * scale : 0
  const home = Math.min(width - windowWidth, Math.max(0, (width - windowWidth) / 2 + middle))
  return { scale, tops, heights, home, width, height: top }
}

/** The page that stands at `y`, or the last one above it. */
export function pageAt({ tops }: Layout, y: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** First and last page to be drawn for a window: those in it, and one on either side. */
export function pagesIn(layout: Layout, top: number, windowHeight: number): [number, number] {
  const last = layout.tops.length - 1
  return [Math.max(0, pageAt(layout, top) - 1), Math.min(last, pageAt(layout, top + windowHeight) + 1)]
}

/** The page a student would say they are on: the one in the window's middle. */
export const pageInView = (layout: Layout, top: number, windowHeight: number): number =>
  top + windowHeight >= layout.height - 1 ? layout.tops.length - 1 : pageAt(layout, top + windowHeight / 2)

export function spotAt(layout: Layout, x: number, y: number): Spot {
  const page = pageAt(layout, y)
  return { page, y: (y - (layout.tops[page] ?? 0)) / (layout.heights[page] || 1), x: x / layout.width }
}

/** Where a spot stands now, in px of the whole. */
export const placeOf = (layout: Layout, { page, x, y }: Spot): { x: number; y: number } => ({
  x: x * layout.width,
  y: (layout.tops[page] ?? 0) + y * (layout.heights[page] ?? 0),
})

/** Pixels of a canvas's side: a longer one stays blank on some phones, and all of it. */
const LONGEST_SIDE = 8192
/** How many pixels of a page's picture a CSS px gets, so that the picture is within bounds. */
export const pixelRatio = ({ width, height }: Size, mostPixels: number, ratio: number): number =>
  Math.min(ratio, Math.sqrt(mostPixels / (width * height)), LONGEST_SIDE / Math.max(width, height))

const STEP = 1.25
/** The next step of the + and − buttons. */
export const stepped = (scale: number, up: boolean): number => clampScale(up ? scale * STEP : scale / STEP)
/** Points are 1/72 inch and CSS px 1/96: at 100 % a page has its size on paper. */
export const percent = (scale: number): number => Math.round((scale * 72 * 100) / 96)
