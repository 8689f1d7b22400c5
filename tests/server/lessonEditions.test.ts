import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PART_BYTES } from '#src/contract/course.ts'
import { contract } from '#src/contract/index.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { detail, lesson, package: packageDetail } = contract.course
const GB = 1024 ** 3

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A course of two lessons, of which the second has these files. */
const course = (rev: string, bytes = 1_000, price = 0) => {
  const row = courseRow({ no: 'C', units: [['L1', 'L2']] })
  const units = row.units.map((unit) => ({
    ...unit,
    lessons: unit.lessons.map((each) => (each.no === 'L2' ? { ...each, rev, bytes } : each)),
  }))
  return { ...row, units, price }
}
const told = async (token = '') =>
  (await server.call(detail, { no: 'C' }, token)).units[0]?.lessons.map(({ rev, edition, bytes }) => [
    rev,
    edition,
    bytes,
  ])

describe('a course says which version of each lesson is offered', () => {
  test('by a hash of its files, a number that goes up with other files alone, and their size', async () => {
    await publishCourse(server, course('first'))
    expect(await told()).toEqual([
      ['rev_L1', 1, 1_000],
      ['first', 1, 1_000],
    ])
    await publishCourse(server, course('second', 2_000))
    expect(await told()).toEqual([
      ['rev_L1', 1, 1_000],
      ['second', 2, 2_000],
    ])
    await publishCourse(server, { ...course('second', 2_000), title: '新的名字' })
    expect((await told())?.[1]).toEqual(['second', 2, 2_000])
    // What is taken back is newer than what it takes the place of.
    await publishCourse(server, course('first'))
    expect((await told())?.[1]).toEqual(['first', 3, 1_000])
  })

  test('also to whom it is not open, who gets neither an address nor a hash by it', async () => {
    await publishCourse(server, course('paid', 1_000, 9_900))
    const { token } = await server.student()
    expect((await told(token))?.[1]?.[0]).toBe('paid')
    for (const hashes of [true, false])
      expect(await server.ask(lesson, { no: 'L2', hashes }, token)).toMatchObject({ status: 0, data: null })
    const guessed = `/media/lesson/0.${'A'.repeat(43)}/L2/paid/1.mp3`
    expect((await server.app.inject(guessed)).statusCode).toBe(403)
    expect((await server.app.inject('/media/lesson/paid/1.mp3')).statusCode).toBe(404)
  })

  test('in a package, too', async () => {
    await publishCourse(server, course('first'))
    await sql`insert into course_package (no, title, intro, cover, directions, areas, price, vip, position)
      values ('PACK', '合购', '', '{"src":"/media/0123456789abcdef.svg","width":1,"height":1}', '{}', '{}', 1, false, 0)`.execute(
      server.db,
    )
    await sql`insert into package_course (package_no, course_no, position) values ('PACK', 'C', 0)`.execute(server.db)
    const { courses } = await server.call(packageDetail, { no: 'PACK' })
    expect(courses[0]?.units[0]?.lessons[1]).toMatchObject({ rev: 'first', bytes: 1_000 })
  })
})

describe('hashes of a lesson', () => {
  const bytes = Math.round(2.1 * GB)
  const parts = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, n) => n.toString(16).padStart(64, '0'))
  beforeAll(async () => {
    const row = course('long', bytes)
    for (const each of row.units[0]?.lessons ?? [])
      if (each.no === 'L2')
        each.media = {
          renditions: [
            { type: 'audio/mpeg', main: '1.mp3', files: [{ name: '1.mp3', type: 'audio/mpeg', bytes, parts }] },
          ],
          subtitles: [
            { lang: 'zh-CN', label: '中文', file: { name: '1.vtt', type: 'text/vtt', bytes: 9, parts: ['a'] } },
          ],
        }
    await publishCourse(server, row)
  })

  test('go to a download, and to an app that was built when every answer had them', async () => {
    for (const input of [{ no: 'L2' }, { no: 'L2', hashes: true }]) {
      const { renditions, subtitles } = await server.call(lesson, input)
      expect(renditions[0]?.files[0]?.parts).toEqual(parts)
      expect(subtitles[0]?.file.parts).toEqual(['a'])
    }
  })

  test('do not travel to who plays it: what was 140 KB for 2.1 GB is less than one', async () => {
    const whole = await server.call(lesson, { no: 'L2' })
    const played = await server.call(lesson, { no: 'L2', hashes: false })
    expect(JSON.stringify(whole).length).toBeGreaterThan(140_000)
    expect(JSON.stringify(played).length).toBeLessThan(1_000)
    const bare = { name: '1.mp3', type: 'audio/mpeg', bytes }
    expect(played).toEqual({
      ...whole,
      renditions: [{ type: 'audio/mpeg', main: '1.mp3', files: [bare] }],
      subtitles: [{ lang: 'zh-CN', label: '中文', file: { name: '1.vtt', type: 'text/vtt', bytes: 9 } }],
    })
  })
})
