import type { IncomingMessage } from 'node:http'
import { freePort, makeWire, type Wire } from '#tests/e2e/product.ts'
import { startServer, type TestServer } from './server.ts'

export interface StorageServer extends TestServer {
  /** Between the page and the bucket; it can break. */
  line: Wire
  origin: string
  /** Requests to the bucket that came, but for those that only ask whether they may. */
  came: { method: string; part: number | null; key: string }[]
  /** Called at each of them. */
  onCame: (request: { part: number | null }) => void
}

/** The server, reached by a real connection: the storage's client knows no other. */
export async function startStorageServer(): Promise<StorageServer> {
  const port = await freePort()
  const line = await makeWire(port)
  const origin = `http://127.0.0.1:${line.port}`
  const server = await startServer({ origin })
  const came: StorageServer['came'] = []
  const storage: StorageServer = {
    ...server,
    line,
    origin,
    came,
    onCame: () => {},
    close: async () => {
      await line.close()
      await server.close()
    },
  }
  server.app.server.on('request', ({ method = '', url = '' }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, origin)
    if (method === 'OPTIONS' || !pathname.startsWith('/bucket/')) return
    const n = searchParams.get('partNumber')
    const one = {
      method,
      key: decodeURIComponent(pathname.slice('/bucket/'.length)),
      part: n === null ? null : Number(n),
    }
    came.push(one)
    storage.onCame(one)
  })
  await server.app.listen({ port, host: '127.0.0.1' })
  return storage
}
