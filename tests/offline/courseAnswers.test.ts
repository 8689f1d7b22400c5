import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { query } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'
import type { CourseDetail } from '#src/contract/course.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { takeCourses } from '#src/offline/downloads/lessons/courseAnswers.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
beforeAll(async () => {
  server = await startServer()
  for (const no of ['C1', 'C2']) await publishCourse(server, courseRow({ no, units: [[`${no}_1`]] }))
  await server.db
    .insertInto('course_package')
    .values({
      no: 'PACK',
      title: '合购',
      intro: '',
      cover: JSON.stringify({ src: '/media/0123456789abcdef.svg', width: 1, height: 1 }),
      directions: [],
      areas: [],
      price: 1,
      vip: false,
      days: null,
      position: 0,
    })
    .execute()
  const members = ['C1', 'C2'].map((course_no, position) => ({ package_no: 'PACK', course_no, position }))
  await server.db.insertInto('package_course').values(members).execute()
  wire = connect(server)
})
afterEach(() => takeCourses(() => {}))
afterAll(() => {
  wire.restore()
  return server.close()
})

test('every course that answers any screen, alone or in a package, reaches downloads, whose engine may come later', async () => {
  const client = createQueryClient('anon')
  await client.fetchQuery(query(contract.course.detail, { no: 'C1' }))
  await client.fetchQuery(query(contract.course.list, {}))
  const taken: CourseDetail[] = []
  takeCourses((course) => taken.push(course))
  const numbers = () => taken.map(({ no, units }) => [no, units[0]?.lessons[0]?.rev])
  expect(numbers()).toEqual([['C1', 'rev_C1_1']])
  await client.fetchQuery(query(contract.course.package, { no: 'PACK' }))
  expect(numbers().slice(1)).toEqual([
    ['C1', 'rev_C1_1'],
    ['C2', 'rev_C2_1'],
  ])
  // Asked for once more, it is compared once more.
  await client.fetchQuery({ ...query(contract.course.detail, { no: 'C2' }), staleTime: 0 })
  expect(taken).toHaveLength(4)
})
