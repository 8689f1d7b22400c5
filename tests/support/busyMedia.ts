import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'

/** Files of a lesson that are made to keep an importer busy. Each function writes one into a folder and returns its name. */

const FTYP = Buffer.from('000000186674797069736f6d0000000069736f6d69736f6d', 'hex')
const BOX_BYTES = 8
const BOXES_A_WRITE = 100_000

/** An MP4 of so many empty boxes, in hundreds of thousands. */
export function manyBoxes(folder: string, count: number): string {
  const at = openSync(path.join(folder, 'many.mp4'), 'w')
  writeSync(at, FTYP)
  const chunk = Buffer.alloc(BOX_BYTES * BOXES_A_WRITE)
  for (let i = 0; i < chunk.length; i += BOX_BYTES) {
    chunk.writeUInt32BE(BOX_BYTES, i)
    chunk.write('free', i + 4, 'latin1')
  }
  for (let i = 0; i < count; i += BOXES_A_WRITE) writeSync(at, chunk)
  closeSync(at)
  return 'many.mp4'
}

/** The same with its boxes inside the table of contents. */
export function manyBoxesInside(folder: string, count: number): string {
  const name = manyBoxes(folder, count)
  const at = openSync(path.join(folder, name), 'r+')
  const head = Buffer.alloc(BOX_BYTES)
  head.writeUInt32BE(BOX_BYTES * count)
  head.write('moov', 4, 'latin1')
  writeSync(at, head, 0, BOX_BYTES, FTYP.length)
  ftruncateSync(at, FTYP.length + BOX_BYTES * count)
  closeSync(at)
  return name
}

const playlist = (folder: string, name: string, lines: readonly string[]): string => {
  writeFileSync(path.join(folder, name), ['#EXTM3U', ...lines].join('\n'))
  return name
}

/** Playlists of which each names the next. */
export function nestedLists(folder: string, depth: number): string {
  for (let i = 1; i <= depth; i++) playlist(folder, `n${i}.m3u8`, ['#EXT-X-STREAM-INF:BANDWIDTH=1', `n${i + 1}.m3u8`])
  return 'n1.m3u8'
}

/** One playlist that names so many others, each of which plays. */
export function manyLists(folder: string, count: number): string {
  for (let i = 1; i <= count; i++) playlist(folder, `v${i}.m3u8`, ['#EXTINF:4,', 'list/avc.mp4', '#EXT-X-ENDLIST'])
  const names = Array.from({ length: count }, (_, i) => [`#EXT-X-STREAM-INF:BANDWIDTH=${i + 1}`, `v${i + 1}.m3u8`])
  return playlist(folder, 'master.m3u8', names.flat())
}

/** A playlist of files that are not there. */
export function missingFiles(folder: string, count: number): string {
  const names = Array.from({ length: count }, (_, i) => ['#EXTINF:1,', `s${i}.ts`])
  return playlist(folder, 'main.m3u8', [...names.flat(), '#EXT-X-ENDLIST'])
}

/** Captions of a lesson of 52 seconds, of which all the later ones stand at once. */
export function manyCues(folder: string, count: number): string {
  const cue = (_: unknown, i: number) =>
    `00:00:${String(Math.floor(i / 4_000)).padStart(2, '0')}.000 --> 00:00:40.000\n第${i}句`
  writeFileSync(path.join(folder, 'many.vtt'), `WEBVTT\n\n${Array.from({ length: count }, cue).join('\n\n')}\n`)
  return 'many.vtt'
}
