import { afterEach, describe, expect, test, vi } from 'vitest'
import { isInkOnPaper, watchDrawings } from '#src/ui/text/drawings.ts'

type Pixel = readonly [red: number, green: number, blue: number, alpha?: number]
const WHITE: Pixel = [255, 255, 255]
const CLEAR: Pixel = [0, 0, 0, 0]
const BLACK: Pixel = [20, 20, 24]
const OLIVE: Pixel = [77, 99, 48]
const SKIN: Pixel = [214, 160, 130]
/** So many pixels of each colour. */
const picture = (...parts: (readonly [count: number, pixel: Pixel])[]): number[] =>
  parts.flatMap(([count, [r, g, b, a = 255]]) => Array.from({ length: count }, () => [r, g, b, a]).flat())

describe('tells a drawing, which is ink on paper, from a photograph', () => {
  test.each([
    ['black lines on white', picture([90, WHITE], [10, BLACK]), true],
    ['lines without a ground, which nobody would see on a dark page', picture([95, CLEAR], [5, BLACK]), true],
    ['a chart of few colours', picture([75, WHITE], [13, OLIVE], [12, BLACK]), true],
    ['a photograph', picture([20, WHITE], [50, SKIN], [30, OLIVE]), false],
    ['a bright photograph of something in colour', picture([70, WHITE], [28, SKIN], [2, BLACK]), false],
    ['a dark screen', picture([10, WHITE], [90, BLACK]), false],
    ['nothing at all', picture([100, WHITE]), false],
  ])('by its pixels: %s', (_, pixels, drawing) => expect(isInkOnPaper(pixels)).toBe(drawing))
})

afterEach(() => {
  vi.restoreAllMocks()
  document.body.replaceChildren()
})
/** jsdom neither fetches nor draws pictures: these have the given pixels. */
function plant(pixels: number[] | Error) {
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(100)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    Object.assign(Object.create(null), {
      drawImage: () => {},
      getImageData: () => {
        if (pixels instanceof Error) throw pixels
        return { data: pixels }
      },
    }),
  )
  const box = document.createElement('div')
  const image = document.createElement('img')
  box.append(image)
  document.body.append(box)
  return { box, image }
}

test('a drawing is marked when it has come, however late, and no longer once its text is gone', () => {
  const { box, image } = plant(picture([90, WHITE], [10, BLACK]))
  const complete = vi.spyOn(image, 'complete', 'get').mockReturnValue(false)
  const stop = watchDrawings(box)
  expect(image.hasAttribute('data-drawing')).toBe(false)
  complete.mockReturnValue(true)
  image.dispatchEvent(new Event('load'))
  expect(image.hasAttribute('data-drawing')).toBe(true)
  stop()
  image.removeAttribute('data-drawing')
  image.dispatchEvent(new Event('load'))
  expect(image.hasAttribute('data-drawing')).toBe(false)
})
test('a picture of another site, whose pixels are not told, stays as it is', () => {
  const { box, image } = plant(new DOMException('tainted', 'SecurityError'))
  watchDrawings(box)
  expect(image.hasAttribute('data-drawing')).toBe(false)
})
