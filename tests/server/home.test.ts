import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { writeNotice } from '#server/home/store.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('with no notice set, the text is empty, which is no banner', async () => {
  expect(await server.ask(contract.home.getNotice, {})).toEqual({ status: 1, msg: '', data: { text: '' } })
})

test('a notice is shown to visitors and students until it is replaced or emptied', async () => {
  const { token } = await server.student()
  for (const text of ['系统将于周日维护', '维护 <b>推迟</b> "一周"\n请留意', '']) {
    await writeNotice(server.db, text)
    expect(await server.call(contract.home.getNotice, {})).toEqual({ text })
    expect(await server.call(contract.home.getNotice, {}, token)).toEqual({ text })
  }
})

test('an expired token does not close what is open to all', async () => {
  expect(await server.ask(contract.home.getNotice, {}, 'expired')).toMatchObject({ status: 1 })
})
