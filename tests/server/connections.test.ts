import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limitConnections } from '#server/http/connections.ts'
import { startServer } from '#tests/support/server.ts'

const open: (net.Socket | http.Server)[] = []
afterEach(() => {
  for (const each of open.splice(0)) {
    if (each instanceof net.Socket) each.destroy()
    else each.close()
  }
})

async function listen(options: Parameters<typeof limitConnections>[1]): Promise<number> {
  const server = http.createServer((_, response) => response.end('here'))
  open.push(server)
  limitConnections(server, options)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}
/** Asks something on a new connection, and says what became of it. */
async function ask(port: number): Promise<{ said: 'here' | 'closed'; socket: net.Socket }> {
  const socket = net.connect(port, '127.0.0.1')
  open.push(socket)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const said = await new Promise<'here' | 'closed'>((done) => {
    socket.on('data', () => done('here'))
    socket.on('error', () => done('closed'))
    socket.on('close', () => done('closed'))
  })
  return { said, socket }
}

test('one address has its share of connections and no more, until one of them ends', async () => {
  const port = await listen({ most: 2, isFree: () => false })
  const [first, second] = [await ask(port), await ask(port)]
  expect([first.said, second.said, (await ask(port)).said]).toEqual(['here', 'here', 'closed'])
  first.socket.end()
  await expect.poll(async () => (await ask(port)).said).toBe('here')
})

test('a proxy on this machine brings as many as there are', async () => {
  const port = await listen({ most: 1, isFree: (address) => address === '127.0.0.1' })
  expect([(await ask(port)).said, (await ask(port)).said]).toEqual(['here', 'here'])
})

test('the head and the body of a request have their time, after which the connection ends', async () => {
  const { app, close } = await startServer()
  const { headersTimeout, requestTimeout } = app.server
  expect(headersTimeout).toBeGreaterThan(0)
  expect(requestTimeout).toBeGreaterThanOrEqual(headersTimeout)
  expect(requestTimeout).toBeLessThanOrEqual(300_000)
  await close()
})
