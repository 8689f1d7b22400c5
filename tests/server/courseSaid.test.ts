import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { createTranscripts } from '#server/course/transcripts.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const JG = { sg_key: 'jg', area: '11' }
const DAY = 86_400_000
let server: TestServer
let who: { uid: string; token: string }

const vtt = (...lines: string[]): Buffer<ArrayBuffer> =>
  Buffer.from(`WEBVTT\n\n${lines.map((line, i) => `00:0${i}.500 --> 00:0${i + 1}.000\n${line}`).join('\n\n')}\n`)
const lesson = (...lines: string[]) => ({ '1.mp3': noise(100), 'zh-CN.vtt': vtt(...lines) })

beforeAll(async () => {
  server = await startServer()
  await publishLessons(server, { F_1: lesson('动能', '定理 &lt; 免费'), F_2: { '1.mp3': noise(100) } }, { no: 'F' })
  // Of each course the first lesson may be tried.
  await publishLessons(
    server,
    { P_1: lesson('试看里的口令'), P_2: lesson('付费里的口令'), P_3: lesson('别的') },
    { no: 'P', price: 100 },
  )
  who = await server.student()
})
afterAll(() => server.close())

const search = async (words: string, token = '', scope = JG) =>
  (await server.call(contract.course.said, { words }, token, scope)).found
const lessons = async (words: string, token = '', scope = JG) =>
  (await search(words, token, scope)).map((each) => each.lesson.no)
const buy = (until: number) =>
  server.db
    .insertInto('entitlement')
    .values({ uid: who.uid, kind: 'course', no: 'P', until })
    .onConflict((c) => c.columns(['uid', 'kind', 'no']).doUpdateSet({ until }))
    .execute()
const change = (patch: object) => server.db.updateTable('course').set(patch).where('no', '=', 'P').execute()

describe('what lessons say', () => {
  test('is found with its course, lesson and second, as text, also across two lines', async () => {
    expect(await search('动能 免费')).toEqual([
      {
        course: { no: 'F', title: 'F 课程', kind: 'audio', open: true, subject: null },
        lesson: { no: 'F_1', title: '第1课' },
        at: 0.5,
        text: '动能 定理 < 免费',
      },
    ])
    expect(await lessons('动能定理')).toEqual(['F_1'])
    expect(await lessons('没有人说过')).toEqual([])
    expect(await lessons(' ，')).toEqual([])
  })

  test('is no pattern: what stands for anything elsewhere stands for itself', async () => {
    for (const words of ['%', '_', '.*', '\\', "' or 1=1 --", '<b>']) expect(await lessons(words)).toEqual([])
  })

  test('of lessons that a student may not open is not found, nor told that it is there', async () => {
    expect(await lessons('口令')).toEqual(['P_1'])
    expect(await server.call(contract.course.said, { words: '付费' }, who.token, JG)).toEqual({
      found: [],
      more: false,
    })
    await buy(server.clock.now + DAY)
    expect(await lessons('口令', who.token)).toEqual(['P_1', 'P_2'])
    expect(await lessons('口令', (await server.student()).token)).toEqual(['P_1'])
    await buy(server.clock.now)
    expect(await lessons('口令', who.token)).toEqual(['P_1'])
  })

  test('of a withdrawn course is its buyer’s alone, and of another direction, too', async () => {
    await buy(server.clock.now + DAY)
    await change({ withdrawn: true })
    expect(await lessons('口令')).toEqual([])
    expect(await lessons('口令', who.token)).toEqual(['P_1', 'P_2'])
    await change({ withdrawn: false, directions: ['wz'] })
    expect(await lessons('口令')).toEqual([])
    expect(await lessons('口令', who.token)).toEqual(['P_1', 'P_2'])
    await change({ directions: [] })
  })

  test('of a lesson that has left its course is found no more', async () => {
    const retire = (retired: boolean) =>
      server.db.updateTable('lesson').set({ retired }).where('no', '=', 'F_1').execute()
    await retire(true)
    expect(await lessons('动能')).toEqual([])
    await retire(false)
    expect(await lessons('动能')).toEqual(['F_1'])
  })

  test('is what its newest files say', async () => {
    await publishLessons(server, { N_1: lesson('从前的话') }, { no: 'N' })
    expect(await lessons('从前的话')).toEqual(['N_1'])
    await publishLessons(server, { N_1: lesson('现在的话') }, { no: 'N' })
    expect([await lessons('从前的话'), await lessons('现在的话')]).toEqual([[], ['N_1']])
  })

  test('many times fills no answer: each lesson gives its first lines, and it is said that there are more', async () => {
    const long = lesson(...Array.from({ length: 10 }, () => '军令如山'))
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`M_${i}`, { ...long, '1.mp3': noise(100) }]))
    await publishLessons(server, many, { no: 'M' })
    const { found, more } = await server.call(contract.course.said, { words: '军令' }, '', JG)
    expect([found.length, more]).toEqual([50, true])
  })

  test('that is too long to be asked for is refused', async () => {
    expect(await server.ask(contract.course.said, { words: '字'.repeat(501) }, '', JG)).toMatchObject({ status: 0 })
  })
})

test('files that are gone, or say nothing that can be read, stop no search, and are found when they are back', async () => {
  const files = { G_1: lesson('山高路远'), G_2: lesson('山高路远') }
  await publishLessons(server, files, { no: 'G' })
  const { rev } = await server.db.selectFrom('lesson').select('rev').where('no', '=', 'G_1').executeTakeFirstOrThrow()
  const file = path.join(server.mediaDir, 'lesson', rev, 'zh-CN.vtt')
  rmSync(file)
  expect(await lessons('山高路远')).toEqual(['G_2'])
  writeFileSync(file, files.G_1['zh-CN.vtt'])
  expect(await lessons('山高路远')).toEqual(['G_1', 'G_2'])
})

test('a server that may keep little of it reads it again, and finds all the same', async () => {
  const find = createTranscripts(server.db, server.mediaDir, 20)
  const rows = await server.db.selectFrom('lesson').select('rev').where('no', 'in', ['F_1', 'P_1', 'P_2']).execute()
  const revs = rows.map(({ rev }) => rev)
  const read = async () => {
    const all: string[] = []
    for await (const [, lines] of find(revs, ['口令'], 10)) all.push(...lines.map(({ text }) => text))
    return all.toSorted()
  }
  expect(await read()).toEqual(['付费里的口令', '试看里的口令'])
  expect(await read()).toEqual(['付费里的口令', '试看里的口令'])
})
