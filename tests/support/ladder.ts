import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findFfmpeg } from '#server/content/media/ffmpeg.ts'

const KEPT = path.resolve(import.meta.dirname, '../../server/demo/content/course/science/2')
/** Lines of the pictures, and kbit/s of the noise in them. */
export const RUNGS = [
  [360, 200],
  [540, 400],
  [720, 800],
] as const

const master = (): string =>
  [
    '#EXTM3U',
    // The largest comes first, as encoders write it.
    ...RUNGS.toReversed().flatMap(([lines, kbits]) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${kbits * 1000},CODECS="vp09.00.30.08,opus",RESOLUTION=${(lines * 16) / 9}x${lines}`,
      `${lines}/index.m3u8`,
    ]),
    '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9000,RESOLUTION=640x360,URI="keys.m3u8"',
    '',
  ].join('\n')

/**
 * Writes a lesson in three qualities into a folder: `main.m3u8` and a folder each. Made by FFmpeg; where there is none, of the demo's
 * pieces, of which the larger pictures have more.
 * @returns whether the pictures are as large as the playlist says
 */
export async function makeLadder(folder: string, seconds = 8): Promise<boolean> {
  const tools = await findFfmpeg('')
  for (const [rung, [lines, kbits]] of RUNGS.entries()) {
    const to = path.join(folder, String(lines))
    mkdirSync(to, { recursive: true })
    if (tools) encode(tools.ffmpeg, to, lines, kbits, seconds)
    else copyPieces(to, rung)
  }
  writeFileSync(path.join(folder, 'main.m3u8'), master())
  const keys = ['#EXTM3U', '#EXT-X-I-FRAMES-ONLY', '#EXTINF:4,', '360/key.m4s', '#EXT-X-ENDLIST', '']
  writeFileSync(path.join(folder, 'keys.m3u8'), keys.join('\n'))
  const pieces = readdirSync(path.join(folder, '360')).filter((name) => name.endsWith('.m4s'))
  copyFileSync(path.join(folder, '360', pieces[0] ?? ''), path.join(folder, '360/key.m4s'))
  return tools !== null
}

function encode(ffmpeg: string, to: string, lines: number, kbits: number, seconds: number): void {
  const size = `${(lines * 16) / 9}x${lines}`
  const args = [
    ...`-v error -y -f lavfi -i testsrc2=size=${size}:rate=10:duration=${seconds}`.split(' '),
    ...`-f lavfi -i sine=frequency=440:duration=${seconds} -ac 1`.split(' '),
    ...`-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v ${kbits}k -minrate ${kbits}k -maxrate ${kbits}k -g 20`.split(
      ' ',
    ),
    ...'-c:a libopus -b:a 24k -f hls -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4'.split(' '),
    '-hls_fmp4_init_filename',
    'init.mp4',
    '-hls_segment_filename',
    path.join(to, 's%02d.m4s'),
    path.join(to, 'index.m3u8'),
  ]
  execFileSync(ffmpeg, args, { cwd: to, stdio: ['ignore', 'ignore', 'inherit'] })
}

function copyPieces(to: string, rung: number): void {
  for (const name of readdirSync(KEPT).filter((each) => /^vp9.*\.m(?:p4|4s)$/.test(each)))
    copyFileSync(path.join(KEPT, name), path.join(to, name))
  const list = readFileSync(path.join(KEPT, 'vp9.m3u8'), 'utf8')
  for (let i = 0; i < rung; i += 1) copyFileSync(path.join(KEPT, 'vp9_00.m4s'), path.join(to, `more${i}.m4s`))
  const more = Array.from({ length: rung }, (_, i) => `#EXTINF:0.1,\nmore${i}.m4s\n`).join('')
  writeFileSync(path.join(to, 'index.m3u8'), list.replace('#EXT-X-ENDLIST', `${more}#EXT-X-ENDLIST`))
}

/** Bytes of what lies in a folder of the ladder; without the key pictures, which nothing plays. */
export const weigh = (folder: string, lines: number): number =>
  readdirSync(path.join(folder, String(lines)))
    .filter((name) => name !== 'key.m4s')
    .reduce((sum, name) => sum + statSync(path.join(folder, String(lines), name)).size, 0)
