import type { Pdf, PdfPage } from './engine.ts'
import type { Column, Size } from './layout.ts'

/** A piece of text as it lies on its page: points from the page's left edge. */
export interface Piece {
  text: string
  left: number
  right: number
}
export interface Printed {
  size: Size
  pieces: readonly Piece[]
}
/** Fewer are the title on a cover, or a stamp on a scan: what else the page shows is a picture. */
const LEAST_LETTERS = 30
/** Of a page's width. Beside text that is narrower stand pictures, or the text of later pages. */
const NARROWEST = 2 / 3
/** Of a page's width. Where paper has no more margin than that, nothing is gained by leaving it out. */
const NOTHING_GAINED = 0.95

/** What most of these pages print in common; null: their whole width. */
export function columnOf(pages: readonly Printed[]): Column | null {
  const written = pages.filter(({ pieces }) => lettersOf(pieces) >= LEAST_LETTERS)
  if (written.length === 0 || written.length * 2 < pages.length) return null
  const columns = written.map(columnOn)
  const left = Math.min(...columns.map((column) => column.left))
  const right = Math.max(...columns.map((column) => column.right))
  const widest = Math.max(...pages.map(({ size }) => size.width))
  return right - left > widest * NOTHING_GAINED ? null : { left, right }
}

const isSeen = ({ text }: Piece): boolean => text.trim() !== ''
const lettersOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { text }) => sum + text.trim().length, 0)

function columnOn({ size: { width, height }, pieces }: Printed): Column {
  const whole = { left: -width / 2, right: width / 2 }
  // A slide shows as much beside its words as with them.
  if (width > height) return whole
  // Printers' marks beside the page are not seen.
  const seen = pieces.filter((piece) => isSeen(piece) && piece.right > 0 && piece.left < width)
  const left = Math.min(...seen.map((piece) => piece.left)) - width / 2
  const right = Math.max(...seen.map((piece) => piece.right)) - width / 2
  const more = Math.max(0, (width * NARROWEST - (right - left)) / 2)
  return { left: Math.max(whole.left, left - more), right: Math.min(whole.right, right + more) }
}

const FIRST_PAGES = 4
/** A page that waits for a file from the network is not waited for. */
const PATIENCE_MS = 3000

/** Looks at the first pages only: text that changed its size under a reader's eyes would be worse than one that is cut. */
export async function readColumn(pdf: Pdf): Promise<Column | null> {
  const numbers = Array.from({ length: Math.min(FIRST_PAGES, pdf.numPages) }, (_, i) => i + 1)
  const reading = Promise.all(numbers.map(async (number) => printedOn(await pdf.getPage(number))))
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
  const pages = await Promise.race([reading, late]).catch(() => null)
  return pages && columnOf(pages)
}

async function printedOn(page: PdfPage): Promise<Printed> {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const pieces = items.flatMap((item): Piece[] =>
    'str' in item ? [{ text: item.str, ...edgesOf(item, transform) }] : [],
  )
  return { size: { width, height }, pieces }
}

interface Laid {
  width: number
  height: number
  transform: readonly number[]
}

/** Left and right of a piece that may stand at any angle, on a page that may be turned. */
export function edgesOf({ width, height, transform }: Laid, page: readonly number[]): { left: number; right: number } {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const [toX = 1, , yToX = 0, , offset = 0] = page
  const along = (width / (Math.hypot(a, b) || 1)) * (toX * a + yToX * b)
  const up = (height / (Math.hypot(c, d) || 1)) * (toX * c + yToX * d)
  const at = toX * x + yToX * y + offset
  const corners = [at, at + along, at + up, at + along + up]
  return { left: Math.min(...corners), right: Math.max(...corners) }
}
