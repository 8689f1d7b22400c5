import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OfflineError } from '#src/api/errors.ts'
import { query, setAnswer } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'
import { session } from '#src/session/session.ts'
import { connect, json, silence, type Wire } from '#tests/support/wire.ts'

let wire: Wire
beforeEach(() => {
  localStorage.clear()
  session.logout()
  session.setChoice({ key: '0', name: '全国' }, { key: 'jg', name: '军官' })
  wire = connect()
})
afterEach(() => wire.restore())

const list = () => query(contract.question.libraryList, {})

test('the key holds owner, region and direction before the path and the input', () => {
  expect(list().queryKey).toEqual(['anon', '0', 'jg', 'question/libraryList', {}])
  expect(query(contract.question.block, { no: 'L_c1', at: 2 }).queryKey).toEqual([
    'anon',
    '0',
    'jg',
    'question/block',
    { no: 'L_c1', at: 2 },
  ])
})

test('another student, region or direction never gets this one’s answer', async () => {
  const client = new QueryClient()
  client.setQueryData(list().queryKey, [])
  const keys = [JSON.stringify(list().queryKey)]
  for (const change of [
    () => session.setChoice({ key: '37', name: '山东' }, { key: 'jg', name: '军官' }),
    () => session.setExam({ key: 'wz', name: '文职' }),
    () => session.login('t1', 'u1'),
    () => session.login('t2', 'u2'),
  ]) {
    change()
    keys.push(JSON.stringify(list().queryKey))
    expect(client.getQueryData(list().queryKey)).toBeUndefined()
  }
  expect(new Set(keys).size).toBe(keys.length)
})

test('a token that expires or is renewed keeps the student’s answers', () => {
  session.login('t1', 'u1')
  const before = list().queryKey
  session.expire('t1')
  expect(list().queryKey).toEqual(before)
  session.login('t2', 'u1')
  expect(list().queryKey).toEqual(before)
})

test('says where its answer may be kept; what the first paint needs is never dropped from memory', () => {
  expect(list().meta).toEqual({ keep: 'device' })
  expect(query(contract.home.getNotice, {})).toMatchObject({
    meta: { keep: 'boot' },
    gcTime: Number.POSITIVE_INFINITY,
  })
  expect(list()).not.toHaveProperty('gcTime')
})

test('a query that its screen leaves ends its request', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let gone = false
  wire.fault = silence
  const asking = client.fetchQuery(list()).catch(() => (gone = true))
  await expect.poll(() => wire.sent).toHaveLength(1)
  await client.cancelQueries({ queryKey: list().queryKey })
  await asking
  expect(gone).toBe(true)
  wire.fault = () => json({ status: 1, msg: '', data: [] })
  await expect(client.fetchQuery(list())).resolves.toEqual([])
  wire.fault = null
  await expect(client.fetchQuery({ ...list(), staleTime: 0 })).rejects.toThrow(OfflineError)
})

describe('a network that takes requests and does not answer', () => {
  afterEach(() => vi.useRealTimers())
  const ended = async (asking: Promise<unknown>, within: number): Promise<boolean> => {
    let over = false
    asking.then(
      () => (over = true),
      () => (over = true),
    )
    await vi.advanceTimersByTimeAsync(within)
    return over
  }
  const ask = (no: string) => new QueryClient().fetchQuery(query(contract.question.chapter, { no }))
  test('is told to a screen after 3.5 s, to the next one after 1.5 s, and is trusted again after an answer', async () => {
    vi.useFakeTimers()
    wire.fault = () => json({ status: 1, msg: '', data: {} })
    await ask('L_c0')
    wire.fault = silence
    expect(await ended(ask('L_c1'), 3_499)).toBe(false)
    expect(await ended(ask('L_c2'), 3_500)).toBe(true)
    const third = ask('L_c3')
    expect(await ended(third, 1_500)).toBe(true)
    await expect(third).rejects.toThrow(OfflineError)
    wire.fault = () => json({ status: 1, msg: '', data: {} })
    await ask('L_c4')
    wire.fault = silence
    expect(await ended(ask('L_c5'), 3_499)).toBe(false)
  })
  test('that answers at last has answered whoever asks again: a slow line gets there by one request', async () => {
    vi.useFakeTimers()
    let answer: (response: Response) => void = () => {}
    wire.fault = () => new Promise((resolve) => (answer = resolve))
    expect(await ended(ask('L_c9'), 3_500)).toBe(true)
    const again = ask('L_c9')
    answer(json({ status: 1, msg: '', data: { no: 'L_c9' } }))
    await expect(again).resolves.toEqual({ no: 'L_c9' })
    await expect(ask('L_c9')).resolves.toEqual({ no: 'L_c9' })
    expect(wire.sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await ended(ask('L_c9'), 0)).toBe(false)
    expect(wire.sent).toHaveLength(2)
  })
})

describe('what the server answers to a change', () => {
  test('is what a query has from then on, also one that no screen has asked for yet', () => {
    const client = new QueryClient()
    setAnswer(client, query(contract.user.getUserInfo, {}), { uid: 'u1', portrait: '', nickname: '小王', mobile: '' })
    expect(client.getQueryData(query(contract.user.getUserInfo, {}).queryKey)).toMatchObject({ nickname: '小王' })
    expect(client.getQueryCache().getAll()).toMatchObject([{ meta: { keep: 'boot' } }])
  })

  test('lets the worker renew the copy it keeps', async () => {
    wire.fault = () => json({ status: 1, msg: '', data: [] })
    setAnswer(new QueryClient(), query(contract.exam.list, {}), [])
    await expect.poll(() => wire.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /pcapi/exam/list'])
  })

  test('is taken in by setAnswer alone, which keeps the stored copy true', () => {
    const root = path.resolve(import.meta.dirname, '../..')
    const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    const callers = files.filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        /\bset(Query|Queries)Data\b\s*[(<]/.test(readFileSync(path.join(root, 'src', file), 'utf8')),
    )
    expect(callers).toEqual([path.join('api', 'query.ts')])
  })
})
