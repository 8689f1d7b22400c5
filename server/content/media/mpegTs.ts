/** Packets of an MPEG transport stream (ISO 13818-1). */
export const PACKET_BYTES = 188

/** Names a programme's streams by their numbers there; those of sound are written as in RFC 6381. */
const TYPES: Record<number, string> = {
  0x01: '[mpeg1video]',
  0x02: '[mpeg2video]',
  0x03: 'mp4a.6B',
  0x04: 'mp4a.6B',
  0x0f: 'mp4a.40.2',
  0x10: '[mp4v]',
  0x11: 'mp4a.40.2',
  0x24: '[hevc]',
  0x33: '[vvc]',
  0x42: '[avs]',
  0x81: '[ac-3]',
  0x87: '[ec-3]',
  0xd2: '[avs2]',
  0xd4: '[avs3]',
}
const H264 = 0x1b

interface Packet {
  pid: number
  /** A table or a frame begins in it. */
  begins: boolean
  body: Buffer
}

function* packets(bytes: Buffer): Generator<Packet> {
  for (let at = 0; at + PACKET_BYTES <= bytes.length && bytes[at] === 0x47; at += PACKET_BYTES) {
    const second = bytes[at + 1] ?? 0
    const adapted = ((bytes[at + 3] ?? 0) & 0x20) === 0 ? 4 : 5 + (bytes[at + 4] ?? 0)
    const pid = ((second & 0x1f) << 8) | (bytes[at + 2] ?? 0)
    yield { pid, begins: (second & 0x40) !== 0, body: bytes.subarray(at + adapted, at + PACKET_BYTES) }
  }
}

/** The codecs of a stream, from its beginning; a picture in H.264 names its profile and level. Empty: it has not said any. */
export function codecsOfTs(head: Buffer): string[] {
  let tables: number | null = null
  let streams: { type: number; pid: number }[] = []
  const frames = new Map<number, Buffer[]>()
  for (const { pid, begins, body } of packets(head)) {
    if (begins && pid === 0) tables = programmeOf(body) ?? tables
    else if (begins && pid === tables && streams.length === 0) streams = streamsOf(body)
    else if (streams.some((stream) => stream.pid === pid)) frames.set(pid, [...(frames.get(pid) ?? []), body])
  }
  return streams.flatMap(({ type, pid }) => {
    if (type === H264) return [h264Of(Buffer.concat(frames.get(pid) ?? []))]
    const name = TYPES[type]
    return name === undefined ? [] : [name]
  })
}

/** A table stands behind a pointer, with a head of eight bytes and a checksum of four. */
function sectionOf(body: Buffer): Buffer {
  const at = 1 + (body[0] ?? 0)
  const length = ((body[at + 1] ?? 0) & 0x0f) * 256 + (body[at + 2] ?? 0)
  return body.subarray(at + 8, Math.max(at + 8, at + 3 + length - 4))
}

/** Where the first programme's table stands. */
function programmeOf(body: Buffer): number | null {
  const section = sectionOf(body)
  for (let at = 0; at + 4 <= section.length; at += 4)
    if (section.readUInt16BE(at) !== 0) return section.readUInt16BE(at + 2) & 0x1f_ff
  return null
}

function streamsOf(body: Buffer): { type: number; pid: number }[] {
  const section = sectionOf(body)
  if (section.length < 4) return []
  const streams: { type: number; pid: number }[] = []
  for (let at = 4 + (section.readUInt16BE(2) & 0x0f_ff); at + 5 <= section.length;) {
    streams.push({ type: section[at] ?? 0, pid: section.readUInt16BE(at + 1) & 0x1f_ff })
    at += 5 + (section.readUInt16BE(at + 3) & 0x0f_ff)
  }
  return streams
}

/** Its sequence parameters (ISO 14496-10) begin with profile, constraints and level. */
function h264Of(stream: Buffer): string {
  for (let at = stream.indexOf('\0\0\x01', 0, 'latin1'); at >= 0; at = stream.indexOf('\0\0\x01', at + 3, 'latin1'))
    if (((stream[at + 3] ?? 0) & 0x1f) === 7)
      return `avc1.${stream
        .subarray(at + 4, at + 7)
        .toString('hex')
        .toUpperCase()}`
  return 'avc1'
}
