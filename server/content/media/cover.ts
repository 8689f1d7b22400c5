import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Cover } from '#src/contract/scalar.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { besides } from './mediaFiles.ts'
import type { Report } from '#server/content/draft.ts'
import { pictureEnding } from '#server/http/media.ts'
import { pictureFinder } from './picture.ts'
import { pictureSize, type Size, sizeAmong } from './pictureSize.ts'

/** Smaller is a blur on a phone; taller than wide leaves no room for the title. */
const LEAST = { width: 320, height: 180 }
const EVEN = 0.03
/** A phone makes room for every point, four bytes each, whatever the file's own size. */
const MOST_POINTS = 16_000_000
const MOST_BYTES = 5 * 1024 * 1024

/** The cover of what is sold, from beside its file. @param files gets the picture. Null when it is no good, which is reported. */
export async function readCover(
  folder: string,
  name: string,
  files: Map<string, Buffer>,
  report: Report,
): Promise<Cover | null> {
  const src = pictureFinder(folder, files)(name)
  if (src === null) {
    report('fault', 'cover', `封面 ${name} ${await whyNone(folder, name)}`)
    return null
  }
  const size = sizeAmong(files, src)
  if (!size) {
    report('fault', 'cover', `封面 ${name} 的内容不是图片，或没有写明宽高`)
    return null
  }
  const { width, height } = size
  const fault = await faultOf(files.get(path.basename(src)) ?? Buffer.alloc(0), size, src.endsWith('.svg'))
  if (fault !== null) report('fault', 'cover', `封面 ${name} ${fault}`)
  else if (Math.abs(width / height - 16 / 9) > EVEN)
    report('warning', 'cover', `封面 ${name} 是 ${width}×${height}，不是 16:9，显示时会裁去一部分`)
  return { src, ...size }
}

/** No picture is taken that would fill a server's memory; which is another thing than none. */
async function whyNone(folder: string, name: string): Promise<string> {
  const at = besides(folder, name)
  const ending = pictureEnding(name)
  const bytes = at !== null && ending !== null ? await readFile(at).catch(() => null) : null
  const size = bytes && ending !== null ? pictureSize(bytes, ending) : null
  return size ? tooLarge(size) : '不存在，应放在课程文件旁边或其下级文件夹，用 svg、png、jpg、gif 或 webp'
}
const tooLarge = ({ width, height }: Size): string =>
  `有 ${width}×${height}，手机打开会占用过多内存，最多 ${MOST_POINTS / 10_000} 万像素，请缩小后再导入`

async function faultOf(bytes: Buffer, { width, height }: Size, isDrawn: boolean): Promise<string | null> {
  if (width < LEAST.width || height < LEAST.height)
    return `只有 ${width}×${height}，至少 ${LEAST.width}×${LEAST.height}`
  if (bytes.length > MOST_BYTES) return `有 ${bytesText(bytes.length)}，最多 ${bytesText(MOST_BYTES)}，请压缩后再导入`
  // A drawing has no points of its own.
  if (isDrawn) return null
  if (width * height > MOST_POINTS) return tooLarge({ width, height })
  return sharp(bytes, { limitInputPixels: MOST_POINTS })
    .raw()
    .toBuffer()
    .then(
      () => null,
      () => '已损坏，不能完整打开，请重新导出',
    )
}
