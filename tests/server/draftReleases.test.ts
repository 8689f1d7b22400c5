import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { FileFault } from '#server/content/draft.ts'
import { dropDraftOf, keepDrafts, publishDraft, readDifference } from '#server/content/bank/draftRelease.ts'
import { readDraft } from '#server/content/bank/draftStore.ts'
import { sweepMedia } from '#server/content/media/lessonShelf.ts'
import { readReleases } from '#server/content/bank/releaseStore.ts'
import { ReleaseRefusal } from '#server/content/bank/releases.ts'
import { retireQuestions } from '#server/content/bank/retiring.ts'
import { bankJson, checkBank, importBank } from '#tests/support/bank.ts'
import { libraryState } from '#tests/support/releases.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const DAY = 86_400_000
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Bank = ReturnType<typeof bankJson>
let banks = 0
let lib: string
let bank: Bank
const q = (n: number): string => `${lib}_q${n}`
/** More questions than one part of a draft holds. */
beforeEach(() => {
  lib = `D${++banks}`
  bank = bankJson({ prefix: lib, chapters: 2, perChapter: 300 })
})

const doing = (note = '') => ({ mediaDir: server.mediaDir, at: ++server.clock.now, note })
const take = (json: object, replace = true) =>
  importBank(server.db, server.mediaDir, json, { at: ++server.clock.now, replace })
const draft = async (json: object, { replace = true, note = '' } = {}) =>
  keepDrafts(server.db, [await checkBank(json)], { ...doing(note), replace })
const publish = (note = '', reply?: string) => publishDraft(server.db, lib, { ...doing(note), reply })
const difference = async () => (await readDifference(server.db, lib)).difference
const stateOf = () => libraryState(server, lib)
const edited = (changes: Record<number, object>, without: readonly number[] = []): Bank => ({
  ...bank,
  questions: bank.questions.flatMap((each, i) => (without.includes(i + 1) ? [] : [{ ...each, ...changes[i + 1] }])),
})

describe('a draft', () => {
  test('of a new library is seen by nobody until it is published, and is gone then', async () => {
    expect(await draft(bank, { note: '第一稿' })).toEqual([600])
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from release_draft_part where library_no = ${lib}`.execute(server.db)
    expect(rows).toEqual([{ n: 2 }])
    expect(await server.ask(contract.question.pack, { no: lib })).toMatchObject({ status: 0 })
    expect(await server.call(contract.question.libraryList, {}, '', { sg_key: 'jg' })).not.toContainEqual(
      expect.objectContaining({ no: lib }),
    )
    const { added, ...rest } = await difference()
    expect([added.length, rest]).toEqual([600, { changed: [], moved: [], restored: [], retired: [], framed: true }])
    expect(await publish()).toMatchObject({ library: lib, no: 1, added: 600 })
    expect((await stateOf()).questions.map(([, { no }]) => no)).toEqual(bank.questions.map(({ no }) => no))
    expect(await readReleases(server.db, lib)).toMatchObject([{ no: 1, what: 'publish', note: '第一稿' }])
    expect(await readDraft(server.db, lib)).toBeNull()
    await expect(publish()).rejects.toThrow(`题库 ${lib} 没有草稿`)
  })

  test('says what it would change; published, the library is as its file says', async () => {
    await take(bank)
    await retireQuestions(server.db, [q(5)], doing())
    const before = await stateOf()
    // The last of each chapter go, so that no other place changes.
    const next = edited({ 1: { answer: 'C' }, 600: { chapter: `${lib}_c1` } }, [599])
    next.questions.push({ ...bank.questions[0], no: q(900), stem: '新题？' } as Bank['questions'][number])
    await draft(next, { replace: false })
    const own = { added: [q(900)], changed: [q(1)], moved: [q(600)], restored: [q(5)], retired: [], framed: false }
    expect(await difference()).toEqual(own)
    expect(await stateOf()).toEqual(before)

    await draft({ ...next, library: { ...next.library, title: '新名' } })
    expect(await difference()).toMatchObject({ added: [q(900)], restored: [q(5)], retired: [q(599)], framed: true })
    expect(await publish('定稿')).toMatchObject({ added: 1, restored: 1, retired: 1 })
    const after = await stateOf()
    await take({ ...next, library: { ...next.library, title: '新名' } })
    expect(await stateOf()).toEqual(after)
    expect((await readReleases(server.db, lib)).map(({ what, note }) => [what, note])).toEqual([
      ['publish', '定稿'],
      ['retire', ''],
      ['import', ''],
    ])
  })

  test('is replaced by a second one, dropped by hand, and one library has one', async () => {
    await draft(edited({}, [1]))
    await draft(edited({ 1: { stem: '第二稿？' } }))
    expect(await readDraft(server.db, lib)).toMatchObject({ total: 600, base: 0 })
    await dropDraftOf(server.db, lib)
    await expect(dropDraftOf(server.db, lib)).rejects.toThrow(ReleaseRefusal)
    const { rows } = await sql`select from release_draft_part where library_no = ${lib}`.execute(server.db)
    expect(rows).toEqual([])
    const twice = [await checkBank(bank), await checkBank(bank)]
    await expect(keepDrafts(server.db, twice, { ...doing(), replace: true })).rejects.toThrow(
      '一个题库的草稿来自一个文件',
    )
    expect(await readDraft(server.db, lib)).toBeNull()
  })

  test('that equals the library publishes nothing, and is gone', async () => {
    await take(bank)
    await draft(bank)
    expect(await publish()).toMatchObject({ no: null, added: 0, changed: 0, retired: 0 })
    expect(await readReleases(server.db, lib)).toHaveLength(1)
    expect(await readDraft(server.db, lib)).toBeNull()
  })

  test('that leaves out an empty chapter is a change of the library', async () => {
    await take({ ...bank, chapters: [...bank.chapters, { no: `${lib}_e`, parent: null, title: '空章' }] })
    await draft(bank)
    expect(await difference()).toEqual({ added: [], changed: [], moved: [], restored: [], retired: [], framed: true })
    expect(await publish()).toMatchObject({ no: 2, changed: 0 })
  })

  test('brings its pictures with it, and the sweep leaves them', async () => {
    bank.questions[0] = { ...bank.questions[0], stem: '看<img src="a.svg">？' } as Bank['questions'][number]
    await keepDrafts(server.db, [await checkBank(bank, { 'a.svg': PICTURE })], { ...doing(), replace: true })
    await sweepMedia(server.db, server.mediaDir, Date.now() + 2 * DAY)
    await publish()
    const { pictures } = await server.call(contract.question.pack, { no: lib })
    expect(pictures).toHaveLength(1)
    const response = await server.app.inject({ url: pictures[0]?.src ?? '' })
    expect([response.statusCode, response.body]).toEqual([200, PICTURE])
  })

  test('answers the reports on what it corrects, when the operator says so', async () => {
    await take(bank)
    const { uid, token } = await server.student()
    const sync = (ops: OpRecord[]) =>
      server.call(
        contract.study.sync,
        { device: randomUUID(), owner: uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops },
        token,
      )
    const payload = { questionNo: q(1), version: 1, reason: 'answer', text: '应选 C' }
    const ctx = { sg_key: 'jg', area: '0', key: 'jg' }
    await sync([
      {
        opId: randomUUID(),
        seq: 1,
        stream: `q:${q(1)}`,
        kind: 'report',
        v: 1,
        payload,
        ctx,
        clientAt: server.clock.now,
      },
    ])
    await draft(edited({ 1: { answer: 'C' } }))
    await publish('', '已改为 C')
    const { changes } = await sync([])
    expect(changes.flatMap((each) => (each.kind === 'report' ? [each.body] : []))).toMatchObject([
      { status: 'fixed', reply: '已改为 C' },
    ])
  })
})

describe('what has changed since a draft was made', () => {
  const refused = async (reason: string | RegExp) => {
    const before = await stateOf()
    await expect(difference()).rejects.toThrow(reason)
    await expect(publish()).rejects.toThrow(reason)
    await expect(publish()).rejects.toThrow(ReleaseRefusal)
    expect(await stateOf()).toEqual(before)
    expect(await readDraft(server.db, lib)).not.toBeNull()
  }

  test('and would be changed back, refuses it; made again, it is published', async () => {
    await take(bank)
    await draft(edited({ 2: { answer: 'D' } }))
    await take(edited({ 1: { answer: 'C' } }))
    await retireQuestions(server.db, [q(600)], doing())
    await refused(new RegExp(`草稿（在第 1 版上）之后又改过 ${q(1)}、${q(600)}（共 2 题），发布会盖掉`))
    await draft(edited({ 2: { answer: 'D' } }))
    expect(await publish()).toMatchObject({ changed: 3, restored: 1 })
  })

  test('and has nothing to do with it, does not', async () => {
    await take(bank)
    await draft({ ...bank, questions: [{ ...bank.questions[1], answer: 'D' }] }, { replace: false })
    await take(edited({ 1: { answer: 'C' } }))
    expect(await publish()).toMatchObject({ changed: 1, restored: 0, retired: 0 })
    const keys = (await stateOf()).questions
      .slice(0, 2)
      .map(([, question]) => ('key' in question ? question.key : null))
    expect(keys).toEqual([['C'], ['D']])
  })

  test('of title and chapters refuses it', async () => {
    await take(bank)
    await draft(edited({ 2: { answer: 'D' } }))
    await take({ ...bank, library: { ...bank.library, title: '新名' } })
    await refused('题库信息、章节或知识点又改过')
  })

  test('from nothing to a library refuses it', async () => {
    await draft(bank)
    await take(edited({}, [1]))
    await refused(`草稿之后题库 ${lib} 已经建立`)
  })

  test.each(['question', 'chapter', 'direction'])(
    'a %s that is another’s or nobody’s by now refuses it',
    async (what) => {
      await take(edited({}, [1]))
      const no = `${lib}_new`
      const direction = { key: `${lib}_dir`, category_no: 'jk', name: '新方向', position: 99, areas: [] }
      if (what === 'direction') {
        const category = await server.db.selectFrom('exam_category').select('no').executeTakeFirstOrThrow()
        await server.db
          .insertInto('exam_direction')
          .values({ ...direction, category_no: category.no })
          .execute()
      }
      await draft({
        ...bank,
        library: { ...bank.library, directions: what === 'direction' ? [direction.key] : ['jg'] },
        chapters: [...bank.chapters, ...(what === 'chapter' ? [{ no, parent: null, title: '新章' }] : [])],
        questions: bank.questions.map((each, i) => (what === 'question' && i === 0 ? { ...each, no } : each)),
      })
      const other = bankJson({ prefix: `${lib}O`, chapters: 1, perChapter: 1 })
      if (what === 'question') other.questions = other.questions.map((each) => ({ ...each, no }))
      if (what === 'chapter') {
        other.chapters = [{ no, parent: null, title: '别家' }]
        other.questions = other.questions.map((each) => ({ ...each, chapter: no }))
      }
      await take(other)
      await server.db.deleteFrom('exam_direction').where('key', '=', direction.key).execute()
      await refused(what === 'direction' ? `方向 ${direction.key} 不存在` : no)
    },
  )

  test('of the form in which questions are kept refuses it', async () => {
    await take(bank)
    await draft(edited({ 2: { answer: 'D' } }))
    await sql`update release_draft_part set body = ${gzipSync(JSON.stringify([{ chapterNo: `${lib}_c1`, question: { no: q(1) } }]))}
      where library_no = ${lib} and at = 1`.execute(server.db)
    const before = await stateOf()
    await expect(publish()).rejects.toThrow(FileFault)
    expect(await stateOf()).toEqual(before)
  })
})

describe("the operator's command", () => {
  const command = (...args: string[]) => {
    const DATABASE_URL = `postgres://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`
    const env = { ...process.env, DATABASE_URL, DATA_DIR: path.dirname(server.mediaDir) }
    return spawnSync(process.execPath, ['server/bin/content.ts', ...args], { env, encoding: 'utf8' })
  }

  test('keeps a draft, tells what it would change, publishes and drops it', async () => {
    await take(bank)
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-draft-')), '题库.json')
    writeFileSync(file, JSON.stringify(edited({ 1: { answer: 'C' } }, [600])))
    expect(command('import', file, '--draft', '--replace', '--note', '第二版').stdout).toContain(
      `题库 ${lib} 的草稿 599 题，学生还看不到`,
    )
    expect(command('releases', lib).stdout).toMatch(
      /^草稿（未发布） {2}\S+ \S+ {2}599 题，替换整个题库 {2}在第 1 版上 {2}\S+题库\.json {2}第二版\n第 1 版（现用）/,
    )
    expect(command('diff', lib).stdout).toMatch(new RegExp(`\\n更新 1：${q(1)}\\n下架 1：${q(600)}\\n$`))
    expect(JSON.parse(command('diff', lib, '--json').stdout)).toMatchObject({
      draft: { total: 599, base: 1, replaces: true },
      changed: [q(1)],
      retired: [q(600)],
      framed: false,
    })
    expect(command('publish', lib).stdout).toBe(`题库 ${lib} 已发布：更新 1，下架 1。现用第 2 版\n`)
    expect(command('diff', lib)).toMatchObject({ status: 1, stderr: `题库 ${lib} 没有草稿\n` })
    expect(JSON.parse(command('import', file, '--draft', '--json').stdout)).toMatchObject([
      { written: null, draft: 599 },
    ])
    expect(command('drop', lib)).toMatchObject({ status: 0, stdout: `题库 ${lib} 的草稿已丢弃\n` })
    const wrong = [
      ['publish'],
      ['diff', lib, '2'],
      ['check', file, '--draft'],
      ['import', file, '--draft', '--reply', '好'],
    ]
    for (const words of wrong) expect(command(...words).status).toBe(2)
  })
})
