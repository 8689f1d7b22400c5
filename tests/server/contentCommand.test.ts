import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bankJson } from '#tests/support/bank.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-command-'))
const dataDir = path.join(folder, 'data')
const DATA = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', DEMO: '0' }

function saved(name: string, content: unknown): string {
  const file = path.join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const forAll = <T extends ReturnType<typeof bankJson>>(bank: T): T => ({
  ...bank,
  library: { ...bank.library, directions: [] },
})

function start(...args: string[]) {
  const child = spawn(process.execPath, ['server/bin/content.ts', ...args], { env: DATA })
  let [out, err] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, out, err }))
  return { child, ended }
}
const command = (...args: string[]) => start(...args).ended
const FOREIGN = ['--library', 'X', '--title', '外来', '--subject', 'x:外来']

describe('commands on a server that does not run', { timeout: 120_000 }, () => {
  test('several imports at once on a new folder make one database, take turns, and each is whole', async () => {
    const files = [3000, 10, 20].map((perChapter, i) =>
      saved(`turn${i}.json`, forAll(bankJson({ prefix: `TURN${i}`, chapters: 1, perChapter }))),
    )
    const ended = await Promise.all(files.map((file) => command('import', file)))
    expect(ended.map(({ code, err }) => [code, err.replace(/另一条命令.*\n/, '')])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ])
    const { out } = await command('list')
    expect(out.trim().split('\n').sort()).toEqual([
      'TURN0  TURN0 章节题库  政治  3000 题  第 1 版',
      'TURN1  TURN1 章节题库  政治  10 题  第 1 版',
      'TURN2  TURN2 章节题库  政治  20 题  第 1 版',
    ])
  })

  test('--replace retires no library for want of a file that holds it', async () => {
    const bank = forAll(bankJson({ prefix: 'KEEP', chapters: 1, perChapter: 6 }))
    const whole = saved('keep.json', bank)
    await command('import', whole)
    const empty = await command('import', saved('empty.json', { ...bank, questions: [] }), '--replace')
    expect(empty).toMatchObject({ code: 1, out: expect.stringContaining('提醒 文件：没有题目') })
    expect(empty.err).toContain('会把题库 KEEP 的题目全部下架')
    const faulty = { ...bank, questions: bank.questions.map((each) => ({ ...each, answer: 'Z' })) }
    const none = await command('import', saved('faulty.json', faulty), '--replace', '--skip-faulty')
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('全部下架') })
    const halves = [bank.questions.slice(0, 3), bank.questions.slice(3)].map((questions, i) =>
      saved(`half${i}.json`, { ...bank, questions }),
    )
    expect(await command('import', ...halves, '--replace')).toMatchObject({
      code: 1,
      err: expect.stringContaining('有两个文件'),
    })
    const renamed = saved('renamed.json', { ...bank, library: { ...bank.library, title: '新名' } })
    expect((await command('import', renamed, '--replace')).out).toContain(
      '新增 0，更新 0，下架 0；题库信息、章节或知识点有改动',
    )
  })

  test('a file without a question that can be imported leaves no empty library', async () => {
    const bank = forAll(bankJson({ prefix: 'NONE', chapters: 1, perChapter: 6 }))
    const empty = saved('none.json', { ...bank, questions: [] })
    const header = saved('header.csv', '题干,选项A,选项B,答案\n')
    const faulty = saved('allFaulty.csv', '题干,选项A,选项B,答案\n一加一？,一,二,D\n')
    for (const args of [[empty], [empty, '--draft'], [header, ...FOREIGN], [faulty, '--skip-faulty', ...FOREIGN]])
      expect(await command('import', ...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining('没有可导入的题目，未导入任何内容'),
      })
    expect((await command('list')).out).not.toMatch(/NONE|^X /m)
  })

  test('check --html writes a page to read, and writes nothing over', async () => {
    const bank = saved('read.json', forAll(bankJson({ prefix: 'READ', chapters: 1, perChapter: 2 })))
    const page = path.join(folder, 'read.html')
    expect(await command('check', bank, '--html', page)).toMatchObject({ code: 0, out: expect.stringContaining(page) })
    expect(readFileSync(page, 'utf8')).toContain('第1章第2题')
    expect(await command('check', bank, '--html', page)).toMatchObject({
      code: 1,
      err: expect.stringContaining('已经存在'),
    })
    expect(await command('import', bank, '--html', page)).toMatchObject({ code: 2 })
    expect((await command('list')).out).not.toContain('READ')
  })

  test('--skip-faulty leaves out a file that cannot be read, names it, and imports the others', async () => {
    const good = saved('good.json', forAll(bankJson({ prefix: 'GOOD', chapters: 1, perChapter: 6 })))
    const broken = saved('broken.json', '{"format": "lijian/1",')
    const zip = saved('broken.xlsx', 'PK no workbook')
    const files = [broken, good, zip]
    expect((await command('import', ...files, ...FOREIGN)).err).toContain('未导入任何题目')
    expect((await command('list')).out).not.toContain('GOOD')
    const { code, out, err } = await command('import', ...files, '--skip-faulty', ...FOREIGN)
    expect([code, err]).toEqual([0, `跳过 2 个没有可导入题目的文件：${broken}、${zip}\n`])
    expect(out).toContain(`${good}：新增 6，更新 0，下架 0`)
  })

  test('doubles of what a library holds are told by import, and by check where --held asks for it', async () => {
    const sums = forAll(bankJson({ prefix: 'HELD', chapters: 1, perChapter: 6 }))
    // The libraries of other tests ask what the sums ask.
    const asked = ['国防法规', '军兵种', '古代战例', '地图判读', '急救', '队列']
    const questions = sums.questions.map((each, i) => ({ ...each, stem: `${asked[i]}一课里，哪一项说得对？` }))
    const bank = { ...sums, questions }
    const [first] = questions
    const renamed = { ...bank, questions: [{ ...first, no: 'HELD_new' }] }
    const [whole, again] = [saved('held.json', bank), saved('heldAgain.json', renamed)]
    const warning =
      '  提醒 questions[0]：与题库 HELD 已有的 HELD_q1 内容相同：是同一道题就写上编号 HELD_q1，多余的请删去'
    expect((await command('import', whole)).out).toContain('错误 0，提醒 0')
    expect((await command('check', again)).out).not.toContain('HELD_q1')
    const page = path.join(folder, 'held.html')
    expect((await command('check', again, '--held', '--html', page)).out.split('\n')).toContain(warning)
    expect(readFileSync(page, 'utf8')).toContain('与题库 HELD 已有的 HELD_q1 内容相同')
    expect((await command('check', again, '--held', '--replace')).out).not.toContain('已有的')
    expect(await command('import', again, '--held')).toMatchObject({ code: 2 })
    const { code, out } = await command('import', again)
    expect([code, out.split('\n').includes(warning)]).toEqual([0, true])
    expect(out).toContain('新增 1，更新 0，下架 0')
    expect((await command('import', again, '--json')).out).not.toContain('已有的')
  })

  test('a file all of whose questions an earlier one has is named among those left out', async () => {
    const bank = forAll(bankJson({ prefix: 'TWIN', chapters: 1, perChapter: 6 }))
    const [one, other] = [saved('twin.json', bank), saved('twinAgain.json', bank)]
    const { code, out, err } = await command('import', one, other)
    expect([code, err]).toEqual([0, `跳过 1 个没有可导入题目的文件：${other}\n`])
    expect(out).toContain('提醒 文件：题目都在前面的文件里，这个文件不导入')
    expect(out).toContain(`${one}：新增 6，更新 0，下架 0`)
  })

  test('nothing is written over, and a file that is there is told', async () => {
    const filled = saved('filled.csv', '题干\n我的题\n')
    expect(await command('template', filled)).toMatchObject({ code: 1, err: expect.stringContaining('已经存在') })
    expect(await command('export', 'KEEP', filled)).toMatchObject({ code: 1, err: expect.stringContaining('已经存在') })
    expect(readFileSync(filled, 'utf8')).toBe('题干\n我的题\n')
    const fresh = path.join(folder, 'fresh.csv')
    expect((await command('template', fresh)).code).toBe(0)
    expect(existsSync(fresh)).toBe(true)
  })

  test('Ctrl+C says what became of it', async () => {
    const file = saved('long.json', forAll(bankJson({ prefix: 'LONG', chapters: 40, perChapter: 1500 })))
    const { child, ended } = start('import', file)
    // It listens from when it has loaded what it needs; a signal before that ends it as well.
    child.stdout.once('data', () => child.kill('SIGINT'))
    const { code, err } = await ended
    expect([code, err]).toEqual([130, '已中断：没有写完的都不会留下，可以重新执行\n'])
    expect((await command('list')).out).not.toContain('LONG')
  })
})

describe('what is found is told so that it can be read', () => {
  test('faults come first, and what is said of many questions is said once', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => `第${i}题问什么？,甲${i},乙${i},${i === 7 ? 'D' : 'A'},\n`)
    const file = saved('many.csv', `题干,选项A,选项B,答案,解析\n${rows.join('')}`)
    const { out } = await command('check', file, ...FOREIGN)
    expect(out.split('\n').slice(1, -1)).toEqual([
      '  错误 第9行：答案 D 不在选项中',
      '  提醒 没有解析：共 7 处，第2行、第3行、第4行、第5行等',
    ])
  })

  test('fields and columns that nothing reads, and numbers that an earlier file brings', async () => {
    const bank = forAll(bankJson({ prefix: 'SLIP', chapters: 1, perChapter: 6 }))
    const [first, second, ...rest] = bank.questions
    const slips = { ...bank, author: '某人', questions: [{ ...first, anwser: 'B' }, second, ...rest] }
    const one = saved('slips.json', slips)
    const other = saved('again.json', { ...bank, questions: [first, { ...second, stem: '另一道题' }] })
    const table = saved('slips.csv', '题干,选项A,选项B,答案,题型,备注\n一加一？,二,三,A,单选,易\n')
    const { code, out } = await command('check', one, other, table, ...FOREIGN)
    expect(code).toBe(1)
    const told = out.split('\n').map((line) => line.replaceAll(folder, ''))
    expect(told).toContain('  提醒 文件：字段“author”不认识，没有读入')
    expect(told).toContain('  提醒 questions[0]：字段“anwser”不认识，没有读入')
    expect(told).toContain(`  提醒 questions[0]：与 /slips.json 的questions[0]重复，只导入一次`)
    expect(told).toContain(
      `  错误 questions[1]：编号 ${second?.no} 与 /slips.json 的questions[1]重复：请改编号或删去其中一道；加 --skip-faulty 则只导入前一道`,
    )
    expect(told).toContain('  提醒 文件：列“备注”没有读入：没有这样的列，或者重复；可用 --map 备注=列名 对应')
    expect(told).toContain('[2/3] /again.json：共 2 题，可导入 0，错误 1，提醒 1')
  })

  test.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('a table whose cells are parted by %s', async (_, sign) => {
    const text = [
      ['题干', '选项A', '选项B', '答案', '解析'],
      ['一, 二还是三？', '甲', '乙', 'B', '略'],
    ]
    const file = saved(`parted${sign === ';' ? 1 : 2}.csv`, text.map((row) => row.join(sign)).join('\n'))
    expect((await command('check', file, ...FOREIGN)).out).toContain('共 1 题，可导入 1，错误 0，提醒 0')
  })

  test('a table without 题干 names the columns that it has', async () => {
    const { out } = await command('check', saved('other.csv', 'word,answer\n甲,A\n'), ...FOREIGN)
    expect(out).toContain('前 10 行没有“题干”列（有：word、answer）')
  })
})
