/** So many pixels a side tell enough of a picture. */
const SIDE = 48
/** Channels of paper are all above this, and those of a grey differ by no more than the next one. */
const PAPER = 225
const GREY = 28
/** A drawing is at least so much paper, and of what is drawn on it at most so much is in colour. */
const PAPER_SHARE = 0.6
const COLOUR_SHARE = 0.65
/** Pixels that are covered less than this are seen through. */
const SOLID = 128

/**
 * Marks drawings, which are ink on paper, so that the dark theme turns them into light on dark; photographs stay as they are.
 * @returns stops it
 */
export function watchDrawings(box: Element): () => void {
  const look = (picture: HTMLImageElement) => {
    if (picture.naturalWidth > 0) picture.toggleAttribute('data-drawing', isDrawing(picture))
  }
  // A picture that is fetched later than its text, as those of 省流模式 are, tells so itself.
  const follow = ({ target }: Event) => target instanceof HTMLImageElement && look(target)
  box.addEventListener('load', follow, true)
  for (const picture of box.querySelectorAll('img')) if (picture.complete) look(picture)
  return () => box.removeEventListener('load', follow, true)
}

function isDrawing(picture: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return false
  try {
    context.drawImage(picture, 0, 0, SIDE, SIDE)
    return isInkOnPaper(context.getImageData(0, 0, SIDE, SIDE).data)
  } catch {
    // The pixels of another site's picture are not told, and it stays as it is.
    return false
  }
}

/** @param pixels RGBA, 0–255 each. A picture without a ground of its own lies on the page's paper. */
export function isInkOnPaper(pixels: ArrayLike<number>): boolean {
  let [paper, ink, colour] = [0, 0, 0]
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const channels = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
    const [least, most] = [Math.min(...channels), Math.max(...channels)]
    if ((pixels[at + 3] ?? 0) < SOLID || least >= PAPER) paper++
    else {
      ink++
      if (most - least > GREY) colour++
    }
  }
  return ink > 0 && paper / (paper + ink) >= PAPER_SHARE && colour / ink <= COLOUR_SHARE
}
