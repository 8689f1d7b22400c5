import * as v from 'valibot'

/** All lengths are points, from the upper left corner of a page as a reader sees it. */
const length = v.number()
const box = { left: length, top: length, right: length, bottom: length }
const Box = v.object(box)
export type Box = v.InferOutput<typeof Box>

const Glyph = v.object({ text: v.string(), left: length, right: length, baseline: length, size: length })
export type Glyph = v.InferOutput<typeof Glyph>

/** Name: of the file that was made of it. Null: it could not be read. */
const Picture = v.object({ ...box, name: v.nullable(v.string()) })
export type Picture = v.InferOutput<typeof Picture>

/** A page as it is drawn, in the order of drawing. */
export const Page = v.object({
  /** From 1. */
  number: v.number(),
  width: length,
  height: length,
  glyphs: v.array(Glyph),
  /** Lines that lie or stand straight: of tables, under words. */
  rules: v.array(Box),
  /** These are drawn of other lines. */
  figures: v.array(Box),
  pictures: v.array(Picture),
  /** Text that does not lie in lines: a watermark, a margin to be sealed. */
  slanted: v.string(),
  /** Text that is so light that it is hardly seen, or not at all. */
  faint: v.string(),
  /** All its text is what a program recognised in a picture, and lies unseen over it. */
  isRecognised: v.boolean(),
})
export type Page = v.InferOutput<typeof Page>

export const middle = ({ top, bottom }: Box): number => (top + bottom) / 2
export const widthOf = ({ left, right }: Box): number => right - left
export const heightOf = ({ top, bottom }: Box): number => bottom - top
export const holds = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom
/** The box around all of them: there may be more than a call can be given. */
export function around(boxes: readonly Box[]): Box {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { left, top, right, bottom } of boxes) {
    all.left = Math.min(all.left, left)
    all.top = Math.min(all.top, top)
    all.right = Math.max(all.right, right)
    all.bottom = Math.max(all.bottom, bottom)
  }
  return all
}
