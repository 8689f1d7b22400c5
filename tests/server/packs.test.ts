import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUNDLE, type Library } from '#src/contract/question.ts'
import { contract } from '#src/contract/index.ts'
import { weighMissing } from '#server/content/bank/pack.ts'
import { importDemo } from '#server/demo/demo.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { block, blocks, chapter, libraryList, pack } = contract.question
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
const NAME = `${createHash('sha256').update(PICTURE).digest('hex').slice(0, 32)}.svg`

const RECORDING = `/media/${'c'.repeat(32)}.mp3`

/** It is like an operator's file: with a picture and a recording of ours, quotation marks, and what JSON must escape. */
function awkward(changed = '') {
  const bank = bankJson({ prefix: 'P', chapters: 3, perChapter: 60 })
  const stems = [
    `图 <img src="/media/${NAME}" width="8" height="8">`,
    `<audio src="${RECORDING}"></audio>“引号”"与"\\反斜杠\\`,
    '𠮷　全角\u2028行',
    changed,
  ]
  return {
    ...bank,
    questions: bank.questions.map((each, i) =>
      i < 4 && stems[i] ? { ...each, stem: `${each.stem}${stems[i]}` } : each,
    ),
  }
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  writeFileSync(path.join(server.mediaDir, NAME), PICTURE)
  writeFileSync(path.join(server.mediaDir, path.basename(RECORDING)), 'ID3')
  await importBank(server.db, server.mediaDir, awkward())
})
afterAll(() => server.close())

const revOf = (json: string) => createHash('sha256').update(json).digest('base64url').slice(0, 10)

describe('question/pack', () => {
  test('lists what the outline lists, in its order, with the bytes of each block, picture and recording', async () => {
    const found = await server.call(pack, { no: 'P' })
    const outline = await server.call(chapter, { no: 'P' })
    expect(found.blocks.map(({ no, at, rev, count }) => ({ no, at, rev, count }))).toEqual(outline.blocks)
    expect(found).toMatchObject({ no: 'P', title: 'P 章节题库', total: 180 })
    expect(found.chapters.map(({ no }) => no)).toEqual(['P_c1', 'P_c2', 'P_c3'])
    expect(found.pictures).toEqual([
      { src: `/media/${NAME}`, bytes: PICTURE.length },
      { src: RECORDING, bytes: 3 },
    ])
  })

  test('and the list of libraries tell the size before: what really travels', async () => {
    const found = await server.call(pack, { no: 'P' })
    const listed = (await server.call(libraryList, {}, '', { sg_key: 'jg' })).find(({ no }) => no === 'P')
    expect(listed?.pack).toEqual({ rev: found.rev, bytes: found.bytes, pictureBytes: PICTURE.length + 3 })
    const list = found.blocks.map(({ no, at, rev }) => ({ no, at, rev }))
    const wire = gzipSync(JSON.stringify(await server.call(blocks, { list })), { level: 5 }).length
    expect(Math.abs(wire - found.bytes)).toBeLessThan(found.bytes * 0.1)
  })

  test('keeps its rev when nothing changed; another question, another title, another rev', async () => {
    const rev = async () => (await server.call(pack, { no: 'P' })).rev
    const before = await rev()
    await importBank(server.db, server.mediaDir, awkward())
    expect(await rev()).toBe(before)
    await importBank(server.db, server.mediaDir, awkward('改过的题'))
    const changed = await rev()
    expect(changed).not.toBe(before)
    const bank = awkward('改过的题')
    await importBank(server.db, server.mediaDir, { ...bank, library: { ...bank.library, title: '新题库名' } })
    expect(await rev()).not.toBe(changed)
    // A question that was changed back is a third version of it, which records have to tell from the first.
    await importBank(server.db, server.mediaDir, awkward())
    const back = await rev()
    expect(back).not.toBe(before)
    await importBank(server.db, server.mediaDir, awkward())
    expect(await rev()).toBe(back)
  })

  test('of an older release’s library is weighed at the next start', async () => {
    const before = await server.call(pack, { no: 'P' })
    await server.db.updateTable('library').set({ pack: null }).where('no', '=', 'P').execute()
    const listed = (await server.call(libraryList, {}, '', { sg_key: 'jg' })).find(({ no }) => no === 'P')
    expect(listed?.pack).toBeNull()
    expect(await server.ask(pack, { no: 'P' })).toMatchObject({ status: 0 })
    await weighMissing(server.db, server.mediaDir)
    expect(await server.call(pack, { no: 'P' })).toEqual(before)
  })

  test.each(['P_c1', 'NOPE', 'p'])('%s is no library', async (no) => {
    expect(await server.ask(pack, { no })).toEqual({
      status: 0,
      msg: '题库不存在或已下架，请返回看看其他题库',
      data: null,
    })
  })
})

test('a thousand questions of the demo content are at most 350 KB on the wire', async () => {
  await importDemo(server.db, { mediaDir: server.mediaDir, say: () => {} })
  const demo = (await server.call(libraryList, {}, '', { sg_key: 'jg' })).filter(({ no }) => no.startsWith('L_'))
  const sum = (of: (library: Library) => number) => demo.reduce((all, library) => all + of(library), 0)
  expect(sum(({ total }) => total)).toBeGreaterThan(200)
  const perThousand = (sum(({ pack }) => pack?.bytes ?? 0) / sum(({ total }) => total)) * 1000
  expect(perThousand).toBeLessThanOrEqual(350 * 1024)
})

describe('question/blocks', () => {
  test('every text hashes to its rev on the other side, byte for byte, and says what question/block says', async () => {
    const { blocks: refs } = await server.call(pack, { no: 'P' })
    const got = await server.call(blocks, { list: refs })
    expect(got).toHaveLength(refs.length)
    for (const { no, at, rev, json } of got) {
      expect(revOf(json)).toBe(rev)
      expect(JSON.parse(json)).toEqual((await server.call(block, { no, at })).questions)
      const bytes = refs.find((ref) => ref.no === no && ref.at === at)?.bytes
      expect(Buffer.byteLength(json)).toBe(bytes)
    }
  })

  test('is what the contract says, though it is sent as stored', async () => {
    const { blocks: list } = await server.call(pack, { no: 'P' })
    const { data } = await server.ask(blocks, { list })
    expect(v.parse(blocks.output, data)).toEqual(data)
  })

  test('leaves out what is at another rev by now, unknown or nowhere', async () => {
    const [first] = (await server.call(pack, { no: 'P' })).blocks
    if (!first) throw new Error('no block')
    const list = [
      { ...first, rev: 'AAAAAAAAAA' },
      { ...first, no: 'NOPE' },
      { ...first, at: Number.MAX_SAFE_INTEGER },
      first,
      first,
    ]
    expect((await server.call(blocks, { list })).map(({ no, at }) => `${no}/${at}`)).toEqual(['P_c1/0', 'P_c1/0'])
  })

  test.each([
    ['none', []],
    ['more than a bundle', Array.from({ length: BUNDLE + 1 }, (_, at) => ({ no: 'P_c1', at, rev: 'AAAAAAAAAA' }))],
    ['a number that is none', [{ no: "P'--", at: 0, rev: 'AAAAAAAAAA' }]],
    ['a place that is none', [{ no: 'P_c1', at: -1, rev: 'AAAAAAAAAA' }]],
    ['a rev without end', [{ no: 'P_c1', at: 0, rev: 'A'.repeat(10_000) }]],
  ])('%s is refused', async (_, list) => {
    expect((await server.ask(blocks, { list })).status).toBe(0)
  })

  test('an address that asks without end is told to come back later', async () => {
    const list = [{ no: 'P_c1', at: 0, rev: 'AAAAAAAAAA' }]
    await server.call(blocks, { list })
    await server.db.updateTable('rate').set({ hits: 3_000 }).where('key', 'like', 'blocks:%').execute()
    const response = await server.app.inject({
      method: 'POST',
      url: '/pcapi/question/blocks',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ list: JSON.stringify(list) }).toString(),
    })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '30'])
    server.clock.now += 61_000
    await server.call(blocks, { list })
  })
})
