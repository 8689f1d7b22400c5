import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { structure } from '#server/demo/structure.ts'
import { writeStructure } from '#server/structural/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await writeStructure(server.db, {
    areas: [],
    categories: [
      ...structure.categories,
      { no: 'local', name: '地方专项', directions: [{ key: 'bj', name: '北京专项', areas: ['11', '12'] }] },
      { no: 'empty', name: '尚无方向', directions: [] },
    ],
  })
  const bank = bankJson({ prefix: 'S', perChapter: 2 })
  await importBank(server.db, server.mediaDir, {
    ...bank,
    subject: { no: 'history', name: '历史' },
    points: [
      { no: 'S_p1', parent: null, name: '中国史' },
      { no: 'S_p2', parent: 'S_p1', name: '近代史' },
      { no: 'S_p3', parent: 'S_p2', name: '甲午战争' },
    ],
    library: { ...bank.library, directions: ['tg'], areas: ['11'] },
  })
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'P', perChapter: 2 }))
})
afterAll(() => server.close())

const { areaList, getList, getPoint, subjectList } = contract.structural
const categories = async (scope: Record<string, string>) =>
  (await server.call(getList, {}, '', scope)).map(({ name }) => name)
const everywhere = structure.categories.map(({ name }) => name)

describe('structural/areaList', () => {
  test('names the 31 provincial units in their order, without the 全国 that the client puts first', async () => {
    const areas = await server.call(areaList, {})
    expect(areas).toEqual(structure.areas)
    expect(areas).toHaveLength(31)
    expect(areas.map(({ key }) => key)).not.toContain('0')
  })
})

describe('structural/getList', () => {
  test('answers categories with their directions, exactly name and child, key, name and what each is for', async () => {
    const list = await server.call(getList, {})
    expect(list.slice(0, 3)).toEqual(
      structure.categories.map(({ name, directions }) => ({
        name,
        child: directions.map(({ key, name: title, about = '' }) => ({ key, name: title, about })),
      })),
    )
  })

  test.each([
    ['nationwide, every direction is listed', { area: '0' }, true],
    ['with no area chosen, every direction is listed', {}, true],
    ['where it is open, a local direction is listed', { area: '12' }, true],
    ['elsewhere it is not, and a category without one is left out', { area: '44' }, false],
    ['an area that does not exist lists what is open everywhere', { area: 'Atlantis' }, false],
  ])('%s', async (_, scope, local) => {
    const names = await categories(scope)
    for (const name of everywhere) expect(names).toContain(name)
    expect(names.includes('地方专项')).toBe(local)
    expect(names).not.toContain('尚无方向')
  })

  test('its own area overrides the automatic one', async () => {
    const list = await server.call(getList, { area: '11' }, '', { area: '44' })
    expect(list.map(({ name }) => name)).toContain('地方专项')
  })

  test('an area that is no key is refused in Chinese', async () => {
    expect(await server.ask(getList, { area: "11' or 1=1" })).toEqual({
      status: 0,
      msg: '地区或方向不正确',
      data: null,
    })
  })
})

describe('structural/subjectList', () => {
  test.each([
    ['the direction and area of a library', { sg_key: 'tg', area: '11' }, ['历史']],
    ['the direction, nationwide', { sg_key: 'tg', area: '0' }, ['历史']],
    ['the direction, but an area where its library is not', { sg_key: 'tg', area: '44' }, []],
    ['another direction', { sg_key: 'jg', area: '11' }, ['政治']],
    ['no direction chosen', {}, []],
    ['a broken scope, which falls back to none chosen', { sg_key: '<script>' }, []],
  ])('%s', async (_, scope, names) => {
    const subjects = await server.call(subjectList, {}, '', scope)
    expect(subjects.map(({ name }) => name)).toEqual(names)
  })

  test('are in the order of the papers of the direction, the others after them', async () => {
    const bank = bankJson({ prefix: 'L', perChapter: 1 })
    for (const no of ['chemistry', 'math', 'chinese'])
      await importBank(server.db, server.mediaDir, {
        ...bankJson({ prefix: no, perChapter: 1 }),
        subject: { no, name: no },
        library: { ...bank.library, no: `L_${no}`, directions: ['zsb', 'wz_gl'] },
      })
    const named = async (sg_key: string) => [
      (await server.call(subjectList, {}, '', { sg_key })).map(({ no }) => no),
      (await server.call(contract.question.libraryList, {}, '', { sg_key })).map(({ subject }) => subject.no),
    ]
    expect(await named('zsb')).toEqual(Array.from({ length: 2 }, () => ['chinese', 'math', 'chemistry']))
    expect(await named('wz_gl')).toEqual(Array.from({ length: 2 }, () => ['chemistry', 'math', 'chinese']))
  })

  test('answers number and name alone', async () => {
    expect(await server.call(subjectList, {}, '', { sg_key: 'tg' })).toEqual([{ no: 'history', name: '历史' }])
  })
})

describe('structural/getPoint', () => {
  test('answers the tree of a subject, parents first', async () => {
    expect(await server.call(getPoint, { subject: 'history' })).toEqual([
      { no: 'S_p1', parent: null, name: '中国史' },
      { no: 'S_p2', parent: 'S_p1', name: '近代史' },
      { no: 'S_p3', parent: 'S_p2', name: '甲午战争' },
    ])
  })

  test('an unknown subject has no points', async () => {
    expect(await server.call(getPoint, { subject: 'nothing' })).toEqual([])
  })

  test.each([{ subject: '' }, { subject: 'a b' }, { subject: 'x'.repeat(65) }])('%j is refused', async (fields) => {
    expect(await server.ask(getPoint, fields)).toEqual({ status: 0, msg: '编号不正确', data: null })
  })
})

test('writing the structure again keeps one of each and takes new names and order', async () => {
  const [first, second, ...others] = structure.areas
  if (!first || !second) throw new Error('two areas')
  await writeStructure(server.db, {
    areas: [second, { ...first, name: '首都' }, ...others],
    categories: structure.categories,
  })
  const areas = await server.call(areaList, {})
  expect(areas).toHaveLength(31)
  expect(areas.slice(0, 2)).toEqual([second, { key: first.key, name: '首都' }])
})
