import type { Placeholders } from '../word/placeholders.ts'
import { around, type Box, heightOf, holds, middle, type Page, type Picture, widthOf } from './page.ts'
import { type Grid, gridsOf } from './grid.ts'
import { type Segment, segmentOf } from './segments.ts'

/** These stand in a page beside its lines of text. */
export type Block = Box &
  ({ is: 'table'; grid: Grid; segments: Segment[]; rules: Box[] } | { is: 'held'; held: string })
/** A segment without glyphs holds the place of a block. */
export interface Standing extends Segment {
  block?: Block
}
interface Divided {
  /** Text outside of tables and drawings, and the blocks in their places. */
  standing: Standing[]
  /** Lines that may be drawn under words. */
  rules: Box[]
}

/** Pixels for each point. */
const PIXELS = 96 / 72

/** Sorts out what of a page is a table, a picture, a drawing or text. */
export function dividedPage(
  page: Page,
  whole: readonly Segment[],
  pictures: readonly Picture[],
  held: Placeholders,
): Divided {
  const standing = page.rules.filter((rule) => heightOf(rule) > widthOf(rule))
  const segments = whole.flatMap((each) => cutAt(each, standing))
  const { grids, figures, loose } = gridsOf(page.rules, (box) => segments.some((each) => isWithin(each, box)))
  const drawings = drawingsOf([...figures, ...page.figures], page, segments)
  const tables = grids.map((grid): Block => {
    const within = segments.filter((each) => isWithin(each, grid))
    return { ...boxOf(grid), is: 'table', grid, segments: within, rules: loose }
  })
  const blocks: Block[] = [
    ...tables,
    ...drawings.map((box): Block => ({ ...box, is: 'held', held: held.add({ kind: 'problem', reason: DRAWN }) })),
    ...pictures.map((picture): Block => ({ ...boxOf(picture), is: 'held', held: heldPicture(picture, held) })),
  ]
  const text = segments.filter((each) => ![...grids, ...drawings].some((box) => isWithin(each, box)))
  return { standing: [...text, ...blocks.map(standingFor)], rules: loose }
}

/** Divides text at lines that stand in it: those of cells, whose words may have little room between them. */
function cutAt(segment: Segment, standing: readonly Box[]): Segment[] {
  const y = middle(segment)
  const xs = standing.flatMap(({ left, right, top, bottom }) => {
    const x = (left + right) / 2
    return top <= y && bottom >= y && x > segment.left && x < segment.right ? [x] : []
  })
  if (xs.length === 0) return [segment]
  const parts = Map.groupBy(segment.glyphs, (glyph) => xs.filter((x) => x < (glyph.left + glyph.right) / 2).length)
  return [...parts.values()].flatMap(segmentOf)
}

const isWithin = (segment: Segment, box: Box): boolean =>
  holds(box, (segment.left + segment.right) / 2, middle(segment))
const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom })
/** A block stands where its first line would. */
const standingFor = (block: Block): Standing => ({
  ...boxOf(block),
  glyphs: [],
  baseline: block.top + FIRST_LINE,
  size: FIRST_LINE,
  block,
})
const FIRST_LINE = 10

const DRAWN = '画出来的图形读不出：请在原文件里把它截成图片后再导出 PDF，或导入 .docx'
const UNREAD = '图片的格式读不出：请截图后放回原文件，再导出 PDF'
function heldPicture({ name, ...box }: Picture, held: Placeholders): string {
  if (name === null) return held.add({ kind: 'problem', reason: UNREAD })
  const [width, height] = [Math.round(widthOf(box) * PIXELS), Math.round(heightOf(box) * PIXELS)]
  return held.add({ kind: 'picture', html: `<img src="${name}" width="${width}" height="${height}" alt="">` })
}

/** Lines that are nearer belong to one drawing. */
const NEAR = 8
/** Smaller pictures are ornaments. */
const LEAST = 18
/** So many pieces of text are no labels of a drawing: it is a frame, or ground. */
const MOST_LABELS = 40
const MOST_OF_PAGE = 0.6
const MOST_LINES = 2000

function drawingsOf(lines: readonly Box[], page: Page, segments: readonly Segment[]): Box[] {
  if (lines.length === 0) return []
  if (lines.length > MOST_LINES) return [around(lines)]
  const found = joined(lines)
  return found.filter((box) => {
    const isOrnament = widthOf(box) < LEAST || heightOf(box) < LEAST
    const isGround = widthOf(box) * heightOf(box) > MOST_OF_PAGE * page.width * page.height
    const labels = segments.filter((each) => isWithin(each, box)).length
    return !isOrnament && !isGround && labels <= MOST_LABELS
  })
}

/** Joins boxes that lie by each other, until none do. */
function joined(boxes: readonly Box[]): Box[] {
  const found: Box[] = []
  for (const each of boxes.toSorted((a, b) => a.top - b.top)) {
    let box = boxOf(each)
    for (let i = found.length - 1; i >= 0; i--) {
      const other = found[i]
      if (!other || !isBy(other, box)) continue
      box = around([other, box])
      found.splice(i, 1)
      i = found.length
    }
    found.push(box)
  }
  return found
}
const isBy = (a: Box, b: Box): boolean =>
  a.left <= b.right + NEAR && b.left <= a.right + NEAR && a.top <= b.bottom + NEAR && b.top <= a.bottom + NEAR
