import type { Moov } from './mp4.ts'

/** Holds all that a WebM file's beginning says. */
export interface Webm extends Moov {
  /** It is Matroska's other kind, MKV, which browsers do not play. */
  matroska: boolean
  /** Where its segment begins, and where it ends; null: the file does not say. */
  segment: { from: number; to: number | null } | null
}

/** Elements of EBML (RFC 8794) and of WebM that we read; those in the first block hold others. */
const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const CLUSTER = 0x1f43b675
const DOC_TYPE = 0x4282
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const CODEC = 0x86
const PICTURE = 0xe0
const WIDTH = 0xb0
const HEIGHT = 0xba
const CODECS: Record<string, string> = {
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
}

/** A number of EBML: its first set bit says how many bytes it has; an id keeps that bit. All ones: not known. */
function number(bytes: Buffer, at: number, isId: boolean): { value: number; next: number; known: boolean } {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  let value = isId ? first : first & (0xff >> length)
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return { value, next: at + length, known: value < 2 ** (7 * length) - 1 }
}

/** Where an element's content begins and ends, from the bytes at its head; null: that is no element. */
export function elementAt(head: Buffer): { id: number; from: number; to: number | null } | null {
  const id = number(head, 0, true)
  if (id.next > 4 || id.next > head.length) return null
  const size = number(head, id.next, false)
  return { id: id.value, from: size.next, to: size.known ? size.next + size.value : null }
}

function* elements(bytes: Buffer): Generator<{ id: number; body: Buffer }> {
  for (let at = 0; at + 2 <= bytes.length;) {
    const id = number(bytes, at, true)
    const size = number(bytes, id.next, false)
    // Sound and pictures follow: all that is read stands before them.
    if (id.value === CLUSTER || id.next > at + 4) return
    yield { id: id.value, body: bytes.subarray(size.next, size.next + size.value) }
    at = size.next + size.value
  }
}

const whole = (bytes: Buffer): number => (bytes.length > 0 ? bytes.readUIntBE(0, Math.min(bytes.length, 6)) : 0)

/** @param head the file's beginning, with its info and tracks. */
export function readWebm(head: Buffer): Webm {
  const all = (bytes: Buffer, id: number) =>
    [...elements(bytes)].filter((each) => each.id === id).map(({ body }) => body)
  const [ebml = Buffer.alloc(0)] = all(head, EBML)
  const matroska = all(ebml, DOC_TYPE)[0]?.toString('latin1').startsWith('matroska') ?? false
  const [content] = all(head, SEGMENT)
  if (!content)
    return { seconds: null, codecs: [], video: false, lines: null, playable: false, matroska, segment: null }
  const [info = Buffer.alloc(0)] = all(content, INFO)
  const [scale] = all(info, SCALE)
  const [duration] = all(info, DURATION)
  const ticks = duration?.length === 4 ? duration.readFloatBE() : duration?.length === 8 ? duration.readDoubleBE() : 0
  // Nanoseconds a tick.
  const tick = scale?.length ? whole(scale) : 1_000_000
  const tracks = all(content, TRACKS).flatMap((each) => all(each, TRACK))
  const [picture] = tracks.flatMap((track) => all(track, PICTURE))
  const side = (id: number) => (picture ? all(picture, id) : []).map((bytes) => whole(bytes))[0] ?? 0
  const names = tracks
    .flatMap((track) => all(track, CODEC))
    .map((codec) => codec.toString('latin1').replace(/\0+$/, ''))
    .filter((name) => /^[VA]_/.test(name))
  return {
    seconds: ticks > 0 ? (ticks * tick) / 1e9 : null,
    codecs: names.map((name) => CODECS[name] ?? `[${name}]`),
    video: names.some((name) => name.startsWith('V_')),
    lines: Math.min(side(WIDTH), side(HEIGHT)) || null,
    playable: names.length > 0,
    matroska,
    segment: segmentOf(head),
  }
}

/** The segment stands behind the head of the file. */
function segmentOf(head: Buffer): Webm['segment'] {
  let at = 0
  for (let next = elementAt(head); next; next = elementAt(head.subarray(at))) {
    const [from, to] = [at + next.from, next.to === null ? null : at + next.to]
    if (next.id === SEGMENT) return { from, to }
    if (to === null || to <= at) return null
    at = to
  }
  return null
}
