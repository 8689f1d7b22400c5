/** A picture that cannot be sent as it is. `message` is for the student. */
export class PictureFault extends Error {
  override readonly name = 'PictureFault'
}

/** Decoded, a picture of 50 megapixels is 200 MB: an old phone would end the page. */
const SOURCE_MAX_BYTES = 40 * 1024 * 1024
/** What is worked on, in pixels a side. */
const WORK_SIDE = 2048
/** Of a portrait: shown at 96 CSS px, sharp on every screen. */
export const PORTRAIT_SIDE = 512
const QUALITY = 0.86
const NAME_LENGTH = 40

/** Which square of a picture: `x` and `y` say where it lies along the way it has, 0 … 1. */
export interface Crop {
  /** 1: as large as the picture's shorter side. */
  zoom: number
  x: number
  y: number
}
export const WHOLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }

/**
 * Decodes a picture of the student's, turned as its camera says, and no larger than we work with.
 * @throws PictureFault
 */
export async function openPicture(file: File): Promise<HTMLCanvasElement> {
  if (file.size > SOURCE_MAX_BYTES) throw new PictureFault('这张图片超过 40 MB，请先缩小再上传。')
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap)
    throw new PictureFault(
      file.type !== '' && !file.type.startsWith('image/')
        ? '这不是图片，请选择照片或图片文件。'
        : isHeic(file)
          ? '这个浏览器打不开 HEIC 照片，请先把它存成 JPG，或在相机设置里选“兼容性最佳”。'
          : '这张图片打不开，可能已损坏，请换一张。',
    )
  const scale = Math.min(1, WORK_SIDE / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas
}

const isHeic = ({ name, type }: File): boolean => /hei[cf]/i.test(type) || /\.hei[cf]$/i.test(name)

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
  if (!blob) throw new PictureFault('这张图片打不开，可能已损坏，请换一张。')
  return named(blob, source)
}

/**
 * A file under its own name, with the hash of its bytes: another square of the same picture has another address, so that whoever
 * keeps the first one does not show it. The SDK finds an upload that was interrupted by name, size and date.
 */
async function named(blob: Blob, { name, lastModified }: File): Promise<File> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
  const hash = Array.from(digest.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const stem = name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}_-]+/gu, '_')
  const own = Array.from(stem)
    .slice(0, NAME_LENGTH)
    .join('')
    .replace(/^[-_]+/, '')
  const file = new File([blob], `${own || 'picture'}-${hash}.jpg`, { type: 'image/jpeg', lastModified })
  // Browsers are leaving it out; without it the SDK would compare the parts of every upload with the file.
  if (!('lastModifiedDate' in file)) Object.defineProperty(file, 'lastModifiedDate', { value: new Date(lastModified) })
  return file
}
