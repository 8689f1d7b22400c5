import { type FileHandle, open } from 'node:fs/promises'
import { readMoov } from './mp4.ts'
import { readWebm } from './webm.ts'

/** What a media file is, told by its bytes. */
export interface Probe {
  /** By the endings of lessonTypes.ts; '' for what we do not know. */
  ending: '' | 'mp4' | 'webm' | 'mp3' | 'm3u8' | 'ts' | 'm4s' | 'vtt'
  /** Null where the file does not say. */
  seconds: number | null
  /** As RFC 6381 writes them; an unknown one by its own name in brackets. */
  codecs: readonly string[]
  /** It has pictures. */
  video: boolean
  /** An MP4 whose table of contents stands at its end: a player must have the whole of it first. */
  late: boolean
}
const NOTHING = { seconds: null, codecs: [], video: false, late: false } as const
const HEAD_BYTES = 64 * 1024
/** A table of contents of many hours; more is no lesson. */
const MOOV_MAX = 64 * 1024 * 1024

export async function probe(file: string): Promise<Probe> {
  const handle = await open(file)
  try {
    const head = await bytesAt(handle, 0, HEAD_BYTES)
    const text = head.toString('latin1', 0, 16)
    if (text.startsWith('#EXTM3U')) return { ending: 'm3u8', ...NOTHING }
    if (/^(?:\xef\xbb\xbf)?WEBVTT/.test(text)) return { ending: 'vtt', ...NOTHING }
    if (head[0] === 0x47 && head.length > 188 && head[188] === 0x47) return { ending: 'ts', ...NOTHING }
    if (text.startsWith('\x1aE\xdf\xa3')) return { ...NOTHING, ...readWebm(head), ending: 'webm' }
    const box = text.slice(4, 8)
    if (['styp', 'moof', 'sidx'].includes(box)) return { ending: 'm4s', ...NOTHING }
    if (box === 'ftyp') return { ending: 'mp4', ...(await readMp4(handle)) }
    const seconds = await readMp3(handle, head)
    return seconds === undefined ? { ending: '', ...NOTHING } : { ...NOTHING, ending: 'mp3', seconds }
  } finally {
    await handle.close()
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

async function readMp4(handle: FileHandle): Promise<Omit<Probe, 'ending'>> {
  const { size } = await handle.stat()
  let late = false
  for (let at = 0; at + 8 <= size;) {
    const head = await bytesAt(handle, at, 16)
    const name = head.toString('latin1', 4, 8)
    const said = head.readUInt32BE(0)
    const length = said === 1 ? Number(head.readBigUInt64BE(8)) : said === 0 ? size - at : said
    if (length < 8) break
    if (name === 'moov' && length <= MOOV_MAX)
      return { ...readMoov((await bytesAt(handle, at, length)).subarray(said === 1 ? 16 : 8)), late }
    if (name === 'mdat') late = true
    at += length
  }
  return NOTHING
}

/** Hz by version (2.5, none, 2, 1) and index. */
const RATES = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]

/** Undefined: it is no MP3; null: how long it is is only known to who counts its frames. */
async function readMp3(handle: FileHandle, head: Buffer): Promise<number | null | undefined> {
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
  // The first frame of what LAME and FFmpeg write holds no sound but how many frames follow.
  if (!['Xing', 'Info'].includes(frame.toString('latin1', table, table + 4))) return null
  if (((frame[table + 7] ?? 0) & 1) === 0) return null
  return (frame.readUInt32BE(table + 8) * (version === 3 ? 1152 : 576)) / rate
}
