import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepDrafts } from '#server/content/bank/draftRelease.ts'
import { writeChecked } from '#server/content/bank/import.ts'
import { wouldLose } from '#server/content/bank/lessonStops.ts'
import { outcomeLines } from '#server/bin/importReport.ts'
import { releaseAct, tellReleases } from '#server/bin/releaseCommands.ts'
import { bankJson, checkBank, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let lib: string
let libs = 0
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
/** A library, and a lesson that stops at 0:20 for its first question and at 1:40 for its second. */
beforeEach(async () => {
  lib = `ST${++libs}`
  await importBank(server.db, server.mediaDir, bank())
  const row = courseRow({ no: `${lib}C`, units: [[`${lib}_L`]] })
  const questions = [
    { at: 20, no: `${lib}_q1` },
    { at: 100, no: `${lib}_q2` },
  ]
  const units = row.units.map((unit) => ({
    ...unit,
    lessons: unit.lessons.map((each) => ({ ...each, questions })),
  }))
  await publishCourse(server, { ...row, units })
})

const bank = (without: readonly number[] = []) => {
  const whole = bankJson({ prefix: lib, chapters: 1, perChapter: 4 })
  return { ...whole, questions: whole.questions.filter((_, i) => !without.includes(i + 1)) }
}
const doing = () => ({ mediaDir: server.mediaDir, at: ++server.clock.now, note: '' })
async function said(command: string, ...words: string[]): Promise<string> {
  const act = releaseAct(command, words, { fromFile: undefined, reply: undefined })
  if (!act) throw new Error(`nothing is done by ${command}`)
  return (await tellReleases(act, server.db, doing(), false)).lines.join('\n')
}
const told = (time: string, n: number, no = '不再') =>
  `提醒 课程 ${lib}C（${lib}C 课程）课时 ${lib}_L（第1课）${time} 处${no}提问 ${lib}_q${n}：可在课程文件里换题后再导入`

describe('an operator who takes a question away at which a lesson stops', () => {
  test('is told the lesson and its moment when it is retired, and nothing of a question that no lesson asks', async () => {
    const one = await said('retire', `${lib}_q2`, `${lib}_q3`)
    expect(one).toContain(told('1:40', 2))
    expect(one).not.toContain(`${lib}_q1`)
    expect(await said('retire', `${lib}_q4`)).not.toContain('提醒')
  })
  test('is told when an import replaces the library without it, and when a rollback does', async () => {
    const checked = [await checkBank(bank([1]))]
    const writing = { at: ++server.clock.now, by: 'operator' as const }
    const [written] = await writeChecked(server.db, checked, server.mediaDir, true, writing)
    expect(outcomeLines('a.json', lib, { written })).toEqual([
      expect.stringContaining('下架 1'),
      expect.stringContaining(told('0:20', 1)),
    ])
    await importBank(server.db, server.mediaDir, bank(), { at: ++server.clock.now })
    expect(await said('rollback', lib)).toContain(told('0:20', 1))
  })
  test('is warned by diff before the draft is published, and told when it is', async () => {
    await keepDrafts(server.db, [await checkBank(bank([2]))], { ...doing(), replace: true })
    expect(await said('diff', lib)).toContain(told('1:40', 2, '将不再'))
    expect(await said('publish', lib)).toContain(told('1:40', 2))
  })
  test('is warned by a check of what would replace the library, before anything is changed', async () => {
    const files = [await checkBank(bank([1, 3])), await checkBank(bank())]
    const [lost, none] = await wouldLose(server.db, files)
    expect(outcomeLines('a.json', lib, { wouldLose: lost })).toEqual([
      expect.stringContaining(told('0:20', 1, '将不再')),
    ])
    expect(none).toEqual([])
    expect(await said('retire', `${lib}_q1`)).toContain(told('0:20', 1))
  })
})
