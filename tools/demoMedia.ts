import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { probe } from '#server/content/media/mediaProbe.ts'
import { CHROMIUM_ARGS, findChromium } from './chromium.ts'

/**
 * Makes the demo lessons' media and subtitles from the scripts beside them. Run by hand after a script changed:
 *   node tools/demoMedia.ts [course folder …] [lesson number …]
 * Needs ffmpeg (with libx264, libvpx-vp9, libopus, libmp3lame), espeak-ng with its voice cmn-latn-pinyin (cmn itself spells the syllables in English), a Chromium, and Noto Sans CJK SC.
 */

interface Script {
  lessons: Record<string, Lesson>
}
interface Lesson {
  /** The name of its files, or of the folder of its playlist. */
  file: string
  as: 'video' | 'audio' | 'hls'
  slides: { title: string; figure?: string; steps: { say: string; show?: string }[] }[]
}
/** A sentence with its picture and its place in time, in seconds. */
interface Shot {
  say: string
  picture: string
  from: number
  seconds: number
}

const CONTENT = path.resolve(import.meta.dirname, '../server/demo/content/course')
const SIZE = { width: 640, height: 360 }
const RATE = 5
/** Between two sentences, in seconds. */
const PAUSE = 0.2
const SEGMENT_S = 4
/** No date, no version: the same script gives the same bytes on the same machine. */
const PLAIN = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact']
const AVC =
  `-c:v libx264 -profile:v baseline -level 3.0 -pix_fmt yuv420p -preset veryslow -tune stillimage -crf 34`.split(' ')
const AAC = '-c:a aac -b:a 18k -ac 1 -ar 16000'.split(' ')
const VP9 = '-c:v libvpx-vp9 -crf 45 -b:v 0 -deadline good -cpu-used 1 -pix_fmt yuv420p'.split(' ')
const OPUS = '-c:a libopus -b:a 12k -ac 1 -application voip'.split(' ')
const MP3 = '-c:a libmp3lame -b:a 32k -ac 1 -ar 24000 -write_xing 1'.split(' ')

for (const program of ['ffmpeg', 'espeak-ng'])
  if (spawnSync(program, ['--version']).error) {
    console.error(`没有找到 ${program}：制作演示音视频需要 ffmpeg 与 espeak-ng`)
    process.exit(1)
  }
const wanted = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS })
let bytes = 0
for (const folder of await readdir(CONTENT)) {
  const at = path.join(CONTENT, folder)
  const script = await readFile(path.join(at, 'script.json'), 'utf8').catch(() => null)
  if (script === null) continue
  const { lessons }: Script = JSON.parse(script)
  for (const [no, lesson] of Object.entries(lessons)) {
    if (wanted.length > 0 && !wanted.includes(folder) && !wanted.includes(no)) continue
    const made = await make(browser, at, lesson)
    bytes += made
    console.log(`${no} ${Math.round(made / 1024)} KB`)
  }
}
await browser.close()
console.log(`共 ${Math.round(bytes / 1024)} KB`)

/** @returns how many bytes its files have. */
async function make(on: Browser, folder: string, lesson: Lesson): Promise<number> {
  const work = await mkdtemp(path.join(os.tmpdir(), 'lijian-demo-'))
  const { file } = lesson
  try {
    const shots = await shoot(on, work, lesson)
    await writeFile(path.join(folder, `${file}.vtt`), subtitles(shots))
    const seen = lesson.as === 'audio' ? [] : ['-i', pictures(work, shots)]
    const from = [...seen, '-i', voice(work, shots)]
    const to = (name: string) => path.join(folder, name)
    if (lesson.as === 'audio') ffmpeg(...from, ...MP3, to(`${file}.mp3`))
    else if (lesson.as === 'video') {
      const keys = ['-r', `${RATE}`, '-g', `${RATE * 10}`]
      ffmpeg(...from, ...VP9, ...OPUS, ...keys, to(`${file}.webm`))
      ffmpeg(...from, ...AVC, ...AAC, ...keys, '-movflags', '+faststart', to(`${file}.mp4`))
    } else await makePlaylist(from, to(file))
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.split(/[./\\]/)[0] === file)
    const sizes = await Promise.all(names.map(async (name) => stat(to(name))))
    return sizes.reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function ffmpeg(...args: string[]): void {
  const whole = ['-v', 'error', '-y', ...args.slice(0, -1), ...PLAIN, args.at(-1) ?? '']
  execFileSync('ffmpeg', whole, { stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Each sentence spoken, and what is seen with it: the slide as far as it has been told. */
async function shoot(on: Browser, work: string, { as, slides }: Lesson): Promise<Shot[]> {
  const page = await on.newPage({ viewport: SIZE })
  const shots: Shot[] = []
  let from = 0
  for (const { title, figure = '', steps } of slides)
    for (const [i, { say }] of steps.entries()) {
      const name = path.join(work, `${shots.length}`)
      execFileSync('espeak-ng', ['-v', 'cmn-latn-pinyin', '-s', '150', '-w', `${name}.wav`, say])
      // Its last moment is silence of its own.
      const seconds = wavSeconds(await readFile(`${name}.wav`)) + PAUSE
      if (as !== 'audio') {
        await page.setContent(
          slide(
            title,
            figure,
            steps.slice(0, i + 1).flatMap(({ show }) => show ?? []),
            steps.length,
          ),
        )
        await page.screenshot({ path: `${name}.png` })
      }
      shots.push({ say, picture: `${name}.png`, from, seconds })
      from += seconds
    }
  await page.close()
  return shots
}

/** What espeak-ng writes: a header of 44 bytes, 16 bits, one channel. */
function wavSeconds(wav: Buffer): number {
  return (wav.length - 44) / 2 / wav.readUInt32LE(24)
}

function slide(title: string, figure: string, lines: readonly string[], of: number): string {
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; height: 360px; font: 24px/1.4 'Noto Sans CJK SC'; background: #f8f7f1; color: #24301a; overflow: hidden }
    h1 { margin: 0; padding: 14px 32px; font-size: 28px; color: #fff; background: #4d6330 }
    main { display: flex; gap: 20px; padding: 22px 32px; align-items: center }
    ul { flex: 1; margin: 0; padding: 0; list-style: none }
    li { min-height: ${of > 3 ? 56 : 66}px; padding-left: 14px; border-left: 4px solid #d98324; margin-bottom: 10px; display: flex; align-items: center }
    li > span { white-space: pre-wrap }
    i { font-family: 'DejaVu Serif', serif } sup, sub { font-size: 65%; line-height: 0 }
    svg { width: 250px; flex: none; font: 13px 'Noto Sans CJK SC'; fill: #24301a }
    .line, .axis { fill: none; stroke: #6b7560; stroke-width: 1.5 } .soft { fill: #4d633033; stroke: #4d6330; stroke-width: 2 }
    .fill { fill: #d9832433 } .curve, .warm { fill: none; stroke: #4d6330; stroke-width: 2.5 } .warm { stroke: #d98324 } .dot { fill: #d98324 }
  </style><h1>${title}</h1><main><ul>${lines.map((line) => `<li><span>${line}</span></li>`).join('')}</ul>${figure}</main>`
}

/** The pictures one after another, each as long as its sentence, to a frame. */
function pictures(work: string, shots: readonly Shot[]): string {
  const frame = (seconds: number) => Math.round(seconds * RATE)
  const inputs = shots.flatMap(({ picture, from, seconds }) => {
    const length = (frame(from + seconds) - frame(from)) / RATE
    return ['-loop', '1', '-framerate', `${RATE}`, '-t', `${length}`, '-i', picture]
  })
  const to = path.join(work, 'pictures.mkv')
  ffmpeg(...inputs, '-filter_complex', `concat=n=${shots.length}:v=1:a=0`, '-c:v', 'ffv1', to)
  return to
}

function voice(work: string, shots: readonly Shot[]): string {
  const inputs = shots.flatMap(({ picture }) => ['-i', picture.replace(/png$/, 'wav')])
  const padded = shots.map((_, i) => `[${i}]apad=pad_dur=${PAUSE}[p${i}]`).join(';')
  const joined = `${padded};${shots.map((_, i) => `[p${i}]`).join('')}concat=n=${shots.length}:v=0:a=1,loudnorm=I=-18`
  const to = path.join(work, 'voice.wav')
  ffmpeg(...inputs, '-filter_complex', joined, '-ar', '48000', to)
  return to
}

/** The same pictures and sound twice, for what plays VP9 and Opus and for what plays H.264 and AAC, in pieces of some seconds. */
async function makePlaylist(from: readonly string[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const length = RATE * SEGMENT_S
  const even = `-r ${RATE} -g ${length} -keyint_min ${length} -sc_threshold 0`.split(' ')
  const hls = `-f hls -hls_time ${SEGMENT_S} -hls_playlist_type vod -hls_segment_type fmp4`.split(' ')
  const pieces = (name: string) => {
    const names = [
      '-hls_fmp4_init_filename',
      `${name}.mp4`,
      '-hls_segment_filename',
      path.join(folder, `${name}_%02d.m4s`),
    ]
    return [...even, ...hls, ...names, path.join(folder, `${name}.m3u8`)]
  }
  ffmpeg(...from, ...VP9, ...OPUS, '-strict', 'experimental', ...pieces('vp9'))
  ffmpeg(...from, ...AVC, ...AAC, ...pieces('avc'))
  const variants = await Promise.all(['vp9', 'avc'].map((name) => variant(folder, name)))
  await writeFile(path.join(folder, 'main.m3u8'), ['#EXTM3U', '#EXT-X-VERSION:7', ...variants, ''].join('\n'))
}

async function variant(folder: string, name: string): Promise<string> {
  const list = await readFile(path.join(folder, `${name}.m3u8`), 'utf8')
  const pieces = [...list.matchAll(/#EXTINF:([\d.]+),\s*(\S+)/g)].map(([, seconds, file]) => ({ seconds, file }))
  const sized = await Promise.all(
    pieces.map(async ({ seconds, file }) => ({
      bits: 8 * (await stat(path.join(folder, file ?? ''))).size,
      seconds: Number(seconds),
    })),
  )
  const peak = Math.ceil(Math.max(...sized.map(({ bits, seconds }) => bits / seconds)))
  const sum = (of: 'bits' | 'seconds') => sized.reduce((total, each) => total + each[of], 0)
  const { codecs } = await probe(path.join(folder, `${name}.mp4`))
  const facts = [
    `BANDWIDTH=${peak}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(sum('bits') / sum('seconds'))}`,
    `CODECS="${codecs.join(',')}"`,
    `RESOLUTION=${SIZE.width}x${SIZE.height}`,
  ]
  return `#EXT-X-STREAM-INF:${facts.join(',')}\n${name}.m3u8`
}

function subtitles(shots: readonly Shot[]): string {
  const cues = shots.map(({ say, from, seconds }) => `${stamp(from)} --> ${stamp(from + seconds - PAUSE)}\n${say}`)
  return `${['WEBVTT', ...cues].join('\n\n')}\n`
}

function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const part = (n: number, length = 2) => String(Math.floor(n)).padStart(length, '0')
  return `${part(ms / 60_000)}:${part((ms / 1000) % 60)}.${part(ms % 1000, 3)}`
}
