import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { exportCourse, writeCheckedCourse } from '#server/content/publish/coursePublish.ts'
import { retireQuestions } from '#server/content/bank/retiring.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import {
  checkCourse,
  courseFolder,
  courseJson,
  courseRow,
  first,
  publishCourse,
  withLessons,
} from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { lesson } = contract.course
const folder = courseFolder()
const FILE = path.join(folder, 'course.json')
const at = 'units[0].lessons[0].questions'
let server: TestServer

/** A bank whose third question is an essay, and whose fourth a material. */
function mixedBank() {
  const bank = bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 })
  const more = { chapter: 'Q_c1', analysis: '', points: [] }
  const essay = { ...more, no: 'Q_essay', type: 'essay', stem: '谈谈体会', answer: '略' }
  const part = { type: 'judge', stem: '对吗', answer: '对' }
  const composite = { ...more, no: 'Q_material', type: 'composite', stem: '材料', parts: [part] }
  const blank = { ...more, no: 'Q_blank', type: 'blank', stem: '一加一等于____', answer: ['2'] }
  return { ...bank, questions: [...bank.questions, essay, composite, blank] }
}
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, mixedBank())
  const closed = bankJson({ prefix: 'S', chapters: 1, perChapter: 2 })
  await importBank(server.db, server.mediaDir, { ...closed, library: { ...closed.library, setsOnly: true } })
})
afterAll(() => server.close())

const asking = (...questions: unknown[]) => withLessons({ ...first, questions })
const faults = async (content: object) => {
  const { findings } = await checkCourse(server.db, FILE, content)
  return findings.filter(({ level }) => level === 'fault').map((each) => `${each.at}：${each.reason}`)
}

describe('the questions that a course file names in a lesson', () => {
  test('are at seconds or at minutes and seconds, and of any kind that is answered in a moment', async () => {
    expect(
      await faults(asking({ at: 10, no: 'Q_q1' }, { at: '0:20', no: 'Q_q2' }, { at: '00:30', no: 'Q_blank' })),
    ).toEqual([])
  })

  test('must be at a time at which the lesson still plays', async () => {
    expect(await faults(asking({ at: '一分', no: 'Q_q1' }))).toEqual([
      `${at}[0].at：时刻应写成秒数（整数）、"1:35" 或 "1:02:35"`,
    ])
    expect(await faults(asking({ at: '0:75', no: 'Q_q1' }))).toEqual([
      `${at}[0].at：时刻应写成秒数（整数）、"1:35" 或 "1:02:35"`,
    ])
    expect(await faults(asking({ at: 0, no: 'Q_q1' }, { at: '9:00', no: 'Q_q2' }))).toEqual([
      expect.stringMatching(/questions\[0\]\.at：时刻要在开头之后、结尾之前：这一课长 0:5\d$/),
      expect.stringMatching(/questions\[1\]\.at：时刻要在开头之后、结尾之前：这一课长 0:5\d$/),
    ])
  })

  test('must exist, once in a lesson, and be answered in a moment', async () => {
    expect(await faults(asking({ at: 5, no: 'NONE' }))).toEqual([`${at}[0]：题目 NONE 不存在或已下架，请先导入题库`])
    expect(await faults(asking({ at: 5, no: 'Q_q1' }, { at: 9, no: 'Q_q1' }))).toEqual([
      `${at}[1]：题目 Q_q1 重复：一课里一题只出现一次`,
    ])
    const long = '课时里停下来作答的只能是选择题、判断题、填空题或排序题'
    expect(await faults(asking({ at: 5, no: 'Q_essay' }, { at: 9, no: 'Q_material' }))).toEqual([
      `${at}[0]：题目 Q_essay 是简答题，${long}`,
      `${at}[1]：题目 Q_material 是材料题，${long}`,
    ])
  })

  test('must be open to everybody: a course neither gives nor tells what is sold or kept for an exam', async () => {
    expect(await faults(asking({ at: 5, no: 'S_q1' }))).toEqual([
      `${at}[0]：题目 S_q1 只供题集或考试，放进课时就泄露了；请换成学生可以直接打开的题库里的题`,
    ])
  })
})

test('questions of a lesson are exported as they can be imported again', async () => {
  const file = asking({ at: 75 - 45, no: 'Q_q2' }, { at: '0:12', no: 'Q_q1' })
  const checked = await checkCourse(server.db, FILE, file)
  await server.db.transaction().execute((tx) => writeCheckedCourse(tx, checked, server.clock.now))
  const published = await exportCourse(server.db, courseJson.no)
  expect(published?.json.units[0]?.lessons[0]?.questions).toEqual([
    { at: '0:12', no: 'Q_q1' },
    { at: '0:30', no: 'Q_q2' },
  ])
})

describe('who plays a lesson', () => {
  const withQuestions = (no: string, price: number) => {
    const row = { ...courseRow({ no, units: [[`${no}_1`, `${no}_2`]] }), price }
    const questions = [
      { at: 20, no: 'Q_q1' },
      { at: 40, no: 'Q_q2' },
    ]
    const units = row.units.map((unit) => ({
      ...unit,
      lessons: unit.lessons.map((each) => ({ ...each, questions })),
    }))
    return publishCourse(server, { ...row, units })
  }

  test('gets its questions with it, whole and where they stand', async () => {
    await withQuestions('FREE', 0)
    const { questions } = await server.call(lesson, { no: 'FREE_1' })
    expect(questions).toMatchObject([
      { at: 20, question: { no: 'Q_q1', type: 'single', key: ['B'] }, chapterNo: 'Q_c1', libraryNo: 'Q' },
      { at: 40, question: { no: 'Q_q2' } },
    ])
  })

  test('is who has it: a stranger gets none of the questions of a lesson that is sold, but those of its trial', async () => {
    await withQuestions('PAID', 9900)
    const refused = await server.ask(lesson, { no: 'PAID_2' })
    expect(refused.status).toBe(0)
    expect(JSON.stringify(refused)).not.toContain('Q_q1')
    expect((await server.call(lesson, { no: 'PAID_1' })).questions).toHaveLength(2)
    const who = await server.student()
    await server.db
      .insertInto('entitlement')
      .values({ uid: who.uid, kind: 'course', no: 'PAID', until: server.clock.now + 86_400_000 })
      .execute()
    expect((await server.call(lesson, { no: 'PAID_2' }, who.token)).questions).toHaveLength(2)
  })

  test('is not asked what has left its library, nor what was never free', async () => {
    await withQuestions('LATER', 0)
    const asked = async () =>
      (await server.call(lesson, { no: 'LATER_1' })).questions?.map(({ question }) => question.no)
    await retireQuestions(server.db, ['Q_q1'], { mediaDir: server.mediaDir, at: server.clock.now, note: '' })
    expect(await asked()).toEqual(['Q_q2'])
    await server.db.updateTable('question').set({ free: false }).where('no', '=', 'Q_q2').execute()
    expect(await asked()).toEqual([])
  })
})
