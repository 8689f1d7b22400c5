import { createHash, hash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { type CourseKind, type LessonMedia, type LessonSize, type MediaFile, PART_BYTES } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { choicesOf } from '#src/domain/course/quality.ts'
import type { LessonRow } from '#server/course/store.ts'
import { besides } from './mediaFiles.ts'
import { isLessonFile, lessonType } from '#server/http/lessonTypes.ts'
import { foreignOf, warningOf } from './codecs.ts'
import { isPicture, type Probe, probe } from './mediaProbe.ts'
import type { Report } from '../draft.ts'
import { readPlaylist, within } from './playlist.ts'
import { readSubtitles } from './subtitles.ts'
import { type ReadPieces, tooManyVariants, variantsOf } from './variants.ts'

type Rendition = LessonMedia['renditions'][number]
/** A file of a lesson: where it is or, when it was made here, its bytes; and what it will be called. */
interface Source {
  at: string | Buffer
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
    const at = `media[${i}]`
    const mend = { file: path.join(folder, name), kind }
    const one = await readRendition(folder, name, `${i + 1}`, (reason, mendable) =>
      report('fault', at, reason, mendable ? mend : undefined),
    )
    if (!one) continue
    for (const codec of one.codecs) {
      const warning = warningOf(codec)
      if (warning !== null) report('warning', at, `${name} ${warning}`)
    }
    if (one.video !== null && one.video !== (kind === 'video'))
      report('fault', at, one.video ? '音频课程里有带画面的文件' : '视频课程里有没有画面的文件')
    if (one.late) report('warning', at, `${name} 的目录（moov）在文件末尾，要全部下载才能播放，请转为 faststart`)
    read.push(one)
  }
  const seconds = lengthOf(read, lesson.seconds, report)
  if (read.length < lesson.media.length || seconds === null) return null
  const subtitles = await subtitlesOf(folder, lesson.subtitles, seconds, report)
  if (!subtitles) return null
  const sources = [...read.flatMap((each) => each.sources), ...subtitles.map(({ source }) => source)]
  const first = read[0]?.sources ?? []
  const renditions = read.map(({ rendition }) => rendition)
  const said = subtitles.reduce((sum, { source }) => sum + source.file.bytes, 0)
  return {
    seconds,
    sources,
    bytes: first.reduce((sum, { file }) => sum + file.bytes, said),
    rev: revOf(sources),
    media: {
      renditions,
      sizes: sizesOf(renditions, said),
      subtitles: subtitles.map(({ lang, label, source }) => ({ lang, label, file: source.file })),
    },
  }
}

/** Lists what a device that plays everything can choose from. @param said bytes that come with each */
function sizesOf(renditions: readonly Rendition[], said: number): LessonSize[] {
  const choices = choicesOf(renditions, () => true)
  return choices.length > 1 ? choices.map(({ quality, lines, bytes }) => ({ quality, lines, bytes: bytes + said })) : []
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
  codecs: readonly string[]
  /** Null: not known. */
  video: boolean | null
  late: boolean
}
/** @param mendable it is whole, and can be made into what phones play */
type Tell = (reason: string, mendable?: boolean) => void

async function readRendition(folder: string, name: string, place: string, fault: Tell): Promise<Read | null> {
  const found = await probed(folder, name, fault)
  if (!found) return null
  const { at, is } = found
  if (is.ending === 'm3u8') return readHls(at, name, place, fault)
  if (!['mp4', 'webm', 'mp3'].includes(is.ending)) {
    fault(`${name} 不是可以直接播放的文件，请用 MP4、WebM、M4A、MP3 或播放列表 m3u8`, is.ending === 'ts')
    return null
  }
  const ending = is.ending === 'mp4' && !is.video ? 'm4a' : is.ending
  const source = await sourceOf(at, `${place}.${ending}`)
  const container = is.ending === 'mp3' ? 'audio/mpeg' : `${is.video ? 'video' : 'audio'}/${is.ending}`
  const type = is.codecs.length > 0 ? `${container}; codecs="${is.codecs.join(', ')}"` : container
  const rendition = { type, main: source.file.name, files: [source.file], lines: is.lines }
  return { ...is, rendition, sources: [source] }
}

/** Names that cameras, recorders and editors give to what browsers do not play. */
const FOREIGN_NAME = /\.(?:mov|avi|flv|wmv|asf|rmvb?|3gp|mpe?g|m2ts|mts|vob|wav|flac|aac|ogg|wma|amr|mkv|m4v)$/i

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
  if (is.fault !== null) {
    fault(`${name} ${is.fault}`, is.mendable)
    return null
  }
  const foreign = is.codecs.map(foreignOf).find((reason) => reason !== null)
  if (foreign) {
    fault(`${name} ${foreign}`, true)
    return null
  }
  const said = path.extname(name).slice(1).toLowerCase()
  const means = said === 'm4a' || (said === 'm4s' && is.ending === 'mp4') ? 'mp4' : said
  if (is.ending === '' || means !== is.ending) {
    fault(`${name} 的内容${is.ending ? `是 ${is.ending}` : '认不出'}，与扩展名不符`, FOREIGN_NAME.test(name))
    return null
  }
  return { at, is }
}

/** A lesson of many hours in segments of two seconds, three times. */
const MOST_FILES = 50_000
const PLAYLIST_MAX = 10 * 1024 * 1024
/** More of them says nothing more. */
const MOST_FAULTS = 20

/** Gathers what is read of a playlist's files, one after another. */
interface Hls extends ReadPieces {
  sources: Source[]
  seconds: number
  codecs: Set<string>
  faults: Set<string>
}

/** A playlist with all that it names, and all that those name. */
async function readHls(main: string, called: string, place: string, fault: Tell): Promise<Read | null> {
  const hls: Hls = {
    sources: [],
    seconds: 0,
    codecs: new Set(),
    faults: new Set(),
    lists: new Map(),
    probes: new Map(),
  }
  // Each name stands with the number of playlists above it, and is looked at after the one that names it.
  const names = new Map([[path.basename(main), 0]])
  for (const [name, depth] of names) {
    const named = await readPiece({ folder: path.dirname(main), called, place, name, depth }, hls)
    for (const each of named) if (!names.has(each)) names.set(each, depth + 1)
    if (names.size > MOST_FILES) hls.faults.add(`${called} 里有超过 ${MOST_FILES} 个文件，不像课时，请重新导出`)
    if (hls.faults.size >= MOST_FAULTS || names.size > MOST_FILES) break
  }
  const of = { main: path.basename(main), place, mostFiles: MOST_FILES }
  const variants = variantsOf(hls, of, (reason) => hls.faults.add(`${called} ${reason}`))
  for (const reason of hls.faults) fault(reason)
  if (hls.faults.size >= MOST_FAULTS) fault(`${called} 的问题太多，后面的没有再看`)
  if (hls.faults.size > 0) return null
  const { sources, seconds } = hls
  const codecs = [...hls.codecs]
  return {
    rendition: {
      type: lessonType(main) ?? '',
      main: `${place}/${path.basename(main)}`,
      files: sources.map(({ file }) => file),
      ...(variants.length > 0 && { variants }),
    },
    sources,
    seconds: seconds > 0 ? seconds : null,
    codecs,
    video: codecs.length > 0 ? codecs.some(isPicture) : null,
    late: false,
  }
}

interface Piece {
  folder: string
  called: string
  place: string
  name: string
  depth: number
}
/** One file of a playlist. Returns what it names, from the first playlist's folder. */
async function readPiece({ folder, called, place, name, depth }: Piece, hls: Hls): Promise<string[]> {
  const stored = `${place}/${name}`
  if (!isLessonFile(stored)) {
    hls.faults.add(
      `${called} 里的 ${name}：文件名请用字母、数字、下划线、点和短横线，扩展名用 m3u8、ts、m4s、mp4 或 vtt`,
    )
    return []
  }
  const found = await probed(folder, name, (reason) => hls.faults.add(`${called}：${reason}`))
  if (!found) return []
  for (const codec of found.is.codecs) hls.codecs.add(codec)
  hls.sources.push(await sourceOf(found.at, stored))
  hls.probes.set(name, found.is)
  if (found.is.ending !== 'm3u8') return []
  if (depth > 1) hls.faults.add(`${called} 里的播放列表最多两层：总列表和每种清晰度的列表`)
  const { size } = await stat(found.at)
  if (size > PLAYLIST_MAX) hls.faults.add(`${name} 太大，不像播放列表`)
  if (depth > 1 || size > PLAYLIST_MAX) return []
  const list = readPlaylist(await readFile(found.at, 'utf8'))
  for (const reason of list.faults) hls.faults.add(`${name}：${reason}`)
  const tooMany = tooManyVariants(list.variants.length)
  if (tooMany) {
    hls.faults.add(`${depth === 0 ? called : `${called} 里的 ${name}`} ${tooMany}`)
    return []
  }
  hls.seconds = Math.max(hls.seconds, list.seconds)
  const names = list.names.flatMap((each) => {
    const inside = within(name, each)
    if (inside === null && hls.faults.size < MOST_FAULTS) hls.faults.add(`${name} 里的 ${each} 不在播放列表的文件夹里`)
    return inside === null ? [] : [inside]
  })
  const variants = list.variants.flatMap((each) => {
    const inside = within(name, each.name)
    return inside === null ? [] : [{ ...each, name: inside }]
  })
  hls.lists.set(name, { names, variants })
  return names
}

/** Words of a day. */
const SUBTITLES_MAX = 5 * 1024 * 1024

async function subtitlesOf(folder: string, named: Named['subtitles'], seconds: number, report: Report) {
  const read: { lang: string; label: string; source: Source }[] = []
  for (const [i, { lang, label, file }] of named.entries()) {
    const fault: Tell = (reason) => report('fault', `subtitles[${i}]`, reason)
    const at = besides(folder, file)
    const size =
      at === null
        ? null
        : await stat(at).then(
            (is) => (is.isFile() ? is.size : null),
            () => null,
          )
    if (at === null) fault(`${file} 应放在课程文件旁边或其下级文件夹`)
    else if (size === null) fault(`${file} 不存在或无法读取`)
    else if (size > SUBTITLES_MAX) fault(`${file} 有 ${bytesText(size)}，不像字幕`)
    else {
      const bytes = await readFile(at)
      const subtitles = readSubtitles(bytes, seconds)
      if ('fault' in subtitles) fault(`${file} ${subtitles.fault}`)
      else if (read.some((each) => each.lang === lang)) fault(`语言 ${lang} 写了两次`)
      else {
        const made = Buffer.from(subtitles.vtt)
        read.push({ lang, label, source: await sourceOf(made.equals(bytes) ? at : made, `${lang}.vtt`) })
      }
    }
  }
  return read.length === named.length ? read : null
}

/** Hashes a file as it is read, a part at a time. */
export async function sourceOf(at: string | Buffer, name: string): Promise<Source> {
  const whole = createHash('sha256')
  const parts: string[] = []
  let bytes = 0
  for await (const part of typeof at === 'string' ? partsOfFile(at) : partsOf(at)) {
    whole.update(part)
    parts.push(hash('sha256', part))
    bytes += part.length
  }
  return { at, hash: whole.digest('hex'), file: { name, type: lessonType(name) ?? '', bytes, parts } }
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/** Each is good until the next one. */
async function* partsOfFile(at: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(PART_BYTES)
  const handle = await open(at)
  try {
    for (;;) {
      let filled = 0
      while (filled < PART_BYTES) {
        const { bytesRead } = await handle.read(buffer, filled, PART_BYTES - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      if (filled === 0) return
      yield buffer.subarray(0, filled)
    }
  } finally {
    await handle.close()
  }
}
