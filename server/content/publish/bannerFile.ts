import { readJsonFile } from '#server/content/formats/jsonText.ts'
import { readShape } from '#server/content/formats/fileShape.ts'
import path from 'node:path'
import * as v from 'valibot'
import { BANNERS_MAX, InsidePath } from '#src/contract/home.ts'
import type { BannerRow } from '#server/home/store.ts'
import { FileFault, type Finding } from '#server/content/draft.ts'
import { Keys } from './paperFile.ts'
import { type PictureFile, readPicture } from '#server/content/media/picture.ts'
import { Time, writeTime } from '#server/content/media/time.ts'

const BANNERS_FORMAT = 'lijian-banners/1'
const TITLE_MAX = 20
const NOTE_MAX = 30
/** On one bar of signal a larger one comes after the student has gone on. */
const HEAVY_BYTES = 100 * 1024
const MAX_BYTES = 1024 * 1024
/** The page cuts a picture to 2:1 on phones and to 5:2 on wide screens: others lose more than their edges. */
const RATIOS = { from: 1.7, to: 3 }

const text = (what: string, most: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(most, `${what}最多${most}字`), v.regex(/^[^\n\r]*$/, `${what}只能是一行`))
const BannerFile = v.object({
  format: v.literal(BANNERS_FORMAT, `format 应为 "${BANNERS_FORMAT}"`),
  banners: v.pipe(
    v.array(
      v.object({
        title: v.pipe(text('标题', TITLE_MAX), v.nonEmpty('标题不能为空')),
        note: v.optional(text('说明', NOTE_MAX), ''),
        picture: v.string('要有 picture：图片文件名'),
        link: InsidePath,
        from: v.optional(Time),
        until: v.optional(Time),
        directions: Keys,
        areas: Keys,
      }),
    ),
    v.maxLength(BANNERS_MAX, `首页轮播最多 ${BANNERS_MAX} 张`),
  ),
})
type BannerInFile = v.InferOutput<typeof BannerFile>['banners'][number]

export interface CheckedBanners {
  /** Null when the file has a fault. */
  banners: BannerRow[] | null
  /** By their names as they are served below /media/. */
  pictures: Map<string, Buffer>
  findings: Finding[]
}

/** Reads the banners of the home page with the pictures beside the file, without changing anything. */
export async function checkBanners(file: string, mediaDir: string): Promise<CheckedBanners> {
  const fault = (at: string, reason: string): Finding => ({ file, at, level: 'fault', reason })
  const json = await readJsonFile(file)
  if (json === undefined)
    return { banners: null, pictures: new Map(), findings: [fault('文件', '文件不存在或不是 JSON')] }
  const { said, findings } = readShape(BannerFile, file, json)
  if (!said) return { banners: null, pictures: new Map(), findings }
  const rows: BannerRow[] = []
  const pictures = new Map<string, Buffer>()
  for (const [i, banner] of said.banners.entries()) {
    const at = `banners[${i}]`
    const { from, until } = banner
    if (from !== undefined && until !== undefined && from >= until) findings.push(fault(at, '结束时间要晚于开始时间'))
    try {
      const picture = await readPicture(banner.picture, path.dirname(file), mediaDir)
      findings.push(...judge(picture).map(({ level, reason }) => ({ file, at, level, reason })))
      pictures.set(picture.name, picture.bytes)
      rows.push(rowOf(banner, picture))
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      findings.push(fault(at, error.message))
    }
  }
  const faulty = findings.some(({ level }) => level === 'fault')
  return { banners: faulty ? null : rows, pictures, findings }
}

function judge({ bytes, width, height }: PictureFile): Pick<Finding, 'level' | 'reason'>[] {
  const kb = Math.ceil(bytes.length / 1024)
  const ratio = width / height
  return [
    ...(bytes.length > MAX_BYTES ? [{ level: 'fault' as const, reason: `图片 ${kb} KB，不能超过 1024 KB` }] : []),
    ...(bytes.length > HEAVY_BYTES && bytes.length <= MAX_BYTES
      ? [{ level: 'warning' as const, reason: `图片 ${kb} KB，弱网下出现得慢，最好不超过 100 KB` }]
      : []),
    ...(ratio < RATIOS.from || ratio > RATIOS.to
      ? [{ level: 'warning' as const, reason: `图片 ${width}×${height}，宽高比不在 1.7 到 3 之间，会被裁掉较多` }]
      : []),
  ]
}

const rowOf = (banner: BannerInFile, { name, width, height }: PictureFile): BannerRow => ({
  title: banner.title,
  note: banner.note,
  src: `/media/${name}`,
  width,
  height,
  link: banner.link,
  from: banner.from ?? null,
  until: banner.until ?? null,
  directions: banner.directions,
  areas: banner.areas,
})

/** As the file that would set them again. */
export const exportBanners = (rows: readonly BannerRow[]) => ({
  format: BANNERS_FORMAT,
  banners: rows.map(({ title, note, src, link, from, until, directions, areas }) => ({
    title,
    note,
    picture: path.basename(src),
    link,
    ...(from !== null && { from: writeTime(from) }),
    ...(until !== null && { until: writeTime(until) }),
    directions,
    areas,
  })),
})
