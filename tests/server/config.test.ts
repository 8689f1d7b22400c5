import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { buildApp } from '#server/app.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('the pages get what the operator set, and nothing else of the configuration', async () => {
  const site = {
    phone: '400-000-0000',
    chatId: 'kefu01',
    address: '北京市',
    copyright: '© 2026 军考助手',
    filingNo: '京ICP备00000000号',
    bucket: 'https://handouts.test',
  }
  const configured = { ...site, databaseUrl: 'postgres://admin:secret@db/' }
  const { db, mediaDir } = server
  const app = await buildApp({
    db,
    mediaDir,
    bucketDir: mediaDir,
    site: configured,
    now: Date.now,
    sms: { sendCode: async () => {} },
  })
  const response = await app.inject({ method: 'POST', url: '/pcapi/config/getSite' })
  expect(response.json()).toEqual({ status: 1, msg: '', data: site })
  await app.close()
})

test('what is not set of the footer is empty text, never missing; and there is no bucket', async () => {
  expect(await server.call(contract.config.getSite, {})).toEqual({
    phone: '',
    chatId: '',
    address: '',
    copyright: '',
    filingNo: '',
  })
})
