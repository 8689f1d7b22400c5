import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { FileFault } from '../draft.ts'
import type { SourceMedia } from './transcode.ts'

/** Where FFmpeg's two programs are. */
export interface Ffmpeg {
  ffmpeg: string
  ffprobe: string
}
/** FFmpeg's last words explain what went wrong; all of its words would be megabytes. */
const LAST_SAID = 20_000

/** @param given the path of ffmpeg, ffprobe beside it; '': both as the system finds them. Null: there is none. */
export async function findFfmpeg(given: string): Promise<Ffmpeg | null> {
  const beside = given.includes('/') ? path.join(path.dirname(given), 'ffprobe') : 'ffprobe'
  const tools = { ffmpeg: given || 'ffmpeg', ffprobe: beside }
  const works = [tools.ffmpeg, tools.ffprobe].map((tool) =>
    run(tool, ['-version']).then(
      ({ code }) => code === 0,
      () => false,
    ),
  )
  return (await Promise.all(works)).every(Boolean) ? tools : null
}

interface Ended {
  code: number | null
  out: Buffer
  err: string
}
interface Running {
  /** Each piece of its output, which is then not gathered. */
  onOut?: (text: string) => void
}

/** @throws when it cannot be started */
export async function run(tool: string, args: readonly string[], { onOut }: Running = {}): Promise<Ended> {
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  // Whoever is ended leaves nobody behind who works on.
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const out: Buffer[] = []
  let err = ''
  child.stdout.on('data', (bytes: Buffer) => (onOut ? onOut(bytes.toString()) : out.push(bytes)))
  child.stderr.on('data', (bytes: Buffer) => (err = (err + bytes.toString()).slice(-LAST_SAID)))
  try {
    const [code]: unknown[] = await once(child, 'close')
    return { code: typeof code === 'number' ? code : null, out: Buffer.concat(out), err }
  } finally {
    process.removeListener('exit', end)
  }
}

/** Runs ffmpeg and tells how many seconds of the source it has done. Returns what it said. @throws FileFault when it fails */
export async function transcode(
  { ffmpeg }: Ffmpeg,
  args: readonly string[],
  onSeconds: (seconds: number) => void = () => {},
): Promise<string> {
  const told = (text: string) => {
    const at = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1]
    if (at) onSeconds(Number(at) / 1e6)
  }
  const common = ['-hide_banner', '-nostdin', '-y', '-nostats', '-progress', 'pipe:1']
  const { code, err } = await run(ffmpeg, [...common, ...args], { onOut: told })
  if (code !== 0) throw new FileFault(`ffmpeg 没有做成：${err.trim().split('\n').at(-1) ?? ''}`)
  return err
}

interface Stream {
  codec_type?: string
  width?: number
  height?: number
  avg_frame_rate?: string
  sample_aspect_ratio?: string
  disposition?: { attached_pic?: number }
  side_data_list?: { rotation?: number }[]
}

/** What a file is. @throws FileFault when it is nothing that can be seen or heard */
export async function lookInto({ ffprobe }: Ffmpeg, file: string): Promise<SourceMedia> {
  const { out } = await run(ffprobe, ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', file])
  const read: { streams?: Stream[]; format?: { duration?: string } } = JSON.parse(out.toString() || '{}')
  const streams = read.streams ?? []
  // The cover of a song is no picture that moves.
  const picture = streams.find((each) => each.codec_type === 'video' && each.disposition?.attached_pic !== 1)
  const sound = streams.some((each) => each.codec_type === 'audio')
  const seconds = Number(read.format?.duration)
  if ((!picture && !sound) || !(seconds > 0)) throw new FileFault(`${file} 里没有可以播放的画面或声音`)
  return { seconds, picture: picture ? pictureOf(picture) : null, sound }
}

function pictureOf({ width = 0, height = 0, avg_frame_rate, sample_aspect_ratio, side_data_list = [] }: Stream) {
  const [across = 1, down = 1] = (sample_aspect_ratio ?? '').split(':').map(Number)
  const wide = across > 0 && down > 0 ? (width * across) / down : width
  const [frames = 0, of = 1] = (avg_frame_rate ?? '').split('/').map(Number)
  const turned = side_data_list.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90)
  const size = turned ? { width: height, height: wide } : { width: wide, height }
  return { ...size, fps: of > 0 ? frames / of : 0 }
}
