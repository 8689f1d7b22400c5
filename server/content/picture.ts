import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { besides, hashedName } from './besides.ts'
import { FileFault } from './draft.ts'
import { PICTURE_TYPES } from './media.ts'
import { pictureSize, type Size } from './pictureSize.ts'

/** A picture of a file's own folder, or one that is among the media already. */
export interface PictureFile extends Size {
  /** By content hash, as it is served below /media/. */
  name: string
  bytes: Buffer
}

const HASHED = /^\/media\/[a-f0-9]{16,64}\.[a-z]{3,4}$/

/** @throws FileFault in Chinese when there is no such picture that every browser shows. */
export async function readPicture(source: string, folder: string, mediaDir: string): Promise<PictureFile> {
  const at = HASHED.test(source) ? path.join(mediaDir, path.basename(source)) : besides(folder, source)
  if (!at) throw new FileFault(`图片要放在文件所在的文件夹里：${source}`)
  const ending = path.extname(at).slice(1).toLowerCase().replace('jpeg', 'jpg')
  if (!Object.hasOwn(PICTURE_TYPES, ending)) throw new FileFault(`图片只能是 SVG、PNG、JPG、GIF、WebP：${source}`)
  const bytes = await readFile(at).catch(() => null)
  if (!bytes) throw new FileFault(`找不到图片：${source}`)
  const size = pictureSize(bytes, ending)
  if (!size)
    throw new FileFault(`图片无法识别${ending === 'svg' ? '（SVG 要有 viewBox 或 width、height）' : ''}：${source}`)
  return { name: hashedName(bytes, ending), bytes, ...size }
}
