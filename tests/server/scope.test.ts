import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bannersChange } from '#server/bin/siteChanges.ts'
import { checkSources, type Source } from '#server/content/publish/publish.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseFolder, courseJson, packageJson } from '#tests/support/courses.ts'
import { examJson } from '#tests/support/exams.ts'
import { articleJson, newsJson } from '#tests/support/news.ts'
import { setJson } from '#tests/support/sets.ts'
import { bookJson, booksJson, packageJson as vipPackage, shopFile, vipJson } from '#tests/support/shop.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { testingJson } from '#tests/support/testings.ts'

const bank = bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 })
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bank)
})
afterAll(() => server.close())

const folder = courseFolder()
const wrong = { directions: ['jg', 'jx'], areas: ['999'] }
const entry = { no: 'E', title: '考试', kind: 'exam', from: '2027-01-01', source: '通知', ...wrong }
const told = (at: string) => [
  `${at}directions[1]：方向 jx 不存在，可以写 jg、js、tg、wz_gg、wz_gl、wz_jsj、wz_sx、zsb`,
  `${at}areas[0]：地区 999 不存在，请写省级行政区划代码的前两位，如 11（北京）`,
]

test.each<[Source['kind'], string, object, string?]>([
  ['set', '', { ...setJson({ no: 'S', papers: [[['Q_q1']]] }), ...wrong }],
  ['exam', '', { ...examJson({ no: 'X', paper: [['Q_q1']] }), ...wrong }],
  ['testing', '', { ...testingJson({ no: 'T', paper: [['Q_q1']] }), ...wrong }],
  ['course', '', { ...courseJson, ...wrong }],
  ['package', '', { ...packageJson, ...wrong }],
  ['news', 'articles[1].', newsJson({ articles: [articleJson('A'), articleJson('B', wrong)] })],
  ['news', 'calendar[0].', { ...newsJson(), calendar: [entry] }],
  ['book', 'books[1].', booksJson(bookJson('B1', 0), bookJson('B2', 0, wrong)), shopFile],
  ['vip', 'packages[0].', vipJson(vipPackage('V', wrong))],
])('a %s for a direction and an area that there are not is told %swhere', async (kind, at, json, file) => {
  const source = { file: file ?? path.join(folder, `${kind}.json`), kind, json }
  const [outcome] = await checkSources(server.db, [source])
  expect(outcome?.findings.map((finding) => `${finding.at}：${finding.reason}`)).toEqual(
    expect.arrayContaining(told(at)),
  )
})

test('a bank and the banners of the home page, too', async () => {
  const odd = { ...bank, library: { ...bank.library, ...wrong } }
  await expect(importBank(server.db, server.mediaDir, odd)).rejects.toThrow('library.directions[1] 方向 jx 不存在')
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-scope-')), 'banners.json')
  writeFileSync(path.join(path.dirname(file), 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"/>')
  const banner = { title: '轮播', picture: 'a.svg', link: '/exam', ...wrong }
  writeFileSync(file, JSON.stringify({ format: 'lijian-banners/1', banners: [banner] }))
  const { findings, make } = await bannersChange(server.db, file, server.mediaDir)
  expect(findings.map(({ at, reason }) => `${at}：${reason}`)).toEqual(told('banners[0].'))
  expect(make).toBeNull()
})
