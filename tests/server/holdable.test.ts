import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takePublished } from '#server/bin/publishCommands.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { setJson } from '#tests/support/sets.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** A NUL, as old editors leave it, and half an emoji, as a limit of length leaves it. */
const BROKEN = '甲\0乙\ud83d丙'
const HELD = '甲乙\ufffd丙'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('a bank is imported without what no database holds, and loses nothing else', async () => {
  const bank = bankJson({ prefix: 'H' })
  const [first] = bank.questions
  if (!first) throw new Error('no question')
  Object.assign(first, { stem: `${BROKEN}？`, options: [BROKEN, '2', '3', '4'] })
  bank.library.title = BROKEN
  await importBank(server.db, server.mediaDir, bank)
  const { title } = await server.db
    .selectFrom('library')
    .select('title')
    .where('no', '=', 'H')
    .executeTakeFirstOrThrow()
  expect(title).toBe(HELD)
  const { body } = await server.db
    .selectFrom('question')
    .select('body')
    .where('no', '=', 'H_q1')
    .executeTakeFirstOrThrow()
  expect(body).toMatchObject({ stem: `${HELD}？`, options: [{ html: HELD }, {}, {}, {}] })
})

test('so is whatever else is published', async () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-holdable-')), 'set.json')
  writeFileSync(file, JSON.stringify({ ...setJson({ no: 'HS', papers: [[['H_q1', 'H_q2']]] }), title: BROKEN }))
  const told = await takePublished(server.db, 'import', [{ file, kind: 'set' }], false, server.mediaDir)
  expect(told).toMatchObject({ code: 0 })
  const { title } = await server.db
    .selectFrom('question_set')
    .select('title')
    .where('no', '=', 'HS')
    .executeTakeFirstOrThrow()
  expect(title).toBe(HELD)
})

test('so is a table', async () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-holdable-')), 'bank.csv')
  writeFileSync(file, '题干,A,B,答案\n首\0都是,上海,北\0京,B\n')
  const options = { library: 'HT', title: '表', subject: { no: 'p', name: '政治' }, directions: [], areas: [] }
  const checked = await checkFile(file, { ...options, setsOnly: undefined, chapter: '综合', headers: {} })
  await writeChecked(server.db, [checked], server.mediaDir, false, { at: server.clock.now, by: 'operator' })
  const { rows } = await sql<{ stem: string }>`select q.body::jsonb ->> 'stem' as stem from question q
    join chapter c on c.no = q.chapter_no where c.library_no = 'HT'`.execute(server.db)
  expect(rows).toEqual([{ stem: '首都是' }])
})
