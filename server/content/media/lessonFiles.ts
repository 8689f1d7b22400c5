import { createHash, hash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type CourseKind, type LessonMedia, type MediaFile, PART_BYTES } from '#src/contract/course.ts'
import type { LessonRow } from '#server/course/store.ts'
import { besides } from '../besides.ts'
import { isLessonFile, lessonType } from './lessonTypes.ts'
import { type Probe, probe } from './mediaProbe.ts'
import type { Report } from '../draft.ts'
import { readPlaylist, within } from './playlist.ts'
import { subtitleFault } from './webvtt.ts'

type Rendition = LessonMedia['renditions'][number]
/** A file of a lesson: where it is, and what it will be called. */
interface Source {
  at: string
  file: MediaFile
  hash: string
}
export interface LessonFiles extends Pick<LessonRow, 'seconds' | 'bytes' | 'rev' | 'media'> {
  sources: Source[]
}
interface Named {
  media: string[]
  /** As the file states it. */
  seconds?: number | undefined
  subtitles: { lang: string; label: string; file: string }[]
}
/** Two ways to have one lesson are as long but for a silence at the end. */
const SAME_S = 3

/** Reads the files of a lesson that are named beside a course's file. Null when one of them is no good, which is reported. */
export async function readLessonFiles(
  { folder, kind }: { folder: string; kind: CourseKind },
  lesson: Named,
  report: Report,
): Promise<LessonFiles | null> {
  const read: Read[] = []
  for (const [i, name] of lesson.media.entries()) {
    const one = await readRendition(folder, name, `${i + 1}`, (reason) => report('fault', `media[${i}]`, reason))
    if (!one) continue
    if (one.video !== null && one.video !== (kind === 'video'))
      report('fault', `media[${i}]`, one.video ? '音频课程里有带画面的文件' : '视频课程里有没有画面的文件')
    if (one.late)
      report('warning', `media[${i}]`, `${name} 的目录（moov）在文件末尾，要全部下载才能播放，请转为 faststart`)
    read.push(one)
  }
  const seconds = lengthOf(read, lesson.seconds, report)
  if (read.length < lesson.media.length || seconds === null) return null
  const subtitles = await readSubtitles(folder, lesson.subtitles, seconds, report)
  if (!subtitles) return null
  const sources = [...read.flatMap((each) => each.sources), ...subtitles.map(({ source }) => source)]
  const first = read[0]?.sources ?? []
  return {
    seconds,
    sources,
    bytes: [...first, ...subtitles.map(({ source }) => source)].reduce((sum, { file }) => sum + file.bytes, 0),
    rev: revOf(sources),
    media: {
      renditions: read.map(({ rendition }) => rendition),
      subtitles: subtitles.map(({ lang, label, source }) => ({ lang, label, file: source.file })),
    },
  }
}

const revOf = (sources: readonly Source[]): string =>
  hash('sha256', JSON.stringify(sources.map((source) => [source.file.name, source.hash]))).slice(0, 20)

function lengthOf(read: readonly Read[], stated: number | undefined, report: Report): number | null {
  const lengths = read.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]))
  const [first] = lengths
  if (first === undefined && stated === undefined) {
    // Of what could not be read something is said already.
    if (read.length > 0) report('fault', 'seconds', '文件没有写明时长，请用 seconds 写出秒数')
    return null
  }
  const seconds = first === undefined ? (stated ?? 0) : Math.max(1, Math.round(first))
  const other = [...lengths, stated ?? seconds].find((length) => Math.abs(length - seconds) > SAME_S)
  if (other !== undefined)
    report('fault', 'seconds', `时长对不上：${seconds} 秒与 ${Math.round(other)} 秒，请检查是不是同一课的文件`)
  return seconds
}

interface Read {
  rendition: Rendition
  sources: Source[]
  seconds: number | null
  /** Null: not known. */
  video: boolean | null
  late: boolean
}
type Tell = (reason: string) => void

async function readRendition(folder: string, name: string, place: string, fault: Tell): Promise<Read | null> {
  const found = await probed(folder, name, fault)
  if (!found) return null
  const { at, is } = found
  if (is.ending === 'm3u8') return readHls(at, name, place, fault)
  if (!['mp4', 'webm', 'mp3'].includes(is.ending)) {
    fault(`${name} 不是可以直接播放的文件，请用 MP4、WebM、M4A、MP3 或播放列表 m3u8`)
    return null
  }
  const foreign = is.codecs.find((codec) => codec.startsWith('['))
  if (foreign !== undefined) {
    fault(`${name} 的编码 ${foreign.slice(1, -1)} 多数设备不能播放，请转为 H.264 与 AAC，或 VP9 与 Opus`)
    return null
  }
  const ending = is.ending === 'mp4' && !is.video ? 'm4a' : is.ending
  const source = await sourceOf(at, `${place}.${ending}`)
  const container = is.ending === 'mp3' ? 'audio/mpeg' : `${is.video ? 'video' : 'audio'}/${is.ending}`
  const type = is.codecs.length > 0 ? `${container}; codecs="${is.codecs.join(', ')}"` : container
  const rendition = { type, main: source.file.name, files: [source.file] }
  return { ...is, rendition, sources: [source] }
}

/** A file beside the course's, and what it is; what it is not is said. */
async function probed(folder: string, name: string, fault: Tell): Promise<{ at: string; is: Probe } | null> {
  const at = besides(folder, name)
  if (at === null) {
    fault(`${name} 应放在课程文件旁边或其下级文件夹`)
    return null
  }
  const is = await probe(at).catch(() => null)
  if (!is) {
    fault(`${name} 不存在或无法读取`)
    return null
  }
  const said = path.extname(name).slice(1).toLowerCase()
  const means = said === 'm4a' || (said === 'm4s' && is.ending === 'mp4') ? 'mp4' : said
  if (is.ending === '' || means !== is.ending) {
    fault(`${name} 的内容${is.ending ? `是 ${is.ending}` : '认不出'}，与扩展名不符`)
    return null
  }
  return { at, is }
}

/** A playlist with all that it names, and all that those name. */
async function readHls(main: string, called: string, place: string, fault: Tell): Promise<Read | null> {
  const folder = path.dirname(main)
  const names = [path.basename(main)]
  const sources: Source[] = []
  let seconds = 0
  let good = true
  const wrong: Tell = (reason) => {
    good = false
    fault(reason)
  }
  // What is named is looked at after what names it.
  for (const name of names) {
    const stored = `${place}/${name}`
    if (!isLessonFile(stored)) {
      wrong(`${called} 里的 ${name}：文件名请用字母、数字、下划线、点和短横线，扩展名用 m3u8、ts、m4s、mp4 或 vtt`)
      continue
    }
    const found = await probed(folder, name, (reason) => wrong(`${called}：${reason}`))
    if (!found) continue
    sources.push(await sourceOf(found.at, stored))
    if (found.is.ending !== 'm3u8') continue
    const list = readPlaylist(await readFile(found.at, 'utf8'))
    for (const reason of list.faults) wrong(`${name}：${reason}`)
    seconds = Math.max(seconds, list.seconds)
    for (const each of list.names) {
      const inside = within(name, each)
      if (inside === null) wrong(`${name} 里的 ${each} 不在播放列表的文件夹里`)
      else if (!names.includes(inside)) names.push(inside)
    }
  }
  if (!good) return null
  const rendition = {
    type: lessonType(main) ?? '',
    main: `${place}/${names[0]}`,
    files: sources.map(({ file }) => file),
  }
  return { rendition, sources, seconds: seconds > 0 ? seconds : null, video: null, late: false }
}

async function readSubtitles(folder: string, named: Named['subtitles'], seconds: number, report: Report) {
  const read: { lang: string; label: string; source: Source }[] = []
  for (const [i, { lang, label, file }] of named.entries()) {
    const fault: Tell = (reason) => report('fault', `subtitles[${i}]`, reason)
    const found = await probed(folder, file, fault)
    if (!found) continue
    const wrong = await subtitleText(found.at).then((text) =>
      text === null ? '字幕应为 UTF-8 编码' : subtitleFault(text, seconds),
    )
    if (wrong !== null) fault(`${file} ${wrong}`)
    else if (read.some((each) => each.lang === lang)) fault(`语言 ${lang} 写了两次`)
    else read.push({ lang, label, source: await sourceOf(found.at, `${lang}.vtt`) })
  }
  return read.length === named.length ? read : null
}

async function subtitleText(at: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(at))
  } catch {
    return null
  }
}

/** Hashes a file as it is read, a part at a time. */
export async function sourceOf(at: string, name: string): Promise<Source> {
  const whole = createHash('sha256')
  const parts: string[] = []
  const buffer = Buffer.alloc(PART_BYTES)
  const handle = await open(at)
  let bytes = 0
  try {
    for (;;) {
      let filled = 0
      while (filled < PART_BYTES) {
        const { bytesRead } = await handle.read(buffer, filled, PART_BYTES - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      if (filled === 0) break
      const part = buffer.subarray(0, filled)
      whole.update(part)
      parts.push(hash('sha256', part))
      bytes += filled
    }
  } finally {
    await handle.close()
  }
  return { at, hash: whole.digest('hex'), file: { name, type: lessonType(name) ?? '', bytes, parts } }
}
