import { type FileHandle, open } from 'node:fs/promises'
import { bytesText } from '#src/domain/text/bytes.ts'
import { type Moov, readMoov } from './mp4.ts'
import { codecsOfTs, PACKET_BYTES } from './mpegTs.ts'
import { elementAt, readWebm } from './webm.ts'

/** Tells what a media file is, by its bytes. */
export interface Probe {
  /** One of the endings of lessonTypes.ts; '' stands for a file that we do not know. */
  ending: '' | 'mp4' | 'webm' | 'mp3' | 'm3u8' | 'ts' | 'm4s' | 'vtt'
  /** Null where the file does not say. */
  seconds: number | null
  /** They are written as in RFC 6381; an unknown one has its own name in brackets. */
  codecs: readonly string[]
  /** It has pictures. */
  video: boolean
  /** Their shorter side, px; null where there are none, or the file does not say. */
  lines: number | null
  /** An MP4 whose table of contents stands at its end: a player must have the whole of it first. */
  late: boolean
  /** Why nobody can play it, as a predicate of its name, in Chinese; null: nothing was found. */
  fault: string | null
  /** The fault is what it is, not that something of it is missing: it can be made into what phones play. */
  mendable: boolean
}
type Found = Omit<Probe, 'ending'>
const NOTHING: Found = {
  seconds: null,
  codecs: [],
  video: false,
  lines: null,
  late: false,
  fault: null,
  mendable: false,
}
const faulty = (fault: string): Found => ({ ...NOTHING, fault })
const HEAD_BYTES = 64 * 1024
/** A table of contents of many hours; more is no lesson. */
const MOOV_MAX = 64 * 1024 * 1024
/** A day in fragments of two seconds; more are made to keep us busy. */
const MOST_PIECES = 100_000

export async function probe(file: string): Promise<Probe> {
  const handle = await open(file)
  try {
    const head = await bytesAt(handle, 0, HEAD_BYTES)
    const { size } = await handle.stat()
    const text = head.toString('latin1', 0, 16)
    if (text.startsWith('#EXTM3U')) return { ending: 'm3u8', ...NOTHING }
    if (/^(?:\xef\xbb\xbf)?WEBVTT/.test(text)) return { ending: 'vtt', ...NOTHING }
    if (head[0] === 0x47 && head.length > PACKET_BYTES && head[PACKET_BYTES] === 0x47)
      return { ending: 'ts', ...readTs(head, size) }
    if (text.startsWith('\x1aE\xdf\xa3')) return { ending: 'webm', ...(await readEbml(handle, head, size)) }
    const box = text.slice(4, 8)
    if (['styp', 'moof', 'sidx', 'emsg', 'prft'].includes(box))
      return { ending: 'm4s', ...(await readBoxes(handle, size, false)) }
    if (box === 'ftyp') return { ending: 'mp4', ...(await readBoxes(handle, size, true)) }
    const found = await readMp3(handle, head, size)
    return found === undefined ? { ending: '', ...NOTHING } : { ending: 'mp3', ...found }
  } finally {
    await handle.close()
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

/** A disk gives so much at once anyway, so pieces of a few bytes are not asked for one by one. */
const WINDOW_BYTES = 4096

/** Reads small parts of a file, most of them just behind the one before. */
function createWindow(handle: FileHandle) {
  let from = 0
  let held: Buffer = Buffer.alloc(0)
  return async (at: number, length: number): Promise<Buffer> => {
    if (at < from || at + length > from + held.length) {
      held = await bytesAt(handle, at, WINDOW_BYTES)
      from = at
    }
    return held.subarray(at - from, at - from + length)
  }
}

/** @param least that its own table of contents speaks of. */
const cutOff = (size: number, least: number): string =>
  `不完整：应至少有 ${bytesText(least)}，只有 ${bytesText(size)}，可能没有复制完，请重新复制`
const TOO_MANY = `由超过 ${MOST_PIECES} 块拼成，不像课时，请重新导出`

function readTs(head: Buffer, size: number): Found {
  const rest = size % PACKET_BYTES
  const codecs = codecsOfTs(head)
  const fault = rest === 0 ? null : cutOff(size, size - rest + PACKET_BYTES)
  return { ...NOTHING, codecs, video: codecs.some(isPicture), fault }
}

/** Whether a codec, as `Probe` writes it, is of pictures. */
export const isPicture = (codec: string): boolean =>
  /^(?:avc1|vp0?[89]|av01|mp4v)|^\[(?:hvc1|hev1|hevc|vvc|avs|mp4v|mpeg[12]video|V_)/.test(codec)

/** @param whole a file of its own, with a table of contents; a segment has none. */
async function readBoxes(handle: FileHandle, size: number, whole: boolean): Promise<Found> {
  let [late, count] = [false, 0]
  let moov: Moov | null = null
  const window = createWindow(handle)
  for (let at = 0; at < size;) {
    if (++count > MOST_PIECES) return faulty(TOO_MANY)
    const head = await window(at, 16)
    if (head.length < 8) return faulty(cutOff(size, at + 8))
    const name = head.toString('latin1', 4, 8)
    const said = head.readUInt32BE(0)
    const length = said === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : said === 0 ? size - at : said
    if (length < 8) return faulty(`在第 ${at + 1} 字节处损坏，请重新导出`)
    if (at + length > size) return faulty(cutOff(size, at + length))
    if (name === 'moov') {
      if (length > MOOV_MAX) return faulty('的目录（moov）过大，不像课时，请重新导出')
      moov = await bytesAt(handle, at, length).then((box) => moovOf(box.subarray(said === 1 ? 16 : 8)))
      if (!moov) return faulty('的目录（moov）已损坏，请重新导出')
    }
    if (name === 'mdat' && !moov) late = true
    at += length
  }
  if (!whole) return NOTHING
  if (!moov) return faulty('没有目录（moov），可能没有录完或没有复制完，请重新导出')
  return moov.playable ? { ...NOTHING, ...moov, late } : faulty('里没有画面，也没有声音')
}

function moovOf(bytes: Buffer): Moov | null {
  try {
    return readMoov(bytes)
  } catch {
    return null
  }
}

async function readEbml(handle: FileHandle, head: Buffer, size: number): Promise<Found> {
  const { matroska, segment, playable, ...is } = readWebm(head)
  if (matroska) return { ...faulty('是 MKV，浏览器不能播放，请转为 MP4'), mendable: true }
  if (!segment) return faulty('已损坏，请重新导出')
  const end = segment.to ?? (await endOfElements(handle, segment.from, size))
  if (end === null) return faulty(TOO_MANY)
  if (end > size) return faulty(cutOff(size, end))
  return playable ? { ...NOTHING, ...is } : faulty('里没有画面，也没有声音')
}

/** Adds up the clusters of a file that was written as it was recorded, and names no length itself; null: there are too many. */
async function endOfElements(handle: FileHandle, from: number, size: number): Promise<number | null> {
  let at = from
  const window = createWindow(handle)
  for (let count = 0; at < size; count++) {
    if (count > MOST_PIECES) return null
    const next = elementAt(await window(at, 12))
    // Nothing more can be told.
    if (!next || next.to === null) return size
    at += next.to
  }
  return at
}

/** Hz by version (2.5, none, 2, 1) and index. */
const RATES = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]
/** Bytes: encoders differ in whether they count the frame that says how many there are. */
const FRAME_MAX = 4_096

/** Reads how long an MP3 says it is, for which else its frames must be counted. Returns undefined where it is no MP3. */
async function readMp3(handle: FileHandle, head: Buffer, size: number): Promise<Found | undefined> {
  const tagged = head.toString('latin1', 0, 3) === 'ID3' && head.length > 10
  const at = tagged ? 10 + [6, 7, 8, 9].reduce((n, i) => n * 128 + ((head[i] ?? 0) & 0x7f), 0) : 0
  const frame = at === 0 ? head : await bytesAt(handle, at, 1024)
  const [first = 0, second = 0, third = 0, fourth = 0] = frame
  const version = (second >> 3) & 3
  const rate = RATES[version]?.[(third >> 2) & 3]
  const isLayer3 = first === 0xff && (second & 0xe0) === 0xe0 && ((second >> 1) & 3) === 1 && third >> 4 !== 15
  if (!isLayer3 || !rate) return undefined
  const mono = fourth >> 6 === 3
  const table = 4 + (version === 3 ? (mono ? 17 : 32) : mono ? 9 : 17)
  // The first frame of what LAME and FFmpeg write holds no sound but how many frames and bytes follow.
  const isTable = ['Xing', 'Info'].includes(frame.toString('latin1', table, table + 4)) && frame.length >= table + 16
  const says = isTable ? (frame[table + 7] ?? 0) : 0
  if ((says & 1) === 0) return NOTHING
  const end = (says & 2) === 0 ? 0 : at + frame.readUInt32BE(table + 12)
  if (end > size + FRAME_MAX) return faulty(cutOff(size, end))
  return { ...NOTHING, seconds: (frame.readUInt32BE(table + 8) * (version === 3 ? 1152 : 576)) / rate }
}
