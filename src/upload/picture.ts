/** A picture that cannot be sent as it is. `message` is for the student. */
export class PictureFault extends Error {
  override readonly name = 'PictureFault'
}

const SOURCE_MAX_BYTES = 40 * 1024 * 1024
/** Few bytes can claim any size: a phone would give up over it. The largest cameras of phones have 200 million. */
const SOURCE_MAX_PIXELS = 250e6
/** What is worked on, in pixels a side. */
const WORK_SIDE = 2048
/** Of a portrait: shown at 96 CSS px, sharp on every screen. */
export const PORTRAIT_SIDE = 512
const QUALITY = 0.86
const BROKEN = '这张图片打不开，可能已损坏，请换一张。'
const NO_PICTURE = '这不是图片，请选择照片或图片文件。'
const NO_SVG = '不支持 SVG 图片，请换一张 JPG、PNG 或 WebP 图片。'
const NO_HEIC = '这个浏览器打不开 HEIC 照片，请先把它存成 JPG，或在相机设置里选“兼容性最佳”。'

/** Which square of a picture: `x` and `y` say where it lies along the way it has, 0 … 1. */
export interface Crop {
  /** 1: as large as the picture's shorter side. */
  zoom: number
  x: number
  y: number
}
export const WHOLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }

/**
 * Decodes a picture of the student's, turned as its camera says, and no larger than we work with. By an image element, not by
 * createImageBitmap: 50 megapixels are 200 MB, and a browser decodes an image element's JPEG only as large as it is drawn.
 * @throws PictureFault
 */
export async function openPicture(file: File): Promise<HTMLCanvasElement> {
  const fault = faultOf(file)
  if (fault) throw new PictureFault(fault)
  const address = URL.createObjectURL(file)
  try {
    const image = await load(address)
    if (!image) throw new PictureFault(isHeic(file) ? NO_HEIC : BROKEN)
    return drawSmall(image)
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** What no browser needs to look at. */
function faultOf({ size, type, name }: File): string | null {
  if (size > SOURCE_MAX_BYTES) return '这张图片超过 40 MB，请先缩小再上传。'
  if (type !== '' && !type.startsWith('image/')) return NO_PICTURE
  // A document, not a picture: what it shows may come from anywhere.
  return /svg/i.test(type) || /\.svgz?$/i.test(name) ? NO_SVG : null
}
const isHeic = ({ name, type }: File): boolean => /hei[cf]/i.test(type) || /\.hei[cf]$/i.test(name)

/** Null when it is none. */
const load = (address: string): Promise<HTMLImageElement | null> =>
  new Promise((resolve) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image))
    image.addEventListener('error', () => resolve(null))
    image.src = address
  })

function drawSmall(image: HTMLImageElement): HTMLCanvasElement {
  const sides = [image.naturalWidth, image.naturalHeight] as const
  if (sides[0] * sides[1] > SOURCE_MAX_PIXELS) throw new PictureFault('这张图片的尺寸太大，请先缩小再上传。')
  const scale = Math.min(1, WORK_SIDE / Math.max(...sides))
  const [width, height] = sides.map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new PictureFault(BROKEN)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Draws the square into the whole of `to`. What is clear becomes white: a JPEG knows no other. */
export function drawSquare(from: HTMLCanvasElement, to: HTMLCanvasElement, { zoom, x, y }: Crop): void {
  const context = to.getContext('2d')
  if (!context) return
  const side = Math.min(from.width, from.height) / zoom
  context.fillStyle = '#fff'
  context.fillRect(0, 0, to.width, to.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(from, x * (from.width - side), y * (from.height - side), side, side, 0, 0, to.width, to.height)
}

/** The square as a file of its own: nothing of the camera's notes (place, time) is in it. */
export async function squareFile(from: HTMLCanvasElement, crop: Crop, source: File): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width: PORTRAIT_SIDE, height: PORTRAIT_SIDE })
  drawSquare(from, canvas, crop)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
  if (!blob) throw new PictureFault(BROKEN)
  return named(blob, source)
}

/** A file under the name of what it was made of. The SDK finds an upload that was interrupted by name, size and date. */
function named(blob: Blob, { name, lastModified }: File): File {
  const file = new File([blob], name, { type: 'image/jpeg', lastModified })
  // Browsers are leaving it out; without it the SDK would compare the parts of every upload with the file.
  if (!('lastModifiedDate' in file)) Object.defineProperty(file, 'lastModifiedDate', { value: new Date(lastModified) })
  return file
}
