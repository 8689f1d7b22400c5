import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFfmpeg } from '#server/content/media/ffmpeg.ts'
import { makeMedia } from '#server/content/media/makeMedia.ts'
import { probe } from '#server/content/media/mediaProbe.ts'
import { loudnessIn, mendCommand, outputsOf, renderArgs } from '#server/content/media/transcode.ts'
import { courseFolder, first, withLessons } from '#tests/support/courses.ts'

/** Where it is not installed, what the command says instead is what is tested. */
const tools = await findFfmpeg('')
const NOWHERE = '/nowhere/ffmpeg'
const DATA_DIR = mkdtempSync(path.join(os.tmpdir(), 'lijian-media-data-'))

let folder = ''
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-media-'))))

function start(...args: string[]) {
  const env = { ...process.env, DATA_DIR, DATABASE_URL: '', DEMO: '0' }
  const child = spawn(process.execPath, ['server/bin/content.ts', ...args], { env })
  let [out, err] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
  return { child, ended: once(child, 'close').then(([code]: unknown[]) => ({ code, out, err })) }
}
const command = (...args: string[]) => start(...args).ended
const ffmpeg = (...args: string[]): void =>
  void execFileSync(tools?.ffmpeg ?? '', ['-v', 'error', '-y', ...args], { stdio: ['ignore', 'ignore', 'inherit'] })

/** As a recorder leaves it: 4:4:4, very quiet, black for its first half, and a container that no browser opens. */
function recording(seconds = 6): string {
  const file = path.join(folder, '第一 课.mkv')
  if (tools)
    ffmpeg(
      ...`-f lavfi -i testsrc=size=964x544:rate=12:duration=${seconds}`.split(' '),
      ...`-f lavfi -i sine=frequency=440:duration=${seconds}`.split(' '),
      ...`-vf drawbox=color=black:t=fill:enable='lt(t,${seconds / 2})' -af volume=-30dB`.split(' '),
      ...'-c:v libx264 -preset ultrafast -pix_fmt yuv444p -c:a pcm_s16le'.split(' '),
      file,
    )
  else writeFileSync(file, 'nobody looks into it')
  return file
}
/** LUFS of a file's whole sound. */
function loudness(file: string): number {
  const args = ['-hide_banner', '-nostats', '-i', file, '-af', 'loudnorm=print_format=json', '-f', 'null', '-']
  const { stderr } = spawnSyncText(args)
  return Number(loudnessIn(stderr)?.input_i)
}
const spawnSyncText = (args: string[]) => {
  const child = spawnSync(tools?.ffmpeg ?? '', args, { encoding: 'utf8' })
  return { stderr: child.stderr }
}

/** What is said where there is no ffmpeg: the command for each of these files; nothing is made. */
function saysHow({ code, out }: { code: unknown; out: string }, ...files: string[]): void {
  expect(code).toBe(1)
  for (const file of files) expect(out).toContain(`ffmpeg -i '${file}'`)
  expect(readdirSync(folder).filter((name) => name.endsWith('.media'))).toEqual([])
}

/** An ffmpeg that stands still as long as `hold` is there when it is to make a file of this name. */
function heldAt(name: string): { hold: string; ffmpeg: string } {
  const [hold, script] = ['hold', 'ffmpeg'].map((each) => path.join(folder, each)) as [string, string]
  const real = (tool = '') => `exec '${tool}' "$@"`
  writeFileSync(hold, '')
  writeFileSync(
    script,
    `#!/bin/sh\n[ -e '${hold}' ] && case "$*" in *${name}*) exec sleep 30;; esac\n${real(tools?.ffmpeg)}\n`,
  )
  writeFileSync(path.join(folder, 'ffprobe'), `#!/bin/sh\n${real(tools?.ffprobe)}\n`)
  for (const each of ['ffmpeg', 'ffprobe']) chmodSync(path.join(folder, each), 0o755)
  return { hold, ffmpeg: script }
}

describe('the command', { timeout: 120_000 }, () => {
  test('makes of a recording what phones play, or says what would where there is no ffmpeg', async () => {
    const file = recording()
    const { code, out } = await command('media', file)
    if (!tools) return saysHow({ code, out }, file)
    expect([code, out]).toEqual([
      0,
      `${file}：已转好\n  "media": ["第一 课.media/540p.mp4", "第一 课.media/360p.mp4"]\n  "cover": "第一 课.media/cover.jpg"\n`,
    ])
    const made = path.join(folder, '第一 课.media')
    expect(readdirSync(made).toSorted()).toEqual(['360p.mp4', '540p.mp4', 'cover.jpg', 'made.json'])
    for (const name of ['360p.mp4', '540p.mp4']) {
      const is = await probe(path.join(made, name))
      expect(is).toMatchObject({ ending: 'mp4', video: true, late: false, fault: null })
      expect(is.codecs).toEqual([expect.stringMatching(/^avc1\.64/), 'mp4a.40.2'])
      expect(is.seconds).toBeCloseTo(6, 0)
      expect(Math.abs(loudness(path.join(made, name)) + 16)).toBeLessThan(1)
    }
    const cover = await sharp(path.join(made, 'cover.jpg')).stats()
    expect(
      cover.channels.some(({ stdev }) => stdev > 40),
      'it is none of the black frames',
    ).toBe(true)
    expect(await sharp(path.join(made, 'cover.jpg')).metadata()).toMatchObject({ width: 966, height: 544 })
  })

  test('goes on where it was killed: what was finished stays, what was half written never looks finished', async () => {
    const file = recording()
    const made = path.join(folder, '第一 课.media')
    if (!tools) return saysHow(await command('media', file), file)
    const { hold, ffmpeg } = heldAt('540p.mp4')
    const again = () => command('media', file, '--ffmpeg', ffmpeg)
    const { child, ended } = start('media', file, '--ffmpeg', ffmpeg)
    // The smaller one comes first.
    await expect.poll(() => existsSync(path.join(made, '360p.mp4')), { timeout: 60_000, interval: 10 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    rmSync(hold)
    const before = statSync(path.join(made, '360p.mp4')).mtimeMs
    expect(existsSync(path.join(made, '540p.mp4'))).toBe(false)
    writeFileSync(path.join(made, '.540p.mp4.999999999.part'), 'half')
    expect((await again()).out).toContain('已转好（1 个上次已经转好）')
    expect(statSync(path.join(made, '360p.mp4')).mtimeMs).toBe(before)
    expect(readdirSync(made).filter((name) => name.startsWith('.'))).toEqual([])
    // A file that was cut since is made anew; so is everything when the source is another.
    writeFileSync(path.join(made, '540p.mp4'), 'cut')
    expect((await again()).out).toContain('1 个上次')
    expect((await probe(path.join(made, '540p.mp4'))).fault).toBeNull()
    copyFileSync(recording(5), file)
    expect((await again()).out).toContain('已转好\n')
  })

  test('makes an m4a of sound; of what is neither it says so and goes on', async () => {
    const [sound, noise] = [path.join(folder, '音频.wav'), path.join(folder, '说明.mov')]
    writeFileSync(noise, 'no film at all')
    if (tools) ffmpeg('-f', 'lavfi', '-i', 'sine=duration=4', sound)
    else writeFileSync(sound, '')
    const { code, out } = await command('media', noise, sound)
    if (!tools) return saysHow({ code, out }, noise, sound)
    expect(code).toBe(1)
    expect(out).toContain(`${noise}：`)
    expect(out).toContain('  "media": ["音频.media/sound.m4a"]\n')
    const is = await probe(path.join(folder, '音频.media/sound.m4a'))
    expect(is).toMatchObject({ codecs: ['mp4a.40.2'], video: false, fault: null })
  })

  test('without ffmpeg says what to do, with the exact commands, also as JSON', async () => {
    const file = path.join(folder, "it's.mov")
    writeFileSync(file, '')
    const { code, out } = await command('media', file, '--ffmpeg', NOWHERE)
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^这台电脑上没有 ffmpeg[^\n]*\nffmpeg -i '.*it'\\''s\.mov' -map 0:v:0 /),
    ])
    const json = await command('media', file, '--ffmpeg', NOWHERE, '--json')
    expect(JSON.parse(json.out)).toMatchObject({ commands: [mendCommand(file, 'video')] })
    expect(await command('media', path.join(folder, 'none.mov'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('不存在'),
    })
  })
})

describe('a check', { timeout: 120_000 }, () => {
  let course = ''
  beforeAll(() => {
    const beside = courseFolder()
    copyFileSync(path.join(beside, '第一课.mp4'), path.join(beside, '录像.mov'))
    writeFileSync(path.join(beside, 'half.mp4'), 'nothing')
    course = path.join(beside, 'course.json')
    const lessons = ['录像.mov', 'half.mp4'].map((media, i) => ({
      ...first,
      no: `C_${i}`,
      subtitles: [],
      media: [media],
    }))
    writeFileSync(course, JSON.stringify(withLessons(...lessons)))
  })

  test('prints where there is no ffmpeg the very command that mends what it refused, and nothing of what is broken', async () => {
    const { code, err: out } = await command('check', course, '--ffmpeg', NOWHERE)
    const file = path.join(path.dirname(course), '录像.mov')
    expect(code).toBe(1)
    expect(out).toContain(`（这台电脑上没有）：\n  ${mendCommand(file, 'video')}\n`)
    expect(out).not.toContain("half.mp4' -map")
    if (!tools) return
    execFileSync('sh', ['-c', mendCommand(file, 'video')], { stdio: 'ignore' })
    const is = await probe(file.replace('.mov', '-720p.mp4'))
    expect(is).toMatchObject({
      fault: null,
      late: false,
      video: true,
      codecs: [expect.stringMatching(/^avc1\.64/), 'mp4a.40.2'],
    })
  })

  test('prints our own command where ffmpeg is', async () => {
    const bin = path.join(folder, 'bin')
    mkdirSync(bin)
    for (const name of ['ffmpeg', 'ffprobe']) {
      writeFileSync(path.join(bin, name), '#!/bin/sh\nexit 0\n')
      chmodSync(path.join(bin, name), 0o755)
    }
    const { err: out } = await command('check', course, '--ffmpeg', path.join(bin, 'ffmpeg'))
    const file = path.join(path.dirname(course), '录像.mov')
    expect(out).toContain(`这些文件可以这样转好：\n  npm run content -- media "${file}"\n`)
  })
})

describe('of a picture', () => {
  const names = (width: number, height: number) =>
    outputsOf({ seconds: 1, picture: { width, height, fps: 25 }, sound: true }).map(({ name }) => name)
  test.each([
    [1920, 1080, ['360p.mp4', '540p.mp4', '720p.mp4']],
    [720, 1280, ['360p.mp4', '540p.mp4', '720p.mp4']],
    [960, 540, ['360p.mp4', '540p.mp4']],
    [640, 480, ['360p.mp4']],
    [321, 241, ['240p.mp4']],
  ])('%i × %i no rendition is larger', (width, height, made) => expect(names(width, height)).toEqual(made))

  test('what is silent is made no louder, and what moves fast is shown at 30 pictures a second', () => {
    expect(loudnessIn('{ "input_i" : "-inf", "input_tp" : "-inf" }')).toBeNull()
    expect(loudnessIn('no word of it')).toBeNull()
    const source = { seconds: 1, picture: { width: 640, height: 360, fps: 60 }, sound: true }
    const args = renderArgs('a', { name: '360p.mp4', lines: 360, kbits: 700 }, source, null)
    expect(args.join(' ')).toContain('fps=30')
    expect(args.join(' ')).not.toContain('loudnorm')
  })
})

test('how far it is goes from nothing to all of what is still to be done', async () => {
  const told: number[] = []
  const made = tools ? await makeMedia(tools, recording(), (_, done, all) => told.push(done / all)) : null
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect((told.at(-1) ?? 1) > 0.9).toBe(true)
  expect(made?.media.length ?? 2).toBe(2)
})
