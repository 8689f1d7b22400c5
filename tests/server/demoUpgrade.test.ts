import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { readLog } from '#server/config/store.ts'
import { exportExam } from '#server/content/publish/examFile.ts'
import { DIRECTIONS } from '#server/content/publish/directionsFile.ts'
import { publishedIn } from '#server/content/publish/paperFile.ts'
import { claim, lockImports } from '#server/content/claimStore.ts'
import { importDemo } from '#server/demo/demo.ts'
import { writeParticipants } from '#server/demo/participants.ts'
import { publishDemo } from '#server/demo/publishDemo.ts'
import type { Tx } from '#server/db/open.ts'
import { forgetEntrant } from '#server/exam/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publishExam } from '#tests/support/exams.ts'
import { importsWaiting } from '#tests/support/publish.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { sitExam } from '#tests/support/sitExam.ts'

const scope = { sg_key: 'jg', area: '0' }
const CONTENT = path.resolve(import.meta.dirname, '../../server/demo/content')

let server: TestServer
const lines: string[] = []
const start = () => importDemo(server.db, { mediaDir: server.mediaDir, say: (line) => void lines.push(line) })
/** As an older version has left it. */
const older = () => server.db.updateTable('setting').set({ value: 'older' }).where('key', '=', 'demo.seeded').execute()
beforeAll(async () => {
  server = await startServer()
  await start()
})
afterAll(() => server.close())

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-upgrade-'))
/** What an operator does: takes something out, changes a word of it, and publishes it again. */
async function change(no: string, from: string, to: string): Promise<void> {
  const file = path.join(folder, `${no}.json`)
  await givePublished(server.db, no, file, server.mediaDir)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replaceAll(from, to))
  const kind = await publishedIn(file)
  if (!kind) throw new Error(file)
  const told = await takePublished(server.db, 'import', [{ file, kind }], false, server.mediaDir)
  expect(told.lines.join('\n')).toContain('错误 0')
}
const titles = async () => {
  const { items } = await server.call(contract.news.list, {}, '', scope)
  return [
    ...(await server.call(contract.course.list, {}, '', scope)),
    ...(await server.call(contract.store.list, {}, '', scope)),
    ...(await server.call(contract.vip.list, {}, '', scope)).packages,
    ...(await server.call(contract.exam.list, {}, '', scope)),
    ...items.map(({ id, title }) => ({ no: id, title })),
  ].reduce<Record<string, string>>((all, { no, title }) => ({ ...all, [no]: title }), {})
}

test('the demo’s notice is no change of the operator’s', async () => {
  const { text, at } = await server.call(contract.home.getNotice, {})
  expect([text, at]).toEqual([expect.stringContaining('离线刷题不受影响'), null])
  expect(await readLog(server.db, 9)).toEqual([])
})

test('the demo’s footer says how the shop is reached, in examples that reach nobody; what the environment or the operator says of it stays', async () => {
  const footer = () => server.call(contract.config.getSite, {})
  const set = (value: string) => server.db.updateTable('setting').set({ value }).where('key', '=', 'footer').execute()
  const examples = { phone: '400-000-0000', chatId: /示例/, address: /示例/, filingNo: /示例/ }
  const matching = (fields: Record<string, string | RegExp>) =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, expect.stringMatching(text)]))
  expect(await footer()).toMatchObject(matching(examples))
  await set('{"phone":"010-1"}')
  await older()
  await start()
  expect(await footer()).toMatchObject({ phone: '010-1', chatId: '' })
  await server.db.deleteFrom('setting').where('key', '=', 'footer').execute()
  await older()
  const site = { phone: '010-2', chatId: '', address: '', copyright: '', filingNo: '' }
  await importDemo(server.db, { mediaDir: server.mediaDir, site, say: () => {} })
  // The test's server has no environment of its own: what is not set is empty there.
  expect(await footer()).toMatchObject({ phone: '', ...matching({ chatId: /示例/ }) })
})

test('a new version of the demo renews what is its own', async () => {
  const before = await titles()
  const tables = ['course', 'book', 'vip_package', 'exam', 'news'] as const
  for (const table of tables) await server.db.updateTable(table).set({ title: '旧标题' }).execute()
  for (const table of ['book', 'vip_package'] as const) await server.db.updateTable(table).set({ rev: 'old' }).execute()
  await older()
  await start()
  expect(await titles()).toEqual(before)
})

test('and leaves alone what an operator has changed, and what stands on that', async () => {
  const changed = {
    K_math0: ['数学零基础入门', '零基础数学'],
    B_pocket: ['"title": "', '"title": "新版'],
    V_practice: ['刷题会员', '新套餐'],
    X_math: ['数学全真模考', '数学模考'],
  } as const
  const before = await titles()
  for (const [no, [from, to]] of Object.entries(changed)) await change(no, from, to)
  const [article = ''] = Object.keys(before).filter((no) => no.startsWith('N_'))
  await change(article, before[article] ?? '', '操作员改过的标题')
  const bank = JSON.parse(readFileSync(path.join(CONTENT, 'math.json'), 'utf8')) as { library: { title: string } }
  await importBank(server.db, server.mediaDir, { ...bank, library: { ...bank.library, title: '改过的数学题库' } })
  const after = await titles()
  for (const no of [...Object.keys(changed), article]) expect(after[no]).not.toBe(before[no])
  await server.db.updateTable('course').set({ title: '旧标题' }).where('no', '=', 'K_science').execute()
  await older()
  await start()
  expect(await titles()).toEqual({ ...after, K_science: before.K_science })
  const libraries = await server.call(contract.question.libraryList, {}, '', scope)
  expect(libraries.map(({ title }) => title)).toContain('改过的数学题库')
})

test('where questions that its sets name are gone, the sets stay as they are, and that is said', async () => {
  const bank = JSON.parse(readFileSync(path.join(CONTENT, 'physics.json'), 'utf8')) as { questions: object[] }
  await importBank(server.db, server.mediaDir, { ...bank, questions: bank.questions.slice(0, 3) })
  const sets = () => server.call(contract.questionSet.list, {}, '', scope)
  const before = await sets()
  await older()
  lines.length = 0
  await start()
  expect(lines.join('\n')).toMatch(/演示内容未更新：.*题目 \S+ 不存在或已下架/)
  expect(await sets()).toEqual(before)
})

describe('what an operator publishes while a version comes into place is theirs as well', () => {
  /** Begins what waits for its turn, which the operator has. */
  const during = async <T>(work: () => Promise<T>, operator: (tx: Tx) => Promise<unknown>): Promise<T> => {
    const { begun } = await server.db.transaction().execute(async (tx) => {
      await lockImports(tx)
      const begun = work()
      await expect.poll(() => importsWaiting(server.db)).toBe(1)
      await operator(tx)
      return { begun }
    })
    return begun
  }

  test('a library', async () => {
    const { library } = JSON.parse(readFileSync(path.join(CONTENT, 'english.json'), 'utf8')) as {
      library: { no: string }
    }
    await older()
    await during(start, async (tx) => {
      await tx.updateTable('library').set({ title: '刚改的题库' }).where('no', '=', library.no).execute()
      await claim(tx, 'operator', [library.no], server.clock.now)
    })
    const libraries = await server.call(contract.question.libraryList, {}, '', scope)
    expect(libraries.map(({ title }) => title)).toContain('刚改的题库')
  })

  test('an article, and the others of its file are the demo’s', async () => {
    const file = path.resolve(CONTENT, '../news/news.json')
    const json = JSON.parse(readFileSync(file, 'utf8')) as { articles: { no: string }[] }
    const before = await titles()
    const [ours = '', theirs = ''] = json.articles.slice(-2).map(({ no }) => no)
    await server.db.updateTable('news').set({ title: '旧标题' }).where('no', '=', ours).execute()
    await during(
      () =>
        publishDemo({ ...server, own: new Set(), say: (line) => void lines.push(line) }, { file, kind: 'news', json }),
      async (tx) => {
        await tx.updateTable('news').set({ title: '刚发布的标题' }).where('no', '=', theirs).execute()
        await claim(tx, 'operator', [theirs], server.clock.now)
      },
    )
    expect(await titles()).toEqual({ ...before, [theirs]: '刚发布的标题' })
  })
})

test('made-up participants of an exam whose paper is another one have sat that; real ones, and an operator’s exam, stay', async () => {
  const fresh = await startServer()
  const { db, clock } = fresh
  const no = 'X_wz_public'
  const upgrade = async () => {
    await db.deleteFrom('setting').where('key', '=', 'demo.seeded').execute()
    await importDemo(db, { mediaDir: fresh.mediaDir, say: () => {} })
  }
  const entries = () =>
    db
      .selectFrom('exam_entry')
      .select(['uid', 'score', 'elapsed_ms'])
      .where('exam_no', '=', no)
      .orderBy('uid')
      .execute()
  const tally = () =>
    db
      .selectFrom('exam_tally')
      .selectAll()
      .where('exam_no', '=', no)
      .orderBy('rev')
      .orderBy('part')
      .orderBy('score')
      .execute()
  try {
    await upgrade()
    // As an older version has left it: two sections of seven, half the time.
    const now = await exportExam(db, no)
    if (!now) throw new Error(no)
    await db.deleteFrom('exam_tally').execute()
    await db.deleteFrom('exam_entry').execute()
    await db.deleteFrom('student').where('uid', 'like', `demo_${no}_%`).execute()
    await db.updateTable('exam').set({ apply_count: 0 }).where('no', '=', no).execute()
    const { full: _, ...exam } = now
    await publishExam(db, { ...exam, minutes: 60, sections: exam.sections.slice(0, 2) })
    await db.transaction().execute((tx) => writeParticipants(tx, no, 2_000))
    // One who is real sits that, and one who is made up has gone.
    clock.now = Date.UTC(2026, 9, 18, 1, 30)
    const student = await fresh.student()
    await fresh.call(contract.exam.apply, { no }, student.token)
    const paper = await fresh.call(contract.exam.paper, { no }, student.token)
    const sitting = { no, rev: paper.rev, answers: {}, begunAt: clock.now, tookMs: 20 * 60_000 }
    const attemptId = await sitExam(fresh, student, sitting)
    await db.transaction().execute((tx) => forgetEntrant(tx, `demo_${no}_7`))
    await db.deleteFrom('student').where('uid', '=', `demo_${no}_7`).execute()
    clock.now = Date.UTC(2026, 9, 18, 12)
    const reported = () => fresh.call(contract.exam.report, { attemptId }, student.token)
    const ofOlder = await reported()
    expect(ofOlder).toMatchObject({ ranked: 2_001, sections: [expect.any(Number), expect.any(Number)] })
    const older = { entries: await entries(), tally: await tally() }

    await db.transaction().execute((tx) => claim(tx, 'operator', [no], 1))
    await upgrade()
    expect({ entries: await entries(), tally: await tally() }).toEqual(older)

    await db.deleteFrom('operator_content').execute()
    await upgrade()
    const said = await fresh.call(contract.exam.rank, { no })
    const about = await fresh.call(contract.exam.detail, { no })
    expect([said.ranked, about.applyCount, about.full]).toEqual([2_001, 2_001, 10_000])
    // Of the older paper nobody could have more than 34.
    expect(said.top[0]?.score).toBeGreaterThan(8_000)
    expect(said.average).toBeGreaterThan(about.full / 3)
    expect(Math.max(...said.top.map(({ elapsedMs }) => elapsedMs))).toBeGreaterThan(60 * 60_000)
    const renewed = await entries()
    const others = ({ uid }: { uid: string }) => !uid.startsWith('demo_')
    expect(renewed.map(({ uid }) => uid)).toEqual(older.entries.map(({ uid }) => uid))
    expect(renewed.filter(others)).toEqual(older.entries.filter(others))
    const counted = (await tally()).filter(({ part }) => part === 0)
    expect(counted.flatMap(({ score, n }) => Array<number>(n).fill(score)).sort((a, b) => a - b)).toEqual(
      renewed.map(({ score }) => score ?? -1).sort((a, b) => a - b),
    )
    expect(counted.every(({ n }) => n > 0)).toBe(true)
    const report = await reported()
    expect([report.sections, report.ranked, report.average]).toEqual([ofOlder.sections, 2_001, said.average])
    const ofSection = (await tally()).filter(({ part, rev }) => part === 7 && rev === about.rev)
    expect(ofSection.reduce((sum, { n }) => sum + n, 0)).toBe(1_999)

    await upgrade()
    expect(await entries()).toEqual(renewed)
  } finally {
    await fresh.close()
  }
})

test('of a paper that nobody real has sat nothing is left when the made-up ones sit the next', async () => {
  const no = 'X_wz_public'
  const revs = async () =>
    (await server.db.selectFrom('exam_tally').select('rev').distinct().where('exam_no', '=', no).execute()).map(
      ({ rev }) => rev,
    )
  const now = await exportExam(server.db, no)
  const before = await revs()
  expect(before).toHaveLength(1)
  await publishExam(server.db, { ...now, minutes: 90 })
  await server.db.transaction().execute((tx) => writeParticipants(tx, no, 2_000))
  const after = await revs()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
})

test('an operator’s own library excuses no fault of the demo: the start ends', async () => {
  const fresh = await startServer()
  try {
    await importBank(fresh.db, fresh.mediaDir, bankJson({ prefix: 'MINE', chapters: 1, perChapter: 1 }))
    await sql`insert into question_set (no, title, kind, intro, directions, areas, price, vip, trial, position)
      values ('X_math', '占号', 'mock', '', '{}', '{}', 0, false, 0, 99)`.execute(fresh.db)
    const starting = importDemo(fresh.db, { mediaDir: fresh.mediaDir, say: () => {} })
    await expect(starting).rejects.toThrow('编号 X_math 已被题集使用')
  } finally {
    await fresh.close()
  }
})

test('directions that an operator has set stay as they are', async () => {
  const fresh = await startServer()
  try {
    const demo = () => importDemo(fresh.db, { mediaDir: fresh.mediaDir, say: () => {} })
    await demo()
    await fresh.db.updateTable('exam_direction').set({ name: '改名' }).where('key', '=', 'jg').execute()
    const name = async () =>
      (await fresh.db.selectFrom('exam_direction').select('name').where('key', '=', 'jg').executeTakeFirst())?.name
    const again = () => fresh.db.deleteFrom('setting').where('key', '=', 'demo.seeded').execute()
    await fresh.db.transaction().execute((tx) => claim(tx, 'operator', [DIRECTIONS], 1))
    await again()
    await demo()
    expect(await name()).toBe('改名')
    await fresh.db.deleteFrom('operator_content').execute()
    await again()
    await demo()
    expect(await name()).not.toBe('改名')
  } finally {
    await fresh.close()
  }
})
