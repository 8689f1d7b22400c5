import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { besides, decodedName, hashedName } from './mediaFiles.ts'
import { FileFault } from '#server/content/draft.ts'
import { pictureEnding, RECORDING_ENDING, recordingEnding } from '#server/http/media.ts'
import { isHuge, MOST_PIXELS, pictureSize, type Size } from './pictureSize.ts'

/** A picture of a file's own folder, or one that is among the media already. */
export interface PictureFile extends Size {
  /** By content hash, as it is served below /media/. */
  name: string
  bytes: Buffer
}

const HASHED = /^\/media\/[a-f0-9]{16,64}\.(?:[a-z]{3,4}|mp3)$/

/** @throws FileFault in Chinese when there is no such picture that every browser shows. */
export async function readPicture(source: string, folder: string, mediaDir: string): Promise<PictureFile> {
  const at = HASHED.test(source) ? path.join(mediaDir, path.basename(source)) : besides(folder, source)
  if (!at) throw new FileFault(`图片要放在文件所在的文件夹里：${source}`)
  const ending = pictureEnding(at)
  if (ending === null) throw new FileFault(`图片只能是 SVG、PNG、JPG、GIF、WebP：${source}`)
  const bytes = await readFile(at).catch(() => null)
  if (!bytes) throw new FileFault(`找不到图片：${source}`)
  const size = pictureSize(bytes, ending)
  if (!size)
    throw new FileFault(`图片无法识别${ending === 'svg' ? '（SVG 要有 viewBox 或 width、height）' : ''}：${source}`)
  if (isHuge(bytes))
    throw new FileFault(`图片太大（${size.width}×${size.height}），最多 ${MOST_PIXELS / 10_000} 万像素：${source}`)
  return { name: hashedName(bytes, ending), bytes, ...size }
}

/** Tells an MP3 from another file that was only named so: it begins with its tags, or with the sign of a frame. */
const isRecording = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).toString('latin1') === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)

/** Gets pictures and recordings by their public names. */
interface Found {
  set: (name: string, bytes: Buffer) => unknown
}
/** Pictures and recordings that came in one file with the texts, by the names that these have for them. */
export type Packed = (name: string) => Uint8Array | null

/**
 * The public addresses of pictures and recordings that texts name, by the hash of their bytes; null for what is none, or lies elsewhere: those that
 * could be copied from there have addresses of ours already (foreignPictures.ts).
 * @param folder below which they are looked for; null: there is none
 */
export function pictureFinder(folder: string | null, found: Found, packed?: Packed) {
  const read = (source: string): Buffer | null => {
    const bytes = packed?.(path.posix.normalize(source))
    if (bytes) return Buffer.from(bytes)
    const at = folder === null ? null : besides(folder, source)
    if (at === null) return null
    try {
      return readFileSync(at)
    } catch {
      return null
    }
  }
  return (source: string): string | null => {
    if (HASHED.test(source)) return source
    const ending = pictureEnding(source) ?? recordingEnding(source)
    const bytes = ending && (read(source) ?? read(decodedName(source)))
    if (!bytes || (ending === RECORDING_ENDING ? !isRecording(bytes) : isHuge(bytes))) return null
    const name = hashedName(bytes, ending)
    found.set(name, bytes)
    return `/media/${name}`
  }
}
