import type { Moov } from './mp4.ts'

/** Elements of EBML (RFC 8794) and of WebM that we read; the first three hold others. */
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const CLUSTER = 0x1f43b675
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const CODEC = 0x86
const CODECS: Record<string, string> = {
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
}

/** A number of EBML: its first set bit says how many bytes it has; an id keeps that bit. */
function number(bytes: Buffer, at: number, isId: boolean): { value: number; next: number } {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  let value = isId ? first : first & (0xff >> length)
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0)
  return { value, next: at + length }
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

/** @param head the file's beginning, with its info and tracks. */
export function readWebm(head: Buffer): Moov {
  const all = (bytes: Buffer, id: number) =>
    [...elements(bytes)].filter((each) => each.id === id).map(({ body }) => body)
  const [segment] = all(head, SEGMENT)
  if (!segment) return { seconds: null, codecs: [], video: false }
  const [info = Buffer.alloc(0)] = all(segment, INFO)
  const [scale] = all(info, SCALE)
  const [duration] = all(info, DURATION)
  const ticks = duration?.length === 4 ? duration.readFloatBE() : duration?.length === 8 ? duration.readDoubleBE() : 0
  // Nanoseconds a tick.
  const tick = scale?.length ? scale.readUIntBE(0, Math.min(scale.length, 6)) : 1_000_000
  const names = all(segment, TRACKS)
    .flatMap((tracks) => all(tracks, TRACK))
    .flatMap((track) => all(track, CODEC))
    .map((codec) => codec.toString('latin1').replace(/\0+$/, ''))
    .filter((name) => /^[VA]_/.test(name))
  return {
    seconds: ticks > 0 ? (ticks * tick) / 1e9 : null,
    codecs: names.map((name) => CODECS[name] ?? `[${name}]`),
    video: names.some((name) => name.startsWith('V_')),
  }
}
