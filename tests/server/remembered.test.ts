import { expect, test } from 'vitest'
import * as v from 'valibot'
import { endpoint } from '#src/contract/endpoint.ts'
import { remembered } from '#server/http/remembered.ts'

const told = endpoint({
  path: 't/told',
  access: 'open',
  keep: 'nowhere',
  input: v.object({}),
  output: v.object({ n: v.number() }),
})
const scope = (sg_key: string, area = '0') => ({ sg_key, area, key: '' })
const MINUTE = 60_000

/** Answers are numbered as they are read. */
function counting() {
  let n = 0
  let broken = false
  const ask = remembered(told, async () => {
    n++
    if (broken) throw new Error('the database is gone')
    return { n, secret: 'not in the contract' }
  })
  return { ask: async (of = scope('jg'), now = 0) => (await ask(of, now)).json, fail: (on: boolean) => (broken = on) }
}

test('an answer is read once a minute for everybody of a scope, as the contract has it', async () => {
  const { ask } = counting()
  expect(await Promise.all([ask(), ask(), ask(scope('jg'), MINUTE - 1)])).toEqual(Array(3).fill('{"n":1}'))
  expect(await ask(scope('jg', '11'))).toBe('{"n":2}')
  expect(await ask(scope('tg'))).toBe('{"n":3}')
  expect(await ask({ ...scope('jg'), key: 'other' })).toBe('{"n":1}')
  expect(await ask(scope('jg'), MINUTE)).toBe('{"n":4}')
  expect(await ask(scope('jg'), 2 * MINUTE - 1)).toBe('{"n":4}')
})

test('a failure is not remembered', async () => {
  const { ask, fail } = counting()
  fail(true)
  await expect(ask()).rejects.toThrow('gone')
  fail(false)
  expect(await ask()).toBe('{"n":2}')
})

test('scopes that somebody makes up push out what was read longest ago, and fill no memory', async () => {
  const { ask } = counting()
  await ask(scope('old'))
  await ask(scope('young'))
  for (let i = 0; i < 499; i++) await ask(scope(`x${i}`))
  expect(await ask(scope('young'))).toBe('{"n":2}')
  expect(await ask(scope('old'))).toBe('{"n":502}')
})
