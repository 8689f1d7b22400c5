import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, watch, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { takePublished } from '#server/bin/publishCommands.ts'
import { sweepMedia } from '#server/content/media/lessonShelf.ts'
import { lockImports } from '#server/content/claimStore.ts'
import { readRevs } from '#server/course/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseFolder, courseJson, first, withLessons } from '#tests/support/courses.ts'
import { articleJson, newsJson } from '#tests/support/news.ts'
import { importsWaiting } from '#tests/support/publish.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const DAY = 86_400_000
const { detail, lesson } = contract.course

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 }))
})
afterAll(() => server.close())

const folder = courseFolder()
const courseFile = (content: object) => {
  const file = path.join(folder, 'course.json')
  writeFileSync(file, JSON.stringify(content))
  return { file, kind: 'course' as const }
}
const newsFile = (no: string) => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-turn-')), 'news.json')
  writeFileSync(path.join(path.dirname(file), 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
  writeFileSync(file, JSON.stringify(newsJson({ articles: [articleJson(no, { html: '<p>图<img src="a.svg"></p>' })] })))
  return { file, kind: 'news' as const }
}
const take = (command: string, file: { file: string; kind: 'course' | 'news' }) =>
  takePublished(server.db, command, [file], false, server.mediaDir)
const waiting = () => importsWaiting(server.db)
/** Folders of imports that are on their way. */
const coming = () => readdirSync(server.mediaDir).filter((name) => name.startsWith('.import-'))
const holding = (work: () => Promise<void>) =>
  server.db.transaction().execute(async (tx) => {
    await lockImports(tx)
    await work()
  })

/** An import by the operator's command. */
const operator = (dataDir: string, file: string) => {
  const DATABASE_URL = `postgresql://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL }
  return spawn(process.execPath, ['server/bin/content.ts', 'import', file], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

test('imports take turns at what they write alone: while one has its turn others read, check and copy, and students learn', async () => {
  const { file, kind } = newsFile('TURN')
  const shown = async () => (await server.ask(contract.news.detail, { id: 'TURN' })).status
  let importing: Promise<{ code: number }>[] = []
  await holding(async () => {
    importing = [take('import', { file, kind }), take('import', courseFile(courseJson))]
    await expect.poll(waiting).toBe(2)
    const files = coming().flatMap((name) =>
      readdirSync(path.join(server.mediaDir, name), { recursive: true, encoding: 'utf8' }),
    )
    expect(files).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^[a-f0-9]{32}\.svg$/),
        expect.stringMatching(/\/1\/avc_12\.m4s$/),
      ]),
    )
    // Nothing of it has its name yet.
    expect(readdirSync(server.mediaDir).filter((name) => !name.startsWith('.'))).toEqual([])
    // A check changes nothing, and waits for nobody.
    expect(await take('check', { file, kind })).toMatchObject({ code: 0 })
    expect(await shown()).toBe(0)
    expect(await server.call(contract.question.libraryList, {}, '', { sg_key: 'jg', area: '0' })).toHaveLength(1)
  })
  expect((await Promise.all(importing)).map(({ code }) => code)).toEqual([0, 0])
  expect(await shown()).toBe(1)
  expect(coming()).toEqual([])
})

test('what has changed in the database since a file was judged is judged again when its turn comes', async () => {
  let importing = Promise.resolve({ code: 0, lines: [''] })
  await holding(async () => {
    importing = take('import', newsFile('LATE'))
    await expect.poll(waiting).toBe(1)
    await sql`insert into question_set (no, title, kind, intro, directions, areas, price, vip, trial, position)
      values ('LATE', '晚到', 'mock', '', '{}', '{}', 0, false, 0, 99)`.execute(server.db)
  })
  const { code, lines } = await importing
  expect([code, lines.join('\n')]).toEqual([1, expect.stringContaining('编号 LATE 已被题集使用')])
  expect(coming()).toEqual([])
})

test('files that are gone when their turn comes are one line for the operator', async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'lijian-gone-'))
  const media = path.join(dataDir, 'media')
  const { file, kind } = courseFile(courseJson)
  await takePublished(server.db, 'import', [{ file, kind }], false, media)
  let told = ''
  let child: ReturnType<typeof operator> | undefined
  await holding(async () => {
    child = operator(dataDir, file)
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    rmSync(path.join(media, 'lesson'), { recursive: true })
  })
  const [code] = child?.exitCode === null ? ((await once(child, 'close')) as [number]) : [child?.exitCode]
  expect([code, told]).toEqual([1, '音视频文件刚被清理，请重新导入\n'])
})

test('an import that is killed leaves what was published whole, and what it has copied goes with a later one', async () => {
  await take('import', courseFile(courseJson))
  const before = [await server.call(detail, { no: 'C' }), (await server.call(lesson, { no: 'C_1' })).rev]
  const { file } = courseFile(withLessons({ ...first, title: '新的第一课', media: ['第二课.webm'], subtitles: [] }))
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'lijian-killed-'))
  await holding(async () => {
    const child = operator(dataDir, file)
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await expect.poll(waiting).toBe(0)
  expect([await server.call(detail, { no: 'C' }), (await server.call(lesson, { no: 'C_1' })).rev]).toEqual(before)
  const left = path.join(dataDir, 'media')
  const half = () => readdirSync(left).filter((name) => name.startsWith('.import-'))
  expect(half()).toHaveLength(1)
  await sweepMedia(server.db, left, Date.now())
  expect(half(), 'another import may be under way').toHaveLength(1)
  await sweepMedia(server.db, left, Date.now() + 2 * DAY)
  expect(half()).toEqual([])
})

test('a folder that goes leaves its name first: what a killed sweep has left is no lesson', async () => {
  await take('import', courseFile(courseJson))
  const shelf = path.join(server.mediaDir, 'lesson')
  const [rev = ''] = await readRevs(server.db)
  const gone = path.join(shelf, 'gone')
  mkdirSync(gone)
  writeFileSync(path.join(gone, '1.mp3'), '')
  writeFileSync(path.join(gone, '.left'), '')
  utimesSync(path.join(gone, '.left'), 0, 0)
  const killed = path.join(shelf, `.${rev}.1`)
  writeFileSync(killed, '')
  utimesSync(killed, 0, 0)
  const names: (string | null)[] = []
  const watched = watch(shelf, (_, name) => void names.push(name))
  try {
    await sweepMedia(server.db, server.mediaDir, Date.now())
    await expect.poll(() => names).toContainEqual(expect.stringMatching(/^\.gone\./))
  } finally {
    watched.close()
  }
  expect(readdirSync(shelf).filter((name) => name.includes('gone') || name.startsWith('.'))).toEqual([])
  expect(existsSync(path.join(shelf, rev))).toBe(true)
})
