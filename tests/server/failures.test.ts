import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { faultOf, placeOf, reasonOf } from '#server/content/issueWords.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-failures-'))
const run = (bin: string, args: string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`server/bin/${bin}.ts`, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', DEMO: '0', ...env },
  })
  return { status, stdout, stderr }
}
const BINS = ['content', 'coupons', 'doctor', 'orders', 'reports', 'site', 'users']

describe('what ends a command is told in a line that says what to do', () => {
  test.each(BINS)('%s: an option that there is not', (bin) => {
    expect(run(bin, ['--bogus'])).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^没有这个选项：--bogus\n\n用法：/),
    })
  })
  test.each(['content releases x', 'orders list', 'users find 13800000001', 'site show'])(
    '%s: a database that does not answer',
    (line) => {
      const [bin = '', ...args] = line.split(' ')
      expect(run(bin, args, { DATABASE_URL: 'postgres://127.0.0.1:1/x' })).toMatchObject({
        status: 1,
        stderr: '连不上数据库：没有数据库在那里，请检查 DATABASE_URL\n',
      })
    },
  )
  test('doctor says so, too', () => {
    const { status, stderr } = run('doctor', [], { DATABASE_URL: 'postgres://127.0.0.1:1/x' })
    expect([status, stderr]).toEqual([1, expect.stringContaining('连不上数据库：没有数据库在那里')])
  })
  test('a data folder that is a file', () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    const { status, stderr } = run('content', ['list'], { DATA_DIR: file })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^无法写入数据目录 .*请检查 DATA_DIR 的权限\n$/)])
  })
  test('a file where no folder is, and one that is a folder', () => {
    const bank = {
      format: 'lijian/1',
      subject: { no: 's', name: '科' },
      library: { no: 'F', title: '题库' },
      chapters: [{ no: 'F_1', parent: null, title: '一' }],
      questions: [{ chapter: 'F_1', type: 'judge', stem: '对不对？', answer: true, analysis: '略' }],
    }
    const file = path.join(folder, 'bank.json')
    writeFileSync(file, JSON.stringify(bank))
    expect(run('content', ['import', file]).status).toBe(0)
    expect(run('content', ['export', 'F', path.join(folder, 'none/out.json')])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^无法读写 .*none\/out\.json\S*：文件或文件夹不存在\n$/),
    })
    expect(run('content', ['export', 'F', folder])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('已经存在'),
    })
  })
})

describe('what a schema says is told in Chinese, with its place', () => {
  const Books = v.object({ books: v.array(v.object({ author: v.string(), kind: v.picklist(['past', 'mock']) })) })
  test.each([
    [{ books: [{ kind: 'past' }] }, 'books[0].author', '没有写', '缺少 books[0].author'],
    [
      { books: [{ author: '', kind: 'x' }] },
      'books[0].kind',
      '应为 ("past" | "mock")，实为 "x"',
      'books[0].kind 应为 ("past" | "mock")，实为 "x"',
    ],
    ['x', '', '应为 Object，实为 "x"', '应为 Object，实为 "x"'],
  ])('%j', (json, place, fault, reason) => {
    const issue = v.safeParse(Books, json).issues?.[0]
    expect(issue && [placeOf(issue), faultOf(issue), reasonOf(issue)]).toEqual([place, fault, reason])
  })
})
