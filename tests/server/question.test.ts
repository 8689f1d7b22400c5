import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

/** Two chapters of 60 and a third, of 2, that stands under a chapter of its own. */
function nested() {
  const bank = bankJson({ prefix: 'N', chapters: 3, perChapter: 60 })
  return {
    ...bank,
    chapters: [
      { no: 'N_part', parent: null, title: '上编' },
      { no: 'N_c1', parent: 'N_part', title: '第1章' },
      { no: 'N_c2', parent: 'N_part', title: '第2章' },
      { no: 'N_c3', parent: null, title: '第3章' },
      { no: 'N_empty', parent: null, title: '空章' },
    ],
    questions: bank.questions.slice(0, 122),
  }
}
const scoped = (prefix: string, directions: string[], areas: string[]) => {
  const bank = bankJson({ prefix, chapters: 1, perChapter: 1 })
  return { ...bank, library: { ...bank.library, directions, areas } }
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const banks = [
    nested(),
    scoped('ALL', [], []),
    scoped('BJ', ['jg'], ['11']),
    scoped('TG', ['tg', 'js'], []),
    scoped('TGBJ', ['tg'], ['11', '12']),
  ]
  for (const bank of banks) await importBank(server.db, server.mediaDir, bank)
})
afterAll(() => server.close())

const { block, chapter, libraryList } = contract.question
const GONE = { status: 0, msg: '题库不存在或已下架，请返回看看其他题库', data: null }

describe('question/libraryList', () => {
  test.each([
    ['no direction chosen: only what is for all', {}, ['ALL']],
    ['a direction, nationwide: every area', { sg_key: 'jg', area: '0' }, ['N', 'ALL', 'BJ']],
    ['a direction in its area', { sg_key: 'jg', area: '11' }, ['N', 'ALL', 'BJ']],
    ['the same direction elsewhere', { sg_key: 'jg', area: '44' }, ['N', 'ALL']],
    ['one of several directions', { sg_key: 'js', area: '44' }, ['ALL', 'TG']],
    ['one of several areas', { sg_key: 'tg', area: '12' }, ['ALL', 'TG', 'TGBJ']],
    ['an unknown direction', { sg_key: 'nope', area: '11' }, ['ALL']],
    ['a broken scope falls back to none chosen, nationwide', { sg_key: 'a b', area: '11' }, ['ALL']],
    ['key is not what chooses: sg_key is', { key: 'jg', area: '0' }, ['ALL']],
  ])('%s', async (_, scope, expected) => {
    const libraries = await server.call(libraryList, {}, '', scope)
    expect(libraries.map(({ no }) => no)).toEqual(expected)
  })

  test('answers the chapter tree with totals, parents first, empty chapters left out', async () => {
    const libraries = await server.call(libraryList, {}, '', { sg_key: 'jg' })
    expect(libraries.find(({ no }) => no === 'N')).toEqual({
      no: 'N',
      title: 'N 章节题库',
      subject: { no: 'politics', name: '政治' },
      total: 122,
      pack: { rev: expect.any(String), bytes: expect.any(Number), pictureBytes: 0 },
      chapters: [
        { no: 'N_part', parent: null, title: '上编', total: 120 },
        { no: 'N_c1', parent: 'N_part', title: '第1章', total: 60 },
        { no: 'N_c2', parent: 'N_part', title: '第2章', total: 60 },
        { no: 'N_c3', parent: null, title: '第3章', total: 2 },
      ],
    })
  })
})

describe('question/chapter', () => {
  const places = async (no: string) => {
    const { blocks, ...head } = await server.call(chapter, { no })
    return { ...head, blocks: blocks.map((each) => `${each.no}/${each.at}: ${each.count}`) }
  }

  test('of a leaf lists its blocks of 25 in order, the last one short', async () => {
    expect(await places('N_c1')).toEqual({
      no: 'N_c1',
      libraryNo: 'N',
      title: '第1章',
      total: 60,
      blocks: ['N_c1/0: 25', 'N_c1/1: 25', 'N_c1/2: 10'],
    })
  })

  test('of a chapter with chapters lists theirs, in reading order', async () => {
    const { blocks, total } = await places('N_part')
    expect(total).toBe(120)
    expect(blocks).toEqual(['N_c1/0: 25', 'N_c1/1: 25', 'N_c1/2: 10', 'N_c2/0: 25', 'N_c2/1: 25', 'N_c2/2: 10'])
  })

  test('of a library lists the whole of it', async () => {
    const outline = await places('N')
    expect(outline).toMatchObject({ no: 'N', libraryNo: 'N', title: 'N 章节题库', total: 122 })
    expect(outline.blocks).toHaveLength(7)
    expect(outline.blocks.at(-1)).toBe('N_c3/0: 2')
  })

  test('without questions has no blocks', async () => {
    expect(await places('N_empty')).toMatchObject({ total: 0, blocks: [] })
  })

  test('that nobody knows is told as gone', async () => {
    expect(await server.ask(chapter, { no: 'N_c99' })).toEqual(GONE)
    expect(await server.ask(chapter, { no: 'n_c1' })).toEqual(GONE)
  })

  test.each(['', 'N c1', "N_c1'--", '../N', '第1章', 'x'.repeat(65)])('%j is no number', async (no) => {
    expect(await server.ask(chapter, { no })).toEqual({ status: 0, msg: '编号不正确', data: null })
  })
})

describe('question/block', () => {
  test('pages through a chapter: every question once, in order, at the rev that the outline tells', async () => {
    const { blocks } = await server.call(chapter, { no: 'N_part' })
    const read = []
    for (const { no, at, rev, count } of blocks) {
      const page = await server.call(block, { no, at })
      expect(page).toMatchObject({ no, at, rev })
      expect(page.questions).toHaveLength(count)
      read.push(...page.questions.map((question) => question.no))
    }
    expect(read).toEqual(Array.from({ length: 120 }, (_, i) => `N_q${i + 1}`))
  })

  test('is exactly what the contract says, though it is sent as stored', async () => {
    const envelope = await server.ask(block, { no: 'N_c1', at: 0 })
    const parsed = v.safeParse(block.output, envelope.data)
    expect(parsed.issues).toBeUndefined()
    // Nothing was left out by the schema: no field is on the wire that the contract does not name.
    expect(parsed.output).toEqual(envelope.data)
  })

  test('keeps its rev when nothing changed, and takes another when a question did', async () => {
    const bank = bankJson({ prefix: 'R', chapters: 1, perChapter: 50 })
    await importBank(server.db, server.mediaDir, bank)
    const revs = async () => (await server.call(chapter, { no: 'R' })).blocks.map(({ rev }) => rev)
    const before = await revs()
    await importBank(server.db, server.mediaDir, bank)
    expect(await revs()).toEqual(before)
    const questions = bank.questions.map((each, i) => (i === 30 ? { ...each, stem: '换了一道题' } : each))
    await importBank(server.db, server.mediaDir, { ...bank, questions })
    const after = await revs()
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  test.each([
    ['past the last block', 'N_c1', 3],
    ['of a chapter that has only chapters', 'N_part', 0],
    ['of a library', 'N', 0],
    ['of an unknown chapter', 'N_c99', 0],
    ['at a place beyond any integer of the database', 'N_c1', 3_000_000_000],
  ])('%s is told as gone', async (_, no, at) => {
    expect(await server.ask(block, { no, at })).toEqual(GONE)
  })

  test.each([-1, 0.5, Number.NaN])('no place is %d', async (at) => {
    const envelope = await server.ask(block, { no: 'N_c1', at })
    expect(envelope).toEqual({ status: 0, msg: '提交的内容有误，请刷新页面后重试', data: null })
  })

  test('holds questions of a retired chapter no longer, while the others stay', async () => {
    const bank = bankJson({ prefix: 'G', chapters: 2, perChapter: 3 })
    await importBank(server.db, server.mediaDir, bank)
    const kept = bank.chapters.slice(0, 1)
    await importBank(server.db, server.mediaDir, { ...bank, chapters: kept, questions: bank.questions.slice(0, 3) })
    expect(await server.ask(block, { no: 'G_c2', at: 0 })).toEqual(GONE)
    expect(await server.call(chapter, { no: 'G' })).toMatchObject({ total: 3 })
  })
})
