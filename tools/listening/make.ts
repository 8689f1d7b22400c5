import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { type Line, markOf, recordingIn, transcriptOf } from './transcript.ts'

/**
 * Makes the recordings of the demo's listening questions from the transcripts in their analyses. Run by hand after one changed:
 *   node tools/listening/make.ts [number of a question …]
 * Needs flite and ffmpeg (with libmp3lame); neither installing nor testing does. docs/decisions/questions.md (0104) says why flite.
 */

const CONTENT = path.resolve(import.meta.dirname, '../../server/demo/content')
const BankFile = v.object({
  questions: v.array(v.object({ no: v.string(), stem: v.string(), analysis: v.optional(v.string(), '') })),
})

/** Voices of the CMU ARCTIC recordings, slowed to the same 160 words a minute; with the pauses it is the pace of a listening test. */
const VOICES = {
  M: ['-voice', 'rms', '--setf', 'duration_stretch=1.12'],
  W: ['-voice', 'slt', '--setf', 'duration_stretch=1.22'],
} as const satisfies Record<Line['speaker'], readonly string[]>
/** Seconds of silence before the first line (phones swallow what begins at once), between two lines and after the last. */
const BEFORE_S = 0.6
const BETWEEN_S = 0.7
const AFTER_S = 0.6
/** The loudness of speech on phones, the same for both voices (EBU R 128). */
const LOUDNESS = 'I=-17:TP=-2:LRA=7'
const RATE = '16000'
/** No date, no version: the same transcript gives the same bytes on the same machine. */
const PLAIN = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact']
const MP3 = ['-c:a', 'libmp3lame', '-b:a', '24k', '-ac', '1', '-ar', RATE, '-write_xing', '0', '-id3v2_version', '3']

const Measured = v.object({
  input_i: v.string(),
  input_tp: v.string(),
  input_lra: v.string(),
  input_thresh: v.string(),
  target_offset: v.string(),
})

for (const [program, asked] of [
  ['ffmpeg', '-version'],
  ['flite', '-lv'],
] as const)
  if (spawnSync(program, [asked]).error) {
    console.error(`没有找到 ${program}：制作听力录音需要 ffmpeg 与 flite`)
    process.exit(1)
  }
const wanted = process.argv.slice(2)
let bytes = 0
for (const name of await readdir(CONTENT)) {
  if (!name.endsWith('.json')) continue
  const { questions } = v.parse(BankFile, JSON.parse(await readFile(path.join(CONTENT, name), 'utf8')))
  for (const { no, stem, analysis } of questions) {
    const recording = recordingIn(stem)
    if (recording === null || (wanted.length > 0 && !wanted.includes(no))) continue
    const lines = transcriptOf(analysis)
    if (lines.length === 0) throw new Error(`${no}: its analysis does not begin with a transcript`)
    const file = path.join(CONTENT, recording)
    await make(file, lines)
    const { size } = await stat(file)
    bytes += size
    console.log(`${no} ${Math.round(size / 1024)} KB`)
  }
}
console.log(`共 ${Math.round(bytes / 1024)} KB`)

async function make(file: string, lines: readonly Line[]): Promise<void> {
  const work = await mkdtemp(path.join(os.tmpdir(), 'lijian-listening-'))
  try {
    const spoken = lines.map(({ speaker, text }, i) => {
      const raw = path.join(work, `${i}.raw.wav`)
      execFileSync('flite', [...VOICES[speaker], '-t', text, '-o', raw])
      return levelled(raw, path.join(work, `${i}.wav`))
    })
    await mkdir(path.dirname(file), { recursive: true })
    ffmpeg(
      ...spoken.flatMap((each) => ['-i', each]),
      '-filter_complex',
      oneAfterAnother(spoken.length),
      ...MP3,
      ...PLAIN,
      '-metadata',
      `comment=${markOf(lines)}`,
      file,
    )
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The second pass applies, evenly over the line, what the first has measured. */
function levelled(from: string, to: string): string {
  const { stderr } = spawnSync(
    'ffmpeg',
    ['-hide_banner', '-i', from, '-af', `loudnorm=${LOUDNESS}:print_format=json`, '-f', 'null', '-'],
    { encoding: 'utf8' },
  )
  const measured = v.parse(Measured, JSON.parse(stderr.slice(stderr.lastIndexOf('{'), stderr.lastIndexOf('}') + 1)))
  const second = `measured_I=${measured.input_i}:measured_TP=${measured.input_tp}:measured_LRA=${measured.input_lra}:measured_thresh=${measured.input_thresh}:offset=${measured.target_offset}:linear=true`
  ffmpeg('-i', from, '-af', `loudnorm=${LOUDNESS}:${second}`, '-ar', RATE, to)
  return to
}

/** The lines in their order, with silence around them. */
function oneAfterAnother(count: number): string {
  const padded = Array.from({ length: count }, (_, i) => {
    const before = i === 0 ? `adelay=${BEFORE_S * 1000},` : ''
    return `[${i}]${before}apad=pad_dur=${i === count - 1 ? AFTER_S : BETWEEN_S}[a${i}]`
  })
  const all = Array.from({ length: count }, (_, i) => `[a${i}]`).join('')
  return `${padded.join(';')};${all}concat=n=${count}:v=0:a=1`
}

function ffmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
}
