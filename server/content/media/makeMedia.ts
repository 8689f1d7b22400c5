import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Progress } from '../progress.ts'
import { FileFault } from '../draft.ts'
import { type Ffmpeg, lookInto, run, transcode } from './ffmpeg.ts'
import { probe } from './mediaProbe.ts'
import {
  coverArgs,
  loudnessIn,
  type Loudness,
  measureArgs,
  type Output,
  outputsOf,
  renderArgs,
  type SourceMedia,
} from './transcode.ts'

/** Another number when files are made in another way: none that was made before is kept then. */
const WAY = 1
const NOTES = 'made.json'
const COVER = 'cover.jpg'
const PART = /^\.(.+)\.(\d+)\.part$/

/** What is known of a folder's files, so that nothing is done twice. */
interface Notes {
  way: number
  /** Of the source: another file under its name is another source. */
  source: string
  /** Undefined: not measured yet. */
  loudness?: Loudness | null
  /** Bytes of each file that is finished. */
  finished: Record<string, number>
}
export interface MadeMedia {
  /** Paths, the largest picture first; beside the source, in a folder of their own. */
  media: string[]
  cover: string | null
  /** How many of them were there already. */
  kept: number
}

/** As much work as a second of the source is, by what is made of it. */
const MEASURE_WORK = 0.05
const workOf = ({ lines }: Output): number => (lines === 0 ? MEASURE_WORK : (lines / 720) ** 2)

/** Makes of any file what phones play. What was finished before is kept; what is half written bears another name. */
export async function makeMedia(tools: Ffmpeg, file: string, progress: Progress): Promise<MadeMedia> {
  const source = await lookInto(tools, file)
  const folder = `${file.replace(/\.[^./]*$/, '')}.media`
  await mkdir(folder, { recursive: true })
  await dropParts(folder)
  const notes = await readNotes(folder, await stampOf(file))
  const outputs = outputsOf(source)
  const missing: Output[] = []
  for (const output of outputs) if (!(await isFinished(folder, notes, output.name))) missing.push(output)
  const measures = source.sound && notes.loudness === undefined && missing.length > 0
  const all = missing.reduce((sum, output) => sum + workOf(output), measures ? MEASURE_WORK : 0) * source.seconds
  let done = 0
  const step = async (work: number, act: (tell: (seconds: number) => void) => Promise<unknown>) => {
    await act((seconds) =>
      progress(`转码 ${path.basename(file)}`, done + Math.min(seconds, source.seconds) * work, all),
    )
    done += work * source.seconds
  }
  if (measures)
    await step(MEASURE_WORK, async (tell) => {
      notes.loudness = loudnessIn(await transcode(tools, measureArgs(file), tell))
      await writeNotes(folder, notes)
    })
  for (const output of missing)
    await step(workOf(output), async (tell) => {
      await finish(folder, notes, output.name, async (to) => {
        await transcode(tools, [...renderArgs(file, output, source, notes.loudness ?? null), to], tell)
        await judge(to, source)
      })
    })
  const cover = source.picture ? await coverOf(tools, file, source, folder, notes) : null
  const media = outputs.toReversed().map(({ name }) => path.join(folder, name))
  return { media, cover, kept: outputs.length - missing.length }
}

const stampOf = async (file: string): Promise<string> => {
  const { size, mtimeMs } = await stat(file)
  return `${size}:${Math.floor(mtimeMs)}`
}

async function readNotes(folder: string, source: string): Promise<Notes> {
  const fresh: Notes = { way: WAY, source, finished: {} }
  try {
    const read: Notes = JSON.parse(await readFile(path.join(folder, NOTES), 'utf8'))
    return read.way === WAY && read.source === source ? { ...fresh, ...read } : fresh
  } catch {
    // None yet, or half a one.
    return fresh
  }
}
async function writeNotes(folder: string, notes: Notes): Promise<void> {
  const part = path.join(folder, partOf(NOTES))
  await writeFile(part, JSON.stringify(notes))
  await rename(part, path.join(folder, NOTES))
}

async function isFinished(folder: string, { finished }: Notes, name: string): Promise<boolean> {
  const is = await stat(path.join(folder, name)).catch(() => null)
  return is !== null && is.size === finished[name]
}

const partOf = (name: string): string => `.${name}.${process.pid}.part`

/** It gets its name when it is whole. */
async function finish(folder: string, notes: Notes, name: string, make: (to: string) => Promise<void>): Promise<void> {
  const part = path.join(folder, partOf(name))
  await make(part)
  notes.finished[name] = (await stat(part)).size
  // Noted first: killed in between, a file that is noted and not there is made again, one that is there is never unknown.
  await writeNotes(folder, notes)
  await rename(part, path.join(folder, name))
}

/** What a run that was ended has left; one that still runs keeps its own. */
async function dropParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(PART.exec(name)?.[2])
    if (pid > 0 && (pid === process.pid || !runs(pid))) await rm(path.join(folder, name), { force: true })
  }
}
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const SAME_S = 3
/** What ffmpeg calls done is looked into as an import looks: a full disk leaves halves. @throws FileFault */
async function judge(file: string, { seconds }: SourceMedia): Promise<void> {
  const is = await probe(file)
  const isWhole = is.fault === null && is.seconds !== null && Math.abs(is.seconds - seconds) <= SAME_S
  if (!isWhole) throw new FileFault(`转出的文件不完整${is.fault ? `：${is.fault}` : ''}，请检查磁盘空间和原文件`)
}

/** Places to look for a good frame, as shares of the length: titles and black stand at both ends. */
const PLACES = [0.1, 0.3, 0.5, 0.7, 0.02]
/** Of 255: darker or plainer than this is no picture to choose a lesson by. */
const GOOD = { light: 24, spread: 10 }

async function coverOf(
  tools: Ffmpeg,
  file: string,
  { picture, seconds }: SourceMedia,
  folder: string,
  notes: Notes,
): Promise<string | null> {
  const cover = path.join(folder, COVER)
  if (!picture || (await isFinished(folder, notes, COVER))) return picture && cover
  const looked: { at: number; spread: number }[] = []
  for (const share of PLACES) {
    const at = share * seconds
    const part = path.join(folder, partOf(COVER))
    const taken = await transcode(tools, [...coverArgs(file, at, picture), part]).catch(() => null)
    const { light, spread } = taken === null ? { light: 0, spread: -1 } : await lookAt(tools, part)
    looked.push({ at, spread })
    if (light >= GOOD.light && spread >= GOOD.spread) break
  }
  const best = looked.toSorted((a, b) => b.spread - a.spread)[0]
  if (!best || best.spread < 0) return null
  await finish(folder, notes, COVER, async (to) => {
    await transcode(tools, [...coverArgs(file, best.at, picture), to])
  })
  return cover
}

/** How light a picture is, and how far its parts differ from that. */
async function lookAt({ ffmpeg }: Ffmpeg, file: string): Promise<{ light: number; spread: number }> {
  const args = ['-v', 'error', '-i', file, '-vf', 'scale=32:18,format=gray', '-f', 'rawvideo', '-']
  const { out } = await run(ffmpeg, args)
  if (out.length === 0) return { light: 0, spread: -1 }
  const light = out.reduce((sum, each) => sum + each, 0) / out.length
  return { light, spread: Math.sqrt(out.reduce((sum, each) => sum + (each - light) ** 2, 0) / out.length) }
}
