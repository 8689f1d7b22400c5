import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** This has as many characters as a signature, and twice as many bytes. */
const GUESS = 'é'.repeat(64)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test.each([GUESS, '', 'a'.repeat(64)])(
  'a made-up signature opens no payment, and is no fault of the server: %s',
  async (sign) => {
    const url = `/pay/sandbox/P1?sign=${encodeURIComponent(sign)}`
    expect((await server.app.inject({ url })).statusCode).toBe(404)
    const acted = await server.app.inject({ method: 'POST', url, headers: FORM, payload: 'act=pay' })
    expect(acted.statusCode).toBe(303)
  },
)

test('a notice with a made-up signature is turned away', async () => {
  const headers = {
    'content-type': 'application/json',
    'sandbox-time': String(server.clock.now),
    'sandbox-sign': GUESS,
  }
  const body = JSON.stringify({ id: 'P1', state: 'paid', amount: 1, at: server.clock.now })
  const answer = await server.app.inject({ method: 'POST', url: '/pay/notify/sandbox', headers, payload: body })
  expect(answer.statusCode).toBe(400)
})
