import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { partition } from '#server/bin/importReport.ts'
import type { Checked } from '#server/content/bank/checked.ts'
import { AcrossFiles } from '#server/content/bank/doubles/acrossFiles.ts'
import { keepDrafts } from '#server/content/bank/draftRelease.ts'
import { readDraft } from '#server/content/bank/draftStore.ts'
import { readLibraryList } from '#server/content/bank/exportStore.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import { noProgress } from '#server/content/progress.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let lib: string
let libs = 0
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
/** The same questions for every test, and alike to those of no other: the database keeps them all. */
beforeEach(() => {
  lib = `DB${++libs}`
  uprising = {
    stem: `（${lib}）南昌起义发生在哪一年？`,
    options: ['1921年', '1927年', '1935年', '1949年'],
    answer: 'B',
  }
  policy = {
    stem: `（${lib}）新中国成立之初人民政府为巩固新生政权所采取的首要举措是哪一项`,
    options: ['镇压反革命', '土地改革', '没收官僚资本', '三反五反'],
    answer: 'B',
  }
})

interface Asked {
  no?: string
  stem?: string
  options?: string[]
  answer?: string
}
let uprising: Asked
let policy: Asked & { stem: string }

/** A file of the library with these questions; without a number of its own a question gets one from its content. */
function file(name: string, questions: readonly Asked[], library = lib): string {
  const bank = {
    format: 'lijian/1',
    subject: { no: 'politics', name: '政治' },
    library: { no: library, title: library },
    chapters: [{ no: `${library}_c`, parent: null, title: '一' }],
    questions: questions.map((each) => ({ chapter: `${library}_c`, type: 'single', analysis: '有', ...each })),
  }
  const at = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-doubles-')), name)
  writeFileSync(at, JSON.stringify(bank))
  return at
}
/** Checks files as one command does. */
async function checked(...files: string[]): Promise<{ across: AcrossFiles; all: Checked[] }> {
  const across = new AcrossFiles()
  const all: Checked[] = []
  for (const each of files) {
    const one = await checkFile(each, null)
    across.add(one)
    all.push(one)
  }
  return { across, all }
}
const told = ({ findings }: Checked) =>
  findings.map(({ at, reason }) => `${at}：${reason.replaceAll(/\S*\/lijian-doubles-[^/]+\//g, '')}`)
const writing = () => ({ at: ++server.clock.now, by: 'operator' as const })
const write = (all: readonly Checked[], replace = false) =>
  writeChecked(server.db, all, server.mediaDir, replace, writing())
/** Puts these questions into the library. */
const hold = async (questions: readonly Asked[], library = lib) =>
  write((await checked(file('held.json', questions, library))).all)
/** Tells what a file is warned of beside what the database holds. */
async function toldBesideHeld(questions: readonly Asked[], without: readonly string[] = []): Promise<string[]> {
  const { across, all } = await checked(file('new.json', questions))
  await across.holdAgainst(server.db, without, noProgress)
  return all.flatMap(told)
}

describe('a question that an earlier file of the same command has', () => {
  test('is told with that file and its place there, in whichever way the two are alike', async () => {
    const { all } = await checked(
      file('a.json', [uprising, policy]),
      file('b.json', [
        { ...uprising, no: `${lib}_same` },
        { ...uprising, options: ['1927年', '1921年', '1935年', '1949年'], answer: 'A' },
        { ...uprising, options: ['1925年', '1926年', '1927年', '1928年'], answer: 'C' },
        { ...policy, stem: policy.stem.replace('首要', '首先') },
        { stem: '另一道题问什么？', options: ['甲', '乙'], answer: 'A' },
      ]),
    )
    expect(all.map(told)).toEqual([
      [],
      expect.arrayContaining([
        'questions[0]：与 a.json 的questions[0]内容相同，请核对是否重复',
        'questions[1]：与 a.json 的questions[0]题干和选项相同，选项次序不同，请核对是否重复',
        'questions[2]：与 a.json 的questions[0]题干相同，选项不全相同，请核对是否重复',
        'questions[3]：与 a.json 的questions[1]只差几个字或标点，请核对是否重复',
      ]),
    ])
    expect(all[1]?.findings.filter(({ reason }) => reason.includes('a.json'))).toHaveLength(4)
    expect(all.map(({ importable, faults }) => [importable, faults])).toEqual([
      [2, 0],
      [5, 0],
    ])
  })

  test('is told of any earlier file, not of the last one alone', async () => {
    const files = ['a.json', 'b.json', 'c.json']
    const { all } = await checked(
      ...files.map((name, i) => file(name, [i === 1 ? policy : { ...uprising, no: `${lib}_${i}` }])),
    )
    expect(all.map(told)).toEqual([[], [], ['questions[0]：与 a.json 的questions[0]内容相同，请核对是否重复']])
  })

  test('leaves a file with nothing of its own out, and no empty library comes of that', async () => {
    const [first, second] = [`${lib}A`, `${lib}B`]
    const both = [
      { ...uprising, no: `${lib}_1` },
      { ...policy, no: `${lib}_2` },
    ]
    const { all } = await checked(file('a.json', both, first), file('b.json', both, second))
    expect(all[1]?.findings.map(({ reason }) => reason)).toContain('题目都在前面的文件里，这个文件不导入')
    const { taken, skipped } = partition(all, false)
    expect(skipped).toEqual([all[1]?.file])
    await write(taken)
    await expect(write(all)).rejects.toThrow('没有可导入的题目')
    const held = (await readLibraryList(server.db)).map(({ no }) => no)
    expect([held.includes(first), held.includes(second)]).toEqual([true, false])
  })
})

describe('a question that a library holds', () => {
  test('is told with its number and its library, in whichever way the two are alike', async () => {
    await hold([
      { ...uprising, no: `${lib}_1` },
      { ...policy, no: `${lib}_2` },
    ])
    const todo = (n: number) => `：是同一道题就写上编号 ${lib}_${n}，多余的请删去`
    const found = await toldBesideHeld([
      { ...uprising, no: `${lib}_new` },
      { ...policy, stem: policy.stem.replace('首要', '首先') },
      { stem: '另一道题问什么？', options: ['甲', '乙'], answer: 'A' },
    ])
    expect(found).toEqual([
      `questions[0]：与题库 ${lib} 已有的 ${lib}_1 内容相同${todo(1)}`,
      `questions[1]：与题库 ${lib} 已有的 ${lib}_2 只差几个字或标点${todo(2)}`,
    ])
  })

  test('of several in which it is alike the closest is told', async () => {
    await hold([
      { ...uprising, no: `${lib}_1`, options: ['1927年', '1921年', '1935年', '1949年'], answer: 'A' },
      { ...uprising, no: `${lib}_2` },
      { ...uprising, no: `${lib}_3`, options: ['1925年', '1926年', '1927年', '1928年'], answer: 'C' },
    ])
    const [found, ...more] = await toldBesideHeld([{ ...uprising, no: `${lib}_new` }])
    expect([found?.includes(`${lib}_2 内容相同`), more]).toEqual([true, []])
  })

  test('is the same and no double when it keeps its number, changed or not', async () => {
    const both = [
      { ...uprising, no: `${lib}_1` },
      { ...policy, no: `${lib}_2` },
    ]
    await hold(both)
    expect(await toldBesideHeld([...both.slice(1), { ...both[0], stem: `（${lib}）南昌起义发生在哪年？` }])).toEqual([])
  })

  test('is none when it goes with --replace, or has gone before', async () => {
    await hold([{ ...uprising, no: `${lib}_1` }])
    expect(await toldBesideHeld([{ ...uprising, no: `${lib}_new` }], [lib])).toEqual([])
    const { all } = await checked(file('other.json', [{ ...policy, no: `${lib}_2` }]))
    await write(all, true)
    expect(await toldBesideHeld([{ ...uprising, no: `${lib}_new` }])).toEqual([])
  })

  test('in another library is asked after: its number cannot be had twice', async () => {
    const other = `${lib}O`
    await hold([{ ...uprising, no: `${other}_1` }], other)
    expect(await toldBesideHeld([uprising])).toEqual([
      `questions[0]：与题库 ${other} 已有的 ${other}_1 内容相同，请核对是否两处都要`,
    ])
    await hold([uprising])
    expect(await toldBesideHeld([uprising]), 'has been told when it came').toEqual([])
    expect(await toldBesideHeld([uprising], [lib])).toEqual([])
  })
})
describe('a file without a question that can be imported', () => {
  test('is refused by whatever writes it, published or kept as a draft, and nothing is written', async () => {
    const { all } = await checked(file('empty.json', []))
    const [empty] = all.map(({ file: at }) => at)
    for (const replace of [false, true]) {
      const draft = { mediaDir: server.mediaDir, at: ++server.clock.now, note: '', replace }
      await expect(write(all, replace)).rejects.toThrow(`${empty} 里没有可导入的题目`)
      await expect(keepDrafts(server.db, all, draft)).rejects.toThrow(`${empty} 里没有可导入的题目`)
    }
    expect((await readLibraryList(server.db)).map(({ no }) => no)).not.toContain(lib)
    expect(await readDraft(server.db, lib)).toBeNull()
  })
})
