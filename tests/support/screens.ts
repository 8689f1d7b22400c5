import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { keepInForce } from '#server/agreement/publish.ts'
import { openApp, prepareDevice } from './app.tsx'
import { startServer, type TestServer } from './server.ts'
import { connect, type Wire } from './wire.ts'

type App = Awaited<ReturnType<typeof openApp>>

/**
 * Sets up a file of screen tests: one server for the file; for each test a visitor's device, and a wire to that server. After a
 * test its page is closed, and mocks, stubs and timers are undone.
 * @param prepare fills the server once
 */
export function setScreens(prepare?: (server: TestServer) => Promise<unknown>) {
  let server: TestServer
  let wire: Wire
  let app: App | null = null
  const close = (): void => {
    app?.close()
    app = null
  }
  beforeAll(async () => {
    server = await startServer()
    await prepare?.(server)
    await keepInForce(server.db, server.clock.now)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    wire = connect(server)
    prepareDevice()
  })
  afterEach(() => {
    close()
    wire.restore()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  return {
    get server(): TestServer {
      return server
    },
    get wire(): Wire {
      return wire
    },
    /** The page that is open. */
    get app(): App | null {
      return app
    },
    /** The page at a path instead of the one that is open. */
    open: async (path: string): Promise<App> => {
      close()
      return (app = await openApp(path))
    },
    close,
  }
}
