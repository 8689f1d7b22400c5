import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Person } from '#server/agreement/exportPerson.ts'
import { markSeen } from '#server/news/store.ts'
import { runCommand } from '#tests/support/command.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { articleJson, newsJson, publishNews } from '#tests/support/news.ts'
import { answerOp, opOf, syncAs } from '#tests/support/ops.ts'
import { bookOf, buy, giveAddress } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, publishBooks } from '#tests/support/shop.ts'

const NICKNAME = '被查的人'
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-person-'))

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'R', chapters: 1, perChapter: 4 }))
  await publishExam(server.db, examJson({ no: 'E', paper: [['R_q1']] }))
  await publishNews(server, newsJson({ articles: [articleJson('N1')] }))
  await publishBooks(server, booksJson(bookJson('B', 9)))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const users = (...args: string[]) => runCommand(server, 'users', args, { DATA_DIR: folder })
const REQUEST = ['--authority', '某市公安局', '--reason', '调证字〔2026〕1号']

/** Makes somebody with something of most kinds. */
async function busy(nickname: string) {
  const student = await server.student()
  const at = server.clock.now
  await givePassword(server.db, student.uid, 'a password of theirs')
  await server.call(contract.user.save, { nickname }, student.token)
  await giveAddress(server, student)
  await buy(server, student, { products: [bookOf('B')], remark: `给${nickname}` })
  await server.call(contract.exam.apply, { no: 'E' }, student.token)
  await syncAs(server, student, [
    answerOp('R_q1', false, { seq: 1, at }),
    opOf('note', { questionNo: 'R_q2', text: `${nickname}的笔记`, over: [] }, { seq: 2, at }),
  ])
  await markSeen(server.db, 'N1', `u:${student.uid}`, at)
  await requestCode(server, student.mobile)
  return student
}

/** Finds the tables in which a text stands. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema()`.execute(server.db)
  const found = new Set<string>()
  for (const { table, column } of rows) {
    const hit = sql`select from ${sql.table(table)} where strpos(${sql.ref(column)}::text, ${text}) > 0 limit 1`
    if ((await hit.execute(server.db)).rows.length > 0) found.add(table)
  }
  return [...found]
}

test('all that is kept of a student goes to who asks by law, nothing of another, and the log says who asked and why', async () => {
  const [asked, other] = [await busy(NICKNAME), await busy('旁人')]
  const tables = new Set([...(await tablesWith(asked.uid)), ...(await tablesWith(asked.mobile))])
  expect(tables.size).toBeGreaterThan(12)
  const file = path.join(folder, 'person.json')
  expect(users('export', asked.mobile, file, ...REQUEST)).toEqual({
    status: 0,
    told: expect.stringMatching(/^已写入 .*person\.json：手机号 1、登录密码 0、账号编号和注册时间 1、/),
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  const person: Person = JSON.parse(text)
  const given = person.kinds.flatMap(({ rows }) => Object.keys(rows))
  // The export itself is in the operator's log.
  expect(new Set(given)).toEqual(new Set([...tables, 'operator_log']))
  expect(person.request).toEqual({ authority: '某市公安局', reason: '调证字〔2026〕1号' })
  for (const theirs of [asked.uid, asked.mobile, NICKNAME, `${NICKNAME}的笔记`, '德雅路109号'])
    expect(text).toContain(theirs)
  for (const secret of ['argon2', asked.token, other.uid, other.mobile, '旁人']) expect(text).not.toContain(secret)
  const log = await server.db.selectFrom('operator_log').select(['what', 'after']).execute()
  expect(log).toContainEqual({
    what: 'users',
    after: `${asked.uid}：应某市公安局要求导出全部信息（调证字〔2026〕1号）`,
  })

  expect(users('export', asked.mobile, file, ...REQUEST)).toMatchObject({
    status: 1,
    told: expect.stringContaining('已经存在'),
  })
})

test('without who asks and why nothing is given, nor of somebody who is not there', () => {
  const file = path.join(folder, 'none.json')
  expect(users('export', '13900000000', file)).toMatchObject({
    status: 2,
    told: expect.stringContaining('--authority'),
  })
  expect(users('export', '13900000000', ...REQUEST)).toMatchObject({ status: 2 })
  expect(users('export', '13900000000', file, ...REQUEST, '--password')).toMatchObject({ status: 2 })
  expect(users('find', '13900000000', ...REQUEST)).toMatchObject({ status: 2 })
  expect(users('export', '10000000000', file, ...REQUEST)).toMatchObject({
    status: 1,
    told: expect.stringContaining('没有手机号或编号为 10000000000 的学生'),
  })
  expect(() => statSync(file)).toThrow('ENOENT')
})
