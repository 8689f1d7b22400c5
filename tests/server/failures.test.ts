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

describe('a command used wrongly', () => {
  test.each([
    ['content rollback L abc', '少了、多了或写错了什么', '  rollback 题库编号'],
    ['content stats L --min many', '--min 与 --most 写数字', '  stats '],
    ['content export', '没有写编号', '  export '],
    ['content burn', '没有命令 burn', '  import '],
    ['orders list --state lost', '没有状态 lost', '  list '],
    ['orders resolve P paid --reason 已查', '已付的要写 --ref', '  resolve '],
    ['orders resolve P unpaid', '要写 --reason', '  resolve '],
    ['orders', '没有写命令', '  ship '],
    ['users find 1 2', '一次一名学生，多了 2', '  find '],
    ['site notice 考试 延期', '公告中间有空格，要加引号', '  notice '],
    ['reports fixed Q', '要给出题号和 --reply', '  fixed '],
    ['doctor now', '多了 now', '逐项检查'],
  ])('%s: says what is wrong, and how that command is used', (line, reason, usage) => {
    const [bin = '', ...args] = line.split(' ')
    const { status, stdout, stderr } = run(bin, args)
    expect([status, stdout]).toEqual([2, ''])
    const [first, , use, ...lines] = stderr.split('\n')
    expect([first, use]).toEqual([
      expect.stringContaining(reason),
      expect.stringMatching(new RegExp(`^用法：npm run ${bin}`)),
    ])
    expect(lines.some((each) => each.startsWith(usage))).toBe(true)
  })
  test('shows the lines of that command alone, those that go on with it too', () => {
    const { stderr } = run('orders', ['resolve', 'P', 'unpaid'])
    expect(stderr.trimEnd().split('\n').slice(3)).toEqual([
      expect.stringMatching(/^ {2}resolve /),
      expect.stringMatching(/^ +paid /),
      expect.stringMatching(/^ +unpaid /),
      expect.stringMatching(/^ +returned /),
    ])
  })
})

describe('with --json a refusal is JSON, too', () => {
  test.each([
    ['content releases NONE', 1, '没有编号为 NONE 的题库'],
    ['content stats NONE', 1, '没有编号为 NONE 的题库'],
    ['content export NONE', 1, '没有编号为 NONE 的内容'],
    ['content rollback L abc', 2, '少了、多了或写错了什么'],
    ['orders refund 1', 1, '没有'],
    ['users reset 19900000000', 1, '没有'],
    ['users --bogus', 2, '没有这个选项：--bogus'],
  ])('%s', (line, code, reason) => {
    const [bin = '', ...args] = line.split(' ')
    const { status, stdout, stderr } = run(bin, [...args, '--json'])
    expect([status, stderr]).toEqual([code, ''])
    expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(reason) })
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
