import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { PART_BYTES } from '#src/contract/course.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { sweepMedia } from '#server/content/media/lessonShelf.ts'
import { readRevs } from '#server/course/store.ts'
import { importDemo } from '#server/demo/demo.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import {
  checkCourse,
  checkPackage,
  courseFolder,
  courseJson as json,
  courseRow,
  first,
  NOTES,
  packageJson,
  publishCourse,
  second,
  withLessons,
} from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { testingJson } from '#tests/support/testings.ts'

const { detail, lesson } = contract.course
const DAY = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 }))
  await publishCourse(server, { ...courseRow({ no: 'FREE', units: [['FREE_1']] }), price: 100 })
})
afterAll(() => server.close())

const folder = courseFolder()
const saved = (name: string, content: object, into = folder) => {
  const file = path.join(into, name)
  writeFileSync(file, JSON.stringify(content))
  return { file, kind: name.startsWith('package') ? ('package' as const) : ('course' as const) }
}
const take = (...files: ReturnType<typeof saved>[]) => takePublished(server.db, 'import', files, false, server.mediaDir)
describe('a course from its files', () => {
  test('is whole: what its files are is read from them, and each part is hashed', async () => {
    const done = await take(saved('course.json', json))
    expect(done.lines.join('\n')).toMatch(/课程，共 2 课，错误 0，提醒 0[\s\S]*新增 2 课，更新 0，下架 0/)
    const course = await server.call(detail, { no: 'C' })
    expect(course).toMatchObject({
      at: Date.UTC(2026, 10, 2, 1),
      cover: { width: 640, height: 360, src: expect.stringMatching(/^\/media\/[a-f0-9]{32}\.svg$/) },
      handouts: [{ title: '讲义', bytes: NOTES.length }],
      units: [{ lessons: [{ no: 'C_1', subtitles: true, trial: true }, { no: 'C_2' }] }],
    })
    expect((await server.app.inject(course.cover.src)).statusCode).toBe(200)
    const media = await server.call(lesson, { no: 'C_1' })
    expect(media.renditions.map(({ type, main }) => [type, main])).toEqual([
      ['video/webm; codecs="vp9, opus"', '1.webm'],
      ['video/mp4; codecs="avc1.42C01E, mp4a.40.2"', '2.mp4'],
    ])
    expect(media.subtitles).toMatchObject([{ lang: 'zh-CN', label: '中文', file: { name: 'zh-CN.vtt' } }])
    const files = [...media.renditions.flatMap((each) => each.files), ...media.subtitles.map(({ file }) => file)]
    for (const { name, type, bytes, parts } of files) {
      const response = await server.app.inject(`${media.base}${name}`)
      expect([response.headers['content-type'], response.rawPayload.length]).toEqual([type, bytes])
      expect(parts).toEqual([hash('sha256', response.rawPayload)])
    }
    const [own, other] = course.units[0]?.lessons ?? []
    expect(own?.bytes).toBe((files[0]?.bytes ?? 0) + (files[2]?.bytes ?? 0))
    expect(Math.abs((own?.seconds ?? 0) - 52)).toBeLessThan(3)
    expect(Math.abs((other?.seconds ?? 0) - 49)).toBeLessThan(3)
  })

  test('plays a playlist by the names in it', async () => {
    await take(saved('course.json', withLessons(first, { ...second, trial: true })))
    const { base, renditions } = await server.call(lesson, { no: 'C_2' })
    expect(renditions).toMatchObject([{ type: 'application/vnd.apple.mpegurl', main: '1/main.m3u8' }])
    const seen = new Set<string>()
    const follow = async (url: string): Promise<void> => {
      const { statusCode, body, headers } = await server.app.inject(url)
      expect([url, statusCode]).toEqual([url, 200])
      seen.add(url.slice(base.length))
      if (headers['content-type'] !== 'application/vnd.apple.mpegurl') return
      const names = [...body.matchAll(/URI="([^"]+)"|^(?!#)(\S+)$/gm)].map(([, uri, line]) => uri ?? line ?? '')
      for (const name of names) await follow(new URL(name, `http://x${url}`).pathname)
    }
    await follow(`${base}1/main.m3u8`)
    expect([...seen].sort()).toEqual(renditions[0]?.files.map(({ name }) => name).sort())
    expect(seen.size).toBeGreaterThan(20)
  })

  test('is cut into parts of a mebibyte, the last one shorter', async () => {
    const big = Buffer.concat([readFileSync(path.join(folder, 'sound.mp3')), Buffer.alloc(2 * PART_BYTES)])
    writeFileSync(path.join(folder, 'big.mp3'), big)
    const sound = { no: 'BIG_1', title: '课', media: ['big.mp3'], trial: true }
    const course = {
      ...json,
      no: 'BIG',
      kind: 'audio',
      handouts: [],
      units: [{ no: 'BIG_u', title: '一', lessons: [sound] }],
    }
    expect((await take(saved('big.json', course))).code).toBe(0)
    const { renditions } = await server.call(lesson, { no: 'BIG_1' })
    const [file] = renditions[0]?.files ?? []
    expect(file?.parts).toEqual(
      [0, 1, 2].map((i) => hash('sha256', big.subarray(i * PART_BYTES, (i + 1) * PART_BYTES))),
    )
    expect(renditions[0]?.type).toBe('audio/mpeg')
  })

  test('published again is the same; another file is another rev, and the old one goes a day later', async () => {
    await take(saved('course.json', json))
    const again = await take(saved('course.json', json))
    expect(again.lines.join('\n')).toContain('新增 0 课，更新 0，下架 0')
    const { base, rev } = await server.call(lesson, { no: 'C_1' })
    const changed = await take(
      saved('course.json', withLessons({ ...first, media: ['第二课.webm'], subtitles: [] }, second)),
    )
    expect(changed.lines.join('\n')).toContain('更新 1')
    expect((await server.call(lesson, { no: 'C_1' })).rev).not.toBe(rev)
    const shelf = path.join(server.mediaDir, 'lesson')
    const sweep = async (now: number) => sweepMedia(server.db, server.mediaDir, now)
    await sweep(Date.now())
    expect((await server.app.inject(`${base}1.webm`)).statusCode).toBe(200)
    await take(saved('course.json', json))
    await sweep(Date.now() + 2 * DAY)
    expect(readdirSync(shelf)).toContain(rev)
    await take(saved('course.json', withLessons(second)))
    await sweep(Date.now() + 2 * DAY)
    expect(readdirSync(shelf), 'a retired lesson names it').toContain(rev)
    const left = path.join(shelf, '.half.1')
    mkdirSync(left)
    utimesSync(left, 0, 0)
    await sweep(Date.now() + 2 * DAY)
    expect(new Set(readdirSync(shelf))).toEqual(await readRevs(server.db))
    await take(saved('course.json', json))
  })

  test('goes out with its files, and in again as the same', async () => {
    await take(saved('course.json', json), saved('package.json', packageJson))
    const out = mkdtempSync(path.join(os.tmpdir(), 'lijian-out-'))
    const told = await givePublished(server.db, 'C', path.join(out, 'course.json'), server.mediaDir)
    expect(told).toMatchObject({ code: 0, lines: [expect.stringMatching(/已写入 .*个文件在旁边/)] })
    const read = async (file: string) => checkCourse(server.db, file, JSON.parse(readFileSync(file, 'utf8')))
    const [given, original] = [await read(path.join(out, 'course.json')), await read(path.join(folder, 'course.json'))]
    expect(given.findings).toEqual([])
    expect(given.course).toEqual(original.course)
    await givePublished(server.db, 'PK', path.join(out, 'package.json'), server.mediaDir)
    const pack = JSON.parse(readFileSync(path.join(out, 'package.json'), 'utf8')) as object
    const checked = await checkPackage(server.db, path.join(out, 'package.json'), pack)
    expect([checked.findings, checked.pack]).toEqual([
      [],
      (await checkPackage(server.db, path.join(folder, 'package.json'), packageJson)).pack,
    ])
    expect(await givePublished(server.db, 'NONE', undefined, server.mediaDir)).toMatchObject({ code: 1 })
  })
})
test('two servers that start at one moment put the demo in place once', async () => {
  const other = await startServer()
  try {
    const lines: string[] = []
    const start = () => importDemo(other.db, { mediaDir: other.mediaDir, say: (line) => void lines.push(line) })
    await Promise.all([start(), start()])
    expect(lines.filter((line) => line.startsWith('正在导入'))).toHaveLength(1)
  } finally {
    await other.close()
  }
})

test('the demo’s courses are there, whole, and a second start reads no media again', async () => {
  const other = await startServer()
  try {
    const lines: string[] = []
    const demo = () => importDemo(other.db, { mediaDir: other.mediaDir, say: (line) => void lines.push(line) })
    await demo()
    const told = lines.length
    const courses = await other.call(contract.course.list, {}, '', { sg_key: 'jg', area: '0' })
    expect(
      courses.map(({ no, kind, price, trials, lessons }) => [no, kind, price > 0, trials, lessons.length]),
    ).toEqual([
      ['K_junzheng', 'audio', true, 1, 4],
      ['K_math0', 'video', false, 0, 4],
      ['K_science', 'video', true, 2, 4],
    ])
    const [pack] = await other.call(contract.course.packages, {}, '', { sg_key: 'jg', area: '0' })
    expect(pack).toMatchObject({ no: 'KP_sprint', courses: ['K_science', 'K_junzheng'] })
    const testings = await other.call(contract.testing.list, {}, '', { sg_key: 'jg', area: '0' })
    expect(testings.map(({ unit }) => unit)).toContainEqual({ course: 'K_math0', no: 'K_math0_u2' })
    for (const no of ['K_math0_l1', 'K_science_l2', 'K_junzheng_l1', 'K_gangwei_l3']) {
      const { base, renditions, subtitles: texts } = await other.call(lesson, { no })
      const names = [...renditions.flatMap(({ files }) => files), ...texts.map(({ file }) => file)].map(
        ({ name }) => name,
      )
      for (const name of names) expect((await other.app.inject(`${base}${name}`)).statusCode).toBe(200)
    }
    const shelf = path.join(other.mediaDir, 'lesson')
    const before = readdirSync(shelf)
    await demo()
    expect([lines.length, readdirSync(shelf)]).toEqual([told, before])
    expect(existsSync(path.join(other.mediaDir, 'lesson', before[0] ?? ''))).toBe(true)
  } finally {
    await other.close()
  }
})

test('what names a course is judged by the course that comes alongside: a quiz by its units, a package by what it has become', async () => {
  const course = {
    ...json,
    no: 'NEW',
    withdrawn: true,
    units: [{ no: 'NEW_u', title: '单元', lessons: [{ ...first, no: 'NEW_1' }] }],
  }
  const quiz = (unit: string) => {
    const file = path.join(folder, 'testing.json')
    writeFileSync(
      file,
      JSON.stringify({ ...testingJson({ no: 'QUIZ', paper: [['Q_q1']] }), unit: { course: 'NEW', no: unit } }),
    )
    return { file, kind: 'testing' as const }
  }
  const pack = saved('package.json', { ...packageJson, no: 'NEWPK', courses: ['NEW', 'FREE'] })
  const told = async (unit: string) => {
    // The quiz is named first: the order of files says nothing.
    const done = await takePublished(
      server.db,
      'import',
      [quiz(unit), pack, saved('course.json', course)],
      false,
      server.mediaDir,
    )
    return [done.code, done.lines.join('\n')]
  }
  expect(await told('NEW_none')).toEqual([1, expect.stringContaining('课程 NEW 里没有单元 NEW_none')])
  expect(await told('NEW_u')).toEqual([0, expect.stringMatching(/课程 NEW 已下架，只随课程包提供[\s\S]*新增测评/)])
  expect(await server.call(contract.testing.detail, { no: 'QUIZ' })).toMatchObject({
    unit: { course: 'NEW', no: 'NEW_u' },
  })
})
