/** What a movie's table of contents (ISO 14496-12) says. */
export interface Moov {
  seconds: number | null
  codecs: string[]
  video: boolean
  /** The shorter side of the picture, px; null: there is none. */
  lines: number | null
  /** There is something to be seen or heard. */
  playable: boolean
}

interface Box {
  name: string
  body: Buffer
}

/** No lesson's table of contents holds as many boxes side by side; one that does is made to keep us busy. */
const MOST_BOXES = 10_000

/** @throws RangeError when there are more boxes than any movie has. */
function* boxes(bytes: Buffer): Generator<Box> {
  let count = 0
  for (let at = 0; at + 8 <= bytes.length;) {
    if (++count > MOST_BOXES) throw new RangeError(`more than ${MOST_BOXES} boxes`)
    const length = bytes.readUInt32BE(at)
    if (length < 8 || at + length > bytes.length) return
    yield { name: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + length) }
    at += length
  }
}

/** All boxes at a path of names. */
const under = (bytes: Buffer, ...names: string[]): Buffer[] =>
  names.reduce<Buffer[]>(
    (found, name) =>
      found.flatMap((each) => [...boxes(each)].filter((box) => box.name === name).map(({ body }) => body)),
    [bytes],
  )

/** @param moov the body of the box. @throws RangeError when it is damaged. */
export function readMoov(moov: Buffer): Moov {
  const tracks = under(moov, 'trak', 'mdia').map((track) => ({
    kind: under(track, 'hdlr')[0]?.toString('latin1', 8, 12),
    codecs: under(track, 'minf', 'stbl', 'stsd').flatMap(codecsOf),
    lines: under(track, 'minf', 'stbl', 'stsd').flatMap(linesOf)[0] ?? null,
  }))
  // A cover stands as a track of one picture beside the sound.
  const own = tracks.filter(({ kind, codecs }) => kind === 'soun' || (kind === 'vide' && !codecs.every(isStill)))
  return {
    seconds: secondsOf(moov),
    codecs: own.flatMap(({ codecs }) => codecs),
    video: own.some(({ kind }) => kind === 'vide'),
    lines: own.find(({ kind }) => kind === 'vide')?.lines ?? null,
    playable: own.length > 0,
  }
}

/** Null for a movie in fragments, which may leave it out. */
function secondsOf(moov: Buffer): number | null {
  const [header] = under(moov, 'mvhd')
  if (!header || header.length < 32) return null
  const [scale, length] =
    header[0] === 1
      ? [header.readUInt32BE(20), Number(header.readBigUInt64BE(24))]
      : [header.readUInt32BE(12), header.readUInt32BE(16)]
  return scale > 0 && length > 0 ? length / scale : null
}

/** Fields of a sample entry before its own boxes: of pictures 78 bytes, of sound 28. */
const ENTRY = { picture: 78, sound: 28 }
/** Names the codecs of single pictures, as sample entries and as object types of MPEG-4. */
const STILL = new Set(['[jpeg]', '[mjpa]', '[mjpb]', '[png ]', 'mp4v.6C', 'mp4v.6D'])
const isStill = (codec: string): boolean => STILL.has(codec)
const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase()
const two = (n: number | undefined): string => String(n ?? 0).padStart(2, '0')

/** The shorter side of the pictures that sample descriptions tell of. */
const linesOf = (stsd: Buffer): number[] =>
  [...boxes(stsd.subarray(8))].flatMap(({ body }) =>
    body.length < ENTRY.picture ? [] : Math.min(body.readUInt16BE(24), body.readUInt16BE(26)) || [],
  )

/** @param stsd sample descriptions; each says its codec. */
function codecsOf(stsd: Buffer): string[] {
  return [...boxes(stsd.subarray(8))].map(({ name, body }) => {
    const part = (box: string, fields: number) => under(body.subarray(fields), box)[0]
    const avc = part('avcC', ENTRY.picture)
    if (avc) return `avc1.${hex(avc.subarray(1, 4))}`
    const vp9 = part('vpcC', ENTRY.picture)
    if (vp9) return `vp09.${two(vp9[4])}.${two(vp9[5])}.${two((vp9[6] ?? 0) >> 4)}`
    const av1 = part('av1C', ENTRY.picture)
    if (av1) {
      const [, second = 0, third = 0] = av1
      const depth = (third & 0x40) === 0 ? 8 : (third & 0x20) === 0 ? 10 : 12
      return `av01.${second >> 5}.${two(second & 31)}${third >> 7 ? 'H' : 'M'}.${two(depth)}`
    }
    const picture = name === 'mp4v' && part('esds', ENTRY.picture)
    if (picture) return STILL.has(`mp4v.${objectType(picture.subarray(4)).type}`) ? 'mp4v.6C' : '[mp4v]'
    const esds = part('esds', ENTRY.sound)
    if (esds) return mpegAudio(esds.subarray(4))
    return name === 'Opus' ? 'opus' : `[${name}]`
  })
}

function mpegAudio(bytes: Buffer): string {
  const { type, audio } = objectType(bytes)
  if (type === '40' && audio !== null) return `mp4a.40.${audio >> 3}`
  return `mp4a.${type || '40.2'}`
}

/** MPEG-4 descriptors (ISO 14496-1): the object type, and the first byte of what a decoder is told of it. */
function objectType(bytes: Buffer): { type: string; audio: number | null } {
  let [at, type] = [0, '']
  while (at + 2 < bytes.length) {
    const tag = bytes[at++]
    while ((bytes[at] ?? 0) & 0x80) at++
    at++
    if (tag === 3) at += 3
    else if (tag === 4) {
      type = hex(bytes.subarray(at, at + 1))
      at += 13
    } else if (tag === 5) return { type, audio: bytes[at] ?? 0 }
    else break
  }
  return { type, audio: null }
}
